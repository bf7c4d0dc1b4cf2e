/** `@wordpress/api-fetch`, unmodified, with a session cookie against the embedded host. */
import assert from "node:assert/strict";
import { test } from "node:test";
import imported from "@wordpress/api-fetch";
import { signIn, type TestHost } from "../shim/embedded-fixture.ts";
import { actAsBrowser } from "./browser.ts";
import { createNumberForm, startClientsHost, submitNumbers } from "./site.ts";

// The package's types describe a CommonJS module, although Node loads it as an ES module.
const apiFetch = imported as unknown as typeof imported.default;

const DAY_MS = 24 * 60 * 60 * 1000;

interface Form {
  readonly id: number;
  readonly title: string;
  readonly revision: number;
}

interface Submission {
  readonly id: number;
  readonly data: { readonly number: string };
}

/** The client with its middlewares; the whole process shares it. */
async function prepare(host: TestHost) {
  const { cookie, nonce } = await signIn(host);
  const nonceMiddleware = apiFetch.createNonceMiddleware(nonce);
  apiFetch.use(apiFetch.createRootURLMiddleware(`${host.url}/api/`));
  apiFetch.use(nonceMiddleware);
  apiFetch.use(apiFetch.fetchAllMiddleware);
  apiFetch.nonceMiddleware = nonceMiddleware;
  apiFetch.nonceEndpoint = `${host.url}/wp-admin/admin-ajax.php?action=rest-nonce`;
  return { requests: actAsBrowser(cookie), nonceMiddleware };
}

test("@wordpress/api-fetch", async (t) => {
  const host = await startClientsHost(t);
  const { requests, nonceMiddleware } = await prepare(host);
  const sent = () => requests.splice(0).map(({ method, path, status }) => `${method} ${path} ${status}`);

  await t.test("creates, reads, updates and deletes", async () => {
    const form = await apiFetch<Form>({ path: "/cf/v1/forms", method: "POST", data: { title: "First" } });
    const path = `/cf/v1/forms/${form.id}`;
    assert.equal((await apiFetch<Form>({ path })).title, "First");
    assert.equal((await apiFetch<Form>({ path, method: "PATCH", data: { title: "Second" } })).title, "Second");
    assert.equal((await apiFetch<Form>({ path, method: "PUT", data: { title: "Third" } })).title, "Third");
    assert.equal((await apiFetch<Form>({ path, method: "POST", data: { title: "Fourth" } })).revision, 4);
    assert.equal(await apiFetch({ path: `${path}/schema` }), null);
    const schema = { fields: [{ name: "mail", type: "email" }] };
    assert.partialDeepStrictEqual(await apiFetch({ path: `${path}/schema`, method: "PUT", data: schema }), schema);
    const deleted = await apiFetch({ path, method: "DELETE" });
    assert.partialDeepStrictEqual(deleted, { deleted: true, previous: { id: form.id } });
    assert.deepEqual(new Set(requests.map(({ method }) => method)), new Set(["GET", "POST"]));
  });

  await t.test("throws errors with the API's messages", async () => {
    await assert.rejects(apiFetch({ path: "/cf/v1/forms/999999" }), { code: "form_not_found", data: { status: 404 } });
    await assert.rejects(apiFetch({ path: "/cf/v1/forms", method: "POST", data: {} }), {
      code: "missing_type",
      data: { status: 400, params: ["title"] },
    });
    await assert.rejects(apiFetch({ path: "/cf/v1/nothing" }), { code: "rest_no_route" });
  });

  await t.test("reads the index of a namespace and of an endpoint", async () => {
    assert.deepEqual(await apiFetch({ namespace: "cf/v1", endpoint: "forms" }), []);
  });

  await t.test("pages through 250 submissions", async () => {
    const id = await createNumberForm(host, "many");
    await submitNumbers(host, "many", 250);
    sent();
    const path = `/cf/v1/forms/${id}/submissions?per_page=-1`;
    const submissions = await apiFetch<Submission[]>({ path });
    assert.deepEqual(
      sent().map((line) => line.replace(/.*[?&]page=(\d).*/, "page $1").replace(/.*per_page.*/, "page 1")),
      ["page 1", "page 2", "page 3"],
    );
    const numbers = new Set(submissions.map(({ data }) => Number(data.number)));
    assert.deepEqual([submissions.length, numbers.size], [250, 250]);
    const ids = submissions.map((submission) => submission.id);
    assert.deepEqual(
      ids,
      ids.toSorted((one, other) => other - one),
    );
    const raw = await apiFetch<Response, false>({ path: `/cf/v1/forms/${id}/submissions?per_page=1`, parse: false });
    assert.equal(raw.headers.get("x-wp-total"), "250");
    assert.equal((await apiFetch<Form[]>({ path: "/cf/v1/forms?per_page=-1" })).length, 1);
  });

  await t.test("returns the page's preloaded data first, then the site's", async () => {
    const envelope = await apiFetch<{ body: unknown; headers: Record<string, string> }>({
      path: "/cf/v1/forms?_envelope",
    });
    const options = await apiFetch<{ methods: string[] }>({ path: "/cf/v1/forms", method: "OPTIONS" });
    const preload = { "/cf/v1/forms": envelope, OPTIONS: { "/cf/v1/forms": { body: options, headers: {} } } };
    apiFetch.use(apiFetch.createPreloadingMiddleware(preload));
    sent();
    assert.deepEqual(await apiFetch({ path: "/cf/v1/forms", method: "OPTIONS" }), options);
    assert.deepEqual(options.methods, ["GET", "POST"]);
    const preloaded = await apiFetch<Response, false>({ path: "/cf/v1/forms", parse: false });
    assert.equal(preloaded.headers.get("x-wp-total"), "1");
    assert.deepEqual(await preloaded.json(), envelope.body);
    assert.deepEqual(sent(), []);
    assert.deepEqual(await apiFetch({ path: "/cf/v1/forms" }), envelope.body);
    assert.deepEqual(sent(), ["GET /api/cf/v1/forms?_locale=user 200"]);
  });

  await t.test("refreshes an expired nonce automatically, and only once", async () => {
    host.clock.time += 2 * DAY_MS;
    const expired = nonceMiddleware.nonce;
    sent();
    assert.equal((await apiFetch<Form[]>({ path: "/cf/v1/forms" })).length, 1);
    assert.notEqual(nonceMiddleware.nonce, expired);
    assert.deepEqual(sent(), [
      "GET /api/cf/v1/forms?_locale=user 403",
      "GET /wp-admin/admin-ajax.php?action=rest-nonce 200",
      "GET /api/cf/v1/forms?_locale=user 200",
    ]);
    const created = await apiFetch<Form>({ path: "/cf/v1/forms", method: "POST", data: { title: "After" } });
    assert.equal(created.title, "After");
  });

  await t.test("after signing out the first error is thrown, without a loop", async () => {
    await fetch(`${host.url}/sign-out`, { method: "POST", headers: { "x-wp-nonce": nonceMiddleware.nonce } });
    sent();
    await assert.rejects(apiFetch({ path: "/cf/v1/forms" }), { code: "rest_cookie_invalid_nonce" });
    assert.deepEqual(
      sent().map((line) => line.split(" ").at(-1)),
      ["403", "400"],
    );
  });
});
