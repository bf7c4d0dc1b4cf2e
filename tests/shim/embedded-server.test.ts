import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { describe, test, type TestContext } from "node:test";
import { limitEach, listen, type RequestHandler, type Listener } from "../../host-shim/hosts/embedded/listener.ts";
import { CONNECTION_LIMITS } from "../../host-shim/hosts/embedded/request-limits.ts";
import { bodyOf, startTestHost } from "./embedded-fixture.ts";

interface Failure {
  readonly code: string;
  readonly data: { readonly status: number; readonly request_id?: string };
}

/** Writes raw bytes to the server and returns the whole response until the server closes the connection. */
async function exchange(url: string, send: (socket: Socket) => unknown): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  const response = text(socket).catch(() => "");
  await send(socket);
  return response;
}

describe("headers", () => {
  test("every page of the host has strict headers", async (t) => {
    const host = await startTestHost(t);
    const page =
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/;
    const signIn =
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'nonce-[\w+/=]{22,}'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/;
    const json = /^default-src 'none'; frame-ancestors 'none'$/;
    const policies = {
      "/": page,
      "/sign-in": signIn,
      "/nowhere": page,
      "/healthz": json,
      "/api": json,
      "/api/nowhere": json,
    };
    for (const [path, policy] of Object.entries(policies)) {
      const response = await fetch(host.url + path);
      const header = (name: string) => response.headers.get(name);
      assert.match(header("content-security-policy") ?? "", policy, path);
      assert.equal(header("cross-origin-resource-policy"), "same-origin");
      assert.equal(header("permissions-policy"), "camera=(), microphone=(), geolocation=()");
      assert.equal(header("x-content-type-options"), "nosniff");
      assert.equal(header("x-frame-options"), "DENY");
      assert.equal(header("referrer-policy"), "strict-origin-when-cross-origin");
      assert.equal(header("cross-origin-opener-policy"), "same-origin");
      assert.equal(header("strict-transport-security"), null);
      assert.doesNotMatch(await response.text(), /<script|\son\w+=|style=/i);
    }
  });

  test("the engine's headers stay unchanged, and other sites may embed visitors' pages", async (t) => {
    const host = await startTestHost(t);
    const { headers } = await fetch(`${host.url}/forms/contact`);
    assert.equal(headers.get("content-security-policy"), "default-src 'self'");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("x-frame-options"), null);
    assert.equal(headers.get("cross-origin-resource-policy"), null);
  });

  test("over https the host sends HSTS", async (t) => {
    const host = await startTestHost(t, { environment: { BASE_URL: "https://forms.example/site" } });
    const response = await fetch(`${host.url}/site/`);
    assert.equal(response.headers.get("strict-transport-security"), "max-age=31536000");
    assert.match(await response.text(), /href="\/site\/sign-in"/);
    assert.equal((await fetch(`${host.url}/site/sign-in`)).status, 200);
    assert.equal((await fetch(`${host.url}/sign-in`)).status, 404);
    const index = await fetch(`${host.url}/site/api`);
    assert.equal((await bodyOf<{ home: string }>(index)).home, "https://forms.example/site");
  });
});

describe("routes", () => {
  test("health reports that the process runs, readiness that the database responds", async (t) => {
    const host = await startTestHost(t);
    assert.deepEqual(await (await fetch(`${host.url}/healthz`)).json(), { status: "up" });
    assert.deepEqual(await (await fetch(`${host.url}/readyz`)).json(), { status: "ready" });
    t.mock.method(host.formsOptions.host.database, "batch", async () => {
      throw new Error("the database is gone");
    });
    const response = await fetch(`${host.url}/readyz`);
    assert.deepEqual(
      [response.status, await response.json()],
      [503, { status: "not ready", part: "database", reason: "it failed" }],
    );
    assert.equal((await fetch(`${host.url}/healthz`)).status, 200);
  });

  test("unknown paths get a 404: JSON in the API, a page elsewhere", async (t) => {
    const host = await startTestHost(t);
    const response = await fetch(`${host.url}/api/nowhere`);
    assert.deepEqual([response.status, (await bodyOf<Failure>(response)).code], [404, "rest_no_route"]);
    const page = await fetch(`${host.url}/nowhere`);
    assert.equal(page.status, 404);
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  });

  test("the REST root names the namespaces", async (t) => {
    const host = await startTestHost(t);
    for (const path of ["/api", "/api/"]) {
      const index = await bodyOf<{ namespaces: string[]; home: string }>(await fetch(host.url + path));
      assert.deepEqual(index.namespaces, ["cf/v1", "wp/v2"]);
      assert.equal(index.home, host.url);
    }
  });

  test("a failure returns only the request's id for the log", async (t) => {
    const host = await startTestHost(t, {
      forms: () => ({
        fetch: async () => {
          throw new Error("password=hunter2");
        },
      }),
    });
    const response = await fetch(`${host.url}/api/cf/v1/forms`);
    const failure = await bodyOf<Failure>(response);
    assert.equal(response.status, 500);
    assert.doesNotMatch(JSON.stringify(failure), /hunter2/);
    const event = host.events.find(({ fields }) => fields["request_id"] === failure.data.request_id);
    assert.match(String(event?.fields["error"]), /hunter2/);
    const page = await fetch(`${host.url}/forms/contact`, { headers: { accept: "text/html" } });
    assert.match(await page.text(), /Something went wrong/);
  });
});

