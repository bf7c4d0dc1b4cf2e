/** Results of plugins' callbacks: of a wrong type, for unknown fields, and texts instead of keys. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import type { ActionSubmission } from "../../host-shim/src/index.ts";
import { items, member, startSite, type JsonValue, type Site } from "./site.ts";

let site: Site;
let slug: string;
let id: number;

before(async () => {
  site = await startSite();
  ({ slug, id } = await makeForm({ markup: "<input name=amount required><input name=topic>" }));
});
after(() => site.close());
afterEach(() => {
  const { hooks } = site.forms;
  for (const name of Object.keys(hooks.filters)) hooks.removeAllFilters(name);
  for (const name of Object.keys(hooks.actions)) hooks.removeAllActions(name);
  site.faults.length = 0;
});

async function makeForm(source: object): Promise<{ id: number; slug: string }> {
  const { status, body } = await site.api("POST", "/forms", { title: "Plugins", ...source });
  assert.equal(status, 201, JSON.stringify(body));
  return { id: Number(member(body, "id")), slug: String(member(body, "slug")) };
}

interface Answer {
  readonly status: number;
  readonly code: JsonValue;
  readonly text: JsonValue;
  readonly errors: JsonValue;
}

async function send(to = slug, body: BodyInit = new URLSearchParams({ amount: "5" })): Promise<Answer> {
  const headers = { accept: "application/json" };
  const response = await fetch(`${site.url}/forms/${to}`, { method: "POST", body, headers });
  const answer = JSON.parse(await response.text());
  const { code = null, errors = null } = answer;
  return { status: response.status, code, text: answer.message.text, errors };
}

/** The page that a visitor without script gets. */
async function sendPage(to = slug): Promise<string> {
  const response = await fetch(`${site.url}/forms/${to}`, {
    method: "POST",
    body: new URLSearchParams({ amount: "5" }),
  });
  return response.text();
}

