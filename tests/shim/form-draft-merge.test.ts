/** Three-way merge of a form's draft with another user's changes (admin/shared/draft/merge.ts). */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { apply } from "../../admin/shared/draft/commands.ts";
import { type Content, EMPTY_SCHEMA, fieldOf, isSameContent } from "../../admin/shared/draft/content.ts";
import { differenceOf } from "../../admin/shared/draft/difference.ts";
import { decide, merge, mergeLines } from "../../admin/shared/draft/merge.ts";
import { contentOf, unitsOf } from "../../admin/shared/draft/units.ts";

type FieldInput = Parameters<typeof fieldOf>[0];

const BASE_FIELDS: readonly FieldInput[] = [
  { name: "name", label: "Name" },
  { name: "mail", type: "email", label: "Mail" },
  { name: "note", type: "textarea", label: "Note" },
];
const ACTION = { action_id: "a1", type: "email", to: "one@example.com", subject: "Hi" };

function content(fields = BASE_FIELDS, more: Partial<Content> = {}): Content {
  const named = fields.map((field, position) => fieldOf({ ...field, position }));
  return {
    title: "Form",
    source: "schema",
    markup: "",
    schema: { ...EMPTY_SCHEMA, fields: named },
    settings: { submission_limit: 0, actions: [ACTION] },
    messages: { success: "Thanks" },
    ...more,
  };
}

const withField = (name: string, change: Partial<FieldInput>) =>
  BASE_FIELDS.map((field) => (field.name === name ? { ...field, ...change } : field));
const labels = ({ schema }: Content) => schema.fields.map(({ label }) => label);

interface Case {
  readonly what: string;
  readonly theirs: Content;
  readonly yours: Content;
  readonly merged: Content;
  readonly conflicts?: readonly string[];
}

const stepped = (places: Readonly<Record<string, readonly string[]>>, fields = BASE_FIELDS): Content => {
  const plain = content(fields);
  const steps = Object.entries(places).map(([id, names]) => ({ id, title: id, fields: [...names] }));
  return { ...plain, schema: { ...plain.schema, layout: { type: "multi-step", steps } } };
};

const CASES: readonly Case[] = [
  {
    what: "members of one field",
    theirs: content(withField("mail", { label: "E-mail" })),
    yours: content(withField("mail", { required: true })),
    merged: content(withField("mail", { label: "E-mail", required: true })),
  },
  {
    what: "the same change on both sides",
    theirs: content(withField("mail", { label: "E-mail" })),
    yours: content(withField("mail", { label: "E-mail" })),
    merged: content(withField("mail", { label: "E-mail" })),
  },
  {
    what: "a field that each side added, at its place",
    theirs: content([{ name: "first", label: "First" }, ...BASE_FIELDS]),
    yours: content([...BASE_FIELDS, { name: "last", label: "Last" }]),
    merged: content([{ name: "first", label: "First" }, ...BASE_FIELDS, { name: "last", label: "Last" }]),
  },
  {
    what: "an order and a label",
    theirs: content([...BASE_FIELDS].reverse()),
    yours: content(withField("mail", { label: "E-mail" })),
    merged: content([...withField("mail", { label: "E-mail" })].reverse()),
  },
  {
    what: "a removed field that the other side left alone",
    theirs: content(BASE_FIELDS.slice(1)),
    yours: content(withField("mail", { label: "E-mail" })),
    merged: content(withField("mail", { label: "E-mail" }).slice(1)),
  },
  {
    what: "a removed field that the other side changed",
    theirs: content(BASE_FIELDS.slice(1)),
    yours: content(withField("name", { label: "Your name" })),
    merged: content(withField("name", { label: "Your name" })),
    conflicts: ["fields name"],
  },
  {
    what: "one member that both sides changed",
    theirs: content(withField("mail", { label: "E-mail" })),
    yours: content(withField("mail", { label: "Email address" })),
    merged: content(withField("mail", { label: "Email address" })),
    conflicts: ["fields mail label"],
  },
  {
    what: "settings, actions and messages, each by its unit",
    theirs: content(BASE_FIELDS, { settings: { submission_limit: 5, actions: [{ ...ACTION, subject: "Hello" }] } }),
    yours: content(BASE_FIELDS, {
      settings: { submission_limit: 0, actions: [{ ...ACTION, to: "two@example.com" }] },
      messages: { success: "Thank you" },
    }),
    merged: content(BASE_FIELDS, {
      settings: { submission_limit: 5, actions: [{ ...ACTION, to: "two@example.com", subject: "Hello" }] },
      messages: { success: "Thank you" },
    }),
  },
  {
    what: "a removed action beside a new one",
    theirs: content(BASE_FIELDS, { settings: { submission_limit: 0, actions: [] } }),
    yours: content(BASE_FIELDS, {
      settings: { submission_limit: 0, actions: [ACTION, { action_id: "a2", type: "webhook" }] },
    }),
    merged: content(BASE_FIELDS, {
      settings: { submission_limit: 0, actions: [{ action_id: "a2", type: "webhook" }] },
    }),
  },
];

