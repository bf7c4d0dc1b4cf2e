/** Tests the plugin in a real site: listed, edited, tested, run by the queue. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createForms, type Forms } from "cf-forms";
import { openSqlite } from "cf-forms/adapters/node-sqlite";
import { addToEditor, appendLine } from "./plugin.ts";

const directory = mkdtempSync(join(tmpdir(), "append-line-"));
const database = openSqlite({ path: join(directory, "forms.sqlite") });
const principal = { id: "1", login: "admin", capabilities: ["edit_forms"] };
let forms: Forms;

before(async () => {
  forms = await createForms({
    automaticRuns: false,
    baseUrl: "http://localhost",
    host: { database, authenticate: async () => ({ principal }) },
  });
  await forms.migrate();
  forms.registerAction(appendLine({ directory }));
  addToEditor(forms);
});

after(async () => {
  await forms.close();
  await database.close();
  rmSync(directory, { recursive: true });
});

async function api(method: string, path: string, body?: unknown) {
  const request = new Request(`http://localhost/api/cf/v1${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const response = await forms.fetch(request);
  assert.ok(response !== null);
  return response.json();
}

function test(settings: Record<string, unknown>) {
  return api("POST", "/actions/test", {
    action_type: "append_line",
    settings,
    test_data: { email: "ann@example.org" },
  });
}

/** Creates a form with this action, submits it, and runs the queue once. */
async function submit(slug: string, settings: object) {
  const form = await api("POST", "/forms", {
    title: "Contact",
    slug,
    markup: '<input type="email" name="email"><button>Send</button>',
    settings: { actions: [{ type: "append_line", ...settings }] },
  });
  const sent = await forms.fetch(
    new Request(`http://localhost/forms/${form.slug}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ email: "bob@example.org" }),
    }),
  );
  assert.equal(sent?.status, 200, await sent?.text());
  await forms.runQueue();
}

it("adds a field and a property to the form editor", async () => {
  const {
    field_types: [type],
    panels: [panel],
  } = await api("GET", "/editor");
  assert.deepEqual([type.type, type.label, type.field.attributes], ["text", "Bank account", { "data-line": "iban" }]);
  assert.deepEqual(
    [panel.title, panel.types, panel.inputs[0].attribute],
    ["Line in the file", ["text", "email"], "data-line"],
  );
});

describe("the action append_line", () => {
  it("is offered to forms", async () => {
    const types = await api("GET", "/actions");
    assert.ok(
      types.some(
        (item: { type: string; label: string }) =>
          item.type === "append_line" && item.label === "Append a line to a file",
      ),
    );
  });

  it("renders its settings for its position, with the type once", async () => {
    const { html } = await api("GET", "/actions/append_line/settings?index=2");
    assert.equal(html.split('name="form[settings][actions][2][type]"').length, 2);
    assert.ok(html.includes('name="form[settings][actions][2][file]"'));
  });

  it("does nothing until it is configured", async () => {
    const report = await test({});
    assert.deepEqual([report.success, report.status], [false, "skipped"]);
  });

  it("fails with its reason", async () => {
    const report = await test({ file: "../secret" });
    assert.deepEqual([report.status, report.message], ["failed", "../secret is not the name of a text file"]);
  });

  it("writes a line", async () => {
    const report = await test({ file: "leads.txt" });
    assert.deepEqual([report.success, report.status], [true, "success"]);
    const [key, title, answer] = readFileSync(join(directory, "leads.txt"), "utf8").trim().split("\t");
    assert.ok(key !== undefined && key.length > 10);
    assert.deepEqual([title, answer], ["Test form", "ann@example.org"]);
  });

  it("is run by the queue for a visitor's submission", async () => {
    await submit("queued", { file: "queue.txt" });
    assert.match(readFileSync(join(directory, "queue.txt"), "utf8"), /\tContact\tbob@example\.org\n$/);
  });

  it("is not retried after a permanent error", async () => {
    await submit("hopeless", { file: "../secret" });
    const [entry] = await api("GET", "/action-queue?per_page=1");
    assert.deepEqual([entry.status, entry.attempts], ["failed", 1]);
  });
});
