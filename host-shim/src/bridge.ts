/** The router bridge: recognizes the requests that belong to cf-forms, and converts requests and responses. */

import type { EngineResponse, RequestHead } from "./frame.ts";
import { MAX_IMAGE_BYTES } from "./images.ts";
import { MAX_IMPORT_BYTES } from "./imports/limits.ts";
import type { Authentication } from "./ports.ts";

/** The paths under which the engine's routes are served. */
export interface Mount {
  /** The path of the site's address, such as `""` or `/blog`. */
  readonly basePath: string;
  /** Prefix of the REST routes, such as `/api`. */
  readonly restRoot: string;
  /** Prefix of the visitors' pages, such as `/forms`. */
  readonly frontPrefix: string;
}

/**
 * A request's area, and its path below the area's prefix. The engine handles `rest` and `front`; the shim serves assets
 * and images without it.
 */
export interface Target {
  readonly area: "rest" | "front" | "asset" | "image";
  readonly path: string;
  readonly query: string;
}

/** Limit for the draft of a form, as JSON. */
const MAX_DRAFT_BYTES = 8 << 20;

/** Limit for a multipart body with a picture. */
const MAX_IMAGE_BODY_BYTES = MAX_IMAGE_BYTES + (64 << 10);

/** Whether a path accepts a picture as a multipart body. */
export function takesImage(path: string): boolean {
  return /\/forms\/\d+\/images\/?$/.test(path);
}

/** Whether a request to this path has a file as its body, which is stored while it arrives. */
export function takesFile(path: string): boolean {
  return /^\/cf\/v1\/imports\/?$/i.test(path);
}

/** Limit for the body of a request to a path. Drafts, pictures and imports have larger limits. */
export function maxBodyBytes(path: string, bodyLimit: number): number {
  if (takesFile(path)) return MAX_IMPORT_BYTES;
  if (takesImage(path)) return Math.max(bodyLimit, MAX_IMAGE_BODY_BYTES);
  return /\/forms\/\d+\/draft\/?$/.test(path) ? Math.max(bodyLimit, MAX_DRAFT_BYTES) : bodyLimit;
}

/** Returns the target of a request; null for a path outside all areas. */
export function target(url: URL, mount: Mount): Target | null {
  const { basePath, restRoot, frontPrefix } = mount;
  if (!url.pathname.startsWith(basePath)) return null;
  const path = url.pathname.slice(basePath.length);
  const plain = plainRestRoute(url, path, restRoot);
  if (plain !== null) return plain;
  if (path.startsWith(`${restRoot}/cf/`)) {
    return { area: "rest", path: path.slice(restRoot.length), query: url.search.slice(1) };
  }
  if (path.startsWith(`${frontPrefix}/-/assets/`)) {
    return { area: "asset", path: path.slice(`${frontPrefix}/-/assets/`.length), query: "" };
  }
  if (path.startsWith(`${frontPrefix}/-/images/`)) {
    return { area: "image", path: path.slice(`${frontPrefix}/-/images/`.length), query: "" };
  }
  // The prefix itself is a page of the site.
  if (path.startsWith(`${frontPrefix}/`) && path.length > frontPrefix.length + 1) {
    return { area: "front", path: path.slice(frontPrefix.length), query: url.search.slice(1) };
  }
  return null;
}

/** Reads `?rest_route=/cf/v1/…`, which sites without pretty permalinks use instead of a path. */
function plainRestRoute(url: URL, path: string, restRoot: string): Target | null {
  const atRoot = path === "/" || path === "" || path === restRoot || path === `${restRoot}/`;
  if (!atRoot) return null;
  const route = url.searchParams.get("rest_route");
  if (route === null || !route.startsWith("/cf/")) return null;
  const query = new URLSearchParams(url.searchParams);
  query.delete("rest_route");
  return { area: "rest", path: encodeURI(route), query: query.toString() };
}

export interface Facts {
  readonly authentication: Authentication;
  readonly address: string | null;
  readonly now: number;
  readonly requestId: string;
  readonly tooLarge: boolean;
  readonly bodyWaits: boolean;
  /** The site's address for this request; null for the configured one. */
  readonly baseUrl: string | null;
}

/** The headers that the engine reads (`READ_HEADERS` of `src/http/mod.rs`). Reading all headers would make servers sort them. */
const READ_HEADERS = [
  "accept",
  "accept-language",
  "content-type",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "origin",
  "referer",
  "sec-fetch-dest",
  "sec-fetch-mode",
  "sec-fetch-site",
  "user-agent",
  "x-http-method-override",
] as const;

function readHeaders(request: Request): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of READ_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return headers;
}

/** The head of a request as the engine reads it. */
export function requestHead(request: Request, found: Target, facts: Facts): RequestHead {
  const { authentication } = facts;
  return {
    method: request.method,
    path: found.path,
    query: found.query,
    headers: readHeaders(request),
    principal: "principal" in authentication ? authentication.principal : null,
    failure: "failure" in authentication ? authentication.failure : null,
    address: facts.address,
    too_large: facts.tooLarge,
    body_waits: facts.bodyWaits,
    now: facts.now,
    request_id: facts.requestId,
    base_url: facts.baseUrl,
  };
}

const BODILESS = new Set([101, 204, 205, 304]);
/** A byte order mark is part of the text. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns the response with extra headers, which replace headers of the same name. */
export function withHeaders(response: EngineResponse, extra: Readonly<Record<string, string>> = {}): EngineResponse {
  const added = Object.entries(extra);
  if (added.length === 0) return response;
  const names = new Set(added.map(([name]) => name.toLowerCase()));
  return { ...response, headers: [...response.headers.filter(([name]) => !names.has(name)), ...added] };
}

/** Converts the engine's response to the platform's `Response`. */
export function toResponse(response: EngineResponse): Response {
  // Workers would compress a body with this header once more.
  const isCompressed = response.headers.some(([name]) => name === "content-encoding");
  const init = {
    status: response.status,
    headers: headersOf(response),
    ...(isCompressed ? { encodeBody: "manual" } : {}),
  };
  return new Response(bodyOf(response), init);
}

function bodyOf(response: EngineResponse): BodyInit | null {
  if (response.stream !== undefined) return response.stream;
  if (BODILESS.has(response.status) || response.body.length === 0) return null;
  return bytesOrText(response);
}

/**
 * Returns a text body as a string, because servers write the head and a string at once, but bytes in a second write.
 */
export function bytesOrText({
  headers,
  body,
}: Pick<EngineResponse, "headers" | "body">): string | Uint8Array<ArrayBuffer> {
  if (headers.some(([name]) => name === "content-encoding")) return new Uint8Array(body);
  const type = headers.find(([name]) => name === "content-type")?.[1] ?? "";
  return /^(?:text\/|application\/json)/.test(type) ? decoder.decode(body) : new Uint8Array(body);
}

/** Returns a plain object, which servers read without building `Headers`, unless a name occurs twice. */
function headersOf(response: EngineResponse): HeadersInit {
  const single: Record<string, string> = Object.fromEntries(response.headers);
  if (Object.keys(single).length === response.headers.length) return single;
  const headers = new Headers();
  for (const [name, value] of response.headers) headers.append(name, value);
  return headers;
}
