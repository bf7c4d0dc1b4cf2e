/** Faulty names of hooks: those that begin with `cf_` but that the engine never runs. */

import { ACTION_NAMES, FILTER_NAMES } from "./hook-names.ts";

/** Limit on the number of wrong characters in a name, up to which the meant name is suggested. */
const MAX_DISTANCE = 3;

/** Describes why the engine never runs a hook of this name; null when it does, or when the name is a plugin's. */
export function hookNameFault(isFilter: boolean, hookName: string): string | null {
  if (!hookName.startsWith("cf_")) return null;
  const [names, others] = isFilter ? [FILTER_NAMES, ACTION_NAMES] : [ACTION_NAMES, FILTER_NAMES];
  if (names.some((name) => isNamed(hookName, name))) return null;
  if (others.some((name) => isNamed(hookName, name)))
    return isFilter
      ? `${hookName} is an action, so a filter of this name never runs; use addAction`
      : `${hookName} is a filter, so an action of this name never runs; use addFilter`;
  const meant = nearest(hookName, [...names, ...others]);
  const hint = meant === null ? "" : `; ${meant} is meant?`;
  return `the engine has no hook ${hookName}${hint}`;
}

/** The parts of a name around its variable, such as `{type}`. */
function partsOf(name: string): readonly string[] {
  return name.split(/\{\w+\}/);
}

function isNamed(hookName: string, name: string): boolean {
  const [start = "", end] = partsOf(name);
  if (end === undefined) return hookName === name;
  return hookName.length > start.length + end.length && hookName.startsWith(start) && hookName.endsWith(end);
}

function nearest(hookName: string, names: readonly string[]): string | null {
  const distances = names.map((name) => [distanceTo(hookName, name), name] as const);
  const [found] = distances.sort(([one], [other]) => one - other);
  return found !== undefined && found[0] <= MAX_DISTANCE ? found[1] : null;
}

/** The edit distance of a text to a name. Any text at the place of the name's variable counts as equal. */
function distanceTo(text: string, name: string): number {
  const letters: readonly (string | null)[] = partsOf(name).flatMap((part, index) =>
    index === 0 ? [...part] : [null, ...part],
  );
  let row = Array.from({ length: text.length + 1 }, (_, count) => count);
  for (const letter of letters) {
    const before = row;
    row = [(before[0] ?? 0) + (letter === null ? 0 : 1)];
    for (let end = 1; end <= text.length; end += 1) {
      const [left = 0, above = 0, diagonal = 0] = [row[end - 1], before[end], before[end - 1]];
      const changed = diagonal + (letter === text[end - 1] ? 0 : 1);
      row.push(letter === null ? Math.min(left, above) : Math.min(left + 1, above + 1, changed));
    }
  }
  return row[text.length] ?? 0;
}
