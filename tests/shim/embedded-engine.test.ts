/** The embedded host with the real engine. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createForms } from "../../host-shim/src/index.ts";
import { ADMIN, APP_PASSWORD, basic, bodyOf, postJson, signIn, startTestHost } from "./embedded-fixture.ts";

const FORMS = "/api/cf/v1/forms";
const bootstrap = basic(ADMIN.login, APP_PASSWORD);

async function outcomeOf(response: Response): Promise<string> {
  const { code } = await bodyOf<{ code?: string }>(response);
  return `${response.status} ${code ?? ""}`.trim();
}

test("the API responds to each kind of credentials", async (t) => {
  const host = await startTestHost(t, { createForms });
  const { cookie, nonce } = await signIn(host);
  const cases: readonly [string, Readonly<Record<string, string>>, string][] = [
    ["an application password", bootstrap, "200"],
    ["a cookie with its nonce", { cookie, "x-wp-nonce": nonce }, "200"],
    ["nobody", {}, "403 rest_forbidden"],
    ["a cookie alone", { cookie }, "403 rest_forbidden"],
    ["a cookie with a wrong nonce", { cookie, "x-wp-nonce": "wrong" }, "403 rest_cookie_invalid_nonce"],
    ["a wrong application password", basic(ADMIN.login, "wrong"), "401 incorrect_password"],
    ["an unknown user", basic("nobody", APP_PASSWORD), "401 incorrect_password"],
  ];
  for (const [who, headers, expected] of cases) {
    assert.equal(await outcomeOf(await fetch(host.url + FORMS, { headers })), expected, who);
    const plain = await fetch(`${host.url}/?rest_route=/cf/v1/forms`, { headers });
    assert.equal(await outcomeOf(plain), expected, `${who}, by ?rest_route=`);
  }
});

test("a signed-in subscriber is forbidden", async (t) => {
  const host = await startTestHost(t, { createForms });
  await host.users.create("reader", "", "subscriber", "a password of its own");
  const { cookie, nonce } = await signIn(host, { login: "reader", password: "a password of its own" });
  const response = await fetch(host.url + FORMS, { headers: { cookie, "x-wp-nonce": nonce } });
  assert.equal(await outcomeOf(response), "403 rest_forbidden");
  assert.match(response.headers.get("x-wp-nonce") ?? "", /^[0-9a-f]{32}$/);
});

test("the headers of a rejection reach the client", async (t) => {
  const host = await startTestHost(t, { createForms });
  for (let i = 0; i < 30; i++) await fetch(host.url + FORMS, { headers: basic("admin", `wrong${i}`) });
  const response = await fetch(host.url + FORMS, { headers: basic("admin", "wrong") });
  assert.equal(await outcomeOf(response), "429 rest_too_many_requests");
  assert.ok(Number(response.headers.get("retry-after")) > 0);
});

test("an address that sent wrong passwords for another user can still sign in with a right one", async (t) => {
  const host = await startTestHost(t, { createForms });
  for (let i = 0; i < 31; i++) await fetch(host.url + FORMS, { headers: basic("other", `wrong${i}`) });
  assert.equal(await outcomeOf(await fetch(host.url + FORMS, { headers: bootstrap })), "200");
});

test("a site below a path is served there, and nowhere else", async (t) => {
  const host = await startTestHost(t, { createForms, environment: { BASE_URL: "http://forms.example/site" } });
  const response = await fetch(`${host.url}/site${FORMS}`, { headers: bootstrap });
  assert.equal(await outcomeOf(response), "200");
  assert.match(response.headers.get("link") ?? "", /<http:\/\/forms\.example\/site\/api\/>/);
  assert.equal((await fetch(host.url + FORMS, { headers: bootstrap })).status, 404);
});

test("a body that is too large is rejected before the engine sees it", async (t) => {
  const host = await startTestHost(t, { createForms });
  const response = await postJson(host.url + FORMS, { title: "x".repeat(20 * 1024 * 1024) }, bootstrap);
  assert.equal(await outcomeOf(response), "413 rest_payload_too_large");
});

test("visitors' uploads have a separate limit, and the form reports an upload above it", async (t) => {
  const host = await startTestHost(t, { createForms, environment: { BODY_LIMIT: "10000", UPLOAD_LIMIT: "500000" } });
  const markup = "<label>Name <input name=name></label><label>CV <input type=file name=cv></label>";
  await postJson(host.url + FORMS, { title: "Jobs", slug: "jobs", markup }, bootstrap);
  async function send(size: number | null, headers: Record<string, string> = {}): Promise<Response> {
    const body = size === null ? new URLSearchParams({ name: "Ada", more: "x".repeat(20_000) }) : new FormData();
    if (body instanceof FormData) {
      body.set("cv", new Blob([Buffer.alloc(size ?? 0, "%PDF-1.4\n")], { type: "application/pdf" }), "cv.pdf");
      body.set("name", "Ada");
    }
    return fetch(`${host.url}/forms/jobs`, { method: "POST", body, headers, redirect: "manual" });
  }
  const rows = [
    [400_000, 303],
    [600_000, 413],
    [30_000_000, 413],
    [null, 413],
  ] as const;
  for (const [size, status] of rows) {
    const response = await send(size, { accept: "text/html" });
    const html = await response.text();
    assert.equal(response.status, status, html);
    if (status === 413) assert.match(html, /at most (?:0\.5|0\.1) MB[^]*name="?name"?[^>]* value="Ada"/);
  }
});

test("every signed-in user can read the API's documentation as a page", async (t) => {
  const host = await startTestHost(t, { createForms });
  const address = `${host.url}/api-documentation`;
  const anonymous = await fetch(address, { redirect: "manual" });
  assert.deepEqual(
    [anonymous.status, anonymous.headers.get("location")],
    [303, "/sign-in?redirect_to=%2Fapi-documentation"],
  );

  await host.users.create("reader", "", "subscriber", "a password of its own");
  for (const credentials of [ADMIN, { login: "reader", password: "a password of its own" }]) {
    const { cookie } = await signIn(host, credentials);
    assert.match(await (await fetch(host.url, { headers: { cookie } })).text(), /href="\/api-documentation"/);
    const response = await fetch(address, { headers: { cookie } });
    const page = await response.text();
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(page, /<code>POST \/cf\/v1\/forms<\/code>/);
    assert.match(page, /<code>title<\/code> \(required\)/);
    assert.match(page, /curl --user NAME:PASSWORD --request POST/);
    assert.doesNotMatch(page, /undefined|\[object|<script|style=/);
  }
});

test("the API's documentation lists the responses of a busy site", async (t) => {
  const host = await startTestHost(t, { createForms });
  type Operations = Record<string, { responses: Record<string, unknown> }>;
  const { paths } = await bodyOf<{ paths: Record<string, Operations> }>(
    await fetch(`${host.url}/api/cf/v1/openapi.json`, { headers: bootstrap }),
  );
  for (const [method, statuses] of [
    ["get", ["503"]],
    ["post", ["400", "413", "429", "503"]],
  ] as const) {
    const { responses } = paths["/cf/v1/forms"]![method]!;
    assert.deepEqual(
      statuses.filter((status) => responses[status] === undefined),
      [],
    );
  }
  assert.match(JSON.stringify(paths["/cf/v1/forms"]!["post"]!.responses["400"]), /rest_body_unreadable/);
});
