/** Options as text, one per line: the label, or `value | label` where they differ. */
import type { Option } from "../../../shared/draft/content.ts";

export const optionsToText = (options: readonly Option[]): string =>
  options.map(({ value, label }) => (value === label ? label : `${value} | ${label}`)).join("\n");

/**
 * Parses options from text. A known label keeps its value, even in another line. A line with an unknown label is a
 * renamed option if an option of `before` is missing between the same neighbours; it keeps that option's value. The
 * value of an option that is not `published` yet follows its label.
 */
export function parseOptions(
  text: string,
  before: readonly Option[],
  published: readonly Option[] = before,
): readonly Option[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const bar = line.indexOf(" | ");
      return bar < 0 ? { value: null, label: line } : { value: line.slice(0, bar), label: line.slice(bar + 3) };
    });
  const known = lines.map(({ value, label }) =>
    before.find((option) => (value === null ? option.label === label : option.value === value)),
  );
  const kept = new Set(known);
  // Between two kept options, new lines take the values of the missing options in order.
  let missing: readonly Option[] = [];
  const following = (option: Option | undefined): readonly Option[] => {
    const rest = before.slice(option === undefined ? 0 : before.indexOf(option) + 1);
    const end = rest.findIndex((option) => kept.has(option));
    return end < 0 ? rest : rest.slice(0, end);
  };
  missing = following(undefined);
  const values = new Set<string>();
  return lines.flatMap(({ value: explicitValue, label }, index) => {
    let old = known[index];
    if (old !== undefined) missing = following(old);
    else if (explicitValue === null) [old, ...missing] = missing;
    const followsLabel =
      old !== undefined && old.value === old.label && !published.some((option) => option.value === old?.value);
    const value = explicitValue ?? (followsLabel ? label : old?.value) ?? label;
    if (values.has(value)) return [];
    values.add(value);
    return [{ ...old, value, label }];
  });
}

/**
 * Changes the label of the option at `at`; the value of an option that is not published yet follows. Null if another
 * option has that value.
 */
export function relabelOption(
  options: readonly Option[],
  at: number,
  label: string,
  published: readonly Option[],
): readonly Option[] | null {
  const old = options[at];
  if (old === undefined) return null;
  const value = old.value === old.label && !published.some((option) => option.value === old.value) ? label : old.value;
  if (value !== old.value && options.some((option, index) => index !== at && option.value === value)) return null;
  return options.map((option, index) => (index === at ? { ...option, value, label } : option));
}
