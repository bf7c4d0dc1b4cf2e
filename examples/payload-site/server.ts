/** Payload's endpoints, including those of the forms, on Node's server. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { getPayload, handleEndpoints } from "payload";
import config from "./payload.config.ts";

await getPayload({ config });

async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = "GET", url = "/", headersDistinct } = incoming;
  const request = new Request(new URL(url, "http://localhost"), {
    method,
    headers: Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
    // Payload modifies the request, so it must be Node's own class.
    ...(method !== "GET" && method !== "HEAD" && { body: Readable.toWeb(incoming), duplex: "half" }),
  });
  request.headers.set("x-client-address", incoming.socket.remoteAddress ?? "");
  const { status, headers, body } = await handleEndpoints({ config, request });
  outgoing.writeHead(status, [...headers].flat());
  await pipeline(body ?? [], outgoing);
}

createServer((incoming, outgoing) => {
  respond(incoming, outgoing).catch(() => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(400).end();
  });
}).listen(process.env["PORT"] ?? 3000);
