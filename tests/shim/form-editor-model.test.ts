/** The form editor's model: random sequences of edits, undos, redos and saves (admin/features/form-editor/model). */
import assert from "node:assert/strict";
import { it } from "node:test";
import type { Command } from "../../admin/shared/draft/commands.ts";
import { conditionsOf, sentenceOf } from "../../admin/ui/condition-tree.ts";
import { type Condition, type Content, EMPTY_SCHEMA, type Field, fieldOf } from "../../admin/shared/draft/content.ts";
import { insertableFields, parseFields, serializeFields } from "../../admin/features/form-editor/model/clipboard.ts";
import { differenceOf } from "../../admin/shared/draft/difference.ts";
import { dropPlaceAt } from "../../admin/features/form-editor/model/drop-place.ts";
import { parseOptions, relabelOption } from "../../admin/features/form-editor/model/options.ts";
import { rowsOf, shiftedTarget, targetAt } from "../../admin/features/form-editor/model/rows.ts";
import { markupEditsOf } from "../../admin/shared/draft/markup-edits.ts";
import { startHistory, run } from "../../admin/shared/draft/history.ts";
import { partsOf, type Target } from "../../admin/shared/draft/tree.ts";

it("converts conditions two levels deep to sentences and back unchanged", () => {
  const rule = (name: string) => ({ field: name, operator: "checked" as const });
  const [a, b, c] = [rule("a"), rule("b"), rule("c")];
  const written: readonly (readonly Condition[])[] = [
    [],
    [a],
    [a, b],
    [{ any: [a, b] }],
    [a, { any: [b, c] }],
    [{ any: [a, { all: [b, c] }] }],
    [{ all: [{ any: [a, b] }] }],
    [{ any: [a], action: "hide" }],
    [{ all: [a, b], action: "hide" }],
  ];
  for (const conditions of written) {
    const sentence = sentenceOf(conditions);
    assert.ok(sentence !== null, JSON.stringify(conditions));
    assert.deepEqual(conditionsOf(sentence), conditions);
  }
  assert.equal(sentenceOf([{ any: [{ all: [{ any: [a, b] }, c] }, b] }]), null);
  assert.equal(sentenceOf([{ ...a, action: "hide" }]), null);
  assert.deepEqual(conditionsOf({ action: "show", match: "all", items: [{ match: "any", rules: [] }] }), []);
});

it("adds and removes fields in HTML in sequence, each at its place", () => {
  const field = (name: string, more: Partial<Field> = {}): Field => fieldOf({ name, ...more });
  const schema = {
    ...EMPTY_SCHEMA,
    fields: [
      field("a"),
      field("box", { type: "fieldset", position: 1 }),
      field("b", { group: "box", position: 2 }),
      field("c", { position: 3 }),
      field("submit", { type: "submit", position: 4 }),
    ],
  };
  const placesOf = (target: Target) =>
    markupEditsOf({ kind: "add", fields: [field("x"), field("y")], target })
      ?.map((edit) => edit(schema))
      .map((edit) => {
        const { position, group } = ("field" in edit ? edit.field : {}) as {
          readonly position?: number;
          readonly group?: string | null;
        };
        return [position, group];
      });
  assert.deepEqual(placesOf({ step: null, group: null, after: "box" })?.[0], [3, null]);
  assert.deepEqual(placesOf({ step: null, group: "box", after: null })?.[0], [2, "box"]);
  assert.deepEqual(placesOf({ step: null, group: "box", after: "b" })?.[0], [undefined, "box"]);
  assert.deepEqual(placesOf({ step: null, group: null, after: "submit" })?.[0], [undefined, undefined]);
  assert.deepEqual(
    markupEditsOf({ kind: "remove", names: ["a", "b"] })?.map((edit) => edit(schema)),
    [{ name: "a" }, { name: "b" }],
  );
  assert.equal(markupEditsOf({ kind: "move", names: ["a"], target: { step: null, group: null, after: null } }), null);
});

