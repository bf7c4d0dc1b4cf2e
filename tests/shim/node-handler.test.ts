/** `toNodeHandler` on Node's server: requests for the engine, other requests, and bodies that other code has read. */

import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { it, type TestContext } from "node:test";
import { endOfTurn } from "../../host-shim/adapters/end-of-turn.ts";
import { toExpress, toNodeHandler } from "../../host-shim/adapters/node-handler.ts";
import { member, startSite } from "./site.ts";

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ADMINISTRATOR = { "x-test-caller": "administrator", "content-type": "application/json" };

it("serves the API, pages and assets, and responds with 404 to other paths", async (t) => {
  const seen: unknown[] = [];
  const site = await startSite({
    host: { clientAddress: (_, request) => (seen.push((request as IncomingMessage).socket.remoteAddress), null) },
  });
  t.after(() => site.close());
  const url = await serve(t, toNodeHandler(site.forms));
  const created = await fetch(`${url}/api/cf/v1/forms`, {
    method: "POST",
    headers: ADMINISTRATOR,
    body: '{"title":"Contact","markup":"<input name=a>"}',
  });
  assert.deepEqual([created.status, member(await created.json(), "slug")], [201, "contact"]);
  const page = await (await fetch(`${url}/forms/contact`)).text();
  assert.match(page, /<input name=a>/);
  const sent = new FormData();
  sent.set("a", "x".repeat(1_000));
  assert.equal((await fetch(`${url}/forms/contact`, { method: "POST", body: sent, redirect: "manual" })).status, 303);
  const asset = /\/forms\/-\/assets\/[^"]+\.css/.exec(page)?.[0];
  assert.equal((await fetch(url + asset)).headers.get("content-type")?.startsWith("text/css"), true);
  const head = await fetch(`${url}/api/cf/v1/forms`, { method: "HEAD", headers: ADMINISTRATOR });
  assert.deepEqual([head.status, head.headers.get("x-wp-total"), await head.text()], [200, "1", ""]);
  assert.equal((await fetch(`${url}/elsewhere`)).status, 404);
  assert.equal(seen[0], "127.0.0.1");
});

it("as middleware it passes on other requests with unread bodies, and handles a mount path", async (t) => {
  const site = await startSite();
  t.after(() => site.close());
  const handler = toExpress(site.forms);
  const url = await serve(t, (request, response) => {
    // Express removes the mount path from the URL of `app.use("/api", …)` like this.
    Object.assign(request, { originalUrl: request.url, url: request.url?.replace(/^\/api/, "") });
    void handler(request, response, () => void request.pipe(response));
  });
  assert.equal(await (await fetch(`${url}/other`, { method: "POST", body: "as it came" })).text(), "as it came");
  assert.equal((await fetch(`${url}/api/cf/v1/forms`, { headers: ADMINISTRATOR })).status, 200);
});

it("rejects a body that a parser has read, unless the parser kept the bytes", async (t) => {
  const site = await startSite();
  t.after(() => site.close());
  const handler = toNodeHandler(site.forms);
  let keeps = false;
  const url = await serve(t, async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    if (keeps) Object.assign(request, { rawBody: Buffer.concat(pieces) });
    await handler(request, response);
  });
  const create = () =>
    fetch(`${url}/api/cf/v1/forms`, { method: "POST", headers: ADMINISTRATOR, body: '{"title":"Contact"}' });
  assert.equal((await create()).status, 500);
  assert.match(site.faults.join("\n"), /mount cf-forms before any body parser/);
  keeps = true;
  assert.equal((await create()).status, 201);
});

it("stores the submission of a client that disconnects right after sending it", async (t) => {
  const site = await startSite();
  t.after(() => site.close());
  const url = await serve(t, toNodeHandler(site.forms));
  await fetch(`${url}/api/cf/v1/forms`, {
    method: "POST",
    headers: ADMINISTRATOR,
    body: '{"title":"Contact","markup":"<input name=a>"}',
  });
  const sent = [
    "POST /forms/contact HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/x-www-form-urlencoded",
    "Content-Length: 7",
    "",
    "a=early",
  ];
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.end(sent.join("\r\n"));
  await new Promise((resolve) => socket.once("close", resolve));
  const stored = await (await fetch(`${url}/api/cf/v1/submissions`, { headers: ADMINISTRATOR })).json();
  assert.match(JSON.stringify(stored), /early/);
});

it("requests of one turn of the event loop advance alternately, step by step", async () => {
  const steps: string[] = [];
  const request = async (name: string): Promise<void> => {
    await endOfTurn();
    steps.push(`${name} begins`);
    await null;
    steps.push(`${name} ends`);
  };
  await Promise.all(["one", "two"].map(request));
  assert.deepEqual(steps, ["one begins", "two begins", "one ends", "two ends"]);
});

it("closes the connection of a body that it did not read, and keeps others open", async (t) => {
  const site = await startSite();
  t.after(() => site.close());
  const url = await serve(t, toNodeHandler(site.forms));
  /** The heads of all responses to a text, until the server closes or this number of responses has arrived. */
  const responsesTo = (text: string, count: number): Promise<readonly string[]> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text));
      let got = "";
      const heads = () => got.match(/HTTP\/1\.1 [\s\S]*?\r\n\r\n/g) ?? [];
      socket.on("data", (piece) => {
        got += String(piece);
        if (heads().length === count) socket.end();
      });
      socket.on("close", () => resolve(heads()));
      socket.on("error", reject);
    });
  const head = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: site\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  for (const path of ["/api/cf/v1/forms", "/elsewhere"]) {
    const [refused, ...more] = await responsesTo(`${head(path, 900_000)}{`, 2);
    assert.match(refused ?? "", /^HTTP\/1\.1 40[134] [\s\S]*\r\nconnection: close\r\n/i);
    assert.deepEqual(more, []);
  }
  const next = "GET /elsewhere HTTP/1.1\r\nHost: site\r\n\r\n";
  const two = await responsesTo(`${head("/api/cf/v1/forms", 2)}{}${next}`, 2);
  assert.equal(two.length, 2);
  assert.doesNotMatch(two.join(""), /connection: close/i);
});
