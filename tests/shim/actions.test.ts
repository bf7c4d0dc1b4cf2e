/** Actions of other plugins, and the hooks by which plugins follow and change actions. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { createForms, PermanentError, settingName, type Forms } from "../../host-shim/src/index.ts";

const database = openSqlite({ path: ":memory:" });
const principal = { id: "1", login: "admin", capabilities: ["edit_forms"] };
let forms: Forms;
let faults: string[] = [];

before(async () => {
  forms = await createForms({
    automaticRuns: false,
    baseUrl: "http://localhost",
    // Long enough for callbacks that call the API on a busy machine.
    callbackTimeoutMs: 1_000,
    host: {
      database,
      authenticate: async () => ({ principal }),
      log: (level, message, fields) => {
        if (level === "error") faults.push(`${message} ${JSON.stringify(fields)}`);
      },
    },
  });
  await forms.migrate();
});

beforeEach(() => {
  faults = [];
});

after(async () => {
  await forms.close();
  await database.close();
});

async function api(method: string, path: string, body?: unknown) {
  const request = new Request(`http://localhost/api/cf/v1${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const response = await forms.fetch(request);
  assert.ok(response !== null);
  return { status: response.status, body: await response.json() };
}

const test = async (type: string, settings: Record<string, unknown> = {}) =>
  (await api("POST", "/actions/test", { action_type: type, settings, test_data: { name: "Ann" } })).body;

describe("an action type of another plugin", () => {
  it("must have a type, a label and a process step", () => {
    const process = () => true;
    for (const wrong of [
      { type: "a b", label: "x", process },
      { type: "x", label: "", process },
      { type: "x", label: "x" },
    ]) {
      assert.throws(() => forms.registerAction(wrong as never), TypeError);
    }
  });

  it("disappears when it is removed", async () => {
    const unregister = forms.registerAction({ type: "once", label: "Once", process: () => true });
    assert.equal((await test("once")).success, true);
    unregister();
    assert.equal((await test("once")).code, "unknown_action_type");
  });

  it("may consist only of hooks", async () => {
    forms.hooks.addFilter("cf_available_form_actions", "test/bare", (types: object) => ({ ...types, bare: "Bare" }));
    forms.hooks.addAction(
      "cf_process_form_action_bare",
      "test/bare",
      async (settings: { works: boolean }) => settings.works,
    );
    assert.equal((await test("bare", { works: true })).status, "success");
    assert.equal((await test("bare", { works: false })).status, "skipped");
  });

  it("fails when it throws, rejects, or never answers, and the fault is logged by its namespace", async () => {
    const processes: Record<string, () => boolean | Promise<boolean>> = {
      throws() {
        throw new Error("out of paper");
      },
      rejects: () => Promise.reject(new Error("out of ink")),
      hangs: () => new Promise(() => {}),
    };
    for (const [type, process] of Object.entries(processes)) {
      forms.registerAction({ type, label: type, process });
      faults = [];
      const report = await test(type);
      assert.equal(report.status, "failed", type);
      assert.match(report.message, /out of paper|out of ink|no response in 1000 ms/);
      assert.ok(
        faults.some((fault) => fault.includes(`cf-forms/register-action/${type}`)),
        faults.join("\n"),
      );
      if (type === "throws")
        assert.match(faults.join("\n"), /"stack":"Error: out of paper\\n {4}at .*actions\.test\.ts/);
      assert.doesNotMatch(JSON.stringify(report), /actions\.test\.ts/);
    }
  });

  it("is retried after an error, but not after a permanent one", async () => {
    for (const [type, failure, state] of [
      ["busy", new Error("busy"), "retrying"],
      ["closed", new PermanentError("closed for good"), "failed"],
    ] as const) {
      forms.registerAction({
        type,
        label: type,
        process: () => {
          throw failure;
        },
      });
      const form = await api("POST", "/forms", {
        title: type,
        markup: "<input name=a>",
        settings: { actions: [{ type }] },
      });
      const submit = new Request(`http://localhost/forms/${form.body.slug}`, {
        method: "POST",
        body: new URLSearchParams({ a: "1" }),
        headers: { accept: "application/json" },
      });
      assert.equal((await forms.fetch(submit))?.status, 200);
      await forms.runQueue();
      const [entry] = (await api("GET", `/action-queue?form_id=${form.body.id}`)).body;
      assert.deepEqual([entry.status, entry.last_error], [state, failure.message]);
    }
  });

  it("may call the API again while it runs", async () => {
    forms.registerAction({
      type: "curious",
      label: "Curious",
      process: async () => (await api("GET", "/forms")).status === 200,
    });
    assert.equal((await test("curious")).success, true);
  });

  it("keeps settings even if the names of their inputs are wrong", async () => {
    forms.registerAction({
      type: "misnamed",
      label: "Misnamed",
      settings: () => '<input name="file">',
      process: () => true,
    });
    const { body } = await api("GET", "/actions/misnamed/settings?index=3");
    assert.equal(body.html, `<input type="hidden" name="${settingName(3, "type")}" value="misnamed">`);
    assert.ok(
      faults.some((fault) => fault.includes("must be named form[settings][actions][3]")),
      faults.join("\n"),
    );
  });
});

describe("a status that changes", () => {
  it("is reported to plugins with the previous status", async () => {
    const calls: unknown[] = [];
    forms.hooks.addAction(
      "cf_submission_status_changed",
      "test/status",
      (submission: { status: string }, before: string, form: { title: string }) => {
        calls.push([submission.status, before, form.title]);
      },
    );
    const form = (await api("POST", "/forms", { title: "Contact", slug: "contact", markup: '<input name="name">' }))
      .body;
    const sent = await forms.fetch(
      new Request(`http://localhost/forms/${form.slug}`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ name: "Ann" }),
      }),
    );
    const { submission_id: id } = await (sent ?? new Response()).json();
    await api("PATCH", `/submissions/${id}`, { status: "archived" });
    await api("PATCH", `/submissions/${id}`, { status: "archived" });
    await api("POST", "/submissions/bulk", { ids: [id], action: "set_status", status: "read" });
    forms.hooks.removeAllActions("cf_submission_status_changed");
    assert.deepEqual(calls, [
      ["archived", "new", "Contact"],
      ["read", "archived", "Contact"],
    ]);
  });
});

describe("the defaults of settings and messages", () => {
  it("come from filters, and a form's settings override them", async () => {
    forms.hooks.addFilter("cf_form_default_settings", "test/defaults", (settings: object) => ({
      ...settings,
      rate_limit: 7,
      colour: "red",
    }));
    forms.hooks.addFilter("cf_form_default_messages", "test/defaults", (messages: object) => ({
      ...messages,
      success: "Merci",
      added: "new",
      wrong: 5 as unknown as string,
    }));
    const { body } = await api("POST", "/forms", {
      title: "Defaults",
      settings: { colour: "blue" },
      markup: '<input name="name">',
    });
    const read = (await api("GET", `/forms/${body.id}`)).body;
    for (const form of [body, read]) {
      assert.deepEqual([form.settings.rate_limit, form.settings.colour, form.settings.store_ip], [7, "blue", true]);
      assert.deepEqual([form.messages.success, form.messages.added, form.messages.wrong], ["Merci", "new", undefined]);
    }
    const sent = await forms.fetch(
      new Request(`http://localhost/forms/${body.slug}`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ name: "Ann" }),
      }),
    );
    assert.equal((await (sent ?? new Response()).json()).message.text, "Merci");
    forms.hooks.removeAllFilters("cf_form_default_settings");
    forms.hooks.removeAllFilters("cf_form_default_messages");
    assert.equal(
      (await api("GET", `/forms/${body.id}`)).body.messages.success,
      "Thank you. Your answers have been sent.",
    );
  });
});