it("changes one option's label and no other option", () => {
  const before = [
    { value: "A | B", label: "A | B" },
    { value: "x", label: "Same" },
    { value: "x", label: "Same" },
    { value: "New", label: "New" },
  ];
  const valuesOf = (at: number, label: string) =>
    relabelOption(before, at, label, before.slice(0, 3))?.map((option) => `${option.value}=${option.label}`);
  assert.deepEqual(valuesOf(1, "Other"), ["A | B=A | B", "x=Other", "x=Same", "New=New"]);
  assert.deepEqual(valuesOf(0, "C"), ["A | B=C", "x=Same", "x=Same", "New=New"]);
  // A new option's value follows its label, unless another option has that value.
  assert.deepEqual(valuesOf(3, "Newer"), ["A | B=A | B", "x=Same", "x=Same", "Newer=Newer"]);
  assert.equal(valuesOf(3, "x"), undefined);
  assert.equal(valuesOf(9, "x"), undefined);
});

it("keeps the values of options whose labels are changed, and gives new lines new values", () => {
  const before = ["One", "Two", "Three"].map((label, index) => ({ value: `v${index}`, label }));
  const valuesOf = (text: string) => parseOptions(text, before).map(({ value, label }) => `${value}=${label}`);
  assert.deepEqual(valuesOf("One\nTwo\nThree"), ["v0=One", "v1=Two", "v2=Three"]);
  assert.deepEqual(valuesOf("Three\nOne\nTwo"), ["v2=Three", "v0=One", "v1=Two"]);
  assert.deepEqual(valuesOf("One\nSecond\nThree\nFour"), ["v0=One", "v1=Second", "v2=Three", "Four=Four"]);
  assert.deepEqual(valuesOf("One\nTwo\nThree\nF"), ["v0=One", "v1=Two", "v2=Three", "F=F"]);
  assert.deepEqual(valuesOf("One\n\nThree"), ["v0=One", "v2=Three"]);
  const fresh = [
    { value: "Option 1", label: "Option 1" },
    { value: "x", label: "Option 2" },
  ];
  assert.deepEqual(
    parseOptions("Cat\nDog", fresh, []).map(({ value }) => value),
    ["Cat", "x"],
  );
  assert.deepEqual(
    parseOptions("Cat\nDog", fresh, fresh).map(({ value }) => value),
    ["Option 1", "x"],
  );
  const schema = {
    ...EMPTY_SCHEMA,
    fields: [
      fieldOf({ name: "pet", type: "select", options: fresh }),
      fieldOf({ name: "of", conditions: [{ any: [{ field: "pet", operator: "equals", value: "Option 1" }] }] }),
    ],
  };
  const { shown } = run(startHistory({ title: "", source: "schema", markup: "", schema, settings: {}, messages: {} }), {
    kind: "update",
    name: "pet",
    change: { options: parseOptions("Cat\nDog", fresh, []) },
  });
  assert.deepEqual(shown.schema.fields[1]?.conditions, [{ any: [{ field: "pet", operator: "equals", value: "Cat" }] }]);
  assert.deepEqual(valuesOf("v1 | Deux\nx | One"), ["v1=Deux", "x=One"]);
});

it("checks the content of the clipboard, and gives pasted fields unused names", () => {
  for (const text of [
    "",
    "no",
    "null",
    "[]",
    '{"cf-fields":{}}',
    '{"cf-fields":[null,7,{"name":"x","type":"script"},{"type":"text"}]}',
  ])
    assert.deepEqual(parseFields(text), []);
  const [hostile] = parseFields(
    JSON.stringify({
      "cf-fields": [
        {
          name: "x",
          type: "select",
          label: 7,
          options: ["a", { value: {}, label: "b" }],
          validation: { min: "1" },
          attributes: { a: 1 },
          conditions: [{ field: 1 }, { any: [7] }],
        },
      ],
    }),
  );
  assert.deepEqual(hostile, fieldOf({ name: "x", type: "select", options: [{ value: "", label: "b" }] }));
  const copied = [
    fieldOf({ name: "box", type: "container" }),
    fieldOf({
      name: "a",
      group: "box",
      conditions: [
        { field: "b", operator: "checked" },
        { field: "gone", operator: "checked" },
      ],
    }),
    fieldOf({ name: "b" }),
  ];
  assert.deepEqual(parseFields(serializeFields(copied)), copied);
  const pasted = insertableFields(copied, [fieldOf({ name: "box" }), fieldOf({ name: "b" })]);
  assert.deepEqual(
    pasted.map(({ name, group }) => [name, group]),
    [
      ["box_2", null],
      ["a", "box_2"],
      ["b_2", null],
    ],
  );
  assert.deepEqual(pasted[1]?.conditions, [{ field: "b_2", operator: "checked" }]);
});

