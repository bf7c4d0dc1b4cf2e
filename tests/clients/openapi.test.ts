/** The OpenAPI document is valid, and complete: it has every route of the table with every parameter. */
import assert from "node:assert/strict";
import { before, after, describe, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { startSite, type Site } from "../shim/site.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name?: string; readonly in?: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: BodySchema }>> };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: object }>>;
}

interface BodySchema {
  readonly $ref?: string;
  readonly properties?: object;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

interface Endpoint {
  readonly methods: readonly string[];
  readonly args: Readonly<Record<string, { readonly in?: string }>>;
}

/** Statuses without a body: unchanged, and an address that the server refused to read. */
const BODILESS = ["304", "431"];

describe("the OpenAPI document", () => {
  let site: Site;
  let document: Document;
  before(async () => {
    site = await startSite();
    document = (await site.api("GET", "/openapi.json")).body as unknown as Document;
  });
  after(() => site.close());

  test("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate({ ...document });
    assert.deepEqual([valid, errors], [true, undefined]);
    assert.equal(document.openapi, "3.1.0");
    validator.resolveRefs();
  });

  test("has the routes of the table, and no others", () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
    );
    const table = site.forms.routes().map(({ method, path, operation }) => `${method} ${path} ${operation}`);
    assert.deepEqual(described.toSorted(), table.toSorted());
  });

  test("has every parameter of the namespace index, each with a description", () => {
    for (const [pattern, route] of Object.entries(site.forms.namespaceIndex().routes)) {
      const path = pattern.replaceAll(/\(\?P<(\w+)>[^)]*\)/g, "{$1}");
      for (const { methods, args } of route["endpoints"] as readonly Endpoint[]) {
        const operation = document.paths[path]?.[methods.at(-1)?.toLowerCase() ?? ""];
        assert.ok(operation !== undefined, `${methods} ${path}`);
        const named = operation.parameters.filter(({ name }) => name !== undefined);
        assert.ok(
          named.every(({ description = "" }) => description !== ""),
          operation.operationId,
        );
        const described = new Set([...named.map(({ name }) => name), ...bodyMembers(operation)]);
        assert.deepEqual(
          Object.keys(args).filter((name) => !described.has(name)),
          [],
          operation.operationId,
        );
      }
    }
  });

  /** The names of the members of a JSON body. */
  function bodyMembers({ requestBody }: Operation): string[] {
    const schema = requestBody?.content["application/json"]?.schema;
    const component = document.components.schemas[schema?.$ref?.split("/").at(-1) ?? ""];
    return Object.keys({ ...component?.properties, ...schema?.properties });
  }

  test("has the possible responses of every route, and their bodies", () => {
    for (const operation of Object.values(document.paths).flatMap((operations) => Object.values(operations))) {
      const { operationId, responses } = operation;
      const missing = ["401", "403", "429", "500"].filter((status) => responses[status] === undefined);
      assert.deepEqual(missing, [], operationId);
      for (const [status, { content, description }] of Object.entries(responses)) {
        assert.ok(
          description !== "" && (content !== undefined || BODILESS.includes(status)),
          `${operationId} ${status}`,
        );
      }
    }
  });
});
