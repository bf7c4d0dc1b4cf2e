/** Options as text, one per line: the label, or `value | label` where they differ. */
import type { Option } from "./content.ts";

export const textOf = (options: readonly Option[]): string => options.map(({ value, label }) => (value === label ? label : `${value} | ${label}`)).join("\n");

/** A label that is there already keeps its value; so does one that is changed while as many lines remain. */
export function optionsOf(text: string, before: readonly Option[]): readonly Option[] {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const values = new Set<string>();
  return lines.flatMap((line, index) => {
    const bar = line.indexOf(" | ");
    const label = bar < 0 ? line : line.slice(bar + 3);
    const known = before.find((option) => option.label === label) ?? (lines.length === before.length ? before[index] : undefined);
    const value = bar >= 0 ? line.slice(0, bar) : (known?.value ?? label);
    const own = before.find((option) => option.value === value);
    if (values.has(value)) return [];
    values.add(value);
    return [{ ...own, value, label }];
  });
}
