/** Compares two contents of a form. */
import { isRecord } from "../is-record.ts";
import { type Content, type Field, fieldOf } from "./content.ts";
import { isDeepEqual } from "./deep-equal.ts";
import { renamesBetween, withRenames } from "./renames.ts";
import { actionKey } from "./units.ts";

type Members = Readonly<Record<string, unknown>>;

export type Difference =
  | { readonly kind: "added" | "removed"; readonly what: string }
  | { readonly kind: "changed"; readonly what: string; readonly members: readonly string[] }
  | { readonly kind: "moved" }
  | { readonly kind: "other"; readonly what: "title" | "layout" | "markup" | "source" }
  | { readonly kind: "setting"; readonly key: string; readonly before: unknown; readonly after: unknown }
  | { readonly kind: "message"; readonly key: string }
  | {
      readonly kind: "action";
      readonly change: "added" | "removed" | "changed" | "moved";
      readonly type: string;
      readonly name: string;
    };

/** Settings that other lines show: those of the actions, and those of renamed fields. */
const DERIVED: ReadonlySet<string> = new Set(["actions", "former_names"]);

/** Lists the differences: title, fields, order, layout, source, HTML, then settings, actions and messages. */
export function differenceOf(before: Content, after: Content, titleOf: TitleOf = labelOrName): readonly Difference[] {
  const renames = renamesBetween(before, after);
  const earlier = withRenames(before, renames);
  const fields = fieldDifferences(earlier, after, new Set(renames.values()), titleOf);
  return [...fields, ...settingDifferences(earlier, after)];
}

/** Names a field for people. */
type TitleOf = (field: Field) => string;

const labelOrName: TitleOf = ({ label, name }) => label || name;

function fieldDifferences(
  before: Content,
  after: Content,
  renamed: ReadonlySet<string>,
  titleOf: TitleOf,
): readonly Difference[] {
  const found: Difference[] = [];
  if (before.title !== after.title) found.push({ kind: "other", what: "title" });
  const earlier = new Map(before.schema.fields.map((field) => [field.name, field]));
  const later = new Map(after.schema.fields.map((field) => [field.name, field]));
  for (const field of earlier.values())
    if (!later.has(field.name)) found.push({ kind: "removed", what: titleOf(field) });
  for (const field of later.values()) {
    const old = earlier.get(field.name);
    if (old === undefined) found.push({ kind: "added", what: titleOf(field) });
    else {
      const members = [...changedMembers(old, field), ...(renamed.has(field.name) ? ["name"] : [])];
      if (members.length > 0) found.push({ kind: "changed", what: titleOf(field), members });
    }
  }
  const common = (content: Content, others: ReadonlyMap<string, unknown>) =>
    content.schema.fields.flatMap(({ name }) => (others.has(name) ? [name] : [])).join("\n");
  if (common(before, later) !== common(after, earlier)) found.push({ kind: "moved" });
  if (!isDeepEqual(layoutOf(before), layoutOf(after))) found.push({ kind: "other", what: "layout" });
  if (before.source !== after.source) found.push({ kind: "other", what: "source" });
  const isMarkup = before.source === "markup" && after.source === "markup";
  if (isMarkup && before.markup !== after.markup) found.push({ kind: "other", what: "markup" });
  return found;
}

/** Returns the members that differ, apart from the position in the form. */
function changedMembers(before: Field, after: Field): readonly string[] {
  if (before === after) return [];
  return Object.keys(fieldOf({ name: "" })).filter(
    (key) => key !== "position" && !isDeepEqual(before[key as keyof Field], after[key as keyof Field]),
  );
}

/** Returns the names of fields that are new, or differ from the earlier field of that name. */
export function changedFieldNames(before: readonly Field[], after: readonly Field[]): ReadonlySet<string> {
  const earlier = new Map(before.map((field) => [field.name, field]));
  const differs = (field: Field): boolean => {
    const old = earlier.get(field.name);
    return old === undefined || changedMembers(old, field).length > 0;
  };
  return new Set(after.filter(differs).map(({ name }) => name));
}

/** Layout without the fields of its steps, which follow the fields' order. */
const layoutOf = ({ schema: { layout } }: Content): unknown => ({
  ...layout,
  steps: (layout.steps ?? []).map(({ fields: _, ...step }) => step),
});

function settingDifferences(before: Content, after: Content): readonly Difference[] {
  const settings = changedKeys(before.settings, after.settings)
    .filter((key) => !DERIVED.has(key))
    .map((key): Difference => ({ kind: "setting", key, before: before.settings[key], after: after.settings[key] }));
  const messages = changedKeys(before.messages, after.messages).map((key): Difference => ({ kind: "message", key }));
  return [...settings, ...actionDifferences(before, after), ...messages];
}

const changedKeys = (before: Members, after: Members): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !isDeepEqual(before[key], after[key]));

function actionDifferences(before: Content, after: Content): readonly Difference[] {
  const [earlier, later] = [actionsOf(before), actionsOf(after)];
  const line = (change: "added" | "removed" | "changed", action: Members): Difference => ({
    kind: "action",
    change,
    type: String(action["type"]),
    name: String(action["action_name"] ?? ""),
  });
  const removed = [...earlier].flatMap(([key, action]) => (later.has(key) ? [] : [line("removed", action)]));
  const others = [...later].flatMap(([key, action]) => {
    const old = earlier.get(key);
    if (old === undefined) return [line("added", action)];
    return isDeepEqual(old, action) ? [] : [line("changed", action)];
  });
  const isMoved = removed.length === 0 && others.length === 0 && !isDeepEqual([...earlier.keys()], [...later.keys()]);
  return isMoved ? [{ kind: "action", change: "moved", type: "", name: "" }] : [...removed, ...others];
}

function actionsOf({ settings }: Content): ReadonlyMap<string, Members> {
  const actions = settings["actions"];
  const known = Array.isArray(actions) ? actions.filter(isRecord) : [];
  return new Map(known.map((action, index) => [actionKey(action, index), action]));
}
