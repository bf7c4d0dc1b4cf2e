/**
 * What editors and other plugins call without a request: the engine's synchronous calls, which take and
 * give objects. Their TypeScript types are made from the Rust types of `crates/browser` and
 * `src/wasm/routes.rs`.
 */

import type { Engine } from "#load-engine";

/** The calls that a browser has too (`cf-forms/browser`), and what a platform's router asks for. */
export type PureCalls = Pick<
  Engine,
  "parseMarkup" | "renderSchema" | "validateSubmission" | "evaluateConditions" | "routes" | "namespaceIndex"
>;

/**
 * The calls on an engine; `use` runs them with the driver's care for traps, and `filterMarkup` gives
 * plugins what was rendered: it passes through `cf_schema_markup`, whose third argument is null here.
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
    namespaceIndex: () => use((engine) => engine.namespaceIndex()),
  };
}
