/** Bodies slower than 1 KB/s through the engine, with the real time limits of 10 s. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { toNodeHandler } from "../../host-shim/adapters/node-handler.ts";
import { createForms } from "../../host-shim/src/index.ts";
import { APP_PASSWORD, basic, startTestHost } from "./embedded-fixture.ts";
import { startSite, type Site } from "./site.ts";

const FORM = { title: "Contact", slug: "contact", markup: "<input name=a><input type=file name=f>" };
const MULTIPART = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n';

interface Outcome {
  readonly response: string;
  readonly seconds: number;
}

/** Sends a head and the beginning of a body, then this many bytes each 100 ms; resolves when the connection closes. */
async function send(url: string, head: string, begin: string, bytes: number): Promise<Outcome> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  const since = performance.now();
  socket.write(`${head}\r\nHost: ${hostname}:${port}\r\nContent-Length: 60000\r\n\r\n${begin}`);
  const timer = setInterval(() => bytes > 0 && socket.write("x".repeat(bytes)), 100);
  // A byte that arrives after the server has closed resets the connection, but the received response stays.
  let response = "";
  socket.setEncoding("utf8").on("data", (piece: string) => (response += piece));
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(timer);
  return { response, seconds: (performance.now() - since) / 1_000 };
}

/** Sends a body at 2 KB/s, which takes longer than the time limit of slow bodies. */
async function sendSteadily(url: string, path: string): Promise<string> {
  let left = 130;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (left === 130) controller.enqueue(new TextEncoder().encode("a="));
      if (left-- === 0) return controller.close();
      await new Promise((resolve) => setTimeout(resolve, 100));
      controller.enqueue(new TextEncoder().encode(`&p${left}=`.padEnd(200, "x")));
    },
  });
  const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  const response = await fetch(url + path, { method: "POST", headers, body, duplex: "half" } as RequestInit);
  return response.ok ? "taken" : await response.text();
}

function assertSlow({ response, seconds }: Outcome, code: RegExp): void {
  assert.match(response, /^HTTP\/1\.1 408 /);
  assert.match(response, /\r\nconnection: close\r\n/i);
  assert.match(response, code);
  // The upper bound allows for a busy machine. Without the limit, the connection stays open far longer.
  assert.ok(seconds >= 9.9 && seconds < 40, `${seconds} s`);
}

const AS_FORM = "Content-Type: application/x-www-form-urlencoded";

describe("a body slower than 1 KB/s", { concurrency: true }, () => {
  describe("on the embedded host", { concurrency: true }, () => {
    let host: Awaited<ReturnType<typeof startTestHost>>;
    const authorization = basic("admin", APP_PASSWORD).authorization;
    const cleanUps: (() => unknown)[] = [];
    after(async () => {
      for (const cleanUp of cleanUps.reverse()) await cleanUp();
    });
    before(async () => {
      host = await startTestHost({ after: (cleanUp: () => unknown) => cleanUps.push(cleanUp) }, { createForms });
      const headers = { authorization, "content-type": "application/json" };
      assert.equal(
        (await fetch(`${host.url}/api/cf/v1/forms`, { method: "POST", headers, body: JSON.stringify(FORM) })).status,
        201,
      );
    });

    test("a visitor's stalled body gets a 408, as JSON or as a page", async () => {
      const [json, page] = await Promise.all([
        send(host.url, `POST /forms/contact HTTP/1.1\r\nAccept: application/json\r\n${AS_FORM}`, "a=", 0),
        send(host.url, `POST /forms/contact HTTP/1.1\r\nAccept: text/html\r\n${AS_FORM}`, "a=", 10),
      ]);
      assertSlow(json, /body_too_slow/);
      assertSlow(page, /<!doctype html>[\s\S]*sending took too long/i);
    });
    test("an upload byte by byte gets a 408", async () => {
      assertSlow(
        await send(
          host.url,
          "POST /forms/contact HTTP/1.1\r\nAccept: application/json\r\nContent-Type: multipart/form-data; boundary=b",
          MULTIPART,
          1,
        ),
        /body_too_slow/,
      );
    });
    test("a REST call at half the minimum pace gets a 408", async () => {
      assertSlow(
        await send(
          host.url,
          `POST /api/cf/v1/forms HTTP/1.1\r\nAuthorization: ${authorization}\r\nContent-Type: application/json`,
          '{"title":"',
          50,
        ),
        /rest_body_too_slow/,
      );
    });
    test("a nonce in a slow body and a slow sign-in get a 408", async () => {
      const outcomes = await Promise.all([
        send(host.url, `POST /api/cf/v1/forms HTTP/1.1\r\nCookie: cf_session=x\r\n${AS_FORM}`, "a=", 1),
        send(host.url, "POST /sign-in HTTP/1.1\r\nContent-Type: application/json", "{", 1),
      ]);
      for (const outcome of outcomes) assertSlow(outcome, /rest_body_too_slow/);
    });
    test("a steady one is accepted", async () => assert.equal(await sendSteadily(host.url, "/forms/contact"), "taken"));
  });

  describe("behind Node's own server", { concurrency: true }, () => {
    let site: Site;
    let url = "";
    const server = createServer((request, response) => void toNodeHandler(site.forms)(request, response));
    before(async () => {
      site = await startSite();
      assert.equal((await site.api("POST", "/forms", FORM)).status, 201);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(async () => {
      server.closeAllConnections();
      server.close();
      await site.close();
    });

    test("a visitor's stalled body gets a 408", async () => {
      assertSlow(
        await send(url, `POST /forms/contact HTTP/1.1\r\nAccept: application/json\r\n${AS_FORM}`, "a=", 0),
        /body_too_slow/,
      );
    });
    test("a REST call byte by byte gets a 408", async () => {
      assertSlow(
        await send(
          url,
          "POST /api/cf/v1/forms HTTP/1.1\r\nX-Test-Caller: administrator\r\nContent-Type: application/json",
          "{",
          1,
        ),
        /rest_body_too_slow/,
      );
    });
    test("a steady one is accepted", async () => assert.equal(await sendSteadily(url, "/forms/contact"), "taken"));
  });
});
