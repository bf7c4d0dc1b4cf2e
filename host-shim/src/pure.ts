/**
 * The engine's synchronous calls, for editors and other plugins. Arguments and results are objects, whose TypeScript
 * types are generated from the Rust types of `crates/browser` and `src/wasm/routes.rs`.
 */

import type { Engine } from "#load-engine";

/** The calls that `cf-forms/browser` has too, and `routes` for a platform's router. */
export type PureCalls = Pick<
  Engine,
  "parseMarkup" | "renderSchema" | "validateSubmission" | "evaluateConditions" | "routes"
>;

/**
 * Returns the calls on an engine. `use` runs them through the driver, which handles traps. `filterMarkup` passes rendered
 * HTML through the plugins' filter `cf_schema_markup`, whose third argument is null here.
 */
export function pureCalls(
  use: <T>(call: (engine: Engine) => T) => T,
  filterMarkup: (html: string, schema: object) => string,
): PureCalls {
  return {
    parseMarkup: (html) => use((engine) => engine.parseMarkup(html)),
    renderSchema(schema) {
      const rendered = use((engine) => engine.renderSchema(schema));
      return "html" in rendered ? { html: filterMarkup(rendered.html, schema) } : rendered;
    },
    validateSubmission: (answers) => use((engine) => engine.validateSubmission(answers)),
    evaluateConditions: (answers) => use((engine) => engine.evaluateConditions(answers)),
    routes: () => use((engine) => engine.routes()),
  };
}
