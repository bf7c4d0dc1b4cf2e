/** `forms.as(principal)`: the typed client in the process, with the checks of the REST API. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ApiError } from "../../client/index.ts";
import { CALLERS, startSite } from "./site.ts";

const editor = CALLERS["editor-without-html"]!;

test("another plugin makes a form and reads its submissions, page by page", async (t) => {
  const site = await startSite({ host: { authenticate: () => Promise.reject(new Error("not asked")) } });
  t.after(() => site.close());
  const client = site.forms.as(editor);
  const form = await client.createForm({ body: { title: "Contact", slug: "contact", markup: "<input name=a>" } });
  assert.equal(form.url, `${site.url}/forms/contact`);
  for (const a of ["1", "2", "3"])
    await fetch(`${site.url}/forms/contact`, { method: "POST", body: new URLSearchParams({ a }), redirect: "manual" });
  const answers: unknown[] = [];
  for await (const { data } of client.each("listFormSubmissions", { form_id: form.id, order: "asc" }))
    answers.push(data["a"]);
  assert.deepEqual(answers, ["1", "2", "3"]);
  const { etag } = await client.answer("getForm", { id: form.id });
  await client.updateForm({ id: form.id, body: { title: "Write to us" } }, { headers: { "If-Match": etag ?? "" } });
  await assert.rejects(
    client.updateForm({ id: form.id, body: { title: "Late" } }, { headers: { "If-Match": etag ?? "" } }),
    { status: 412 },
  );
  const csv = await client.exportSubmissions({ form_id: form.id, format: "csv" });
  assert.match(await csv.text(), /1[\s\S]*2[\s\S]*3/);
});

test("the client has the rights of its principal, also on a host with several addresses", async (t) => {
  const site = await startSite({ forms: { baseUrl: ({ url }) => new URL(url).origin, allowedHosts: ["a.test"] } });
  t.after(() => site.close());
  const stranger = site.forms.as({ id: "2", login: "eve", capabilities: [] });
  await assert.rejects(stranger.listForms(), (error) => error instanceof ApiError && error.status === 403);
  const reader = site.forms.as({ ...editor, access: "submissions_read" });
  await assert.rejects(reader.createForm({ body: { title: "No" } }), { status: 403 });
  assert.deepEqual(await reader.listSubmissions(), []);
  const markup = "<p>Hi</p><script>alert(1)</script>";
  const form = await site.forms.as(editor).createForm({ body: { title: "Contact", markup } });
  assert.doesNotMatch(form.markup, /script/, "an editor cannot save scripts here either");
  assert.throws(() => site.forms.as({ id: 1 } as never), /needs id, login/);
});

test("the example of docs/hosting.md calls operations that exist", async (t) => {
  const page = readFileSync(new URL("../../docs/hosting.md", import.meta.url), "utf8");
  const example = /^### Call the API in your process[\s\S]*?^```ts\n([\s\S]*?)^```/m.exec(page)?.[1] ?? "";
  const site = await startSite();
  t.after(() => site.close());
  const run = new Function("forms", `return (async () => { ${example}; return newest ?? null; })()`);
  assert.equal(await run(site.forms), null);
});
