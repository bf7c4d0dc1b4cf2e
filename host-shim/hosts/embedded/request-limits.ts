/** Limits for each client: bytes of a body, and time on a connection. */
import type { ServerOptions } from "node:http";
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { errorFor, restError } from "./answer.ts";
import { maxBodyBytes } from "../../src/bridge.ts";
import { REST_ROOT, type Site } from "./site.ts";

/** Bounds on what a slow or silent client can hold (Node checks them once a second). */
export const CONNECTION_LIMITS: ServerOptions = {
  /** The whole head must be there by then. */
  headersTimeout: 10_000,
  /** A whole request takes as long as its body keeps its pace (slow-bodies.ts). */
  requestTimeout: 0,
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
 * Refuses bodies over the limit with 413, but for those of visitors: the engine answers them with the form, and
 * counts itself what it reads. A declared length is believed, because Node's parser holds the client to it; a body
 * without one is counted as it is read, by the engine or here, and never more than the limit is kept.
 */
export function limitBodies(site: Site, limit: number): MiddlewareHandler {
  return (c, next) => {
    if (site.isFront(c.req.path) || c.req.method === "GET" || c.req.method === "HEAD") return next();
    const bytes = maxBodyBytes(c.req.path, limit);
    // The connection stays open for now: closed with unread bytes, it would be reset, and the client
    // lose this answer. The server takes half a second more of the body, unkept, and closes then.
    const tooLarge = (): Response | Promise<Response> => {
      const code = "rest_payload_too_large";
      const message = `The request is larger than ${bytes} bytes.`;
      return site.isRest(c.req.raw) ? restError(c, 413, code, message) : errorFor(c, 413, code, "Too large", message);
    };
    const declared = c.req.header("content-length");
    if (declared !== undefined) return Number(declared) > bytes ? Promise.resolve(tooLarge()) : next();
    // The engine counts what it reads, and reads nothing before it knows what for.
    const isEngines = c.req.path.startsWith(`${site.basePath}${REST_ROOT}/cf/`);
    return isEngines ? next() : bodyLimit({ maxSize: bytes, onError: tooLarge })(c, next);
  };
}
