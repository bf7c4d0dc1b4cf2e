/**
 * Answers that texts of a schema show (`[name]`, `[name.first|words]`): renames the pipes when their field is renamed.
 * The engine does the same for edits of one field (crates/model/src/logic/piping.rs).
 */
import { finderOf, replacePipes } from "../../../visitor/script/pipe-texts.ts";
import { factsOf } from "../field-facts.ts";
import type { Field, FormSchema } from "./content.ts";

const OTHER = "data-other";

/**
 * Maps each name that a pipe may contain, of a field or of its part, to the field's name. A pipe cannot show a button,
 * a password or files.
 */
function pipeNames(fields: readonly Field[]): ReadonlyMap<string, string> {
  const named = fields.flatMap(({ name, type }): (readonly [string, string])[] => {
    const facts = factsOf(type);
    if (facts === undefined || ["none", "button", "secret", "files"].includes(facts.answer)) return [];
    const parts = facts.answer === "parts" ? facts.parts : [];
    return [[name, name], ...parts.map((part): readonly [string, string] => [`${name}.${part}`, name])];
  });
  return new Map(named);
}

/** Changes every text of fields that may show answers. */
const mapFields = (fields: readonly Field[], change: (text: string) => string): readonly Field[] =>
  fields.map((field) => {
    const other = field.attributes[OTHER];
    return {
      ...field,
      label: change(field.label),
      placeholder: change(field.placeholder),
      description: change(field.description),
      options: field.options.map((option) => ({ ...option, label: change(option.label) })),
      attributes: other === undefined ? field.attributes : { ...field.attributes, [OTHER]: change(other) },
    };
  });

/** Changes every text of a schema that may show answers. */
function mapTexts(schema: FormSchema, change: (text: string) => string): FormSchema {
  const fields = mapFields(schema.fields, change);
  const { steps } = schema.layout;
  if (steps === undefined) return { ...schema, fields };
  const titled = steps.map((step) => (step.title === undefined ? step : { ...step, title: change(step.title) }));
  return { ...schema, fields, layout: { ...schema.layout, steps: titled } };
}

/** Fields whose pipes are replaced by their fallback words, for columns and lists. */
export function fieldsInWords(fields: readonly Field[]): readonly Field[] {
  if (!JSON.stringify(fields).includes("[")) return fields;
  const find = finderOf(pipeNames(fields).keys());
  return mapFields(fields, (text) => replacePipes(text, find, ({ words }) => words));
}

/**
 * Renames fields in the texts of a schema; null replaces a pipe by its fallback words. `fields` still have their old
 * names.
 */
export function renamePipes(
  schema: FormSchema,
  fields: readonly Field[],
  nameOf: (name: string) => string | null,
): FormSchema {
  if (!JSON.stringify([schema.fields, schema.layout]).includes("[")) return schema;
  const owners = pipeNames(fields);
  const find = finderOf(owners.keys());
  return mapTexts(schema, (text) =>
    replacePipes(text, find, ({ name, words, written }) => {
      const owner = owners.get(name) ?? name;
      const next = nameOf(owner);
      if (next === owner) return written;
      if (next === null) return words;
      const renamed = `${next}${name.slice(owner.length)}`;
      return words === "" ? `[${renamed}]` : `[${renamed}|${words}]`;
    }),
  );
}
