/** The package's client, against the embedded host. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ApiError, createClient, submitForm, type Client, type ClientOptions } from "../../client/index.ts";
import {
  fieldKindsSource,
  operationsSource,
  readApiDocument,
  settingsSource,
} from "../../scripts/client-operations.ts";
import { ADMIN, APP_PASSWORD, signIn } from "../shim/embedded-fixture.ts";
import { createNumberForm, startClientsHost, submitNumbers } from "./site.ts";

test("has every route of the table, with its parameters, bodies and responses", async () => {
  const document = readApiDocument();
  const generated = {
    "operations.ts": operationsSource(document),
    "settings.ts": settingsSource(document),
    "field-kinds.ts": fieldKindsSource(document),
  };
  for (const [name, expected] of Object.entries(generated)) {
    const written = readFileSync(new URL(`../../client/${name}`, import.meta.url), "utf8");
    assert.equal(written, expected, "generate it again: node_modules/.bin/node scripts/client-operations.ts");
  }
});

test("the client", async (t) => {
  const host = await startClientsHost(t);
  const root = `${host.url}/api`;
  const client = createClient({ root, credentials: { login: ADMIN.login, password: APP_PASSWORD } });

  await t.test("creates, changes and deletes a form with its schema and fields", async () => {
    const form = await client.createForm({ body: { title: "Contact", settings: { store_ip: false, custom: "kept" } } });
    assert.deepEqual([form.slug, form.settings.store_ip, form.settings["custom"]], ["contact", false, "kept"]);
    const { id } = form;
    assert.equal(await client.getSchema({ id }), null);
    const field = await client.addField({ id, body: { name: "a/b [c]", type: "email", required: true } });
    assert.equal(field.position, 0);
    const renamed = await client.updateField({ id, name: "a/b [c]", body: { name: "mail" } });
    assert.deepEqual([renamed.name, renamed.required], ["mail", true]);
    assert.equal((await client.listFields({ id })).length, 1);
    assert.equal((await client.updateForm({ id, body: { title: "Changed" } })).title, "Changed");
    assert.equal((await client.deleteField({ id, name: "mail", force: true })).deleted, true);
    assert.equal((await client.deleteForm({ id })).previous.title, "Changed");
  });

  await t.test("iterates over lists of any length", async () => {
    const id = await createNumberForm(host, "walked");
    await submitNumbers(host, "walked", 103);
    const numbers = new Set<unknown>();
    for await (const submission of client.each("listSubmissions", { form_id: id, per_page: 50 })) {
      numbers.add(submission.data["number"]);
    }
    assert.equal(numbers.size, 103);
    let onLaterPages = 0;
    for await (const _ of client.each("listFormSubmissions", { form_id: id, page: 2, per_page: 60 })) onLaterPages += 1;
    assert.equal(onLaterPages, 43);
    // @ts-expect-error one form is not a list
    client.each("getForm", { id });
    const { total, data, etag } = await client.answer("listSubmissions", { form_id: id, per_page: 1 });
    assert.deepEqual([total, data.length], [103, 1]);
    const unchanged = { headers: { "If-None-Match": etag ?? "" } };
    assert.equal((await client.answer("listSubmissions", { form_id: id, per_page: 1 }, unchanged)).status, 304);
    assert.equal((await client.getFunnel({ form_id: id })).submissions, 103);
    const [first] = data;
    const read = await client.updateSubmission({ id: first?.id ?? 0, body: { status: "read" } });
    assert.equal(read.status, "read");
    const file = await client.exportSubmissions({ form_id: id, format: "csv" });
    assert.equal((await file.text()).trim().split("\n").length, 104);
  });

  await t.test("returns the members in _fields, and accepts parameters that are objects or undefined", async () => {
    const form = await client.createForm({
      body: {
        title: "Chosen",
        slug: "chosen",
        settings: { actions: [{ type: "webhook", url: "https://example.org" }] },
      },
    });
    const part = await client.getForm({
      id: form.id,
      _fields: ["title", "settings.opens_at", "settings.actions.type"],
    });
    assert.deepEqual(part, { title: "Chosen", settings: { opens_at: "", actions: [{ type: "webhook" }] } });
    assert.equal(part.settings.actions[0]?.type, "webhook");
    // @ts-expect-error the member was not requested
    assert.equal(part.slug, undefined);
    // @ts-expect-error forms have no such member
    await client.getForm({ id: form.id, _fields: ["titel"] });
    const { data } = await client.answer("listForms", { slug: "chosen", search: undefined, _fields: ["id"] });
    assert.deepEqual(data, [{ id: form.id }]);

    const id = await createNumberForm(host, "filtered");
    await submitNumbers(host, "filtered", 3);
    const [newest] = await client.listFormSubmissions({ form_id: id, per_page: 1 });
    const wanted = String(newest?.data["number"]);
    const found = await client.listSubmissions({ form_id: id, field: { number: wanted } });
    assert.deepEqual(
      found.map((submission) => submission.id),
      [newest?.id],
    );

    const unread = await client.response("listForms", { slug: "chosen" });
    assert.deepEqual(await unread.json(), [form]);
    await assert.rejects(client.response("getForm", { id: 999_999 }), { code: "form_not_found" });
  });

  await t.test("throws the API's errors with their codes", async () => {
    await assert.rejects(client.getForm({ id: 999_999 }), (error) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.code, error.status], ["form_not_found", 404]);
      return true;
    });
    // @ts-expect-error a form needs a title
    await assert.rejects(client.createForm({ body: {} }), {
      code: "missing_type",
      data: { status: 400, params: ["title"] },
    });
    const stranger = createClient({ root, credentials: { login: ADMIN.login, password: "wrong" } });
    await assert.rejects(stranger.listForms(), { code: "incorrect_password", status: 401 });
    await assert.rejects(createClient({ root: `${host.url}/nowhere` }).listForms(), {
      status: 404,
      code: "invalid_json",
    });
    await assert.rejects(client.listForms({}, { signal: AbortSignal.abort() }), { name: "AbortError" });
  });

  await t.test("names missing options", async () => {
    const wrong = (options: unknown) => () => createClient(options as ClientOptions);
    assert.throws(wrong(undefined), { name: "TypeError", message: /root is missing/ });
    assert.throws(wrong({}), { name: "TypeError", message: /root is missing/ });
    assert.throws(wrong({ root: 5 }), { message: /root is missing/ });
    assert.throws(wrong({ root, credentials: { login: "admin" } }), { message: /credentials have no password/ });
    assert.throws(wrong({ root, credentials: {} }), { message: /credentials have no login and no password/ });
    assert.throws(wrong({ root, credentials: { nonce: "" } }), { message: /credentials have no/ });
    const untyped = client as unknown as Record<
      "answer" | "each" | "getForm",
      (...parameters: unknown[]) => Promise<unknown>
    >;
    await assert.rejects(untyped.answer("nope"), { name: "TypeError", message: "there is no operation nope" });
    await assert.rejects(untyped.answer("toString"), { message: "there is no operation toString" });
    await assert.rejects(untyped.answer("getForm"), { message: "id is missing" });
    await assert.rejects(untyped.getForm({ form_id: 1 }), { message: "id is missing" });
    const first = (...parameters: unknown[]) => (untyped.each(...parameters) as unknown as AsyncGenerator).next();
    await assert.rejects(first("nope"), { message: "there is no operation nope" });
    await assert.rejects(first("getForm", { id: 1 }), { message: "getForm returns no list of pages" });
    assert.equal((await untyped.answer("listForms")) !== null, true);
  });

  await t.test("never retries a request automatically", async () => {
    for (const outcome of [
      () => Promise.reject(new TypeError("offline")),
      async () => new Response("{}", { status: 503 }),
    ]) {
      let requests = 0;
      const counted = createClient({
        root,
        credentials: { nonce: "n", nonceEndpoint: `${host.url}/sign-in/nonce` },
        fetch: () => {
          requests += 1;
          return outcome();
        },
      });
      await assert.rejects(counted.createForm({ body: { title: "Once" } }));
      assert.equal(requests, 1);
    }
  });

  await t.test("sends a form like visitors, once for a key, with files", async () => {
    const markup =
      '<label>Mail <input type="email" name="mail" required></label> <input type="file" name="cv" accept=".txt"><button>Go</button>';
    const { id } = await client.createForm({ body: { title: "Apply", slug: "apply", markup } });
    const address = `${host.url}/forms/apply`;
    const key = crypto.randomUUID();
    const first = await submitForm(address, { mail: "ann@example.org" }, { key });
    assert.equal(first.message.type, "success");
    assert.deepEqual(await submitForm(address, { mail: "ann@example.org" }, { key }), first);
    const answers = new FormData();
    answers.set("mail", "bob@example.org");
    answers.set("cv", new Blob(["hello"], { type: "text/plain" }), "cv.txt");
    await submitForm(address, answers);
    const sent = await client.listFormSubmissions({ form_id: id });
    assert.deepEqual(
      sent.map(({ data, files }) => [data["mail"], files.length]),
      [
        ["bob@example.org", 1],
        ["ann@example.org", 0],
      ],
    );
    await assert.rejects(submitForm(address, { mail: "nobody" }), (error) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.status, error.code], [400, "invalid_email"]);
      const [fault] = error.data["errors"] as readonly { readonly field: string }[];
      assert.equal(fault?.field, "mail");
      return error.message.length > 10;
    });
    await assert.rejects(submitForm(`${host.url}/forms/nowhere`, {}), { status: 404, code: "form_not_found" });
    await assert.rejects(submitForm(address, {}, { signal: AbortSignal.abort() }), { name: "AbortError" });
  });

  await t.test("uses a session's nonce, and replaces it when it has expired", async () => {
    const { cookie, nonce } = await signIn(host);
    let requests = 0;
    const inits: RequestInit[] = [];
    const inSession = (credentials: ClientOptions["credentials"] & object): Client =>
      createClient({
        root,
        credentials,
        fetch: (address, init) => {
          requests += 1;
          inits.push(init);
          const headers = new Headers(init.headers);
          headers.set("cookie", cookie);
          return fetch(address, { ...init, headers });
        },
      });
    const session = inSession({ nonce, nonceEndpoint: `${host.url}/sign-in/nonce` });
    const before = (await session.listForms()).length;
    host.clock.time += 2 * 24 * 60 * 60 * 1000;
    requests = 0;
    assert.equal((await session.createForm({ body: { title: "Later" } })).title, "Later");
    assert.equal(requests, 3);
    assert.equal((await session.listForms()).length, before + 1);
    assert.equal(requests, 4);
    await assert.rejects(inSession({ nonce: "wrong" }).listForms(), { code: "rest_cookie_invalid_nonce" });

    requests = 0;
    const nonceEndpoint = `${host.url}/sign-in/nonce`;
    const withoutNonce = inSession({ nonceEndpoint });
    await Promise.all([withoutNonce.listForms(), withoutNonce.listForms()]);
    assert.equal(requests, 3, "both requests share one fresh nonce");
    await withoutNonce.listForms({}, { keepalive: true });
    assert.deepEqual([inits.at(-1)?.keepalive, inits.at(-1)?.credentials], [true, "same-origin"]);

    const account = await withoutNonce.request("GET", `${host.url}/api/wp/v2/users/me/application-passwords`);
    assert.ok(Array.isArray(await account.json()));
    await assert.rejects(withoutNonce.request("GET", `${host.url}/api/cf-host/v1/users/999`), {
      name: "ApiError",
      status: 404,
    });

    let ends = 0;
    const refused = inSession({ nonce: "wrong" });
    const stop = refused.onSessionEnd(() => {
      ends += 1;
    });
    await assert.rejects(refused.listForms());
    assert.equal(ends, 1);
    stop();
    await assert.rejects(refused.listForms());
    assert.equal(ends, 1);
    const renewed = inSession({ nonce: "wrong", nonceEndpoint });
    renewed.onSessionEnd(() => assert.fail("a fresh nonce mended it"));
    await renewed.listForms();
    const signedOut = createClient({ root });
    signedOut.onSessionEnd(() => {
      ends += 1;
    });
    await assert.rejects(signedOut.request("GET", `${host.url}/api/wp/v2/users/me/application-passwords`), {
      code: "rest_not_logged_in",
    });
    assert.equal(ends, 2);
  });
});
