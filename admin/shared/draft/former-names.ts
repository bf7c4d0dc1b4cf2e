/**
 * Former names of renamed fields, under which older answers are stored: `form_settings.former_names` of the schema, or
 * the form's setting `former_names` if its source is HTML.
 */

export const FORMER_NAMES = "former_names";

type Names = Readonly<Record<string, readonly string[]>>;

/** Parses the former names, which are untrusted. */
export function formerNamesOf(holder: Readonly<Record<string, unknown>>): Names {
  const names = holder[FORMER_NAMES];
  if (typeof names !== "object" || names === null) return {};
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, former]: [string, unknown]) =>
      Array.isArray(former) ? [[name, former.filter((value): value is string => typeof value === "string")]] : [],
    ),
  );
}

/** Adds the former name of a renamed field. */
export function withRename(names: Names, from: string, to: string): Names {
  const { [from]: ofOldName = [], [to]: ofNewName = [], ...others } = names;
  return { ...others, [to]: [...new Set([from, ...ofOldName, ...ofNewName])].filter((name) => name !== to) };
}