describe("request bodies", () => {
  const LARGE = 20 * 1024 * 1024;

  test("a body with a declared length of 20 MB gets a 413 before it is read", async (t) => {
    let wasCalled = false;
    const host = await startTestHost(t, {
      forms: () => ({
        fetch: async () => {
          wasCalled = true;
          return null;
        },
      }),
    });
    const response = await exchange(host.url, (socket) =>
      socket.write(`POST /api/cf/v1/forms HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${LARGE}\r\n\r\n{`),
    );
    assert.match(response, /^HTTP\/1\.1 413 /);
    assert.match(response, /"code":"rest_payload_too_large"/);
    assert.equal(wasCalled, false);
  });

  test("a body without a length gets a 413 as soon as it exceeds the limit", async (t) => {
    const host = await startTestHost(t);
    let sent = 0;
    const response = await exchange(host.url, async (socket) => {
      let hasResponse = false;
      socket.once("data", () => (hasResponse = true));
      socket.write("POST /api/wp/v2/users/me HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
      const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
      while (!hasResponse && socket.writable && sent < LARGE) {
        if (!socket.write(chunk))
          await Promise.race([once(socket, "drain"), once(socket, "close"), once(socket, "data")]);
        sent += 65_536;
      }
    });
    assert.match(response, /^HTTP\/1\.1 413 /);
    // The bytes beyond the limit of 1 MiB were in the sockets' buffers.
    assert.ok(sent < LARGE / 2, `${sent} bytes`);
  });

  test("a client that sends all of 20 MB gets a 413, and the host continues to serve", async (t) => {
    const host = await startTestHost(t);
    for (const body of [new Uint8Array(LARGE), streamOf(LARGE)]) {
      const response = await fetch(`${host.url}/api/wp/v2/users/me`, {
        method: "POST",
        body,
        duplex: "half",
      } as RequestInit);
      assert.equal(response.status, 413);
      assert.equal((await bodyOf<Failure>(response)).code, "rest_payload_too_large");
    }
    assert.equal((await fetch(`${host.url}/healthz`)).status, 200);
  });

  test("bodies up to the limit arrive complete, with and without a length", async (t) => {
    const host = await startTestHost(t, { environment: { BODY_LIMIT: "100000" } });
    for (const size of [0, 1, 100_000]) {
      for (const body of [new Uint8Array(size), streamOf(size)]) {
        const response = await fetch(`${host.url}/api/cf/v1/forms`, {
          method: "POST",
          body,
          duplex: "half",
        } as RequestInit);
        const { body_length, address } = await bodyOf<{ body_length: number; address: string }>(response);
        assert.deepEqual([response.status, body_length, address], [200, size, "127.0.0.1"]);
      }
    }
  });

  test("visitors' bodies are left to the engine, which responds with the form", async (t) => {
    const host = await startTestHost(t, { environment: { BODY_LIMIT: "10000", UPLOAD_LIMIT: "50000" } });
    async function upload(path: string, size: number): Promise<number> {
      const body = new FormData();
      body.set("file", new Blob([new Uint8Array(size)]), "a.bin");
      return (await fetch(host.url + path, { method: "POST", body })).status;
    }
    assert.equal(await upload("/forms/contact", 60_000), 200);
    assert.equal(await upload("/api/cf/v1/forms", 40_000), 413);
  });

  function streamOf(size: number): ReadableStream<Uint8Array> {
    let left = size;
    return new ReadableStream({
      pull(controller) {
        if (left === 0) return controller.close();
        const chunk = new Uint8Array(Math.min(left, 64 * 1024));
        left -= chunk.length;
        controller.enqueue(chunk);
      },
    });
  }
});

describe("connections of one client", () => {
  test("are counted by address (IPv6: by /64); a proxy has no limit", () => {
    const server = new EventEmitter();
    limitEach(server as unknown as Server, { kind: "none" });
    const opened = (remoteAddress: string) => {
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress,
        isOpen: true,
        destroy: () => (socket.isOpen = false),
      });
      server.emit("connection", socket);
      return socket;
    };
    const many = Array.from({ length: 100 }, (_, number) => opened(`2a00:1450:4001:80b::${number.toString(16)}`));
    assert.ok(many.every(({ isOpen }) => isOpen));
    assert.equal(opened("2a00:1450:4001:80b:ffff::1").isOpen, false);
    assert.equal(opened("2a00:1450:4001:80c::1").isOpen, true);
    many[0]?.emit("close");
    assert.equal(opened("2a00:1450:4001:80b:ffff::1").isOpen, true);
    for (const [address, another] of [
      ["8.8.8.8", "::ffff:8.8.8.8"],
      ["10.0.0.1", ""],
    ] as const) {
      for (let number = 0; number < 100; number += 1) opened(address);
      if (another !== "") assert.equal(opened(another).isOpen, false);
      else assert.equal(opened(address).isOpen, true);
    }
  });
});

