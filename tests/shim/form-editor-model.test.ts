/** The form editor's model: random sequences of edits, undos, redos and saves (admin/features/form-editor/model). */
import assert from "node:assert/strict";
import { it } from "node:test";
import { conditionsOf, sentenceOf } from "../../admin/ui/condition-tree.ts";
import type { Command } from "../../admin/shared/draft/commands.ts";
import {
  type Condition,
  type Content,
  EMPTY_SCHEMA,
  type Field,
  fieldOf,
  toDraft,
} from "../../admin/shared/draft/content.ts";
import { insertableFields, parseFields, serializeFields } from "../../admin/features/form-editor/model/clipboard.ts";
import { differenceOf } from "../../admin/shared/draft/difference.ts";
import { dropPlaceAt } from "../../admin/features/form-editor/model/drop-place.ts";
import { parseOptions, relabelOption } from "../../admin/features/form-editor/model/options.ts";
import { rowsOf, shiftedTarget, targetAt } from "../../admin/features/form-editor/model/rows.ts";
import { markupEditsOf } from "../../admin/shared/draft/markup-edits.ts";
import {
  startHistory,
  type History,
  isUnsaved,
  redo,
  run,
  markStored,
  undo,
} from "../../admin/shared/draft/history.ts";
import { cycleIn, fieldNamesIn } from "../../admin/shared/draft/references.ts";
import { partsOf, schemaOf, stepsOf, type Target } from "../../admin/shared/draft/tree.ts";

const SEQUENCES = 5_000;
const NAMES = ["a", "b", "c", "d", "e", "box", "set"];

/** Numbers that are the same in each run (mulberry32). */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

function randomCommand(roll: (sides: number) => number, { schema }: Content): Command {
  const pick = <Item>(items: readonly Item[]): Item => items[roll(items.length)] as Item;
  const names = [...schema.fields.map(({ name }) => name), "none"];
  const steps = [null, "none", ...stepsOf(schema).map(({ id }) => id)];
  const target = (): Target => ({
    step: pick(steps),
    group: pick([null, null, ...names]),
    after: pick([null, ...names]),
  });
  const fresh = (): Field => {
    const name = pick(NAMES);
    const type = name === "box" ? "container" : name === "set" ? "fieldset" : "text";
    return fieldOf({
      name,
      type,
      group: pick([null, "box"]),
      conditions:
        roll(3) > 0
          ? []
          : [
              {
                any: [
                  { field: pick(names), operator: "checked" },
                  { field: pick(names), operator: "equals", value: "1" },
                ],
              },
            ],
    });
  };
  switch (roll(13)) {
    case 0:
    case 1:
    case 2:
      return { kind: "add", fields: [fresh(), fresh()], target: target() };
    case 3:
      return { kind: "remove", names: [pick(names), pick(names)] };
    case 4:
    case 5:
      return { kind: "move", names: [pick(names), pick(names)], target: target() };
    case 6:
      return { kind: "update", name: pick(names), change: { label: `label ${roll(99)}` } };
    case 7:
      return { kind: "update", name: pick(names), change: pick([{ name: pick(NAMES) }, { type: "text" as const }]) };
    case 8:
      return { kind: "layout", type: pick(["single", "multi-step", "conversational"] as const) };
    case 9:
      return pick<Command>([
        { kind: "add_step", id: `s${roll(4)}`, title: "Step" },
        { kind: "update_step", id: pick(steps) ?? "", title: `Title ${roll(9)}` },
        { kind: "remove_step", id: pick(steps) ?? "" },
        { kind: "move_step", id: pick(steps) ?? "", by: pick([1, -1] as const) },
      ]);
    case 10:
      return { kind: "title", title: `Title ${roll(9)}` };
    case 11:
      return { kind: "settings", change: { theme: pick(["calm", "bold"]) } };
    default:
      return { kind: "markup", markup: `<p>${roll(99)}</p>`, schema: EMPTY_SCHEMA };
  }
}

function check({ schema }: Content, word: string): void {
  const names = schema.fields.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length, `${word}: a name twice`);
  schema.fields.forEach(({ position, group }, index) => {
    assert.equal(position, index, `${word}: positions`);
    assert.ok(
      group === null ||
        schema.fields.some(({ name, type }) => name === group && (type === "container" || type === "fieldset")),
      `${word}: the group ${group} is there`,
    );
  });
  const inSteps = stepsOf(schema).flatMap(({ fields }) => fields ?? []);
  assert.equal(new Set(inSteps).size, inSteps.length, `${word}: a field in two steps`);
  for (const name of inSteps) assert.ok(names.includes(name), `${word}: ${name} of a step is gone`);
  const again = schemaOf(partsOf(schema), schema);
  assert.deepEqual(new Set(again.fields.map(({ name }) => name)), new Set(names), `${word}: the tree has every field`);
}

