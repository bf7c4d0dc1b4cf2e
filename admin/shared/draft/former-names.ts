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

/** Keeps the former names that are known. */
export function withKnownNames<Holder extends Readonly<Record<string, unknown>>>(
  holder: Holder,
  known: ReadonlySet<string>,
): Holder {
  if (!(FORMER_NAMES in holder)) return holder;
  const { [FORMER_NAMES]: _, ...others } = holder;
  const kept = Object.entries(formerNamesOf(holder)).flatMap(([name, former]) => {
    const names = former.filter((candidate) => known.has(candidate));
    return names.length === 0 ? [] : [[name, names] as const];
  });
  return (kept.length === 0 ? others : { ...others, [FORMER_NAMES]: Object.fromEntries(kept) }) as Holder;
}
