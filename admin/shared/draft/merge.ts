/** Three-way merge of a form's content: local changes and other users' changes since a common base. */
import { diffLines } from "diff";
import type { Content } from "./content.ts";
import { isDeepEqual } from "./deep-equal.ts";
import { alignNames } from "./renames.ts";
import { contentOf, type Units, unitsOf } from "./units.ts";

type Members = Readonly<Record<string, unknown>>;
type Section = Exclude<keyof Units, `${string}Order`>;

/** A unit that both sides changed to different values. A missing value means that the side deleted the unit. */
export interface Conflict {
  /** Section, then the member, or the item and its member. */
  readonly path: readonly [Section, ...string[]];
  readonly theirs: unknown;
  readonly yours: unknown;
}

export interface Merged {
  readonly content: Content;
  /** Number of units that were taken from the other side. */
  readonly taken: number;
  readonly conflicts: readonly Conflict[];
}

interface Tally {
  taken: number;
  readonly conflicts: Conflict[];
}

/** Merges `theirs` into `yours`. Conflicting units keep your value. All contents have complete settings and messages. */
export function merge(...contents: readonly [base: Content, theirs: Content, yours: Content]): Merged {
  const [base, theirs, yours] = alignNames(...contents);
  const [from, other, mine] = [unitsOf(base), unitsOf(theirs), unitsOf(yours)];
  const tally: Tally = { taken: 0, conflicts: [] };
  const values = mergeMembers(["values"], from.values, other.values, mine.values, tally);
  const items = (section: "fields" | "steps" | "actions") =>
    mergeItems(section, from[section], other[section], mine[section], tally);
  const order = (section: "fieldOrder" | "stepOrder" | "actionOrder") =>
    mergeOrder(from[section], other[section], mine[section]);
  const merged: Units = {
    values,
    fields: items("fields"),
    fieldOrder: order("fieldOrder"),
    steps: items("steps"),
    stepOrder: order("stepOrder"),
    settings: mergeMembers(["settings"], from.settings, other.settings, mine.settings, tally),
    actions: items("actions"),
    actionOrder: order("actionOrder"),
    messages: mergeMembers(["messages"], from.messages, other.messages, mine.messages, tally),
  };
  return { content: contentOf(merged, values["source"] === other.values["source"] ? theirs : yours), ...tally };
}

/** Sets the unit of a conflict to one of its values. */
export function decide(content: Content, { path, ...values }: Conflict, side: "theirs" | "yours"): Content {
  const units = unitsOf(content);
  const [section, key = "", member] = path;
  const value = values[side];
  const members: Members = units[section];
  const item = (member === undefined ? {} : (members[key] ?? {})) as Members;
  const next = member === undefined ? value : withMember(item, member, value);
  const changed: Units = { ...units, [section]: withMember(members, key, next) };
  const order = `${section.slice(0, -1)}Order` as keyof Units;
  const isNewItem = order in units && value !== undefined && !(key in members);
  return contentOf(
    isNewItem ? { ...changed, [order]: [...(units[order] as readonly string[]), key] } : changed,
    content,
  );
}

function withMember(members: Members, key: string, value: unknown): Members {
  const { [key]: _, ...others } = members;
  return value === undefined ? others : { ...others, [key]: value };
}

function mergeMembers(path: Conflict["path"], base: Members, theirs: Members, yours: Members, tally: Tally): Members {
  const keys = new Set([...Object.keys(yours), ...Object.keys(theirs)]);
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const value = mergeUnit([...path, key], base[key], theirs[key], yours[key], tally);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}

function mergeUnit(path: Conflict["path"], base: unknown, theirs: unknown, yours: unknown, tally: Tally): unknown {
  if (isDeepEqual(theirs, yours) || isDeepEqual(base, theirs)) return yours;
  if (isDeepEqual(base, yours)) {
    tally.taken += 1;
    return theirs;
  }
  if (path[0] === "values" && path[1] === "markup") {
    const lines = mergeLines(String(base), String(theirs), String(yours));
    if (lines !== null) {
      tally.taken += 1;
      return lines;
    }
  }
  tally.conflicts.push({ path, theirs, yours });
  return yours;
}

type Items = Readonly<Record<string, Members>>;

function mergeItems(
  section: "fields" | "steps" | "actions",
  base: Items,
  theirs: Items,
  yours: Items,
  tally: Tally,
): Items {
  const keys = new Set([...Object.keys(yours), ...Object.keys(theirs)]);
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const [from, other, mine] = [base[key], theirs[key], yours[key]];
      const item =
        other !== undefined && mine !== undefined
          ? mergeMembers([section, key], from ?? {}, other, mine, tally)
          : (mergeUnit([section, key], from, other, mine, tally) as Members | undefined);
      return item === undefined ? [] : [[key, item] as const];
    }),
  );
}

/**
 * Merges two orders. Where both sides moved items, yours counts. Items that only one side added follow their
 * predecessor on that side.
 */
function mergeOrder(base: readonly string[], theirs: readonly string[], yours: readonly string[]): readonly string[] {
  const common = (order: readonly string[], ...others: readonly (readonly string[])[]) =>
    order.filter((key) => others.every((other) => other.includes(key)));
  const isMovedByYou = !isDeepEqual(common(yours, base, theirs), common(base, yours, theirs));
  const [first, second] = isMovedByYou ? [yours, theirs] : [theirs, yours];
  const merged = [...first];
  for (const [index, key] of second.entries()) {
    if (merged.includes(key)) continue;
    const before = second.slice(0, index).findLast((other) => merged.includes(other));
    merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, key);
  }
  return merged;
}

interface Edit {
  /** Lines of the base that the edit replaces: the first, and the one after the last. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Merges texts by lines; null if both sides changed the same or adjacent lines. */
export function mergeLines(base: string, theirs: string, yours: string): string | null {
  const edits = [...editsOf(base, theirs), ...editsOf(base, yours)].sort((one, other) => one.start - other.start);
  const distinct = edits.filter((edit, index) => index === 0 || !isDeepEqual(edit, edits[index - 1]));
  if (distinct.some((edit, index) => index > 0 && edit.start <= (distinct[index - 1]?.end ?? -1))) return null;
  const lines = base.split(/(?<=\n)/);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text } of distinct) {
    parts.push(...lines.slice(at, start), text);
    at = end;
  }
  return [...parts, ...lines.slice(at)].join("");
}

function editsOf(base: string, changed: string): readonly Edit[] {
  const edits: Edit[] = [];
  let line = 0;
  for (const { value, added, removed, count = 0 } of diffLines(base, changed)) {
    const last = edits.at(-1);
    if (added) {
      if (last !== undefined && last.end === line) edits[edits.length - 1] = { ...last, text: last.text + value };
      else edits.push({ start: line, end: line, text: value });
    } else if (removed) {
      edits.push({ start: line, end: line + count, text: "" });
      line += count;
    } else line += count;
  }
  return edits;
}
