/** Field names that follow the label. */
import type { Field } from "../../../shared/draft/content.ts";
import { freeName } from "../../../shared/field-types.ts";

const NO_NAMES: ReadonlySet<string> = new Set();

/** Derives a name from a label, different from the names of the other fields. */
export const nameOfLabel = (label: string, others: ReadonlySet<string>): string => freeName(label, others);

/** Whether the name is derived from the label, perhaps with a number. */
export function followsLabel({ name, label }: Pick<Field, "name" | "label">): boolean {
  const base = freeName(label, NO_NAMES);
  return name === base || (name.startsWith(`${base}_`) && /^\d+$/.test(name.slice(base.length + 1)));
}
