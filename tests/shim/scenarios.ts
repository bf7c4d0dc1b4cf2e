/** Runs the scenarios of `tests/cases/rest` and `tests/cases/front`, and checks the responses. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, it } from "node:test";
import { ApiDescription } from "./openapi.ts";
import { fillIn, mismatch, type Variables } from "./matching.ts";
import { startSite, type JsonValue, type SiteOptions } from "./site.ts";

interface Step {
  readonly as?: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: JsonValue;
    readonly raw?: JsonValue;
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
  /** Whether the queue must not run during the scenario. */
  readonly queue_rests?: boolean;
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

/** The environment of a scenario: a new site, and the credentials of its callers. */
export interface ScenarioSite {
  /** Address of the REST namespace, such as `http://site.test/api/cf/v1`. */
  readonly rest: string;
  /** Address of visitors' forms, such as `http://site.test/forms`. */
  readonly front: string;
  readonly fetch: (request: Request) => Promise<Response>;
  /** The headers of a caller's requests; none for `anonymous`. */
  readonly credentialsOf: (caller: string) => Readonly<Record<string, string>>;
  /** A caller's login on the site; default: the same. */
  readonly loginOf?: (login: string) => string;
}

/** Registers a test for each scenario, in a group for each file. */
export function describeScenarios(options: () => Promise<SiteOptions>): void {
  for (const { file, scenarios } of scenarioFiles()) {
    describe(file, () => {
      for (const scenario of scenarios) it(scenario.name, async () => runScenario(scenario, await options()));
    });
  }
}

/** Runs the steps in order on a new site. */
export async function runScenario(scenario: Scenario, options: SiteOptions): Promise<void> {
  const { queue_rests = false } = scenario;
  const site = await startSite(
    queue_rests ? { ...options, forms: { ...options.forms, automaticRuns: false } } : options,
  );
  const credentialsOf = (caller: string) => ({ "x-test-caller": caller });
  try {
    await playScenario(scenario, { rest: `${site.url}/api/cf/v1`, front: `${site.url}/forms`, fetch, credentialsOf });
  } finally {
    await site.close();
  }
}

/** Runs the steps in order. Expected addresses are replaced by those of the site. */
export async function playScenario({ steps }: Scenario, site: ScenarioSite): Promise<void> {
  description ??= readDescription(site);
  const described = await description;
  const variables: Variables = new Map();
  for (const [index, step] of steps.entries()) {
    const { method, path } = step.request;
    const request = requestOf(site, step, variables);
    const response = await site.fetch(request);
    const text = await response.text();
    const body = readBody(response, text);
    const at = `step ${index + 1}, ${method} ${path}`;
    assert.equal(problem({ ...step, expect: placed(step.expect, site) }, response, body, variables), null, at);
    if (step.request.visitor !== true && isWhole(step, response)) {
      const path = new URL(request.url).pathname.replace(/^.*?(?=\/cf\/v1)/, "");
      assert.equal(described.problem(meant(step), path, response.status, body), null, at);
    }
    for (const [name, place] of Object.entries(step.save ?? {})) {
      variables.set(name, saved(place, response, body));
    }
  }
}

/** The expected response, with the paths of this site. */
function placed(expected: Step["expect"], { rest, front, loginOf = String }: ScenarioSite): Step["expect"] {
  const root = new URL(rest).pathname.replace(/cf\/v1$/, "");
  const prefix = new URL(front).pathname;
  if (root === "/api/" && prefix === "/forms") return expected;
  const text = JSON.stringify(expected)
    .replace(/\/forms\/(?=states\b|contact\b|two\b|three\b|-)/g, `${prefix}/`)
    .replace(/(?<="user":")\w+(?=")/g, loginOf);
  return JSON.parse(text.replaceAll("/api/", (found, at: number) => (text.startsWith(prefix, at) ? found : root)));
}

/** The API's description. Only the site's address differs between sites, so one site's is used for all. */
let description: Promise<ApiDescription> | null = null;

async function readDescription({ rest, fetch, credentialsOf }: ScenarioSite): Promise<ApiDescription> {
  const response = await fetch(new Request(`${rest}/openapi.json`, { headers: credentialsOf("administrator") }));
  return new ApiDescription((await response.json()) as ConstructorParameters<typeof ApiDescription>[0]);
}

/** The body as JSON, or as text if it is not JSON. */
function readBody(response: Response, text: string): JsonValue {
  if (text === "") return null;
  return (response.headers.get("content-type") ?? "").startsWith("application/json") ? JSON.parse(text) : text;
}

/** Whether the response can be checked against the OpenAPI document, because no query parameter selects its members. */
function isWhole({ request }: Step, response: Response): boolean {
  const { method, query = "" } = request;
  const isJson = (response.headers.get("content-type") ?? "").startsWith("application/json");
  return !["HEAD", "OPTIONS"].includes(method) && !/_fields|_envelope/.test(query) && isJson;
}

/** The effective method of a request. */
function meant({ request }: Step): string {
  const parameter = new URLSearchParams(request.query).get("_method");
  const override = request.method === "POST" ? (parameter ?? request.headers?.["x-http-method-override"]) : null;
  return (override ?? request.method).toUpperCase();
}

function requestOf(site: ScenarioSite, { as, request }: Step, variables: Variables): Request {
  const text = (value: JsonValue) => {
    const filled = fillIn(value, variables);
    return typeof filled === "string" ? filled : JSON.stringify(filled);
  };
  const { method, path, query = "", headers = {}, visitor = false, body, raw, form } = request;
  const json = raw !== undefined ? text(raw) : body !== undefined ? JSON.stringify(fillIn(body, variables)) : null;
  const content = form === undefined ? json : formEncoded(fillIn(form, variables));
  return new Request(`${visitor ? site.front : site.rest}${text(path)}${query === "" ? "" : `?${text(query)}`}`, {
    method,
    redirect: "manual",
    headers: {
      ...(visitor && as === undefined ? {} : site.credentialsOf(as ?? "administrator")),
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

/** Describes the first difference from the expected response; null without a difference. */
function problem({ expect }: Step, response: Response, body: JsonValue, variables: Variables): string | null {
  if (response.status !== expect.status) return `status ${response.status}: ${JSON.stringify(body)}`;
  for (const [name, wanted] of Object.entries(expect.headers ?? {})) {
    const found = mismatch(fillIn(wanted, variables), response.headers.get(name) ?? undefined, name);
    if (found !== null) return found;
  }
  return expect.body === undefined ? null : mismatch(fillIn(expect.body, variables), body, "body");
}

/** The value of a header, or at a JSON pointer of the body. */
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
