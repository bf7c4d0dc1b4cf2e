/** The rows of the outline: steps and fields from top to bottom, each with its place. */
import type { Field } from "./content.ts";
import { cycleIn, namesIn } from "./references.ts";
import type { Branch, Part, Target } from "./tree.ts";

export interface Row {
  readonly id: string;
  readonly label: string;
  readonly depth: number;
  /** Null for a step. */
  readonly field: Field | null;
  readonly place: Target;
  /** Its conditions name a field that is gone, or close a circle. */
  readonly isBroken: boolean;
}

/** Each row is the earlier one where nothing of it changed, so that it is not drawn anew. */
export function rowsOf(parts: readonly Part[], earlier: readonly Row[] = []): readonly Row[] {
  const rows: Row[] = [];
  const fields: Field[] = [];
  const collect = (branches: readonly Branch[]): void => {
    for (const { field, children } of branches) {
      fields.push(field);
      collect(children);
    }
  };
  for (const { children } of parts) collect(children);
  const names = new Set(fields.map(({ name }) => name));
  const circle = fields.some(({ conditions }) => conditions.length > 0) ? cycleIn(fields) : null;
  const isBroken = ({ name, conditions }: Field): boolean =>
    conditions.length > 0 && (circle?.includes(name) === true || namesIn(conditions).some((own) => !names.has(own)));
  const list = (branches: readonly Branch[], depth: number, step: string | null, group: string | null): void => {
    let after: string | null = null;
    for (const { field, children } of branches) {
      rows.push({
        id: field.name,
        label: field.label || field.name,
        depth,
        field,
        place: { step, group, after },
        isBroken: isBroken(field),
      });
      list(children, depth + 1, step, field.name);
      after = field.name;
    }
  };
  // What is in no step is shown behind them.
  const [loose, ...stepped] = parts;
  for (const { step, children } of [...stepped, ...(loose === undefined ? [] : [loose])]) {
    if (step !== null)
      rows.push({
        id: `step:${step.id}`,
        label: step.title || step.id,
        depth: 0,
        field: null,
        place: { step: step.id, group: null, after: null },
        isBroken: false,
      });
    list(children, step === null ? 0 : 1, step?.id ?? null, null);
  }
  const before = new Map(earlier.map((row) => [row.id, row]));
  return rows.map((row) => {
    const own = before.get(row.id);
    const isEqual =
      own !== undefined &&
      own.field === row.field &&
      own.label === row.label &&
      own.depth === row.depth &&
      own.isBroken === row.isBroken &&
      own.place.step === row.place.step &&
      own.place.group === row.place.group &&
      own.place.after === row.place.after;
    return isEqual ? own : row;
  });
}

/** The place before, behind or in a row. */
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

/** One place up or down among its siblings; over the edge of a step into the next one, and of a group out of it. */
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
