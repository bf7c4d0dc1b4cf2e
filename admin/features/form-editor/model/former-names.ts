/** Former names of renamed fields, under which older answers are stored: `form_settings.former_names`, of a form whose source is its HTML in its settings. */

export const FORMER_NAMES = "former_names";

type Names = Readonly<Record<string, readonly string[]>>;

/** Reads the member, whatever somebody else wrote into it. */
export function formerNamesOf(holder: Readonly<Record<string, unknown>>): Names {
  const names = holder[FORMER_NAMES];
  if (typeof names !== "object" || names === null) return {};
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, former]: [string, unknown]) =>
      Array.isArray(former) ? [[name, former.filter((own): own is string => typeof own === "string")]] : [],
    ),
  );
}

/** The names with those of a field that is renamed. */
export function withRename(names: Names, from: string, to: string): Names {
  const { [from]: own = [], [to]: earlier = [], ...others } = names;
  return { ...others, [to]: [...new Set([from, ...own, ...earlier])].filter((name) => name !== to) };
}
