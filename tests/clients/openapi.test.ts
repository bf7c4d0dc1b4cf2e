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
  readonly args: Readonly<
    Record<string, { readonly in?: string; readonly type?: string; readonly required?: boolean }>
  >;
}

/** Statuses without a body: an unchanged resource, and an address that is too long to read. */
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

  test("has every parameter of the namespace index, each with a description", async () => {
    const { routes } = await site.forms.namespaceIndex();
    assert.equal(Object.keys(routes).length, Object.keys(document.paths).length);
    for (const [pattern, route] of Object.entries(routes)) {
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

  test("describes every path to anonymous callers, by OPTIONS", async () => {
    for (const { methods, path } of site.forms.routes()) {
      const filled = path.replace("/cf/v1", "").replaceAll(/\{\w+\}/g, "1");
      const { status, body } = await site.api("OPTIONS", filled, undefined, "anonymous");
      const described = body as unknown as {
        readonly methods: readonly string[];
        readonly schema: { readonly title: string };
      };
      const missing = methods.filter((method) => !described.methods.includes(method));
      assert.deepEqual([status, missing, typeof described.schema.title], [200, [], "string"], path);
      assert.ok(!JSON.stringify(body).includes('"$ref"'), path);
    }
  });

  test("names the type and the place of each argument", async () => {
    const { body } = await site.api("OPTIONS", "/forms/1/fields", undefined, "anonymous");
    const [, { args }] = (body as unknown as { readonly endpoints: readonly [object, Endpoint] }).endpoints;
    assert.deepEqual(args["id"], {
      type: "integer",
      minimum: 0,
      description: "The id of the item that the path names.",
      required: true,
      in: "path",
    });
    const { type, required, in: place } = args["name"] ?? {};
    assert.deepEqual([type, required, place, args["label"]?.required], ["string", true, "body", undefined]);
    const form = await site.api("OPTIONS", "/forms", undefined, "anonymous");
    const [, { args: members }] = (form.body as unknown as { readonly endpoints: readonly [object, Endpoint] })
      .endpoints;
    assert.deepEqual([members["slug"]?.type, members["slug"]?.required], ["string", false]);
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
