/** Whether answers are what the API's own OpenAPI document says of them. */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

interface Operation {
  readonly path: RegExp;
  readonly method: string;
  readonly statuses: ReadonlyMap<number, ValidateFunction>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Readonly<Record<string, unknown>> }>>>>;
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
        statuses: new Map(
          Object.keys(responses)
            .filter((status) => status !== "default")
            .map((status) => [
              Number(status),
              schemaAt("paths", path, method, "responses", status, "content", "application/json", "schema"),
            ]),
        ),
      })),
    );
  }

  /** What of an answer is not as described; null when all is. `path` begins with `/cf/v1`. */
  problem(method: string, path: string, status: number, body: unknown): string | null {
    if (status >= 400) return this.#said(this.#error, body);
    const found = this.#operations.find((operation) => operation.method === method && operation.path.test(path));
    if (found === undefined) return `${method} ${path} is not described`;
    const schema = found.statuses.get(status);
    return schema === undefined ? `${method} ${path} is not said to answer ${status}` : this.#said(schema, body);
  }

  #said(schema: ValidateFunction, body: unknown): string | null {
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