describe("slow and broken clients", () => {
  test("an unfinished head is dropped after its timeout", async () => {
    assert.equal(CONNECTION_LIMITS.headersTimeout, 10_000);
    const listener = await listen(
      "127.0.0.1",
      0,
      { kind: "none" },
      { ...CONNECTION_LIMITS, headersTimeout: 300, connectionsCheckingInterval: 50 },
    );
    const start = Date.now();
    const response = await exchange(listener.url, (socket) =>
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "),
    );
    assert.match(response, /^HTTP\/1\.1 408 /);
    assert.ok(Date.now() - start < 30_000, "Node's own limit is 60 s");
    await listener.close(0);
  });

  describe("with a slow body", () => {
    const PACE = { graceMs: 400, slackMs: 200, maxAheadMs: 45_000, lingerMs: 300, checkMs: 20 };
    /** Pace for bodies that are accepted, even if a busy machine stalls for a second. */
    const PATIENT = { ...PACE, graceMs: 1_500, slackMs: 1_000 };
    const POST = "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ";

    async function served(t: TestContext, handler: RequestHandler, pace = PACE): Promise<Listener> {
      const listener = await listen("127.0.0.1", 0, { kind: "none" }, CONNECTION_LIMITS, pace);
      t.after(() => listener.close(0));
      listener.handleWith(handler);
      return listener;
    }

    const readAll: RequestHandler = async (request) => new Response(String((await request.arrayBuffer()).byteLength));

    for (const [what, bytes, everyMs] of [
      ["stops", 0, 50],
      ["comes byte by byte", 1, 50],
      ["comes at half the pace", 25, 50],
    ] as const) {
      test(`a body that ${what} gets a 408, and the connection is closed`, async (t) => {
        const listener = await served(t, readAll);
        const response = await exchange(listener.url, (socket) => {
          socket.write(`${POST}100000\r\n\r\nfirst`);
          const timer = setInterval(() => bytes > 0 && socket.write("x".repeat(bytes)), everyMs);
          socket.once("close", () => clearInterval(timer));
        });
        assert.match(response, /^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*"code":"rest_body_too_slow"/i);
      });
    }

    test("a steady body is accepted, and so is one that waits for the host", async (t) => {
      const listener = await served(t, readAll, PATIENT);
      const steady = await exchange(listener.url, async (socket) => {
        socket.write(`${POST}6000\r\n\r\n`);
        for (let piece = 0; piece < 60; piece += 1) {
          socket.write("x".repeat(100));
          await delay(50);
        }
      });
      assert.match(steady, /^HTTP\/1\.1 200 [\s\S]*6000/);
      const afterDelay: RequestHandler = async (request) => {
        await delay(2 * PATIENT.graceMs);
        return readAll(request, {} as never);
      };
      const busy = await served(t, afterDelay, PATIENT);
      const waited = await exchange(busy.url, (socket) => socket.write(`${POST}200000\r\n\r\n${"x".repeat(200_000)}`));
      assert.match(waited, /^HTTP\/1\.1 200 [\s\S]*200000/);
    });

    test("an unused body is not awaited after the response", async (t) => {
      const listener = await listen("127.0.0.1", 0, { kind: "none" }, CONNECTION_LIMITS, PACE);
      t.after(() => listener.close(0));
      // Responds like the engine's handler, without the server's automatic draining.
      listener.handleWith(
        () => new Response(),
        async (_incoming, outgoing) => void outgoing.end("handled"),
      );
      let response = "";
      const closed = Promise.withResolvers<void>();
      await exchange(listener.url, (socket) => {
        socket.on("data", (bytes) => (response += bytes));
        socket.write(`${POST.replace("Connection: close", "Connection: keep-alive")}100000\r\n\r\n`);
        const timer = setInterval(() => socket.write("x".repeat(100)), 20);
        socket.once("close", () => {
          clearInterval(timer);
          closed.resolve();
        });
      });
      await closed.promise;
      assert.match(response, /^HTTP\/1\.1 200 [\s\S]*handled/);
    });
  });

  test("a head over 16 KiB, an unknown method, a missing host and garbage are rejected", async (t) => {
    const host = await startTestHost(t);
    for (const [bytes, status] of [
      [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
      ["GARBAGE\r\n\r\n", /^HTTP\/1\.1 400 /],
      ["GET / HTTP/1.1\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 400 /],
      ["GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 400 /],
      [
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        /^HTTP\/1\.1 400 /,
      ],
    ] as const) {
      assert.match(await exchange(host.url, (socket) => socket.write(bytes)), status, bytes.slice(0, 40));
    }
    assert.equal((await fetch(`${host.url}/healthz`)).status, 200);
  });
});