it("finds the target of a drop, and of a move by keyboard", () => {
  const field = (name: string, more: Partial<Field> = {}): Field => fieldOf({ name, ...more });
  const schema = {
    ...EMPTY_SCHEMA,
    fields: [
      field("a"),
      field("box", { type: "container" }),
      field("b", { group: "box" }),
      field("c"),
      field("send", { type: "submit" }),
    ],
    layout: {
      type: "multi-step" as const,
      steps: [
        { id: "one", fields: ["a", "box", "b"] },
        { id: "two", fields: ["c"] },
      ],
    },
  };
  const rows = rowsOf(partsOf(schema));
  assert.deepEqual(
    rows.map(({ id, depth }) => `${depth} ${id}`),
    ["0 step:one", "1 a", "1 box", "2 b", "0 step:two", "1 c", "0 send"],
  );
  assert.equal(rowsOf(partsOf(schema), rows)[3], rows[3]);
  const shifted = (name: string, by: 1 | -1) => {
    const row = rows.find(({ id }) => id === name);
    return row === undefined ? null : shiftedTarget(rows, row, by);
  };
  assert.deepEqual(shifted("a", 1), { step: "one", group: null, after: "box" });
  assert.deepEqual(shifted("b", 1), { step: "one", group: null, after: "box" });
  assert.deepEqual(shifted("box", 1), { step: "two", group: null, after: null });
  assert.deepEqual(shifted("c", -1), { step: "one", group: null, after: "box" });
  assert.equal(shifted("c", 1), null);
  assert.deepEqual(targetAt(rows, "step:two", "before"), { step: "one", group: null, after: "box" });
  assert.deepEqual(targetAt(rows, "box", "on"), { step: "one", group: "box", after: null });

  const boxes = rows.flatMap(({ field: member, place }, index) =>
    member === null
      ? []
      : [
          {
            name: member.name,
            isContainer: member.type === "container",
            place,
            left: 0,
            top: index * 100,
            width: 100,
            height: member.name === "box" ? 200 : 100,
          },
        ],
  );
  assert.deepEqual(dropPlaceAt(boxes, 50, 110), {
    target: { step: "one", group: null, after: null },
    beside: null,
    line: { left: 0, top: 96, width: 100, height: 4 },
  });
  assert.deepEqual(dropPlaceAt(boxes, 95, 150)?.target, { step: "one", group: null, after: "a" });
  assert.equal(dropPlaceAt(boxes, 95, 150)?.beside, "a");
  assert.deepEqual(dropPlaceAt(boxes, 50, 390)?.target, { step: "one", group: "box", after: "b" });
  assert.deepEqual(dropPlaceAt(boxes, 50, 5_000)?.target, { step: null, group: null, after: "send" });
  assert.equal(dropPlaceAt([], 1, 1), null);
});

it("ignores the order of an object's members", () => {
  const content = (options: readonly { readonly value: string; readonly label: string }[]): Content => ({
    title: "Form",
    source: "schema",
    markup: "",
    settings: {},
    messages: {},
    schema: { ...EMPTY_SCHEMA, fields: [fieldOf({ name: "who", type: "radio", options })] },
  });
  const one = content([{ value: "a", label: "A" }]);
  assert.deepEqual(differenceOf(one, content([{ label: "A", value: "a" }])), []);
  assert.deepEqual(differenceOf(one, content([{ label: "B", value: "a" }])), [
    { kind: "changed", what: "who", members: ["options"] },
  ]);
});

it("placeholders for answers follow a rename, and become their fallback when the field is deleted", () => {
  const fields = [
    fieldOf({ name: "nick", type: "text" }),
    fieldOf({ name: "who", type: "name" }),
    fieldOf({ name: "stay", type: "text", label: "How was it, [NICK|guest] [who.first] [optional] [nick](/x)?" }),
  ];
  const schema = { ...EMPTY_SCHEMA, fields };
  const start = startHistory({ title: "", source: "schema", markup: "", schema, settings: {}, messages: {} });
  const after = (command: Command): string | undefined =>
    run(start, command).shown.schema.fields.find(({ name }) => name === "stay")?.label;
  assert.equal(
    after({ kind: "update", name: "nick", change: { name: "short" } }),
    "How was it, [short|guest] [who.first] [optional] [nick](/x)?",
  );
  assert.equal(after({ kind: "remove", names: ["nick", "who"] }), "How was it, guest  [optional] [nick](/x)?");
});
