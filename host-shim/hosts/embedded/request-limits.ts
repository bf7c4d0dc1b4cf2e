/** Limits for each client: bytes of a body, and time on a connection. */
import type { ServerOptions } from "node:http";
import type { Context, MiddlewareHandler, Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { acceptsHtml, errorFor, restError } from "./answer.ts";
import { mostBytes } from "../../src/bridge.ts";
import { REST_ROOT, type Site } from "./site.ts";

/** Bounds on what a slow or silent client can hold (Node checks them once a second). */
export const CONNECTION_LIMITS: ServerOptions = {
  /** The whole head must be there by then. */
  headersTimeout: 10_000,
  /** The whole request, body included, must be there by then. */
  requestTimeout: 60_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
};

/** Connections at once, in all and from one address that is no proxy's. */
export const MOST_CONNECTIONS = 1_000;
export const MOST_CONNECTIONS_OF_ONE = 100;

/** A connection on which nothing moves for so long is closed, also while an answer is sent. */
export const IDLE_CONNECTION_MS = 60_000;

/**
 * Refuses bodies over the limit with 413, those of visitors' uploads with a limit of their own.
 * A declared length is believed, because Node's parser holds the client to it; a body without
 * one is counted as it is read, by the engine or here, and never more than the limit is kept.
 */
export function limitBodies(
  site: Site,
  limits: { readonly bodyLimit: number; readonly uploadLimit: number },
): MiddlewareHandler {
  return (c, next) => {
    const isUpload =
      site.isFront(c.req.path) &&
      (c.req.header("content-type") ?? "").toLowerCase().startsWith("multipart/form-data");
    const isEngines = site.isFront(c.req.path) || c.req.path.startsWith(`${site.basePath}${REST_ROOT}/cf/`);
    return limitOf(site, isUpload ? limits.uploadLimit : mostBytes(c.req.path, limits.bodyLimit))(c, next, isEngines);
  };
}

type Limit = (c: Context, next: Next, isEngines: boolean) => Promise<Response | void>;

function limitOf(site: Site, bytes: number): Limit {
  const counted = bodyLimit({ maxSize: bytes, onError: (c) => tooLarge(c) });
  function tooLarge(c: Context): Response | Promise<Response> {
    // The connection stays open for now: closed with unread bytes, it would be reset, and the client
    // lose this answer. The server takes half a second more of the body, unkept, and closes then.
    const code = "rest_payload_too_large";
    const message = `The request is larger than ${bytes} bytes.`;
    if (site.isRest(c.req.raw)) return restError(c, 413, code, message);
    if (!site.isFront(c.req.path) || acceptsHtml(c)) return errorFor(c, 413, code, "Too large", message);
    // As the engine answers visitors; forms embedded in other sites must be able to read it.
    c.header("access-control-allow-origin", "*");
    return c.json({ message: { type: "error", text: message }, code, errors: [], data: { status: 413 } }, 413);
  }
  return async (c, next, isEngines) => {
    if (c.req.method === "GET" || c.req.method === "HEAD") return next();
    const declared = c.req.header("content-length");
    // The engine counts what it reads, and reads nothing before it knows what for.
    if (declared === undefined) return isEngines ? next() : counted(c, next);
    return Number(declared) > bytes ? tooLarge(c) : next();
  };
}
