/** Rows of the outline: steps and fields from top to bottom, each with its position. */
import type { Field } from "../../../shared/draft/content.ts";
import { cycleIn, fieldNamesIn } from "../../../shared/draft/references.ts";
import type { Branch, Part, Target } from "../../../shared/draft/tree.ts";

export interface Row {
  readonly id: string;
  /** Label of the field or title of the step. If it is empty, the outline shows another name. */
  readonly label: string;
  readonly depth: number;
  /** Null for a step. */
  readonly field: Field | null;
  readonly place: Target;
  /** Whether a condition names a missing field or is part of a cycle. */
  readonly isBroken: boolean;
  /** Number of a step in the form; 0 for a field. */
  readonly number: number;
  /** Whether the field is new, or differs from the live form's field of that name. */
  readonly isChanged: boolean;
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Computes the rows; `changed` holds the names of changed fields. An unchanged row keeps its object, so that it
 * does not re-render.
 */
export function rowsOf(
  parts: readonly Part[],
  earlier: readonly Row[] = [],
  changed: ReadonlySet<string> = NOTHING,
): readonly Row[] {
  const rows: Row[] = [];
  const isBroken = brokenIn(parts);
  const list = (branches: readonly Branch[], depth: number, step: string | null, group: string | null): void => {
    let after: string | null = null;
    for (const { field, children } of branches) {
      rows.push({
        id: field.name,
        label: field.label,
        depth,
        field,
        place: { step, group, after },
        isBroken: isBroken(field),
        number: 0,
        isChanged: changed.has(field.name),
      });
      list(children, depth + 1, step, field.name);
      after = field.name;
    }
  };
  let number = 0;
  // Fields outside all steps come after the steps.
  const [withoutStep, ...stepped] = parts;
  for (const { step, children } of [...stepped, ...(withoutStep === undefined ? [] : [withoutStep])]) {
    if (step !== null)
      rows.push({
        id: `step:${step.id}`,
        label: step.title ?? "",
        depth: 0,
        field: null,
        place: { step: step.id, group: null, after: null },
        isBroken: false,
        number: (number += 1),
        isChanged: false,
      });
    list(children, step === null ? 0 : 1, step?.id ?? null, null);
  }
  return withEarlier(rows, earlier);
}

/** Finds fields whose conditions name a missing field or form a cycle. */
function brokenIn(parts: readonly Part[]): (field: Field) => boolean {
  const fields: Field[] = [];
  const collect = (branches: readonly Branch[]): void => {
    for (const { field, children } of branches) {
      fields.push(field);
      collect(children);
    }
  };
  for (const { children } of parts) collect(children);
  const names = new Set(fields.map(({ name }) => name));
  const cycle = fields.some(({ conditions }) => conditions.length > 0) ? cycleIn(fields) : null;
  return ({ name, conditions }) =>
    conditions.length > 0 &&
    (cycle?.includes(name) === true || fieldNamesIn(conditions).some((fieldName) => !names.has(fieldName)));
}

/** Replaces rows by earlier ones that are equal. */
function withEarlier(rows: readonly Row[], earlier: readonly Row[]): readonly Row[] {
  const before = new Map(earlier.map((row) => [row.id, row]));
  return rows.map((row) => {
    const old = before.get(row.id);
    const isEqual =
      old !== undefined &&
      old.field === row.field &&
      old.label === row.label &&
      old.depth === row.depth &&
      old.isBroken === row.isBroken &&
      old.number === row.number &&
      old.isChanged === row.isChanged &&
      old.place.step === row.place.step &&
      old.place.group === row.place.group &&
      old.place.after === row.place.after;
    return isEqual ? old : row;
  });
}

/** Returns the position before, after or inside a row. */
export function targetAt(rows: readonly Row[], key: string, position: "before" | "after" | "on"): Target {
  const row = rows.find(({ id }) => id === key);
  if (row === undefined) return { step: null, group: null, after: null };
  if (row.field === null) {
    const above = rows[rows.indexOf(row) - 1];
    return position === "before" && above !== undefined
      ? { step: above.place.step, group: null, after: lastRoot(rows, above.place.step) }
      : row.place;
  }
  if (position === "on") return { step: row.place.step, group: row.field.name, after: null };
  return position === "before" ? row.place : { ...row.place, after: row.field.name };
}

const lastRoot = (rows: readonly Row[], step: string | null): string | null =>
  rows.findLast(({ field, place }) => field !== null && place.step === step && place.group === null)?.id ?? null;

/**
 * Returns the position that is one place up or down: among siblings, out of a group, or into the neighbouring step.
 * Null at an end of the form.
 */
export function shiftedTarget(rows: readonly Row[], row: Row, by: 1 | -1): Target | null {
  const { step, group } = row.place;
  const siblings = rows.filter(({ field, place }) => field !== null && place.step === step && place.group === group);
  const other = siblings[siblings.indexOf(row) + by];
  if (other !== undefined) return targetAt(rows, other.id, by === 1 ? "after" : "before");
  if (group !== null) return targetAt(rows, group, by === 1 ? "after" : "before");
  const steps = rows.filter(({ field }) => field === null).map(({ place }) => place.step);
  const next = steps[steps.indexOf(step) + by];
  if (step === null || next === undefined || next === null) return null;
  return { step: next, group: null, after: by === 1 ? null : lastRoot(rows, next) };
}
