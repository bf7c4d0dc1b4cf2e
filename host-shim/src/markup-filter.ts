/** The filter `cf_schema_markup`, through which plugins change the HTML that `forms.renderSchema()` returns. */

import type { FormSchema } from "#load-engine";
import type { Hooks } from "./hooks.ts";
import { reasonOf, stackOf } from "./reason.ts";

/** Returns the filter of rendered HTML. It returns the HTML unchanged when a callback fails or returns no text. */
export function markupFilter(
  hooks: Hooks,
  report: (message: string, fields?: Readonly<Record<string, unknown>>) => void,
): (html: string, schema: object) => string {
  return (html, schema) => {
    try {
      // A callback may return anything, also a promise.
      const filtered: unknown = hooks.applyFilters("cf_schema_markup", html, schema as FormSchema, null);
      if (typeof filtered === "string") return filtered;
      report("a callback of cf_schema_markup returned no text: forms.renderSchema() does not await promises");
    } catch (error) {
      report(`a callback of cf_schema_markup failed: ${reasonOf(error)}`, { stack: stackOf(error) });
    }
    return html;
  };
}
