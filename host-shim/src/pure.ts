/**
 * What editors and other plugins call without a request: the engine's pure parts, at once. The
 * other side is `src/pure.rs`.
 */

import type { Engine } from "#load-engine";

/** A schema as JSON; the specification has its members. */
export type SchemaJson = Readonly<Record<string, unknown>>;

export interface MarkupWarning {
  readonly code: string;
  readonly message: string;
  /** In bytes of the markup's UTF-8. */
  readonly offset: number;
}

/** Something wrong with a schema, at its place. */
export interface SchemaFault {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Something wrong with an answer. */
export interface AnswerFault {
  readonly field: string;
  /** The part of a composite field, such as `city`. */
  readonly part?: string;
  readonly code: string;
  readonly message: string;
}

export interface SentFile {
  readonly field: string;
  readonly filename: string;
  readonly content_type: string;
  readonly size: number;
}

/** A visitor's answers: the pairs of a form body, or the members of a JSON body. */
export type Answers = { readonly schema: SchemaJson } & (
  | { readonly pairs: readonly (readonly [string, string])[]; readonly files?: readonly SentFile[] }
  | { readonly data: Readonly<Record<string, unknown>> }
);

export type Validated =
  | { readonly data: Readonly<Record<string, unknown>>; readonly files: readonly number[] }
  | { readonly errors: readonly AnswerFault[] }
  | { readonly faults: readonly SchemaFault[] };

export interface RouteDescription {
  /** The one that the documents name. */
  readonly method: string;
  /** All that it answers to: what PATCH changes, the platform's clients change by POST or PUT too. */
  readonly methods: readonly string[];
  /** With variables in braces, such as `/cf/v1/forms/{id}`. */
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
}

/** The routes with their arguments, as clients of the platform's REST conventions discover them. */
export interface NamespaceIndex {
  readonly namespace: string;
  /** By pattern, such as `/cf/v1/forms/(?P<id>[\\d]+)`. */
  readonly routes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface PureCalls {
  /** Reads HTML into a schema, and says what could not be carried over. */
  parseMarkup(
    html: string,
  ): { readonly schema: SchemaJson; readonly warnings: readonly MarkupWarning[] } | { readonly error: string };
  /** Writes a schema as HTML, which passes through the filter `cf_schema_markup`; its third argument is null here. */
  renderSchema(schema: SchemaJson): { readonly html: string } | { readonly faults: readonly SchemaFault[] };
  /** Validates answers as a submit would; `messages` and `settings` are the form's. */
  validateSubmission(
    answers: Answers & { readonly messages?: SchemaJson; readonly settings?: SchemaJson },
  ): Validated;
  /** The names of the fields that the answers hide, in the schema's order. */
  evaluateConditions(
    answers: Answers,
  ): { readonly hidden: readonly string[] } | { readonly faults: readonly SchemaFault[] };
  /** The route table, so that a platform's router can register the routes one by one. */
  routes(): readonly RouteDescription[];
  /** What the namespace index says, for the platform's own index of all namespaces. */
  namespaceIndex(): NamespaceIndex;
}

/**
 * The calls on an engine; `use` runs them with the driver's care for traps, and `filterMarkup` gives
 * plugins what was rendered.
 */
export function pureCalls(
  use: (call: (engine: Engine) => string) => string,
  filterMarkup: (html: string, schema: SchemaJson) => string,
): PureCalls {
  return {
    parseMarkup: (html) => JSON.parse(use((engine) => engine.parseMarkup(html))),
    renderSchema(schema) {
      const rendered: ReturnType<PureCalls["renderSchema"]> = JSON.parse(
        use((engine) => engine.renderSchema(JSON.stringify(schema))),
      );
      return "html" in rendered ? { html: filterMarkup(rendered.html, schema) } : rendered;
    },
    validateSubmission: (answers) => JSON.parse(use((engine) => engine.validateSubmission(JSON.stringify(answers)))),
    evaluateConditions: (answers) => JSON.parse(use((engine) => engine.evaluateConditions(JSON.stringify(answers)))),
    routes: () => JSON.parse(use((engine) => engine.routes())),
    namespaceIndex: () => JSON.parse(use((engine) => engine.namespaceIndex())),
  };
}
