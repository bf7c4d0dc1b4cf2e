/** Webhooks of a real site to a real receiver, which verifies them with the library for receivers. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { Webhook } from "standardwebhooks";
import { guardedFetch } from "../../host-shim/adapters/guarded-fetch.ts";
import { startLocalServer, type LocalResponse, type LocalServer, type ReceivedRequest } from "./local-server.ts";
import { items, member, startSite, type JsonValue, type Site } from "./site.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OLD = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const URL = "https://receiver.example.org/hook";
const ANN = { email: "ann@example.org", name: "Ann & Bob", topics: ["a", "b"] };

const MARKUP =
  '<input type="email" name="email"><input name="name"><select multiple name="topics"><option>a<option>b</select>';

let receiver: LocalServer;
let site: Site;
/** The receiver's next responses; 200 after the last one. */
let responses: LocalResponse[] = [];

before(async () => {
  receiver = await startLocalServer(() => responses.shift() ?? { status: 200, body: { ok: true } });
  site = await startSite({ host: { http: receiver.http } });
});

after(async () => {
  await site?.close();
  await receiver?.close();
});

beforeEach(() => {
  receiver.received.length = 0;
  responses = [];
  site.clock.ahead = 0;
});

interface Called {
  readonly request: ReceivedRequest | undefined;
  readonly log: JsonValue;
  readonly entry: JsonValue;
}

