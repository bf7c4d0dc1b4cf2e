/**
 * The API's reference: the OpenAPI document, and the namespace index and the responses to OPTIONS, which are derived from
 * it. The engine's module holds none of these texts; the document is loaded at the first use.
 */

import type { ApiDocument, ApiOperation, ApiSchema } from "#openapi";

/** The routes with their arguments, as clients of the platform's REST conventions discover them. */
export interface NamespaceIndex {
  /** The namespace, such as `cf/v1`. */
  readonly namespace: string;
  /** The routes by pattern, such as `/cf/v1/forms/(?P<id>[\d]+)`. */
  readonly routes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly _links: object;
}

const NAMESPACE = "cf/v1";
const COMPONENTS = "#/components/schemas/";

/** Limit on the depth of nested references, since conditions contain conditions. */
const MAX_REFERENCES = 4;

/** The accepted methods by the documented one. The platform's clients also use POST and PUT for PATCH. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  get: ["GET"],
  post: ["POST"],
  put: ["PUT"],
  patch: ["POST", "PUT", "PATCH"],
  delete: ["DELETE"],
};

/** Returns a part of the reference: `openapi`, `index`, or the description of a path. `root` is the REST root's address. */
export async function referencePart(part: string, root: string): Promise<object> {
  const { document } = await import("#openapi");
  if (part === "openapi") return { ...document, servers: [{ url: root }] };
  return part === "index" ? namespaceIndexOf(document, root) : optionsOf(document, part, root);
}

/** Returns the namespace index, for a platform's index of all namespaces. */
export async function namespaceIndex(root: string): Promise<NamespaceIndex> {
  return (await referencePart("index", root)) as NamespaceIndex;
}

function namespaceIndexOf(document: ApiDocument, root: string): object {
  const paths = Object.keys(document.paths);
  const routes = Object.fromEntries(paths.map((path) => [patternOf(path), describedPath(document, path, root)]));
  const index = { namespace: NAMESPACE, routes, _links: { up: [{ href: `${root}/` }] } };
  const target = JSON.stringify(`${root}/${NAMESPACE}/openapi.json#`).slice(0, -1);
  return JSON.parse(JSON.stringify(index).replaceAll('"$ref":"#', () => `"$ref":${target}`));
}

/** Returns the path as a pattern in the platform's syntax. */
function patternOf(path: string): string {
  return path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => `(?P<${name}>${/^(.*_)?id$/.test(name) ? "[\\d]" : "[^/]"}+)`,
  );
}

/** Describes a path by its methods and arguments, and the schema of its items. */
function optionsOf(document: ApiDocument, path: string, root: string): object {
  const { schemas } = document.components;
  const response = nameOf(responseSchema(operationsOf(document, path)[0]?.[1]));
  const name = nameOf(schemas[response]?.items) || response;
  const described = {
    ...describedPath(document, path, root),
    schema: { properties: {}, ...schemas[name], title: name },
  };
  return withoutReferences(described, schemas, MAX_REFERENCES) as object;
}

function responseSchema(operation: ApiOperation | undefined): ApiSchema | undefined {
  const success = Object.entries(operation?.responses ?? {}).find(([status]) => status.startsWith("2"))?.[1];
  return Object.values(success?.content ?? {})[0]?.schema;
}

/** Returns the name of the component to which a schema refers; else an empty text. */
function nameOf(schema: ApiSchema | undefined): string {
  return schema?.$ref?.replace(COMPONENTS, "") ?? "";
}

/** Replaces references by their components, since the caller may not be allowed to read the OpenAPI document. */
function withoutReferences(value: unknown, schemas: Readonly<Record<string, ApiSchema>>, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutReferences(item, schemas, depth));
  if (typeof value !== "object" || value === null) return value;
  const { $ref: _, ...members } = value as ApiSchema;
  const component = depth > 0 ? schemas[nameOf(value)] : undefined;
  if (component !== undefined) return { ...(withoutReferences(component, schemas, depth - 1) as object), ...members };
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, withoutReferences(member, schemas, depth)]),
  );
}

function operationsOf({ paths }: ApiDocument, path: string): readonly (readonly [readonly string[], ApiOperation])[] {
  return Object.entries(METHODS).flatMap(([method, methods]) => {
    const operation = paths[path]?.[method];
    return operation === undefined ? [] : [[methods, operation] as const];
  });
}

function describedPath(document: ApiDocument, path: string, root: string): Record<string, unknown> {
  const operations = operationsOf(document, path);
  return {
    namespace: NAMESPACE,
    methods: operations.flatMap(([methods]) => methods),
    endpoints: operations.map(([methods, operation]) => ({ methods, args: argumentsOf(document, operation) })),
    ...(path.includes("{") ? {} : { _links: { self: [{ href: `${root}${path}` }] } }),
  };
}

/** Returns the arguments by name. A parameter of the path or the query takes precedence over a member of the body. */
function argumentsOf({ components }: ApiDocument, { parameters, requestBody }: ApiOperation): object {
  const { properties, required = [], ...body } = requestBody?.content["application/json"]?.schema ?? {};
  const members = components.schemas[nameOf(body)]?.properties;
  const named = { ...Object.fromEntries(required.map((name) => [name, members?.[name]])), ...properties };
  const ofBody = Object.entries(named).map(([name, schema = {}]) => {
    const isRequired = required.includes(name);
    return [name, { ...(isRequired ? schema : withoutNull(schema)), required: isRequired, in: "body" }];
  });
  const others = parameters.flatMap(({ name, in: place, required, schema }) =>
    name === undefined ? [] : [[name, { ...schema, required, in: place }]],
  );
  return { ...members, ...Object.fromEntries([...ofBody, ...others]) };
}

/** Returns a member's schema without null, which counts as absent. */
function withoutNull(schema: ApiSchema): ApiSchema {
  const { type, anyOf } = schema;
  if (Array.isArray(type)) return { ...schema, type: type[0] };
  return anyOf?.[0] ?? schema;
}
