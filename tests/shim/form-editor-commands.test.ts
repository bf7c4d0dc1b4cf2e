/** The form editor's commands: their changes, and undo. */
import assert from "node:assert/strict";
import { it } from "node:test";
import type { Command } from "../../admin/shared/draft/commands.ts";
import { type Content, EMPTY_SCHEMA, type Field, fieldOf, toDraft } from "../../admin/shared/draft/content.ts";
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
import { SEQUENCES, dice, randomCommand, check } from "./random-commands.ts";

it("after any sequence, content without unsaved changes equals the stored one, and undo leads to the start", () => {
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
        // Edits during a save are not part of the stored content.
        const sent = history.shown;
        kept = JSON.stringify(toDraft(sent, start, 1));
        if (roll(2) === 0) history = run(history, randomCommand(roll, history.shown));
        history = markStored(history, sent);
      }
      if (history !== before && choice < 6) edits += 1;
      check(history.shown, `seed ${seed}, turn ${turn}`);
      if (!isUnsaved(history))
        assert.equal(
          JSON.stringify(toDraft(history.shown, start, 1)),
          kept,
          `seed ${seed}: the shown content is stored`,
        );
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

it("moves, renames and removes a field with all references to it", () => {
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
