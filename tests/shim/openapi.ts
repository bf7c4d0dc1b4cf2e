/** Checks responses against the API's OpenAPI document. */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

interface Operation {
  readonly path: RegExp;
  readonly method: string;
  /** Validators by status, created on first use. */
  readonly validators: ReadonlyMap<number, () => ValidateFunction>;
}

interface DocumentedResponse {
  readonly content?: object;
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Readonly<Record<string, DocumentedResponse>> }>>>
  >;
}

export class ApiDescription {
  readonly #operations: readonly Operation[];
  readonly #error: ValidateFunction;

  constructor(document: Document) {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, "openapi");
    const schemaAt = (...pointer: string[]): ValidateFunction => {
      const escaped = pointer.map((name) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1")));
      return ajv.compile({ $ref: `openapi#/${escaped.join("/")}` });
    };
    this.#error = schemaAt("components", "schemas", "Error");
    this.#operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => ({
        path: pattern(path),
        method: method.toUpperCase(),
        validators: new Map(
          Object.entries(responses)
            .filter(([, { content }]) => content !== undefined)
            .map(([status]) => [
              Number(status),
              () => schemaAt("paths", path, method, "responses", status, "content", "application/json", "schema"),
            ]),
        ),
      })),
    );
  }

  /**
   * Describes the first difference of a response from the document; null without a difference. `path` begins with
   * `/cf/v1`.
   */
  problem(method: string, path: string, status: number, body: unknown): string | null {
    const described = (candidate: string) =>
      this.#operations.find((operation) => operation.method === candidate && operation.path.test(path));
    // POST and PUT do the same as PATCH.
    const found = described(method) ?? (["POST", "PUT"].includes(method) ? described("PATCH") : undefined);
    if (found === undefined && status === 404) return this.#fault(this.#error, body);
    if (found === undefined) return `${method} ${path} is not described`;
    const validator = found.validators.get(status);
    return validator === undefined
      ? `${method} ${path} has no documented response ${status}`
      : this.#fault(validator(), body);
  }

  #fault(schema: ValidateFunction, body: unknown): string | null {
    if (schema(body)) return null;
    const [error] = schema.errors ?? [];
    return `not as described: ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`;
  }
}

function pattern(path: string): RegExp {
  const segments = path.split("/").map((segment) => {
    if (!segment.startsWith("{")) return segment.replaceAll(".", "\\.");
    return /^\{(.*_)?id\}$/.test(segment) ? "\\d+" : "[^/]+";
  });
  return new RegExp(`^${segments.join("/")}/?$`, "i");
}
