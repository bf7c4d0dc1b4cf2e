/** Expressions follow renames of their fields in the editor, and tables of weights keep numbers only. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { renameInExpression } from "../../admin/shared/draft/expressions.ts";
import { tableOf } from "../../admin/features/form-editor/properties/weights.ts";

it("a rename changes only names", () => {
  const names = new Set(["qty", "who", "a b", "sum", "x.y"]);
  const renamed = (text: string, from: string, to: string | null): string =>
    renameInExpression(text, names, (name) => (name === from ? to : name));
  for (const [text, from, to, expected] of [
    ["qty*2 + [qty] - quantity", "qty", "n", "n*2 + n - quantity"],
    ["len(who.first) & 'who' & \"who\"", "who", "person", "len(person.first) & 'who' & \"who\""],
    ["sum(sum, [a b])", "sum", "all", "sum(all, [a b])"],
    ["[a b] + qty", "a b", "c d", "[c d] + qty"],
    ["[x.y] + 1", "x.y", "z", "z + 1"],
    ["qty and true", "qty", "and", "[and] and true"],
    ["qty + 1", "qty", null, "'' + 1"],
    ["'it''s qty' & qty", "qty", "n", "'it''s qty' & n"],
  ] as const)
    assert.equal(renamed(text, from, to), expected, text);
});

it("a table of weights keeps only numbers", () => {
  assert.equal(
    tableOf(
      new Map([
        ["a", "1,5"],
        ["b", ""],
        ["c", "x"],
        ["d", "-2"],
      ]),
    ),
    '{"a":1.5,"d":-2}',
  );
  assert.equal(tableOf(new Map([["a", ""]])), "");
});
