/** Renames of fields between two contents, found by the former names that an edit records. */
import { apply } from "./commands.ts";
import type { Content } from "./content.ts";
import { formerNamesOf } from "./former-names.ts";

/** New names of fields by their old ones. */
type Renames = ReadonlyMap<string, string>;

/** Returns the former names of all fields. */
export const formerNamesIn = ({ source, schema, settings }: Content): Readonly<Record<string, readonly string[]>> =>
  formerNamesOf(source === "markup" ? settings : schema.form_settings);

/** Returns the fields that have another name in the later content. */
export function renamesBetween(before: Content, after: Content): Renames {
  const [earlier, later] = [before, after].map(({ schema }) => new Set(schema.fields.map(({ name }) => name)));
  return new Map(
    Object.entries(formerNamesIn(after)).flatMap(([name, former]) => {
      const old = former.find((candidate) => earlier?.has(candidate) === true && later?.has(candidate) === false);
      return old === undefined || later?.has(name) !== true || earlier?.has(name) === true ? [] : [[old, name]];
    }),
  );
}

/** Renames fields and all references to them. */
export const withRenames = (content: Content, renames: Renames): Content =>
  [...renames].reduce(
    (renamed, [name, next]) => apply(renamed, { kind: "update", name, change: { name: next } }),
    content,
  );

/** Gives the fields of three contents the same names: yours, else theirs. */
export function alignNames(base: Content, theirs: Content, yours: Content): readonly [Content, Content, Content] {
  if ([base, theirs, yours].some(({ source }) => source === "markup")) return [base, theirs, yours];
  const [byThem, byYou] = [renamesBetween(base, theirs), renamesBetween(base, yours)];
  const names = new Map([...byThem, ...byYou]);
  const aligned = (content: Content, renames: Renames): Content =>
    withRenames(content, new Map([...names].map(([old, name]) => [renames.get(old) ?? old, name])));
  return [aligned(base, new Map()), aligned(theirs, byThem), aligned(yours, byYou)];
}
