/** Large JSON files of submissions are read in parts, while visitors are served. Other large files are rejected. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { diskFiles } from "../../host-shim/adapters/disk-files.ts";
import { items, type JsonValue, member, startSite, type Site } from "./site.ts";

/** Entries of the file, which has about 12 MB. */
const ENTRIES = 8_000;
/** An answer of each entry. */
const TEXT = "word ".repeat(280);

const folder = mkdtempSync(join(tmpdir(), "cf-forms-large-json-"));
let site: Site;
before(async () => {
  site = await startSite({ host: { files: diskFiles(folder) } });
});
after(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

async function upload(body: string): Promise<{ readonly status: number; readonly body: JsonValue }> {
  const headers = { "x-test-caller": "administrator", "content-type": "application/octet-stream" };
  const response = await fetch(`${site.url}/api/cf/v1/imports`, { method: "POST", headers, body });
  return { status: response.status, body: (await response.json()) as JsonValue };
}

const entries = (count: number, formId: string): string => {
  const all = Array.from({ length: count }, (_, id) => ({
    id: String(id),
    form_id: formId,
    date_created: "2026-01-20 01:15:58",
    is_starred: 0,
    "1": `person${id}@example.org`,
    "2": TEXT,
  }));
  return JSON.stringify({ total_count: count, entries: all });
};

const gravityForm = {
  "0": {
    id: 4,
    title: "Order",
    button: { type: "text", text: "Send" },
    fields: [
      { id: 1, type: "email", label: "Email" },
      { id: 2, type: "textarea", label: "Text" },
    ],
  },
  version: "2.9",
};

it("stores each submission of a large file once, and serves visitors meanwhile", { timeout: 280_000 }, async () => {
  const made = await site.api("POST", "/forms/import", { content: JSON.stringify(gravityForm) });
  const form = items(member(made.body, "forms"))[0];
  const slug = String(member(form, "slug"));
  const file = entries(ENTRIES, "4");
  let isDone = false;
  const waits: number[] = [];
  const visits = (async () => {
    while (!isDone) {
      const begun = performance.now();
      const response = await fetch(`${site.url}/forms/${slug}`);
      assert.equal(response.status, 200);
      await response.text();
      waits.push(performance.now() - begun);
    }
  })();
  const begun = performance.now();
  const uploaded = await upload(file);
  assert.equal(uploaded.status, 201, JSON.stringify(uploaded.body));
  assert.equal(member(uploaded.body, "format"), "gravity-entries");
  assert.equal(member(uploaded.body, "submissions"), ENTRIES);
  assert.equal(member(uploaded.body, "needs_form"), false);
  const id = Number(member(uploaded.body, "id"));
  const served = waits.length;
  assert.equal((await site.api("POST", `/imports/${id}/start`, {})).status, 202);
  await site.settled();
  isDone = true;
  await visits;
  const took = performance.now() - begun;
  const { body } = await site.api("GET", `/imports/${id}`);
  assert.equal(member(body, "state"), "done", JSON.stringify(body));
  assert.equal(member(body, "submissions"), ENTRIES);
  const listed = await site.api("GET", `/forms/${String(member(form, "id"))}/submissions?per_page=1`);
  assert.equal(Number(listed.headers.get("x-wp-total")), ENTRIES);
  const longest = Math.max(...waits);
  assert.ok(served > 0, "visitors are served during the upload");
  // Visitors and the import share this process, so one garbage collection delays a visitor too.
  assert.ok(longest < took / 3, `a visitor waits ${longest} of ${took} ms`);
});

it("rejects other files over 16 MB with a message that names the limit", async () => {
  const form = { title: "A", fields: [{ blockType: "text", name: "a", label: "x".repeat(17 * 2 ** 20) }] };
  const { status, body } = await upload(JSON.stringify({ docs: [form] }));
  assert.equal(status, 400, JSON.stringify(body).slice(0, 300));
  assert.match(JSON.stringify(body), /over 16 MB/);
  assert.equal((await upload("x".repeat(65 * 2 ** 20))).status, 413);
});