describe("an error of cf_validate_form", () => {
  const validate = (verdict: unknown) =>
    site.forms.hooks.addFilter("cf_validate_form", "acme/checks", () => verdict as string);

  for (const source of ["markup", "schema"] as const) {
    it(`for an unknown field of a form from its ${source} stands above the form and is logged`, async () => {
      const fields = [
        { name: "amount", type: "text", label: "Amount" },
        { name: "topic", type: "text", label: "Topic" },
      ];
      const form = source === "markup" ? { id, slug } : await makeForm({ schema: { fields } });
      validate([
        { field: "amuont", code: "acme_too_much", message: "Call us about large amounts." },
        { field: "topic", code: "acme_topic", message: "Choose a topic." },
      ]);
      assert.deepEqual(await send(form.slug), {
        status: 400,
        code: "acme_too_much",
        text: "Call us about large amounts.",
        errors: [{ field: "topic", code: "acme_topic", message: "Choose a topic." }],
      });
      const [line = "", ...others] = site.faults;
      assert.match(line, /^warn: a callback of acme\/checks for cf_validate_form returned an error for "amuont", but/);
      assert.match(line, new RegExp(`"field":"amuont","form_id":${form.id}`));
      assert.deepEqual(others, []);
      const page = await sendPage(form.slug);
      assert.match(page, /cf-summary-title">Call us about large amounts\./);
      assert.match(page, /Choose a topic\./);
    });
  }

  it("without a field is the general error; several are joined", async () => {
    validate([
      { field: "", code: "acme_closed", message: "We are closed." },
      { field: "", message: "Come back tomorrow." },
    ]);
    const text = "We are closed. Come back tomorrow.";
    assert.deepEqual(await send(), { status: 400, code: "acme_closed", text, errors: [] });
    assert.match(await sendPage(), /cf-message-error">We are closed\. Come back tomorrow\.</);
    assert.deepEqual(site.faults, []);
  });

  it("that is a text for the visitor is shown", async () => {
    validate("We are closed.");
    assert.deepEqual(await send(), { status: 400, code: "error", text: "We are closed.", errors: [] });
    assert.deepEqual(site.faults, []);
  });

  it("that is a key without a message is shown and logged, and one with a message is not", async () => {
    validate("acme_closed");
    assert.equal((await send()).text, "acme_closed");
    assert.match(
      site.faults.join("\n"),
      /acme\/checks for cf_validate_form returned "acme_closed", but the form has no/,
    );
    site.faults.length = 0;
    site.forms.hooks.addFilter("cf_form_default_messages", "acme/words", (all) => ({ ...all, acme_closed: "Closed." }));
    const shown = await send();
    assert.deepEqual([shown.code, shown.text], ["acme_closed", "Closed."]);
    assert.deepEqual(site.faults, []);
  });

  it("of a wrong type is logged, and the next callback gets the value before it", async () => {
    for (const [verdict, described] of [
      [{ amount: "Too much." }, "an object with amount"],
      [false, "false"],
      [undefined, "nothing"],
      [[{ field: "amount" }], "a list of an object with field"],
      [["amount"], "a list of a text"],
      [5, "a number"],
    ] as const) {
      const seen: unknown[] = [];
      validate(verdict);
      site.forms.hooks.addFilter("cf_validate_form", "acme/next", (code) => {
        seen.push(code);
        return code;
      });
      assert.equal((await send()).status, 200);
      assert.deepEqual(seen, [""]);
      const expected = `a callback of acme/checks for cf_validate_form returned ${described} instead of a text or a list of {field, code, message}; the value stays as before`;
      assert.deepEqual(site.faults.splice(0), [
        `warn: ${expected} {"hook":"cf_validate_form","namespace":"acme/checks"}`,
      ]);
      site.forms.hooks.removeAllFilters("cf_validate_form");
    }
  });
});

describe("a filter's result of a wrong type", () => {
  it("is logged by the names of hook and plugin, and the value stays", async () => {
    const wrong: readonly (readonly [string, unknown])[] = [
      ["cf_form_markup", 5],
      ["cf_form_html", null],
      ["cf_form_message_send", ["Send"]],
      ["cf_form_default_messages", { send: 5 }],
      ["cf_form_default_settings", "none"],
    ];
    const before = await (await fetch(`${site.url}/forms/${slug}`)).text();
    for (const [name, result] of wrong) site.forms.hooks.addFilter(name as "any", "acme/wrong", () => result);
    const shown = await (await fetch(`${site.url}/forms/${slug}`)).text();
    const plain = (page: string) => page.replace(/(?:value|nonce)="[^"]{20,}"/g, "");
    assert.equal(plain(shown), plain(before));
    for (const [name] of wrong)
      assert.ok(
        site.faults.some((line) => line.includes(`a callback of acme/wrong for ${name} returned`)),
        `${name}: ${site.faults.join("\n")}`,
      );
  });

  it("is logged for each filter of a submit", async () => {
    for (const name of ["cf_ignored_field_names", "cf_spam_check", "cf_form_redirect_url"])
      site.forms.hooks.addFilter(name as "any", "acme/wrong", () => 5);
    assert.equal((await send()).status, 200);
    const named = site.faults.map((line) => /for (\w+) returned a number instead of/.exec(line)?.[1]);
    assert.deepEqual(named.sort(), ["cf_form_redirect_url", "cf_ignored_field_names", "cf_spam_check"]);
  });
});

describe("the process step of an action", () => {
  const test = async (result: unknown): Promise<JsonValue[]> => {
    const unregister = site.forms.registerAction({ type: "acme", label: "Acme", process: () => result as boolean });
    const { body } = await site.api("POST", "/actions/test", { action_type: "acme", settings: {}, test_data: {} });
    unregister();
    return [member(body, "status"), member(body, "message")];
  };

  it("that returns false skips the action", async () => {
    assert.deepEqual(await test(false), ["skipped", "The plugin skipped this action."]);
    assert.deepEqual(site.faults, []);
  });

  it("that returns another value counts as done, and is logged", async () => {
    assert.deepEqual(await test(undefined), ["success", "Done."]);
    assert.match(
      site.faults.join("\n"),
      /the process step of the action acme returned nothing instead of true or false/,
    );
  });
});

describe("an action type that is registered twice", () => {
  it("runs once, by its last registration, and is logged", async () => {
    const runs: string[] = [];
    for (const label of ["First", "Second"])
      site.forms.registerAction({ type: "twice", label, process: () => runs.push(label) > 0 });
    const call = { action_type: "twice", settings: {}, test_data: {} };
    assert.equal(member((await site.api("POST", "/actions/test", call)).body, "status"), "success");
    assert.deepEqual(runs, ["Second"]);
    assert.match(
      site.faults.join("\n"),
      /the action twice was registered again, which replaces its former registration/,
    );
  });
});

describe("files of a submit", () => {
  it("are readable in cf_process_form and cf_spam_check, before the submission is stored", async () => {
    const form = await makeForm({ markup: "<input name=name><input type=file name=cv>" });
    const read: unknown[] = [];
    const note = async (hook: string, { id, files }: ActionSubmission): Promise<void> => {
      for (const file of files)
        read.push([hook, id, file.id, file.field, file.name, file.url, new TextDecoder().decode(await file.read())]);
    };
    site.forms.hooks.addAction("cf_process_form", "acme/reads", (_form, submission) => note("process", submission));
    site.forms.hooks.addFilter("cf_spam_check", "acme/reads", async (verdict, submission) => {
      await note("spam", submission);
      return verdict;
    });
    const body = new FormData();
    body.set("name", "Ada");
    body.set("cv", new File(["hello"], "cv.txt", { type: "text/plain" }));
    assert.equal((await send(form.slug, body)).status, 200);
    assert.deepEqual(read, [
      ["process", 0, 0, "cv", "cv.txt", "", "hello"],
      ["spam", 0, 0, "cv", "cv.txt", "", "hello"],
    ]);
    const [stored = null] = items((await site.api("GET", `/forms/${form.id}/submissions`)).body);
    assert.equal(items(member(stored, "files")).length, 1);
  });

  it("are not kept by a form that stores nothing and has no actions", async () => {
    const settings = { save_submissions: false };
    const form = await makeForm({ markup: "<input type=file name=cv>", settings });
    let seen = 0;
    site.forms.hooks.addAction("cf_process_form", "acme/reads", (_form, { files }) => void (seen = files.length));
    let kept = -1;
    site.forms.hooks.addAction("cf_form_success", "acme/reads", ({ files }) => void (kept = files.length));
    const body = new FormData();
    body.set("cv", new File(["hello"], "cv.txt", { type: "text/plain" }));
    assert.equal((await send(form.slug, body)).status, 200);
    assert.deepEqual([seen, kept], [1, 0]);
  });
});
