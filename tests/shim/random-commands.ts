/** Random commands of the form editor, and the invariants after each. */
import assert from "node:assert/strict";
import type { Command } from "../../admin/shared/draft/commands.ts";
import { type Content, EMPTY_SCHEMA, type Field, fieldOf } from "../../admin/shared/draft/content.ts";
import { partsOf, schemaOf, stepsOf, type Target } from "../../admin/shared/draft/tree.ts";

export const SEQUENCES = 5_000;

const NAMES = ["a", "b", "c", "d", "e", "box", "set"];

/** Random numbers that are the same in each run (mulberry32). */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

export function randomCommand(roll: (sides: number) => number, { schema }: Content): Command {
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

export function check({ schema }: Content, word: string): void {
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
