/**
 * What editors and other plugins call without a request: the engine's synchronous calls. Their
 * TypeScript types are made from the Rust types of `crates/browser` and `src/wasm/routes.rs`.
 */

import type { BrowserModule, Engine, RenderedSchema } from "#load-engine";

export type * from "./schema-types.ts";

/** A schema as JSON; the specification has its members. */
export type SchemaJson = Readonly<Record<string, unknown>>;

/** The calls that a browser has too (`cf-forms/browser`), and what a platform's router asks for. */
export type PureCalls = Pick<
  Engine,
  "parseMarkup" | "renderSchema" | "validateSubmission" | "evaluateConditions" | "routes" | "namespaceIndex"
>;