describe("merging a draft", () => {
  for (const { what, theirs, yours, merged, conflicts = [] } of CASES)
    it(`keeps both sides' changes: ${what}`, () => {
      const result = merge(content(), theirs, yours);
      assert.deepEqual(
        result.conflicts.map(({ path }) => path.join(" ")),
        conflicts,
      );
      assert.deepEqual(unitsOf(result.content), unitsOf(merged));
    });

  it("moves fields between steps on one side and renames a step on the other", () => {
    const base = stepped({ one: ["name", "mail"], two: ["note"] });
    const theirs = stepped({ one: ["name"], two: ["mail", "note"] });
    const [first, second] = base.schema.layout.steps ?? [];
    assert.ok(first !== undefined && second !== undefined);
    const renamed = { ...base.schema.layout, steps: [{ ...first, title: "You" }, second] };
    const yours = { ...base, schema: { ...base.schema, layout: renamed } };
    const { content: merged, conflicts } = merge(base, theirs, yours);
    assert.deepEqual(conflicts, []);
    assert.deepEqual(
      merged.schema.layout.steps?.map(({ title, fields }) => [title, fields]),
      [
        ["You", ["name"]],
        ["two", ["mail", "note"]],
      ],
    );
  });

  it("sets a conflicting unit to either side", () => {
    const theirs = content(withField("mail", { label: "E-mail" }));
    const { content: merged, conflicts } = merge(content(), theirs, content(withField("mail", { label: "Address" })));
    const [conflict] = conflicts;
    assert.ok(conflict !== undefined);
    assert.deepEqual(labels(decide(merged, conflict, "theirs")), ["Name", "E-mail", "Note"]);
    assert.deepEqual(labels(decide(merged, conflict, "yours")), ["Name", "Address", "Note"]);
    const removed = merge(content(), content(BASE_FIELDS.slice(1)), content(withField("name", { label: "You" })));
    const [gone] = removed.conflicts;
    assert.ok(gone !== undefined);
    assert.deepEqual(labels(decide(removed.content, gone, "theirs")), ["Mail", "Note"]);
  });

  it("follows a field that one side renamed, with conditions and actions that name it", () => {
    const fields: readonly FieldInput[] = [
      ...BASE_FIELDS,
      { name: "more", conditions: [{ field: "mail", operator: "is_not_empty" }] },
    ];
    const action = { ...ACTION, to: "[mail]", conditions: [{ field: "mail", operator: "is_not_empty" }] };
    const settings = { required_fields: "name, mail", endings: [{ title: "To [mail]" }], actions: [action] };
    const base = content(fields, { settings, messages: { success: "Sent to [mail]" } });
    const rename = (name: string, to: string, label: string) =>
      apply(apply(base, { kind: "update", name, change: { label } }), { kind: "update", name, change: { name: to } });
    const renamed = rename("mail", "email", "Email");
    assert.deepEqual(renamed.settings, {
      required_fields: "name, email",
      endings: [{ title: "To [email]" }],
      actions: [{ ...ACTION, to: "[email]", conditions: [{ field: "email", operator: "is_not_empty" }] }],
    });
    assert.deepEqual(renamed.messages, { success: "Sent to [email]" });
    assert.deepEqual(differenceOf(base, renamed), [{ kind: "changed", what: "Email", members: ["label", "name"] }]);

    const required = apply(base, { kind: "update", name: "mail", change: { required: true } });
    for (const [theirs, yours] of [
      [required, renamed],
      [renamed, required],
    ] as const) {
      const { content: merged, conflicts } = merge(base, theirs, yours);
      assert.deepEqual(conflicts, []);
      assert.deepEqual(
        merged.schema.fields.map(({ name, required }) => [name, required]),
        [
          ["name", false],
          ["email", true],
          ["note", false],
          ["more", false],
        ],
      );
      assert.deepEqual(merged.schema.fields[3]?.conditions, [{ field: "email", operator: "is_not_empty" }]);
      assert.deepEqual(merged.settings, renamed.settings);
    }
    const { content: both, conflicts } = merge(base, rename("mail", "address", "Address"), renamed);
    assert.deepEqual(
      both.schema.fields.map(({ name }) => name),
      ["name", "email", "note", "more"],
    );
    assert.deepEqual(
      conflicts.map(({ path }) => path.join(" ")).filter((path) => path.startsWith("fields")),
      ["fields email label"],
    );
  });

  it("a renamed field that gets its old name back makes the draft equal to the live form again", () => {
    const live = content(BASE_FIELDS, { settings: { former_names: {}, actions: [ACTION] } });
    const renamed = apply(live, { kind: "update", name: "mail", change: { name: "address" } });
    assert.ok(!isSameContent(renamed, live));
    const back = apply(renamed, { kind: "update", name: "address", change: { name: "mail" } });
    assert.ok(isSameContent(back, live));
    assert.ok(!isSameContent(apply(renamed, { kind: "update", name: "address", change: { name: "mail" } }), renamed));
  });

  it("splits a content into units and joins it again", () => {
    for (const { theirs, yours } of CASES)
      for (const one of [theirs, yours, stepped({ one: ["name", "mail"], two: ["note"] })])
        assert.deepEqual(contentOf(unitsOf(one), one), one);
  });
});

describe("merging HTML by lines", () => {
  const base = "<p>one\n<p>two\n<p>three\n<p>four\n";
  for (const [what, theirs, yours, merged] of [
    ["distant lines", base.replace("one", "1"), base.replace("four", "4"), "<p>1\n<p>two\n<p>three\n<p>4\n"],
    ["an insertion and a removal", `<h1>\n${base}`, base.replace("<p>four\n", ""), "<h1>\n<p>one\n<p>two\n<p>three\n"],
    ["the same change", base.replace("two", "2"), base.replace("two", "2"), base.replace("two", "2")],
    ["one line on both sides", base.replace("two", "2"), base.replace("two", "II"), null],
    ["adjacent lines", base.replace("two", "2"), base.replace("three", "3"), null],
    ["no final line break", base.replace("one", "1"), base.trimEnd(), "<p>1\n<p>two\n<p>three\n<p>four"],
  ] as const)
    it(what, () => assert.equal(mergeLines(base, theirs, yours), merged));
});
