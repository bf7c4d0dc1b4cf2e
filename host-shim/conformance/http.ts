/**
 * The conformance suite of the http port. `open` serves `httpTarget` (an ordinary fetch handler) and returns its
 * address. The suite does not test which addresses are rejected, because that depends on the adapter.
 */
import type { Http, HttpRequest } from "../src/ports.ts";
import { registerCases, type Case, type Closable, type RegisterTest } from "./case.ts";
import { expectEqual, expectRejection, expectTrue } from "./expect.ts";

/** An http port, and the server that it reaches. */
export interface HttpSubject {
  readonly http: Http;
  /** Origin of `httpTarget`, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
}

/** Options of {@link httpConformance}. */
export interface HttpConformance {
  readonly test: RegisterTest;
  /** Opens the port and serves `httpTarget`. Each case opens both and closes them. */
  open(): Promise<HttpSubject & Closable>;
}

/** The server to which the suite sends requests. */
export async function httpTarget(request: Request): Promise<Response> {
  const url = new URL(request.url);
  switch (url.pathname) {
    case "/echo": {
      const headers = {
        "x-method": request.method,
        "x-sent": request.headers.get("x-sent") ?? "",
        "x-query": url.search,
      };
      return new Response(await request.arrayBuffer(), { headers });
    }
    case "/status":
      return new Response("an explanation", { status: Number(url.searchParams.get("code")) });
    case "/redirect":
      return new Response(null, { status: 302, headers: { location: "/echo" } });
    case "/endless":
      return new Response(
        new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(97)) }),
      );
    case "/stalled":
      return new Response(
        new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10).fill(97)) }),
      );
    case "/silent":
      return new Promise(() => {});
    default:
      return new Response("not found", { status: 404 });
  }
}

const requestTo = (url: string, change: Partial<HttpRequest> = {}): HttpRequest => ({
  method: "GET",
  url,
  headers: {},
  body: null,
  timeout_ms: 10_000,
  max_bytes: 1_000_000,
  ...change,
});

/** The cases of the http port. */
export const httpCases: readonly Case<HttpSubject>[] = [
  {
    name: "method, query, headers and a binary body go out and come back",
    run: async ({ http, origin }) => {
      const body = Uint8Array.from({ length: 256 }, (_, byte) => byte);
      for (const method of ["POST", "PUT", "PATCH"]) {
        const response = await http.fetch(
          requestTo(`${origin}/echo?a=b%20c`, { method, headers: { "X-Sent": "yes" }, body }),
        );
        expectEqual(response.status, 200, "the status");
        const { "x-method": seen, "x-sent": sent, "x-query": query } = response.headers;
        expectEqual([seen, sent, query], [method, "yes", "?a=b%20c"], "what the server saw");
        expectEqual([...response.body], [...body], "the echoed body");
      }
      const empty = await http.fetch(requestTo(`${origin}/echo`));
      expectEqual(
        [empty.status, empty.headers["x-method"], empty.body.length],
        [200, "GET", 0],
        "a GET without a body",
      );
    },
  },
  {
    name: "an error status is a response, not a failure",
    run: async ({ http, origin }) => {
      for (const code of [201, 400, 404, 410, 429, 500, 503]) {
        const { status, body } = await http.fetch(requestTo(`${origin}/status?code=${code}`));
        expectEqual([status, new TextDecoder().decode(body)], [code, "an explanation"], "the response");
      }
    },
  },
  {
    name: "a redirect is returned, not followed",
    run: async ({ http, origin }) => {
      const { status, headers } = await http.fetch(requestTo(`${origin}/redirect`));
      expectEqual([status, headers["location"]], [302, "/echo"], "the response");
    },
  },
  {
    name: "a body is cut after max_bytes, even when it never ends",
    run: async ({ http, origin }) => {
      for (const max_bytes of [0, 1, 1_000, 100_000]) {
        const { body } = await http.fetch(requestTo(`${origin}/endless`, { max_bytes }));
        expectEqual(body.length, max_bytes, "the bytes received");
        expectTrue(
          body.every((byte) => byte === 97),
          "the bytes received are others",
        );
      }
    },
  },
  {
    name: "no response within timeout_ms is a failure, before the head or within the body",
    run: async ({ http, origin }) => {
      for (const path of ["/silent", "/stalled"]) {
        const started = Date.now();
        await expectRejection(() => http.fetch(requestTo(origin + path, { timeout_ms: 200 })), path);
        expectTrue(Date.now() - started < 5_000, `${path} took far longer than its timeout`);
      }
    },
  },
  {
    name: "an invalid address, or one that is not http or https, is a failure",
    run: async ({ http, origin }) => {
      const { host } = new URL(origin);
      for (const url of [
        "",
        "nonsense",
        "/echo",
        "file:///etc/passwd",
        `ftp://${host}/`,
        `http://user:secret@${host}/echo`,
      ]) {
        await expectRejection(() => http.fetch(requestTo(url)), JSON.stringify(url));
      }
    },
  },
  {
    name: "a header with a line break is rejected",
    run: async ({ http, origin }) => {
      await expectRejection(
        () => http.fetch(requestTo(`${origin}/echo`, { headers: { "X-Sent": "a\r\nX-Other: b" } })),
        "the request",
      );
    },
  },
  {
    name: "30 requests at once all get a response",
    run: async ({ http, origin }) => {
      const responses = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          http.fetch(requestTo(`${origin}/echo`, { method: "POST", body: Uint8Array.of(n) })),
        ),
      );
      expectEqual(
        responses.map(({ body }) => body[0]),
        responses.map((_, n) => n),
        "the echoed bodies",
      );
    },
  },
];

/** Registers the cases of the http port with a test runner. */
export function httpConformance({ test, open }: HttpConformance): void {
  registerCases(httpCases, test, async () => {
    const { http, origin, close } = await open();
    return { subject: { http, origin }, close };
  });
}
