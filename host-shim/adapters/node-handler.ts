/** Handlers for Node's `http` server, Express, Connect, Koa, and other frameworks that pass on Node's requests. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { bytesOrText } from "../src/bridge.ts";
import type { Forms, Reply } from "../src/index.ts";
import { endOfTurn } from "./end-of-turn.ts";
import { requestOf } from "./node-request.ts";

/** The part of the forms that a handler calls. */
export type AnsweringForms = Pick<Forms, "reply" | "handles">;

/** Passes the engine's requests to the engine, and calls `next` for others. Rejects only when `next` does. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => unknown,
) => Promise<void>;

/** Options of {@link toNodeHandler}. */
export interface NodeHandlerOptions {
  /** Called with each request before the host's ports. */
  readonly onRequest?: (request: Request, incoming: IncomingMessage) => void;
  /** Default headers, with names in lower case. A response's header of the same name takes precedence. */
  readonly headers?: readonly (readonly [string, string])[];
}

/**
 * Returns a handler for `http.createServer`. Requests for other paths go to `next`; without it they get a 404. The
 * ports' `context` is Node's request. A request whose body a parser has consumed gets a 500, and the log says why.
 */
export function toNodeHandler(
  forms: AnsweringForms,
  { onRequest, headers = [] }: NodeHandlerOptions = {},
): NodeHandler {
  return async (incoming, outgoing, next) => {
    const request = requestOf(incoming);
    onRequest?.(request, incoming);
    // A request with a body does not wait, because the client may disconnect.
    const isBodiless = incoming.method === "GET" || incoming.method === "HEAD";
    if (isBodiless && forms.handles(request)) {
      // Node keeps the address of a disconnected client only if it was read before the disconnect.
      void incoming.socket.remoteAddress;
      await endOfTurn();
    }
    const reply = await forms.reply(request, incoming);
    if (reply !== null) return send(reply, headers, incoming, outgoing);
    if (next !== undefined) return void next();
    const type = ["content-type", "text/plain; charset=utf-8"];
    outgoing.writeHead(404, incoming.complete ? type : [...type, ...CLOSING]).end("Not found\n");
  };
}

/** Middleware for Express and Connect. Must come before any body parser. */
export function toExpress(forms: AnsweringForms): NodeHandler {
  return toNodeHandler(forms);
}

/** The part of Koa's context that the middleware needs. */
export interface KoaContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  respond?: boolean;
}

/** Middleware for Koa and frameworks based on it. Must come before any body parser. */
export function toKoa(forms: AnsweringForms): (context: KoaContext, next: () => Promise<unknown>) => Promise<unknown> {
  const handle = toNodeHandler(forms);
  return async (context, next) => {
    let isOurs = true;
    await handle(context.req, context.res, () => (isOurs = false));
    if (!isOurs) return next();
    context.respond = false;
  };
}

/** Header of a response to a request whose body was not read completely. Otherwise Node would read the rest. */
const CLOSING = ["connection", "close"] as const;

const BODILESS = new Set([204, 205, 304]);

async function send(
  { status, headers, body, stream }: Reply,
  defaults: readonly (readonly [string, string])[],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const sent: string[] = [];
  for (const [name, value] of headers) sent.push(name, value);
  for (const [name, value] of defaults) if (!headers.some(([present]) => present === name)) sent.push(name, value);
  if (!incoming.complete && !headers.some(([name]) => name === "connection")) sent.push(...CLOSING);
  const hasBody = incoming.method !== "HEAD" && !BODILESS.has(status);
  if (hasBody && stream === undefined) sent.push("content-length", String(body.length));
  outgoing.writeHead(status, sent);
  if (!hasBody || stream === undefined) {
    await stream?.cancel();
    outgoing.end(hasBody && body.length > 0 ? bytesOrText({ headers, body }) : undefined);
    return;
  }
  // A disconnected client is not an error.
  await pipeline(Readable.fromWeb(stream as NodeReadableStream), outgoing).catch(() => outgoing.destroy());
}
