/**
 * A typed client of the REST API, for browsers and Node: one method for each operation of the route table. The client needs
 * only `fetch`.
 */
import { type ApiError, errorOf, jsonOf } from "./error.ts";
import type { FieldPath, Selected } from "./fields.ts";
import { OPERATIONS, type Operations } from "./operations.ts";

export { ApiError } from "./error.ts";
export type { FieldPath, Selected } from "./fields.ts";
export type * from "./operations.ts";
export { submitForm, type AnswerError, type SubmitOptions, type Submitted } from "./submit.ts";

/** Name of an operation, such as `listForms`. */
export type OperationId = keyof Operations;
/** Input of an operation. A parameter that is `undefined` is left out. */
export type Input<Id extends OperationId> = Loose<Operations[Id]["input"]>;
/** Response body of an operation. */
export type Output<Id extends OperationId> = Operations[Id]["output"];

type Loose<Type> = { readonly [Name in keyof Type]: {} extends Pick<Type, Name> ? Type[Name] | undefined : Type[Name] };

/** Operations that return pages of a list. */
export type ListId = {
  [Id in OperationId]: "page" extends keyof Input<Id> ? Id : never;
}[OperationId];

/** Item of a list. */
export type Item<Id extends ListId> = Output<Id> extends readonly (infer Element)[] ? Element : never;

/** Credentials of the client. */
export type Credentials =
  /** An application password. */
  | { readonly login: string; readonly password: string }
  /** An OAuth token. */
  | { readonly token: string }
  /**
   * The nonce of the session whose cookie the browser sends. With `nonceEndpoint`, an address such as `/sign-in/nonce`
   * that returns a fresh nonce, the client replaces an expired nonce.
   */
  | { readonly nonce: string; readonly nonceEndpoint?: string }
  /** A session without a known nonce: the first request fetches one. */
  | { readonly nonce?: string; readonly nonceEndpoint: string };

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** The REST root, such as `https://example.org/api`; in a browser a path is enough. */
  readonly root: string;
  readonly credentials?: Credentials;
  /** Replaces the runtime's `fetch`, to add other credentials, retries or a cache. */
  readonly fetch?: (address: string, init: RequestInit) => Promise<Response>;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Extra headers such as `{"If-Match": etag}`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether the request continues when the page is left. */
  readonly keepalive?: boolean | undefined;
}

/** A response's data, with the values of its headers. */
export interface Answer<Data> {
  readonly data: Data;
  readonly status: number;
  readonly headers: Headers;
  /** Total number of a list's items; null for other responses. */
  readonly total: number | null;
  /** Version of the resource, for If-Match and If-None-Match. */
  readonly etag: string | null;
}

type Call<Id extends OperationId> =
  {} extends Input<Id> ? [input?: Input<Id>, options?: CallOptions] : [input: Input<Id>, options?: CallOptions];

/** Input that selects members of the response. */
type Selecting<Id extends OperationId, Path> = Input<Id> & { readonly _fields: readonly Path[] };

interface Method<Id extends OperationId> {
  <const Path extends FieldPath<Output<Id>>>(
    input: Selecting<Id, Path>,
    options?: CallOptions,
  ): Promise<Selected<Output<Id>, NoInfer<Path>>>;
  (...call: Call<Id>): Promise<Output<Id>>;
}

/** A client with a method for each operation, and five general methods. */
export type Client = { readonly [Id in OperationId]: Method<Id> } & {
  /** Calls an operation; returns the selected members with the status and headers. */
  answer<Id extends OperationId, const Path extends FieldPath<Output<Id>>>(
    operation: Id,
    input: Selecting<Id, Path>,
    options?: CallOptions,
  ): Promise<Answer<Selected<Output<Id>, NoInfer<Path>>>>;
  /** Calls an operation; returns its result with the status and headers. */
  answer<Id extends OperationId>(operation: Id, input: Input<Id>, options?: CallOptions): Promise<Answer<Output<Id>>>;
  /** Calls an operation; returns the response with its body unread, to save or stream it. */
  response<Id extends OperationId>(operation: Id, input: Input<Id>, options?: CallOptions): Promise<Response>;
  /** Iterates over all items of a list. The next page is requested when the previous page is consumed. */
  each<Id extends ListId>(operation: Id, input: Input<Id>, options?: CallOptions): AsyncGenerator<Item<Id>, void, void>;
  /** Sends a request to an address outside the API, such as a plugin's route. Sends the credentials too, so the address must be trusted. */
  request(method: string, address: string, options?: CallOptions & { readonly body?: unknown }): Promise<Response>;
  /** Calls the listener when the session has ended. Returns a function that removes the listener. */
  onSessionEnd(listener: () => void): () => void;
};

interface Route {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly returns: "json" | "response";
}

type Values = Readonly<Record<string, unknown>>;

/** Number of items on a page: the limit of the API. */
const PAGE_SIZE = 100;

/** Error codes after the end of a session. */
const SESSION_ENDED: ReadonlySet<string> = new Set(["rest_cookie_invalid_nonce", "rest_not_logged_in"]);