/** Submits a form with the webhook and runs the queue. */
async function submit(settings: object, on: Site = site): Promise<Called> {
  const form = await on.api("POST", "/forms", {
    title: "Contact",
    markup: MARKUP,
    settings: { actions: [{ type: "webhook", url: URL, ...settings }] },
  });
  assert.equal(form.status, 201, JSON.stringify(form.body));
  const response = await fetch(`${on.url}/forms/${member(form.body, "slug")}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(ANN),
  });
  assert.equal(response.status, 200, await response.text());
  await on.forms.runQueue();
  const query = `form_id=${member(form.body, "id")}`;
  const [log] = items((await on.api("GET", `/action-logs?${query}`)).body);
  const [entry] = items((await on.api("GET", `/action-queue?${query}`)).body);
  return { request: receiver.received.at(-1), log: log ?? null, entry: entry ?? null };
}

const statuses = ({ log, entry }: Called) => [member(log, "status"), member(entry, "status")];

describe("a webhook", () => {
  it("gets the event as JSON, and the log has its response", async () => {
    responses = [{ status: 202, body: { queued: 17 } }];
    const called = await submit({});
    const { request, log } = called;
    assert.deepEqual(statuses(called), ["success", "completed"]);
    assert.equal(member(log, "message"), 'The server responded with 202: {"queued":17}');
    assert.deepEqual(
      [request?.method, request?.origin, request?.path],
      ["POST", "https://receiver.example.org", "/hook"],
    );
    assert.equal(request?.headers["content-type"], "application/json");
    const event = request?.body;
    assert.equal(member(event, "type"), "submission.created");
    assert.deepEqual(member(member(event, "data"), "fields"), ANN);
    assert.equal(member(member(member(event, "data"), "form"), "title"), "Contact");
  });

  it("gets the chosen fields, form-encoded, by the chosen method", async () => {
    const { request } = await submit({
      method: "PUT",
      format: "form",
      fields: "name, topics",
      url: `${URL}?from=[name]`,
    });
    assert.deepEqual([request?.method, request?.path], ["PUT", "/hook?from=Ann%20%26%20Bob"]);
    assert.equal(request?.headers["content-type"], "application/x-www-form-urlencoded");
    assert.deepEqual(
      [...new URLSearchParams(request?.text)],
      [
        ["name", "Ann & Bob"],
        ["topics[]", "a"],
        ["topics[]", "b"],
      ],
    );
  });

  it("has the configured headers, except those of the connection or the sender", async () => {
    const refused = [
      "Host",
      "Content-Length",
      "Transfer-Encoding",
      "Connection",
      "Cookie",
      "Webhook-Id",
      "Webhook-Signature",
      "X-Forwarded-For",
      "Proxy-Authorization",
      "Sec-Fetch-Site",
    ];
    const headers = [
      "X-Source: [name]",
      "Authorization: Bearer 123",
      "Bad Name: x",
      ...refused.map((name) => `${name}: evil`),
    ].join("\n");
    const { request, log } = await submit({ headers });
    assert.equal(request?.headers["x-source"], "Ann & Bob");
    assert.equal(request?.headers["authorization"], "Bearer 123");
    assert.ok(!JSON.stringify(request?.headers).includes("evil"), JSON.stringify(request?.headers));
    for (const name of refused)
      assert.ok(String(member(log, "message")).includes(`The header ${name.toLowerCase()} can’t be set.`), name);
  });

  it("does not follow redirects", async () => {
    responses = [{ status: 307, headers: { location: "https://receiver.example.org/other" } }];
    const called = await submit({});
    assert.equal(receiver.received.length, 1);
    assert.deepEqual(statuses(called), ["failed", "failed"]);
    assert.equal(member(called.log, "message"), "The server responded with 307.");
  });

  it("is retried only if that can help, with the same id", async () => {
    for (const [status, state] of [
      [500, "retrying"],
      [429, "retrying"],
      [400, "failed"],
      [410, "failed"],
    ] as const) {
      responses = [{ status, body: "no" }];
      assert.deepEqual(statuses(await submit({})), ["failed", state], String(status));
    }
    receiver.received.length = 0;
    responses = [{ status: 503, headers: { "retry-after": "900" } }];
    const first = await submit({});
    site.clock.ahead += 890_000;
    await site.forms.runQueue();
    const id = first.request?.headers["webhook-id"];
    const calls = () => receiver.received.filter(({ headers }) => headers["webhook-id"] === id).length;
    assert.equal(calls(), 1, "not earlier than requested");
    site.clock.ahead += 15_000;
    await site.forms.runQueue();
    assert.equal(calls(), 2);
  });

  it("cannot be an address of the host's own network", async () => {
    const http = guardedFetch();
    const guardedSite = await startSite({ host: { http } });
    for (const url of [`${guardedSite.url}/healthz`, "http://169.254.169.254/latest/meta-data", "http://[::1]/"]) {
      const refused = await submit({ url }, guardedSite);
      assert.match(String(member(refused.log, "message")), /is not a public address/);
      assert.deepEqual(statuses(refused), ["failed", "failed"], url);
    }
    const unreachable = await submit({ url: "http://nobody.invalid/" }, guardedSite);
    assert.deepEqual(
      statuses(unreachable),
      ["failed", "retrying"],
      "an unknown name is retried, because it may resolve later",
    );
    const { log, entry } = await submit({ url: "file:///etc/passwd" }, guardedSite);
    assert.equal(member(log, "message"), "The URL must start with https:// or http://.");
    assert.equal(member(entry, "status"), "failed");
    await guardedSite.close();
    await http.close();
  });
});

describe("a webhook's signature", () => {
  /**
   * Verifies a signature. The library checks the signature, then parses the data as JSON. For form-encoded data the
   * parsing fails, which shows that the signature is valid.
   */
  function verify(key: string, { text, headers }: Pick<ReceivedRequest, "text" | "headers">, format = "json"): unknown {
    try {
      return new Webhook(key).verify(text, { ...headers });
    } catch (error) {
      if (format === "form" && error instanceof SyntaxError) return "verified";
      throw error;
    }
  }

  it("is valid for the receivers' library, in both formats and during a change of secrets", async () => {
    for (const format of ["json", "form"]) {
      const { request } = await submit({ secret: `${SECRET} ${OLD}`, format });
      assert.ok(request !== undefined);
      assert.ok(verify(SECRET, request, format));
      assert.ok(verify(OLD, request, format));
      assert.throws(() => verify("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", request, format), /signature/i);
    }
    const { request } = await submit({ secret: SECRET });
    assert.ok(request !== undefined && verify(SECRET, request));
    assert.throws(() => verify(OLD, request), /signature/i);
    assert.equal((await submit({})).request?.headers["webhook-signature"], undefined);
  });

  it("covers the body, the id and the time", async () => {
    const { request } = await submit({ secret: SECRET });
    assert.ok(request !== undefined);
    const { text, headers } = request;
    const seconds = Number(headers["webhook-timestamp"]);
    assert.throws(() => verify(SECRET, { text: `${text} `, headers }), /signature/i);
    assert.throws(() => verify(SECRET, { text, headers: { ...headers, "webhook-id": "msg_other" } }), /signature/i);
    assert.throws(
      () => verify(SECRET, { text, headers: { ...headers, "webhook-timestamp": String(seconds - 5) } }),
      /signature/i,
    );
    assert.throws(() => verify(SECRET, { text, headers: { ...headers, "webhook-timestamp": "1000000000" } }), /old/i);
  });

  it("covers the request as changed by a filter", async () => {
    site.forms.hooks.addFilter("cf_webhook_request", "test/filter", (request) => ({
      ...request,
      body: '{"changed":true}',
      headers: { ...request.headers, "x-added": "1" },
    }));
    const { request } = await submit({ secret: SECRET });
    site.forms.hooks.removeFilter("cf_webhook_request", "test/filter");
    assert.equal(request?.headers["x-added"], "1");
    assert.deepEqual(request && verify(SECRET, request), { changed: true });
  });
});

it("testing a webhook calls it, shows the request and the response without secrets, and stores nothing", async () => {
  responses = [{ status: 200, body: "received with secret-token" }];
  const count = async () => {
    const tables = ["cf_submissions", "cf_action_queue", "cf_action_logs"];
    const results = await site.database.batch(
      tables.map((table) => ({ sql: `SELECT COUNT(*) FROM ${table}`, params: [] })),
    );
    return results.map(({ rows }) => rows);
  };
  const before = await count();
  const settings = { url: `${URL}?name=[name]`, secret: SECRET, headers: "Authorization: Bearer secret-token" };
  const { body: report } = await site.api("POST", "/actions/test", {
    action_type: "webhook",
    settings,
    test_data: { name: "Ann" },
  });
  assert.deepEqual([member(report, "success"), member(report, "status")], [true, "success"]);
  const [request, ...others] = receiver.received;
  assert.ok(request !== undefined && others.length === 0);
  assert.equal(request.headers["authorization"], "Bearer secret-token");
  assert.ok(new Webhook(SECRET).verify(request.text, { ...request.headers }));
  const shown = member(member(report, "output"), "request");
  assert.deepEqual(
    [member(shown, "method"), member(shown, "url"), member(shown, "body")],
    ["POST", `${URL}?name=Ann`, request.text],
  );
  assert.equal(member(member(shown, "headers"), "authorization"), "•••••••• ••••••••");
  assert.equal(member(member(member(report, "output"), "response"), "body"), "received with ••••••••");
  assert.ok(!/secret-token|MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw/.test(JSON.stringify(report)), JSON.stringify(report));
  assert.deepEqual(await count(), before);
});
