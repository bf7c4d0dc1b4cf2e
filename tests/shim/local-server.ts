/** A local server that replaces web services. The guarded HTTP port resolves the services' names to it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { guardedFetch } from "../../host-shim/adapters/guarded-fetch.ts";
import type { Http } from "../../host-shim/src/index.ts";
import type { JsonValue } from "./site.ts";

export interface ReceivedRequest {
  /** Such as `https://api.notion.com`. */
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, the fields of a form, or null for an empty body. */
  readonly body: JsonValue;
  /** The raw body. */
  readonly text: string;
}

export interface LocalResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent unchanged. */
  readonly body?: JsonValue;
}

export interface LocalServer {
  readonly received: ReceivedRequest[];
  readonly http: Http;
  /** Address without a path. */
  readonly url: string;
  close(): Promise<void>;
}

export async function startLocalServer(respond: (request: ReceivedRequest) => LocalResponse): Promise<LocalServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await receive(incoming);
    received.push(request);
    const { status, headers, body } = respond(request);
    response.writeHead(status, {
      "content-type": typeof body === "string" ? "text/plain" : "application/json",
      ...headers,
    });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const guarded = guardedFetch({ allowPrivate: (_name, address, to) => address === "127.0.0.1" && to === port });
  return {
    received,
    url: `http://127.0.0.1:${port}`,
    http: {
      fetch(request) {
        const { protocol, host, pathname, search } = new URL(request.url);
        assert.equal(protocol, "https:");
        const headers = { ...request.headers, host };
        return guarded.fetch({ ...request, headers, url: `http://127.0.0.1:${port}${pathname}${search}` });
      },
    },
    async close() {
      await guarded.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function receive(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const text = Buffer.concat(await incoming.toArray()).toString();
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  const isForm = headers["content-type"] === "application/x-www-form-urlencoded";
  return {
    origin: `https://${headers["host"]}`,
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers,
    text,
    body: text === "" ? null : isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text),
  };
}
