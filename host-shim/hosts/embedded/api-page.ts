/** Serves the API's documentation as a page, generated from the OpenAPI document. */
import { Hono } from "hono";
import { html } from "hono/html";
import { page, type Html } from "./pages.ts";
import type { Sessions } from "./sessions.ts";
import { API_PAGE_PATH, REST_ROOT, type Site } from "./site.ts";

export interface ApiPageServices {
  readonly site: Site;
  readonly sessions: Sessions;
  /** The engine's OpenAPI document. */
  apiDocument(): Promise<ApiDocument>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
      }
    >
  >;
}

/** The part of the engine's OpenAPI document that the page uses. */
export interface ApiDocument {
  readonly info: { readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** Row of a table of parameters or members of a body. */
interface Row {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly description: string;
}

/** Serves the page to every signed-in user. The page contains no data of the site except its address. */
export function apiPageRoutes({ site, sessions, apiDocument }: ApiPageServices): Hono {
  const routes = new Hono();
  routes.get(API_PAGE_PATH, async (c) => {
    c.header("Cache-Control", "no-store");
    if ((await sessions.find(c.req.raw)) === null) {
      return c.redirect(
        `${site.basePath}/sign-in?redirect_to=${encodeURIComponent(site.basePath + API_PAGE_PATH)}`,
        303,
      );
    }
    return c.html(documentationPage(await apiDocument(), `${site.basePath}${REST_ROOT}/cf/v1/openapi.json`));
  });
  return routes;
}

function documentationPage(document: ApiDocument, address: string): Html {
  const server = document.servers[0]?.url ?? "";
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const groups = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? "api");
  const names = [...groups.keys()].sort();
  return page(
    "API documentation",
    html`<p>${document.info.description}</p>
<p>Authenticate with an application password. Create one under Account in the admin:</p>
<pre><code>curl --user NAME:PASSWORD ${server}/cf/v1/forms</code></pre>
<p>Machine-readable: <a href="${address}">OpenAPI 3.1</a>, version ${document.info.version}.</p>
<nav aria-label="Sections"><ul>${names.map((name) => html`<li><a href="#${name}">${name}</a></li>`)}</ul></nav>
${names.map(
  (name) => html`<section aria-labelledby="${name}">
<h2 id="${name}">${name}</h2>
${(groups.get(name) ?? []).map(({ path, method, operation }) => described(document, server, method, path, operation))}
</section>`,
)}`,
    "wide",
  );
}

function described(document: ApiDocument, server: string, method: string, path: string, operation: Operation): Html {
  const parameters: Row[] = operation.parameters.map((parameter) => {
    const {
      name,
      in: place,
      required = false,
      schema,
      description = "",
    } = parameter.$ref === undefined
      ? parameter
      : (document.components.parameters[lastPart(parameter.$ref)] ?? parameter);
    return { name, place, required, schema, description };
  });
  const rows = [...parameters, ...members(document, operation)];
  return html`<details id="${operation.operationId}">
<summary><code>${method} ${path}</code> <span>${operation.summary}</span></summary>
${
  rows.length === 0
    ? ""
    : html`<h3>Parameters</h3>
<div class="table"><table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${rows.map(({ name, place, required, schema, description }) => html`<tr><th scope="row"><code>${name}</code>${required ? " (required)" : ""}</th><td>${place}</td><td>${valueOf(schema)}</td><td>${description}</td></tr>`)}</tbody></table></div>`
}
<h3>Responses</h3>
<div class="table"><table><tbody>${Object.entries(operation.responses).map(([status, { description, content }]) => html`<tr><th scope="row">${status}</th><td>${contentOf(content)}</td><td>${description}</td></tr>`)}</tbody></table></div>
<h3>Example</h3>
<pre><code>${example(server, method, path, rows)}</code></pre>
</details>`;
}

/** Returns the members of a body, which the document describes inline or by a component. */
function members(document: ApiDocument, operation: Operation): Row[] {
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  if (schema === undefined) return [];
  const whole = schema.$ref === undefined ? schema : document.components.schemas[lastPart(schema.$ref)];
  const required = schema.required ?? [];
  return Object.entries(whole?.properties ?? {}).map(([name, member]) => ({
    name,
    place: "body",
    required: required.includes(name),
    schema: member,
    description: member.description ?? member.anyOf?.[0]?.description ?? "",
  }));
}

/** Describes the kind of a value in a few words. */
function valueOf(schema: Schema): string {
  if (schema.$ref !== undefined) return lastPart(schema.$ref);
  if (schema.enum !== undefined) return schema.enum.join(", ");
  if (schema.anyOf !== undefined) return schema.anyOf.map(valueOf).join(" or ");
  if (schema.items !== undefined) return `list of ${valueOf(schema.items)}`;
  return [schema.type ?? "any"].flat().join(" or ");
}

/** Describes the content of a response: the schema's name, or the codes of an error. */
function contentOf(content: Operation["responses"][string]["content"]): string {
  const schema = Object.values(content ?? {})[0]?.schema;
  if (schema === undefined) return "";
  const codes = schema.properties?.["code"]?.enum;
  return codes === undefined ? valueOf(schema) : codes.join(", ");
}

function example(server: string, method: string, path: string, rows: readonly Row[]): string {
  const isNeeded = ({ required }: Row) => required;
  const body = rows.filter(({ place }) => place === "body");
  const query = rows
    .filter(({ place }) => place === "query")
    .filter(isNeeded)
    .map(({ name }) => `${name}=VALUE`)
    .join("&");
  const address = `${server}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}${query === "" ? "" : `?${query}`}`;
  const lines = [`curl --user NAME:PASSWORD${method === "GET" ? "" : ` --request ${method}`} '${address}'`];
  if (body.length > 0) {
    const shown = body.some(isNeeded) ? body.filter(isNeeded) : body.slice(0, 1);
    lines.push("--header 'Content-Type: application/json'");
    lines.push(
      `--data '${JSON.stringify(Object.fromEntries(shown.map(({ name, schema }) => [name, sample(schema)])))}'`,
    );
  }
  return lines.join(" \\\n  ");
}

/** Returns an example value for a schema. */
function sample(schema: Schema): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf?.[0] !== undefined) return sample(schema.anyOf[0]);
  const samples: Readonly<Record<string, unknown>> = {
    integer: 1,
    number: 1,
    boolean: true,
    array: [],
    object: {},
    string: "…",
  };
  return schema.$ref === undefined ? samples[[schema.type ?? "string"].flat()[0] ?? "string"] : {};
}

const lastPart = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);
