/** The scenarios of `tests/cases/rest` and `tests/cases/front`, and how a step is sent and judged. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { ApiDescription } from "./openapi.ts";
import { fillIn, mismatch, type Variables } from "./matching.ts";
import { startSite, type JsonValue, type Site, type SiteOptions } from "./site.ts";

interface Step {
  readonly as?: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: JsonValue;
    readonly raw?: string;
    readonly visitor?: boolean;
    readonly form?: Readonly<Record<string, JsonValue>>;
  };
  readonly expect: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, JsonValue>>;
    readonly body?: JsonValue;
  };
  readonly save?: Readonly<Record<string, string>>;
}

export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

const folders = ["rest", "front"].map((name) => new URL(`../cases/${name}/`, import.meta.url));
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => new URL(name, folder)),
);

/** The files of scenarios. */
export function scenarioFiles(): { readonly file: string; readonly scenarios: readonly Scenario[] }[] {
  return files.map((file) => {
    const { scenarios }: { scenarios: readonly Scenario[] } = JSON.parse(readFileSync(file, "utf8"));
    return { file: basename(file.pathname), scenarios };
  });
}

/** Runs the steps in order on a fresh site. */
export async function runScenario({ steps }: Scenario, options: SiteOptions): Promise<void> {
  const site = await startSite(options);
  try {
    description ??= readDescription(site);
    const described = await description;
    const variables: Variables = new Map();
    for (const [index, step] of steps.entries()) {
      const { method, path } = step.request;
      const response = await send(site.url, step, variables);
      const text = await response.text();
      const body = readBody(response, text);
      const at = `step ${index + 1}, ${method} ${path}`;
      assert.equal(problem(step, response, body, variables), null, at);
      if (step.request.visitor !== true && isWhole(step, response)) {
        const own = new URL(response.url).pathname.replace(/^\/api/, "");
        assert.equal(described.problem(meant(step), own, response.status, body), null, at);
      }
      for (const [name, place] of Object.entries(step.save ?? {})) {
        variables.set(name, saved(place, response, body));
      }
    }
  } finally {
    await site.close();
  }
}

/** The same for every site but for its address. */
let description: Promise<ApiDescription> | null = null;

async function readDescription({ url }: Site): Promise<ApiDescription> {
  const answer = await fetch(`${url}/api/cf/v1/openapi.json`, { headers: { "x-test-caller": "administrator" } });
  return new ApiDescription((await answer.json()) as ConstructorParameters<typeof ApiDescription>[0]);
}

/** The body as JSON, or as text when it is none. */
function readBody(response: Response, text: string): JsonValue {
  if (text === "") return null;
  return (response.headers.get("content-type") ?? "").startsWith("application/json") ? JSON.parse(text) : text;
}

/** Whether the answer is the whole of what the OpenAPI document describes. */
function isWhole({ request }: Step, response: Response): boolean {
  const { method, query = "" } = request;
  const isJson = (response.headers.get("content-type") ?? "").startsWith("application/json");
  return !["HEAD", "OPTIONS"].includes(method) && !/_fields|_envelope/.test(query) && isJson;
}

/** The method that a request means. */
function meant({ request }: Step): string {
  const parameter = new URLSearchParams(request.query).get("_method");
  const asked = request.method === "POST" ? (parameter ?? request.headers?.["x-http-method-override"]) : null;
  return (asked ?? request.method).toUpperCase();
}

function send(url: string, { as, request }: Step, variables: Variables): Promise<Response> {
  const text = (value: string) => {
    const filled = fillIn(value, variables);
    return typeof filled === "string" ? filled : JSON.stringify(filled);
  };
  const { method, path, query = "", headers = {}, visitor = false, body, raw, form } = request;
  const json = raw !== undefined ? text(raw) : body !== undefined ? JSON.stringify(fillIn(body, variables)) : null;
  const content = form === undefined ? json : formEncoded(fillIn(form, variables));
  return fetch(`${url}${visitor ? "/forms" : "/api/cf/v1"}${text(path)}${query === "" ? "" : `?${text(query)}`}`, {
    method,
    redirect: "manual",
    headers: {
      ...(visitor && as === undefined ? {} : { "x-test-caller": as ?? "administrator" }),
      ...(json === null ? {} : { "content-type": "application/json" }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, text(value)])),
    },
    body: content,
  });
}

function formEncoded(form: JsonValue): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(form ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) body.append(name, String(one));
  }
  return body;
}

/** What is not as expected; null when all is. */
function problem({ expect }: Step, response: Response, body: JsonValue, variables: Variables): string | null {
  if (response.status !== expect.status) return `status ${response.status}: ${JSON.stringify(body)}`;
  for (const [name, wanted] of Object.entries(expect.headers ?? {})) {
    const found = mismatch(fillIn(wanted, variables), response.headers.get(name) ?? undefined, name);
    if (found !== null) return found;
  }
  return expect.body === undefined ? null : mismatch(fillIn(expect.body, variables), body, "body");
}

/** The value at a JSON pointer of the body, or of a header. */
function saved(place: string, response: Response, body: JsonValue): JsonValue {
  if (place.startsWith("header:")) return response.headers.get(place.slice("header:".length));
  const names = place.split("/").slice(1);
  const found = names.reduce<unknown>(
    (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
    body,
  );
  assert.notEqual(found, undefined, `there is no ${place} to save`);
  return found as JsonValue;
}
