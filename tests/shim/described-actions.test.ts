/** Settings that a custom action describes. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { BUILT_IN_TYPES, RESERVED_KEYS } from "../../host-shim/src/action-check.ts";
import { type ActionSettings, type ActionType, createForms, type Forms } from "../../host-shim/src/index.ts";

const database = openSqlite({ path: ":memory:" });
const principal = { id: "1", login: "admin", capabilities: ["edit_forms"] };
let forms: Forms;
const faults: string[] = [];
const runs: ActionSettings[] = [];

const card: ActionType = {
  type: "card",
  label: "Write a card",
  settings: [
    { name: "to", label: "To", required: true },
    { name: "text", label: "Text", type: "textarea", default: "Hello [name]" },
    { name: "format", label: "Format", template: false },
    {
      name: "paper",
      label: "Paper",
      type: "select",
      options: [{ value: "[name]", label: "White" }],
    },
    { name: "loud", label: "Loud", type: "checkbox" },
    { name: "stamped", label: "Stamped", type: "checkbox", default: "1" },
    { name: "post_token", label: "Token", type: "password", help: "From the post office." },
  ],
  process(settings) {
    runs.push(settings);
    return true;
  },
};

before(async () => {
  forms = await createForms({
    automaticRuns: false,
    baseUrl: "http://localhost",
    host: {
      database,
      authenticate: async () => ({ principal }),
      log: (_level, message, fields) => void faults.push(`${message} ${JSON.stringify(fields)}`),
    },
  });
  await forms.migrate();
  forms.registerAction(card);
});

after(async () => {
  await forms.close();
  await database.close();
});

async function call(method: string, path: string, body?: unknown): Promise<Response> {
  const request = new Request(`http://localhost/api/cf/v1${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const response = await forms.fetch(request);
  assert.ok(response !== null);
  return response;
}

const warningOf = (response: Response): string => decodeURIComponent(response.headers.get("x-cf-warning") ?? "");

const FIELDS = [
  { name: "name", type: "text", label: "Name" },
  { name: "pet", type: "select", label: "Pet", options: [{ value: "c", label: "A cat & a <dog>" }] },
  { name: "note", type: "textarea", label: "Note" },
];

async function makeForm(actions: readonly object[]): Promise<{ readonly id: number; readonly slug: string }> {
  const made = await call("POST", "/forms", { title: "Cards", schema: { fields: FIELDS }, settings: { actions } });
  assert.equal(made.status, 201);
  return made.json();
}

async function submit(slug: string, answers: Record<string, string>): Promise<void> {
  const sent = await forms.fetch(
    new Request(`http://localhost/forms/${slug}`, {
      method: "POST",
      body: new URLSearchParams(answers),
      headers: { accept: "application/json" },
    }),
  );
  assert.equal(sent?.status, 200, await sent?.text());
}

describe("settings that an action describes", () => {
  it("are in the list of action types", async () => {
    const types = (await (await call("GET", "/actions")).json()) as { type: string; settings: object[] }[];
    const found = types.find(({ type }) => type === "card")?.settings;
    const member = { input: "text", default: "", required: false, secret: false, options: [], help: "" };
    assert.deepEqual(found, [
      { ...member, key: "to", label: "To", required: true },
      { ...member, key: "text", label: "Text", input: "textarea", default: "Hello [name]" },
      { ...member, key: "format", label: "Format", template: false },
      {
        ...member,
        key: "paper",
        label: "Paper",
        input: "select",
        default: "[name]",
        options: [{ value: "[name]", label: "White" }],
      },
      { ...member, key: "loud", label: "Loud", input: "checkbox" },
      { ...member, key: "stamped", label: "Stamped", input: "checkbox", default: "1" },
      {
        ...member,
        key: "post_token",
        label: "Token",
        input: "password",
        secret: true,
        help: "From the post office.",
      },
    ]);
  });

  it("are filled with answers before the action runs, but not choices, secrets and `template: false`", async () => {
    const answers = { name: "Ada [note]", pet: "c", note: "one\ntwo" };
    const settings = { to: "[name]: [pet]", format: "[name]", post_token: "[name]" };
    const { id, slug } = await makeForm([{ type: "card", ...settings }]);
    await submit(slug, answers);
    runs.length = 0;
    await forms.runQueue();
    await call("POST", "/actions/test", { action_type: "card", form_id: id, settings, test_data: answers });
    assert.equal(runs.length, 2);
    for (const { idempotency_key, ...run } of runs) {
      const { to, text, format, paper, loud, post_token } = run;
      assert.deepEqual(
        { to, text, format, paper, loud, post_token },
        {
          to: "Ada [note]: A cat & a <dog>",
          text: "Hello Ada [note]",
          format: "[name]",
          paper: "[name]",
          loud: "",
          post_token: "[name]",
        },
      );
      assert.ok(idempotency_key);
    }
  });

  it("of a checkbox are the text 1 or an empty one, also for true and false", async () => {
    for (const [loud, expected] of [
      [true, "1"],
      [false, ""],
      ["1", "1"],
      ["", ""],
      ["yes", "yes"],
    ]) {
      runs.length = 0;
      await call("POST", "/actions/test", { action_type: "card", settings: { to: "Ada", loud } });
      assert.deepEqual(
        runs.map((run) => run.loud),
        [expected],
      );
    }
  });

  it("of a checkbox that is on by default is on until it is cleared", async () => {
    for (const [stamped, expected] of [
      [undefined, "1"],
      [null, "1"],
      ["1", "1"],
      ["", ""],
      [false, ""],
    ]) {
      runs.length = 0;
      await call("POST", "/actions/test", { action_type: "card", settings: { to: "Ada", stamped } });
      assert.deepEqual(
        runs.map((run) => run.stamped),
        [expected],
      );
    }
  });

  it("are named when a form is saved or published without a required one, and the action is skipped", async () => {
    const settings = { actions: [{ type: "card", text: "x" }] };
    const made = await call("POST", "/forms", { title: "Cards", schema: { fields: FIELDS }, settings });
    const { id, slug } = (await made.json()) as { id: number; slug: string };
    const wanted = 'card action without "to" at actions[0]';
    assert.equal(warningOf(made), wanted);
    assert.equal(warningOf(await call("PATCH", `/forms/${id}`, { settings })), wanted);
    const { revision } = (await (await call("GET", `/forms/${id}`)).json()) as { revision: number };
    const draft = { base_revision: revision, title: "More cards", settings };
    const drafted = await call("PUT", `/forms/${id}/draft`, draft);
    assert.equal(drafted.status, 200, await drafted.text());
    assert.equal(warningOf(await call("POST", `/forms/${id}/publish`, {})), wanted);
    runs.length = 0;
    await submit(slug, { name: "Ada" });
    await forms.runQueue();
    assert.equal(runs.length, 0);
    const [log] = (await (await call("GET", `/action-logs?form_id=${id}`)).json()) as Record<string, unknown>[];
    assert.deepEqual([log?.["status"], log?.["message"]], ["skipped", "Not set up yet: To is empty."]);
    const complete = { actions: [{ type: "card", to: "Ada" }] };
    assert.equal(warningOf(await call("PATCH", `/forms/${id}`, { settings: complete })), "");
  });

  it("have types by their names", async () => {
    const unregister = forms.registerAction({
      type: "typed",
      label: "Typed",
      settings: [{ name: "to", label: "To" }],
      // @ts-expect-error mistyped
      process: (settings) => settings.to.endsWith(".") && settings.too === undefined && settings.idempotency_key !== "",
    });
    const settings = { to: "[name]." };
    const report = await call("POST", "/actions/test", { action_type: "typed", settings, test_data: { name: "Ada" } });
    unregister();
    assert.equal((await report.json()).status, "success");
  });

  it("without effect are named when a form is saved", async () => {
    const settings = {
      actions: [
        {
          type: "card",
          to: "Ada",
          txt: "x",
          paper: "Blue",
          loud: true,
          format: ["x"],
          action_name: "Card",
          priority: 5,
        },
        { type: "card", to: "Ada", paper: "[name]", loud: "", somewhere: "x" },
        { type: "card", to: "Ada", paper: "" },
      ],
    };
    const made = await call("POST", "/forms", { title: "Cards", schema: { fields: FIELDS }, settings });
    assert.deepEqual(warningOf(made).split(", ").sort(), [
      'card action whose "format" is not a text at actions[0]',
      'card action whose "paper" is none of its options at actions[0]',
      'card action with the unknown setting "somewhere" at actions[1]',
      'card action with the unknown setting "txt" ("text"?) at actions[0]',
    ]);
    const email = { actions: [{ type: "email", to: "a@example.org", content_type: "html" }] };
    const mail = await call("POST", "/forms", { title: "Mail", schema: { fields: FIELDS }, settings: email });
    assert.equal(warningOf(mail), 'email action whose "content_type" is none of its options at actions[0]');
  });

  it("that are wrong are rejected with the names of the action and the setting", () => {
    const options = [{ value: "a", label: "A" }];
    const setting = (members: object) => ({ settings: [{ name: "to", label: "To", ...members }] });
    for (const [members, message] of [
      [{ type: "email" }, /the action email has the type of a built-in action; choose another type/],
      [{ type: "resume_link" }, /the action resume_link has the type of a built-in action/],
      [{ settings: { to: "To" } }, /the action wrong needs settings that are a list of descriptions, or a function/],
      [{ settings: [null] }, /the action wrong has a setting without a name that needs a name of letters/],
      [setting({ name: "a b" }), /the action wrong has a setting "a b" that needs a name of letters, digits, _ and -/],
      [setting({ name: "type" }), /the action wrong has a setting "type" that has a reserved name/],
      [setting({ name: "conditions" }), /the action wrong has a setting "conditions" that has a reserved name/],
      [setting({ label: "" }), /the action wrong has a setting "to" that needs a label/],
      [
        setting({ type: "dropdown" }),
        /a setting "to" that has the type "dropdown"; the types are text, textarea, select/,
      ],
      [setting({ type: "select" }), /a setting "to" that is a select, so it needs options/],
      [setting({ type: "select", options: [] }), /a setting "to" that is a select, so it needs options/],
      [setting({ type: "select", options: ["a"] }), /a setting "to" that needs options of the form \{value, label\}/],
      [
        setting({ type: "select", options, default: "b" }),
        /a setting "to" that has the default "b", which none of its/,
      ],
      [
        setting({ requierd: true, optional: false }),
        /a setting "to" that has the unknown members `requierd`, `optional`; the members are name, label, type/,
      ],
      [setting({ secret: true }), /a setting "to" that has the unknown member `secret`/],
      [setting({ options }), /a setting "to" that has options, which only a select has; its type is text/],
      [
        setting({ type: "select", options: [{ ...options[0], labl: "A" }] }),
        /a setting "to" that has an option that has the unknown member `labl`; the members are value, label/,
      ],
      [
        setting({ type: "select", options: [...options, ...options] }),
        /a setting "to" that has two options with the value "a"/,
      ],
      [
        { proces: () => true, process: undefined },
        /the action wrong has the unknown member `proces`; the members are type, label, settings, process/,
      ],
      [setting({ required: "yes" }), /a setting "to" that has a member `required` that is not true or false/],
      [setting({ default: 5 }), /a setting "to" that has a member `default` that is not a text/],
      [
        setting({ name: "pin", type: "password" }),
        /a setting "pin" that is a password, so its name must end with secret/,
      ],
      [
        { settings: [setting({}), setting({})].flatMap(({ settings }) => settings) },
        /the action wrong has two settings with the name "to"/,
      ],
    ] as const) {
      const action = { type: "wrong", label: "Wrong", process: () => true, ...members };
      assert.throws(() => forms.registerAction(action as unknown as ActionType), { name: "TypeError", message });
    }
    assert.equal(forms.hooks.hasAction("cf_process_form_action_wrong"), false);
  });

  it("may not have a type of the engine", () => {
    const folder = new URL("../../src/action_types/", import.meta.url);
    const files = ["definitions/", "services/"].flatMap((name) => readdirSync(new URL(name, folder)));
    const built = files.map((file) => file.replace(".json", ""));
    assert.deepEqual([...BUILT_IN_TYPES].sort(), [...built, "resume_link"].sort());
  });

  it("may not have a setting that each action has", () => {
    const source = readFileSync(new URL("../../src/action_types/setting_faults.rs", import.meta.url), "utf8");
    const keys = /const COMMON_KEYS: [^=]+= \[([^\]]+)\]/.exec(source)?.[1]?.match(/\w+/g);
    assert.deepEqual([...RESERVED_KEYS].sort(), [...(keys ?? []), "idempotency_key"].sort());
  });

  it("are logged and ignored when another plugin describes them wrongly", async () => {
    forms.hooks.addFilter("cf_form_action_settings", "test/wrong", (types) => ({
      ...types,
      wrong: [{ label: "No name" }] as never,
      email: [] as never,
    }));
    faults.length = 0;
    const types = (await (await call("GET", "/actions")).json()) as { type: string; settings: object[] }[];
    forms.hooks.removeAllFilters("cf_form_action_settings");
    assert.ok((types.find(({ type }) => type === "email")?.settings.length ?? 0) > 3);
    assert.match(faults.join("\n"), /the settings of the action type wrong cannot be read .*missing field `key`/);
  });
});
