/** Options as text, one per line: the label, or `value | label` where they differ. */
import type { Option } from "./content.ts";

export const textOf = (options: readonly Option[]): string =>
  options.map(({ value, label }) => (value === label ? label : `${value} | ${label}`)).join("\n");

/**
 * A label that was there keeps its value, wherever it stands now. So does a line that stands between the same
 * neighbours as an option of `before` whose label is gone: its label was changed. Values that nobody can have chosen
 * yet follow their label; `published` has the others.
 */
export function optionsOf(
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
  // Of what stands between two kept options, the first line is the first that is gone, and so on.
  let gone: readonly Option[] = [];
  const following = (option: Option | undefined): readonly Option[] => {
    const rest = before.slice(option === undefined ? 0 : before.indexOf(option) + 1);
    const end = rest.findIndex((own) => kept.has(own));
    return end < 0 ? rest : rest.slice(0, end);
  };
  gone = following(undefined);
  const values = new Set<string>();
  return lines.flatMap(({ value: asked, label }, index) => {
    let own = known[index];
    if (own !== undefined) gone = following(own);
    else if (asked === null) [own, ...gone] = gone;
    const isFree =
      own !== undefined && own.value === own.label && !published.some((option) => option.value === own?.value);
    const value = asked ?? (isFree ? label : own?.value) ?? label;
    if (values.has(value)) return [];
    values.add(value);
    return [{ ...own, value, label }];
  });
}

/** The options with another label at `at`: its value follows where nobody can have chosen it yet. None where another option has that value. */
export function relabelled(
  options: readonly Option[],
  at: number,
  label: string,
  published: readonly Option[],
): readonly Option[] | null {
  const old = options[at];
  if (old === undefined) return null;
  const value = old.value === old.label && !published.some((own) => own.value === old.value) ? label : old.value;
  if (value !== old.value && options.some((own, index) => index !== at && own.value === value)) return null;
  return options.map((own, index) => (index === at ? { ...own, value, label } : own));
}
