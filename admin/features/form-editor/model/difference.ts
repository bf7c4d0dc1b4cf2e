/** Compares two contents of a form. */
import { type Content, fieldOf } from "./content.ts";
import { isDeepEqual } from "./deep-equal.ts";

export interface Difference {
  readonly kind: "added" | "removed" | "changed" | "moved" | "other";
  readonly what: string;
  readonly members: readonly string[];
}

export function differenceOf(before: Content, after: Content): readonly Difference[] {
  const found: Difference[] = [];
  if (before.title !== after.title) found.push({ kind: "other", what: "title", members: [] });
  const earlier = new Map(before.schema.fields.map((field) => [field.name, field]));
  const later = new Map(after.schema.fields.map((field) => [field.name, field]));
  for (const { name, label } of earlier.values())
    if (!later.has(name)) found.push({ kind: "removed", what: label || name, members: [] });
  for (const field of later.values()) {
    const old = earlier.get(field.name);
    if (old === undefined) found.push({ kind: "added", what: field.label || field.name, members: [] });
    else {
      const members = Object.keys(fieldOf({ name: "" })).filter(
        (key) => key !== "position" && !isDeepEqual(old[key as keyof typeof old], field[key as keyof typeof field]),
      );
      if (members.length > 0) found.push({ kind: "changed", what: field.label || field.name, members });
    }
  }
  const common = (content: Content, others: ReadonlyMap<string, unknown>) =>
    content.schema.fields.flatMap(({ name }) => (others.has(name) ? [name] : [])).join("\n");
  if (common(before, later) !== common(after, earlier)) found.push({ kind: "moved", what: "", members: [] });
  if (!isDeepEqual(before.schema.layout, after.schema.layout))
    found.push({ kind: "other", what: "layout", members: [] });
  if (before.source === "markup" && after.source === "markup" && before.markup !== after.markup)
    found.push({ kind: "other", what: "markup", members: [] });
  return found;
}
