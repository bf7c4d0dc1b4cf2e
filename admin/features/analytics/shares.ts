/** Numbers with their share of a total. */
import type { Formats } from "../../shared/text/format.ts";

/** A number and its percentage of a total, such as “3 · 25 %”. */
export const share = (count: number, total: number, formats: Formats): string =>
  total === 0 ? formats.number(count) : `${formats.number(count)} · ${formats.percent((count / total) * 100)}`;

/** The completion rate; a dash where no visit started. */
export const completionRate = (
  { starts, completion_rate }: { readonly starts: number; readonly completion_rate: number },
  formats: Formats,
): string => (starts === 0 ? "–" : formats.percent(completion_rate));
