/** Position of a field that is added. */
import type { FormSchema } from "../../../shared/draft/content.ts";
import { partsOf, placeOf, stepsOf, type Target } from "../../../shared/draft/tree.ts";

/** Returns the position after the selection; without one, the end of the form, before its submit button. */
export function targetAfter(schema: FormSchema, key: string | null): Target {
  const parts = partsOf(schema);
  const steps = stepsOf(schema);
  if (key?.startsWith("step:") === true) {
    const step = key.slice(5);
    const part = parts.find((candidate) => candidate.step?.id === step);
    return { step, group: null, after: part?.children.at(-1)?.field.name ?? null };
  }
  const position = key === null ? null : placeOf(parts, key);
  if (position !== null) return { ...position, after: key };
  const last = parts.at(steps.length > 0 ? -1 : 0);
  const before = (last?.children ?? []).filter(({ field }) => field.type !== "submit").at(-1);
  return { step: last?.step?.id ?? null, group: null, after: before?.field.name ?? null };
}
