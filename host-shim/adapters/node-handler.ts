/** `forms` behind Node's own `http` server, Express, Connect, and whatever else hands on Node's requests. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { Forms } from "../src/index.ts";

/** Answers a request that is the engine's; `next` is called for others. Never rejects, but as `next` does. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => unknown) => Promise<void>;

/** What frameworks add to Node's request. */
interface Extended {
  /** The address before a router took its mount path away. */
  readonly originalUrl?: string;
  /** The bytes, which a body parser with a `verify` callback can keep. */
  readonly rawBody?: unknown;
}

/**
 * A handler for `http.createServer`; what is not the engine's is answered 404. The ports' `context` is
 * Node's request. A body that a parser has read is answered 500, and the log says why.
 */
export function toNodeHandler(forms: Pick<Forms, "fetch" | "handles">): NodeHandler {
  return async (incoming, outgoing, next) => {
    const head = headOf(incoming);
    if (!forms.handles(new Request(head.url, { method: head.method, headers: head.headers }))) {
      if (next !== undefined) return void next();
      outgoing.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("Not found\n");
      return;
    }
    const answer = await forms.fetch(await requestOf(incoming, head), incoming);
    if (answer !== null) await send(answer, incoming, outgoing);
  };
}

/** Middleware for Express and Connect, to be used before any body parser. */
export function toExpress(forms: Pick<Forms, "fetch" | "handles">): NodeHandler {
  return toNodeHandler(forms);
}

interface Head {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
}

function headOf(incoming: IncomingMessage & Extended): Head {
  const headers = new Headers();
  for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
    headers.append(incoming.rawHeaders[at] ?? "", incoming.rawHeaders[at + 1] ?? "");
  }
  const isSecure = "encrypted" in incoming.socket && incoming.socket.encrypted === true;
  const host = `${isSecure ? "https" : "http"}://${incoming.headers.host ?? "localhost"}`;
  const path = incoming.originalUrl ?? incoming.url ?? "/";
  // A whole address is what proxies are asked for.
  const url = URL.parse(path.startsWith("/") ? host + path : path) ?? URL.parse(path, "http://localhost");
  return { url: url?.href ?? "http://localhost/", method: incoming.method ?? "GET", headers };
}

async function requestOf(incoming: IncomingMessage & Extended, { url, method, headers }: Head): Promise<Request> {
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers });
  if (incoming.rawBody instanceof Uint8Array) {
    return new Request(url, { method, headers, body: new Uint8Array(incoming.rawBody) });
  }
  if (incoming.readableDidRead) {
    const consumed = new Request(url, { method, headers, body: "-" });
    await consumed.arrayBuffer();
    return consumed;
  }
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
  const init: RequestInit & { duplex: "half" } = { method, headers, body, duplex: "half" };
  return new Request(url, init);
}

async function send(answer: Response, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = answer.status;
  for (const [name, value] of answer.headers) {
    if (name !== "set-cookie") outgoing.setHeader(name, value);
  }
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  if (answer.body === null || incoming.method === "HEAD") {
    await answer.body?.cancel();
    outgoing.end();
    return;
  }
  // A client that is gone wants no more, which is no fault.
  await pipeline(Readable.fromWeb(answer.body as NodeReadableStream), outgoing).catch(() => outgoing.destroy());
}
