/**
 * A typed client of the REST API, for browsers and Node: one method for each operation of the route
 * table. It needs nothing but `fetch`.
 */
import { errorOf, jsonOf } from "./error.ts";
import { OPERATIONS, type Operations } from "./operations.ts";

export { ApiError } from "./error.ts";
export type * from "./operations.ts";
export { submitForm, type AnswerError, type SubmitOptions, type Submitted } from "./submit.ts";

export type OperationId = keyof Operations;
export type Input<Id extends OperationId> = Operations[Id]["input"];
export type Output<Id extends OperationId> = Operations[Id]["output"];

/** The operations that answer pages of a list. */
export type ListId = {
  [Id in OperationId]: "page" extends keyof Input<Id> ? Id : never;
}[OperationId];

/** What a list holds. */
export type Item<Id extends ListId> = Output<Id> extends readonly (infer Element)[] ? Element : never;

/** How the client proves who calls. */
export type Credentials =
  /** An application password. */
  | { readonly login: string; readonly password: string }
  /** An OAuth token. */
  | { readonly token: string }
  /**
   * The nonce of the session whose cookie the browser sends. With the address that gives a fresh one,
   * such as `/sign-in/nonce`, an expired nonce is replaced by itself.
   */
  | { readonly nonce: string; readonly nonceEndpoint?: string };

export interface ClientOptions {
  /** The REST root, such as `https://example.org/api`; in a browser a path is enough. */
  readonly root: string;
  readonly credentials?: Credentials;
  /** In place of the runtime's own, to add credentials of another kind, retries, or a cache. */
  readonly fetch?: (address: string, init: RequestInit) => Promise<Response>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Such as `{"If-Match": etag}`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer with what its headers say. */
export interface Answer<Data> {
  readonly data: Data;
  readonly status: number;
  readonly headers: Headers;
  /** Of a list: how many there are in all. */
  readonly total: number | null;
  /** The version that was read or made, for If-Match and If-None-Match. */
  readonly etag: string | null;
}

type Method<Id extends OperationId> =
  {} extends Input<Id>
    ? (input?: Input<Id>, options?: CallOptions) => Promise<Output<Id>>
    : (input: Input<Id>, options?: CallOptions) => Promise<Output<Id>>;

export type Client = { readonly [Id in OperationId]: Method<Id> } & {
  /** The same operation, answered with its status and headers. */
  answer<Id extends OperationId>(operation: Id, input: Input<Id>, options?: CallOptions): Promise<Answer<Output<Id>>>;
  /** Every item of a list, page by page: the next page is asked for when the one before is used up. */
  each<Id extends ListId>(operation: Id, input: Input<Id>, options?: CallOptions): AsyncGenerator<Item<Id>, void, void>;
};

interface Route {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly answer: "json" | "response";
}

type Values = Readonly<Record<string, unknown>>;

/** The most that one page holds. */
const PAGE_SIZE = 100;

/** Makes a client. It keeps nothing but the newest nonce, and sends nothing a second time but what was refused for an expired one. */
export function createClient(options: ClientOptions): Client {
  checkOptions(options);
  const send = sender(options);
  const root = options.root.replace(/\/+$/, "");

  async function answer(route: Route, input: Values, call: CallOptions): Promise<Answer<unknown>> {
    const response = await send(root + addressOf(route, input), requestOf(route, input, call));
    if (!response.ok && response.status !== 304) throw await errorOf(response);
    const total = response.headers.get("x-wp-total");
    return {
      data: route.answer === "json" ? await jsonOf(response) : response,
      status: response.status,
      headers: response.headers,
      total: total === null ? null : Number(total),
      etag: response.headers.get("etag"),
    };
  }

  async function* each(id: string, input: Values, call: CallOptions): AsyncGenerator<unknown, void, void> {
    const route = routeOf(id);
    if (!route.query.includes("page")) throw new TypeError(`${id} answers no list of pages`);
    // A walk by cursor costs the same at any depth, and misses nothing that arrives meanwhile.
    const start = route.query.includes("cursor") && input["page"] === undefined && input["offset"] === undefined;
    let next: Values | null = { per_page: PAGE_SIZE, ...(start ? { cursor: "" } : {}), ...input };
    while (next !== null) {
      const { data, headers }: Answer<unknown> = await answer(route, next, call);
      if (Array.isArray(data)) yield* data;
      const link: string | undefined = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
      next = link === undefined ? null : { ...next, ...Object.fromEntries(new URL(link).searchParams) };
    }
  }

  const methods = Object.entries(OPERATIONS).map(([id, route]) => [
    id,
    async (input: Values = {}, call: CallOptions = {}) => (await answer(route, input, call)).data,
  ]);
  const own = {
    answer: async (id: OperationId, input: Values = {}, call: CallOptions = {}) => answer(routeOf(id), input, call),
    each: (id: ListId, input: Values = {}, call: CallOptions = {}) => each(id, input, call),
  };
  // The methods are those of the table, which the types are made of.
  return Object.freeze({ ...Object.fromEntries(methods), ...own }) as Client;
}

/** Says what is missing to whom no compiler does. */
function checkOptions({ root, credentials }: Partial<ClientOptions> = {}): void {
  if (typeof root !== "string" || root === "") {
    throw new TypeError("root is missing: where the API is, such as https://example.org/api");
  }
  if (credentials === undefined) return;
  const given = credentials as Readonly<Record<string, unknown>>;
  const isText = (name: string): boolean => typeof given[name] === "string" && given[name] !== "";
  if (isText("token") || isText("nonce")) return;
  const missing = ["login", "password"].filter((name) => !isText(name));
  if (missing.length === 0) return;
  throw new TypeError(`credentials have no ${missing.join(" and no ")}: {login, password}, {token} or {nonce}`);
}

function routeOf(id: string): Route {
  if (!Object.hasOwn(OPERATIONS, id)) throw new TypeError(`there is no operation ${id}`);
  return OPERATIONS[id as OperationId];
}

function addressOf({ path, query }: Route, input: Values): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name];
    if (value === undefined || value === "") throw new TypeError(`${name} is missing`);
    return encodeURIComponent(String(value));
  });
  const asked = query.flatMap((name) => (input[name] === undefined ? [] : [[name, String(input[name])]]));
  return asked.length === 0 ? filled : `${filled}?${new URLSearchParams(asked)}`;
}

