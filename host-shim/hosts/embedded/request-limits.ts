/** Limits for each client: size of a body, and time on a connection. */
import type { ServerOptions } from "node:http";
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { maxBodyBytes } from "../../src/bridge.ts";
import { errorFor, restError } from "./responses.ts";
import { REST_ROOT, type Site } from "./site.ts";

/** Timeouts for slow or silent clients, which Node checks once a second. */
export const CONNECTION_LIMITS: ServerOptions = {
  /** Timeout for the whole head. */
  headersTimeout: 10_000,
  /** No timeout for a whole request, because slow-bodies.ts checks the body's pace. */
  requestTimeout: 0,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
};

/** Limits for concurrent connections: in total, and from one address, except a proxy's. */
export const MAX_CONNECTIONS = 1_000;
export const MAX_CONNECTIONS_PER_ADDRESS = 100;

/** Idle timeout of a connection, also while a response is sent. */
export const IDLE_CONNECTION_MS = 60_000;

/**
 * Rejects bodies over the limit with 413. The engine counts the bodies of visitors itself, and responds to a long one
 * with the form. A declared length is reliable, because Node's parser enforces it. A body without a length is counted
 * while the engine or this middleware reads it, so at most the limit is in memory.
 */
export function limitBodies(site: Site, limit: number): MiddlewareHandler {
  return (c, next) => {
    if (site.isFront(c.req.path) || c.req.method === "GET" || c.req.method === "HEAD") return next();
    const bytes = maxBodyBytes(c.req.path, limit);
    // The connection stays open briefly: closing it with unread bytes would reset it, and the client would lose this
    // response. The server drains the body for half a second and then closes.
    const tooLarge = (): Response | Promise<Response> => {
      const code = "rest_payload_too_large";
      const message = `The request is larger than ${bytes} bytes.`;
      return site.isRest(c.req.raw) ? restError(c, 413, code, message) : errorFor(c, 413, code, "Too large", message);
    };
    const declared = c.req.header("content-length");
    if (declared !== undefined) return Number(declared) > bytes ? Promise.resolve(tooLarge()) : next();
    // The engine counts the bytes, and reads the body only when a route needs it.
    const isForEngine = c.req.path.startsWith(`${site.basePath}${REST_ROOT}/cf/`);
    return isForEngine ? next() : bodyLimit({ maxSize: bytes, onError: tooLarge })(c, next);
  };
}
