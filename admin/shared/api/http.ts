/** Requests to `cf/v1` and to the host's own routes, signed by the session's nonce. */
import { createContext, useContext } from "react";
import { ApiError, errorOf, jsonOf } from "../../../client/error.ts";
import type { AdminOptions } from "../../types/options.d.ts";

export { ApiError };

export type QueryValue = string | number | boolean | undefined;

export interface RequestParts {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Goes on when the page is left. */
  readonly keepalive?: boolean;
}

export interface Answer<Data> {
  readonly data: Data;
  readonly headers: Headers;
  /** Of a list: how many there are in all. */
  readonly total: number;
}

export interface Api {
  /** The JSON of an answer. A path that begins with `/forms` and the like is one of `cf/v1`. */
  send<Data>(method: string, path: string, parts?: RequestParts): Promise<Data>;
  /** The same with what the headers say. */
  answer<Data>(method: string, path: string, parts?: RequestParts): Promise<Answer<Data>>;
  /** The answer unread, for files. */
  response(method: string, path: string, parts?: RequestParts): Promise<Response>;
  /** Calls the listener when the session has ended. */
  onSignedOut(listener: () => void): () => void;
}

export function createApi(options: AdminOptions): Api {
  const send = options.fetch ?? ((address: string, init: RequestInit) => fetch(address, init));
  const root = `${options.apiRoot.replace(/\/+$/, "")}/cf/v1`;
  const listeners = new Set<() => void>();
  let nonce = options.nonce ?? null;

  function addressOf(path: string, query: RequestParts["query"] = {}): string {
    const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    const search = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
    const address = HOST_PATH.test(path) ? path.slice(5) : root + path;
    return asked.length === 0 ? address : `${address}?${search}`;
  }

  async function freshNonce(): Promise<boolean> {
    if (options.nonceEndpoint === undefined) return false;
    const answer = await send(options.nonceEndpoint, { method: "GET", credentials: "same-origin" });
    if (answer.ok) nonce = await answer.text();
    return answer.ok;
  }

  async function response(method: string, path: string, parts: RequestParts = {}): Promise<Response> {
    if (nonce === null && options.nonceEndpoint !== undefined) await freshNonce();
    const init = (): RequestInit => ({
      method,
      credentials: "same-origin",
      headers: {
        Accept: "application/json",
        ...(parts.body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(nonce === null ? {} : { "X-WP-Nonce": nonce }),
        ...parts.headers,
      },
      ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
      ...(parts.signal === undefined ? {} : { signal: parts.signal }),
      ...(parts.keepalive === undefined ? {} : { keepalive: parts.keepalive }),
    });
    const address = addressOf(path, parts.query);
    let answer = await send(address, init());
    nonce = answer.headers.get("x-wp-nonce") ?? nonce;
    if (answer.ok) return answer;
    let error = await errorOf(answer);
    if (error.code === "rest_cookie_invalid_nonce" && (await freshNonce())) {
      answer = await send(address, init());
      if (answer.ok) return answer;
      error = await errorOf(answer);
    }
    if (SIGNED_OUT.has(error.code)) for (const listener of listeners) listener();
    throw error;
  }

  async function answer<Data>(method: string, path: string, parts?: RequestParts): Promise<Answer<Data>> {
    const answered = await response(method, path, parts);
    const data = (await jsonOf(answered)) as Data;
    return { data, headers: answered.headers, total: Number(answered.headers.get("x-wp-total") ?? 0) };
  }

  return {
    response,
    answer,
    send: async <Data>(method: string, path: string, parts?: RequestParts) => (await answer<Data>(method, path, parts)).data,
    onSignedOut(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Paths of the host's own routes are marked, so that they are not taken for those of `cf/v1`. */
const HOST_PATH = /^host:/;
export const hostPath = (address: string): string => `host:${address}`;

const SIGNED_OUT = new Set(["rest_cookie_invalid_nonce", "rest_not_logged_in"]);

const ApiContext = createContext<Api | null>(null);
export const ApiProvider = ApiContext.Provider;

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error("the admin's screens need its API");
  return api;
}