/** Creates a client. The client stores only the newest nonce, and retries a request only if its nonce had expired. */
export function createClient(options: ClientOptions): Client {
  checkOptions(options);
  const send = sender(options);
  const root = options.root.replace(/\/+$/, "");
  const listeners = new Set<() => void>();

  async function responseOf(address: string, init: RequestInit): Promise<Response> {
    const response = await send(address, init);
    if (response.ok || response.status === 304) return response;
    const error: ApiError = await errorOf(response);
    if (SESSION_ENDED.has(error.code)) for (const listener of listeners) listener();
    throw error;
  }

  const respond = (route: Route, input: Values, call: CallOptions): Promise<Response> =>
    responseOf(root + addressOf(route, input), requestOf(route.method, input["body"], call));

  async function answer(route: Route, input: Values, call: CallOptions): Promise<Answer<unknown>> {
    return answerOf(route, await respond(route, input, call));
  }

  async function* each(id: string, input: Values, call: CallOptions): AsyncGenerator<unknown, void, void> {
    const route = routeOf(id);
    if (!route.query.includes("page")) throw new TypeError(`${id} returns no list of pages`);
    // A cursor costs the same at any depth, and does not skip items when new ones arrive.
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
  const others: Pick<Client, "answer" | "response" | "each" | "request" | "onSessionEnd"> = {
    answer: async (id: OperationId, input: Values = {}, call: CallOptions = {}) =>
      answer(routeOf(id), input, call) as Promise<Answer<never>>,
    response: async (id, input: Values = {}, call = {}) => respond(routeOf(id), input, call),
    each: (id, input: Values = {}, call = {}) => each(id, input, call) as AsyncGenerator<never, void, void>,
    request: (method, address, { body, ...call } = {}) => responseOf(address, requestOf(method, body, call)),
    onSessionEnd(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  // The cast is safe, because methods and types come from the same table.
  return Object.freeze({ ...Object.fromEntries(methods), ...others }) as Client;
}

/** The data of a response, with the values of its headers. */
async function answerOf(route: Route, response: Response): Promise<Answer<unknown>> {
  const total = response.headers.get("x-wp-total");
  return {
    data: route.returns === "json" ? await jsonOf(response) : response,
    status: response.status,
    headers: response.headers,
    total: total === null ? null : Number(total),
    etag: response.headers.get("etag"),
  };
}

/** Checks the options for callers without TypeScript. */
function checkOptions({ root, credentials }: Partial<ClientOptions> = {}): void {
  if (typeof root !== "string" || root === "") {
    throw new TypeError("root is missing: it is the address of the API, such as https://example.org/api");
  }
  if (credentials === undefined) return;
  const values = credentials as Readonly<Record<string, unknown>>;
  const isText = (name: string): boolean => typeof values[name] === "string" && values[name] !== "";
  if (isText("token") || isText("nonce") || isText("nonceEndpoint")) return;
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
  const search = [...query, "_fields"].flatMap((name) => parametersOf(name, input[name]));
  return search.length === 0 ? filled : `${filled}?${new URLSearchParams(search)}`;
}

/** Converts a value to query parameters: a list is joined by commas, an object becomes `name[key]`. */
function parametersOf(name: string, value: unknown): [string, string][] {
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[name, String(value)]];
  return Object.entries(value).map(([key, inner]) => [`${name}[${key}]`, String(inner)]);
}

function requestOf(method: string, body: unknown, { signal, headers, keepalive }: CallOptions): RequestInit {
  const isRaw = body instanceof FormData || body instanceof Blob;
  return {
    method,
    headers: {
      Accept: "application/json",
      ...(body === undefined || isRaw ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    ...(keepalive === undefined ? {} : { keepalive }),
  };
}

type Send = (address: string, init: RequestInit) => Promise<Response>;

/** Sends requests with the credentials. */
function sender({ credentials, fetch: send = (address, init) => fetch(address, init) }: ClientOptions): Send {
  if (credentials === undefined) return send;
  if ("nonce" in credentials || "nonceEndpoint" in credentials) return nonceSender(credentials, send);
  const authorization = "token" in credentials ? `Bearer ${credentials.token}` : basic(credentials);
  return (address, init) => send(address, withHeader(init, "Authorization", authorization));
}

/** Sends requests of a session. A request whose nonce has expired is repeated once with a fresh nonce. */
function nonceSender(
  { nonce: known, nonceEndpoint }: { readonly nonce?: string; readonly nonceEndpoint?: string },
  send: Send,
): Send {
  let nonce = known ?? null;
  let refresh: Promise<boolean> | null = null;
  const fetchNonce = async (): Promise<boolean> => {
    if (nonceEndpoint === undefined) return false;
    const fresh = await send(nonceEndpoint, { method: "GET", credentials: "same-origin" });
    if (fresh.ok) nonce = await fresh.text();
    return fresh.ok;
  };
  /** Requests that need a nonce at the same time share one. */
  const refreshed = (): Promise<boolean> => {
    refresh ??= fetchNonce().finally(() => {
      refresh = null;
    });
    return refresh;
  };
  return async (address, init) => {
    const signed = (): RequestInit => ({
      ...(nonce === null ? init : withHeader(init, "X-WP-Nonce", nonce)),
      credentials: "same-origin",
    });
    if (nonce === null) await refreshed();
    const response = await send(address, signed());
    nonce = response.headers.get("x-wp-nonce") ?? nonce;
    if (response.status !== 403 || nonceEndpoint === undefined) return response;
    const { code } = await errorOf(response.clone());
    return code === "rest_cookie_invalid_nonce" && (await refreshed()) ? send(address, signed()) : response;
  };
}

/** Adds a header. The headers stay a plain object, which a host's `fetch` may spread. */
function withHeader(init: RequestInit, name: string, value: string): RequestInit {
  const headers = init.headers as Readonly<Record<string, string>> | undefined;
  return { ...init, headers: { ...headers, [name]: value } };
}

function basic({ login, password }: { readonly login: string; readonly password: string }): string {
  const bytes = new TextEncoder().encode(`${login}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