function requestOf({ method }: Route, { body }: Values, { signal, headers }: CallOptions): RequestInit {
  return {
    method,
    headers: { Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  };
}

type Send = (address: string, init: RequestInit) => Promise<Response>;

/** Sends requests with the credentials, and once again with a fresh nonce when theirs has expired. */
function sender({ credentials, fetch: send = (address, init) => fetch(address, init) }: ClientOptions): Send {
  if (credentials === undefined) return send;
  if (!("nonce" in credentials)) {
    const authorization = "token" in credentials ? `Bearer ${credentials.token}` : basic(credentials);
    return (address, init) => send(address, withHeader(init, "Authorization", authorization));
  }
  const { nonceEndpoint } = credentials;
  let { nonce } = credentials;
  return async (address, init) => {
    const response = await send(address, withHeader(init, "X-WP-Nonce", nonce));
    nonce = response.headers.get("x-wp-nonce") ?? nonce;
    if (response.status !== 403 || nonceEndpoint === undefined) return response;
    const { code } = await errorOf(response.clone());
    if (code !== "rest_cookie_invalid_nonce") return response;
    const fresh = await send(nonceEndpoint, { method: "GET" });
    if (!fresh.ok) return response;
    nonce = await fresh.text();
    return send(address, withHeader(init, "X-WP-Nonce", nonce));
  };
}

function withHeader(init: RequestInit, name: string, value: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set(name, value);
  return { ...init, headers };
}

function basic({ login, password }: { readonly login: string; readonly password: string }): string {
  const bytes = new TextEncoder().encode(`${login}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
