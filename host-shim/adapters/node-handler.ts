/** `forms` behind Node's own `http` server, Express, Connect, Koa, and whatever else hands on Node's requests. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { bytesOrText } from "../src/bridge.ts";
import type { Forms, Reply } from "../src/index.ts";
import { endOfTurn } from "./end-of-turn.ts";
import { requestOf } from "./node-request.ts";

/** What a handler calls of the forms. */
export type AnsweringForms = Pick<Forms, "reply" | "handles">;

/** Answers a request that is the engine's; `next` is called for others. Never rejects, but as `next` does. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => unknown) => Promise<void>;

export interface NodeHandlerOptions {
  /** Called with each request before the host's ports are asked about it. */
  readonly onRequest?: (request: Request, incoming: IncomingMessage) => void;
  /** Headers, named in lower case, for an answer that has none of the name. */
  readonly headers?: readonly (readonly [string, string])[];
}

/**
 * A handler for `http.createServer`; what is not the engine's is answered 404. The ports' `context` is
 * Node's request. A body that a parser has read is answered 500, and the log says why.
 */
export function toNodeHandler(forms: AnsweringForms, { onRequest, headers = [] }: NodeHandlerOptions = {}): NodeHandler {
  return async (incoming, outgoing, next) => {
    const request = requestOf(incoming);
    onRequest?.(request, incoming);
    // A body is read at once, since it may go with its client.
    const isBodiless = incoming.method === "GET" || incoming.method === "HEAD";
    if (isBodiless && forms.handles(request)) {
      // Node remembers the address of a client that is gone, where it was asked for before.
      void incoming.socket.remoteAddress;
      await endOfTurn();
    }
    const reply = await forms.reply(request, incoming);
    if (reply !== null) return send(reply, headers, incoming, outgoing);
    if (next !== undefined) return void next();
    outgoing.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("Not found\n");
  };
}

/** Middleware for Express and Connect, to be used before any body parser. */
export function toExpress(forms: AnsweringForms): NodeHandler {
  return toNodeHandler(forms);
}

/** What is needed of Koa's context. */
export interface KoaContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  respond?: boolean;
}

/** Middleware for Koa, and what is made of it, to be used before any body parser. */
export function toKoa(forms: AnsweringForms): (context: KoaContext, next: () => Promise<unknown>) => Promise<unknown> {
  const handle = toNodeHandler(forms);
  return async (context, next) => {
    let isOurs = true;
    await handle(context.req, context.res, () => (isOurs = false));
    if (!isOurs) return next();
    context.respond = false;
  };
}

const BODILESS = new Set([204, 205, 304]);

async function send(
  { status, headers, body, stream }: Reply,
  more: readonly (readonly [string, string])[],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const sent: string[] = [];
  for (const [name, value] of headers) sent.push(name, value);
  for (const [name, value] of more) if (!headers.some(([own]) => own === name)) sent.push(name, value);
  const hasBody = incoming.method !== "HEAD" && !BODILESS.has(status);
  if (hasBody && stream === undefined) sent.push("content-length", String(body.length));
  outgoing.writeHead(status, sent);
  if (!hasBody || stream === undefined) {
    await stream?.cancel();
    outgoing.end(hasBody && body.length > 0 ? bytesOrText({ headers, body }) : undefined);
    return;
  }
  // A client that is gone wants no more, which is no fault.
  await pipeline(Readable.fromWeb(stream as NodeReadableStream), outgoing).catch(() => outgoing.destroy());
}