it("shows what is stored, and leads back to the start, after any sequence", () => {
  let edits = 0;
  for (let seed = 1; seed <= SEQUENCES; seed += 1) {
    const roll = dice(seed);
    const start: Content = {
      title: "Start",
      source: "schema",
      markup: "",
      schema: { ...EMPTY_SCHEMA, fields: [fieldOf({ name: "a" })] },
      settings: {},
      messages: {},
    };
    const atStart = structuredClone(start);
    let history: History = startHistory(start);
    let kept = JSON.stringify(toDraft(start, start, 1));
    for (let turn = 0; turn < 12 + roll(20); turn += 1) {
      const choice = roll(10);
      const before = history;
      if (choice < 6) history = run(history, randomCommand(roll, history.shown), roll(3) === 0 ? "word" : null);
      else if (choice < 8) history = undo(history);
      else if (choice < 9) history = redo(history);
      else {
        // What is edited while a save is under way is not what is stored.
        const sent = history.shown;
        kept = JSON.stringify(toDraft(sent, start, 1));
        if (roll(2) === 0) history = run(history, randomCommand(roll, history.shown));
        history = markStored(history, sent);
      }
      if (history !== before && choice < 6) edits += 1;
      check(history.shown, `seed ${seed}, turn ${turn}`);
      if (!isUnsaved(history))
        assert.equal(JSON.stringify(toDraft(history.shown, start, 1)), kept, `seed ${seed}: shown is stored`);
    }
    while (history.past.length > 0) {
      const { shown } = history;
      history = undo(history);
      assert.equal(redo(history).shown, shown, `seed ${seed}: redo`);
    }
    assert.deepEqual(history.shown, atStart, `seed ${seed}: undo to the start`);
  }
  assert.ok(edits > SEQUENCES * 5, `${edits} edits`);
});

it("moves, renames and removes with everything that refers to a field", () => {
  const field = (name: string, more: Partial<Field> = {}): Field => fieldOf({ name, ...more });
  const schema = {
    ...EMPTY_SCHEMA,
    fields: [
      field("a"),
      field("box", { type: "container", position: 1 }),
      field("b", { group: "box", position: 2, conditions: [{ field: "a", operator: "checked" }] }),
      field("c", { position: 3 }),
    ],
    layout: {
      type: "multi-step" as const,
      steps: [
        { id: "one", title: "One", fields: ["a", "box", "b"] },
        { id: "two", title: "Two", fields: ["c"] },
      ],
    },
  };
  const content: Content = { title: "", source: "schema", markup: "", schema, settings: {}, messages: {} };
  const after = (command: Command): Content["schema"] => run(startHistory(content), command).shown.schema;
  assert.deepEqual(
    fieldNamesIn(after({ kind: "update", name: "a", change: { name: "z" } }).fields[2]?.conditions ?? []),
    ["z"],
  );
  assert.deepEqual(after({ kind: "update", name: "a", change: { name: "z" } }).layout.steps?.[0]?.fields, [
    "z",
    "box",
    "b",
  ]);
  assert.deepEqual(after({ kind: "update", name: "a", change: { name: "c" } }), schema);
  const twice = run(run(startHistory(content), { kind: "update", name: "a", change: { name: "y" } }), {
    kind: "update",
    name: "y",
    change: { name: "z" },
  });
  assert.deepEqual(twice.shown.schema.form_settings, { former_names: { z: ["y", "a"] } });
  const back = run(twice, { kind: "update", name: "z", change: { name: "a" } });
  assert.deepEqual(back.shown.schema.form_settings, { former_names: { a: ["z", "y"] } });
  const removed = after({ kind: "remove", names: ["a", "box"] });
  assert.deepEqual(
    removed.fields.map(({ name, group, conditions }) => [name, group, conditions.length]),
    [
      ["b", null, 0],
      ["c", null, 0],
    ],
  );
  const moved = after({ kind: "move", names: ["box"], target: { step: "two", group: null, after: "c" } });
  assert.deepEqual(
    moved.layout.steps?.map(({ fields }) => fields),
    [["a"], ["c", "box", "b"]],
  );
  assert.deepEqual(
    after({ kind: "move", names: ["box"], target: { step: null, group: "b", after: null } }).fields.length,
    4,
  );
  assert.deepEqual(
    after({ kind: "move", names: ["c"], target: { step: null, group: "box", after: "b" } }).fields.map(
      ({ name, group }) => [name, group],
    ),
    [
      ["a", null],
      ["box", null],
      ["b", "box"],
      ["c", "box"],
    ],
  );
  assert.deepEqual(
    cycleIn([
      field("x", { conditions: [{ field: "y", operator: "checked" }] }),
      field("y", { conditions: [{ all: [{ field: "x", operator: "checked" }] }] }),
    ]),
    ["x", "y"],
  );
  assert.equal(cycleIn(schema.fields), null);
});

it("says conditions as sentences two levels deep, and as they were", () => {
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

it("adds and takes away in HTML one after the other, each at its place", () => {
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
  // Nobody can have chosen it yet: its value follows, but not to one that is there.
  assert.deepEqual(valuesOf(3, "Newer"), ["A | B=A | B", "x=Same", "x=Same", "Newer=Newer"]);
  assert.equal(valuesOf(3, "x"), undefined);
  assert.equal(valuesOf(9, "x"), undefined);
});

it("keeps the values of options whose labels are changed, and gives new lines their own", () => {
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

it("believes nothing of what is on the clipboard, and gives what it pastes names that are free", () => {
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

it("finds the place of what is let go, and of what the keyboard moves", () => {
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

it("sees no difference in the order in which an object has its members", () => {
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
