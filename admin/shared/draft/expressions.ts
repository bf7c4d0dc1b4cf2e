/**
 * Expressions of a schema (`data-calc`, `data-min`, `data-max`): renames the names in them when fields are renamed. The
 * engine does the same for edits of one field (crates/model/src/logic/calc/fields.rs).
 */
import type { FormSchema } from "./content.ts";

/** Attribute that holds a field name, not an expression. */
const NAMED = "data-seats-by";

const ATTRIBUTES = ["data-calc", "data-min", "data-max", NAMED];

/** Texts in quotes, names between brackets, and words. */
const TOKENS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\[((?:[^[\]]|\[[^[\]]*\])*)\]((?:\.[\p{L}\p{N}_]+)*)|[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}\p{N}_]+)*/gu;

const WORD = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const RESERVED = ["and", "or", "not", "true", "false"];

/** A name as expressions write it: between brackets, unless it is one word. */
const written = (name: string): string =>
  WORD.test(name) && !RESERVED.includes(name.toLowerCase()) ? name : `[${name}]`;

/** Renames fields in an expression; null replaces a field by an empty text. */
export function renameInExpression(
  text: string,
  names: ReadonlySet<string>,
  nameOf: (name: string) => string | null,
): string {
  return text.replace(TOKENS, (token: string, inner: string | undefined, parts: string | undefined, at: number) => {
    if (/^['"]/.test(token)) return token;
    const isCall = inner === undefined && /^\s*\(/.test(text.slice(at + token.length));
    if (isCall || (inner === undefined && RESERVED.includes(token.toLowerCase()))) return token;
    const name = inner === undefined ? token : `${inner.trim()}${parts ?? ""}`;
    const base = names.has(name) ? name : name.slice(0, Math.max(0, name.lastIndexOf(".")));
    if (!names.has(base)) return token;
    const next = nameOf(base);
    if (next === base) return token;
    return next === null ? "''" : `${written(next)}${name.slice(base.length)}`;
  });
}

/** Renames fields in the expressions of a schema. `fields` still have their old names. */
export function renameExpressions(
  schema: FormSchema,
  fields: readonly { readonly name: string }[],
  nameOf: (name: string) => string | null,
): FormSchema {
  const names = new Set(fields.map(({ name }) => name));
  const isUsed = schema.fields.some(({ attributes }) => ATTRIBUTES.some((attribute) => attribute in attributes));
  if (!isUsed) return schema;
  return {
    ...schema,
    fields: schema.fields.map((field) => {
      const changed = ATTRIBUTES.flatMap((attribute): (readonly [string, string])[] => {
        const text = field.attributes[attribute];
        if (text === undefined) return [];
        const renamed = attribute === NAMED ? (nameOf(text) ?? "") : renameInExpression(text, names, nameOf);
        return [[attribute, renamed]];
      });
      if (changed.length === 0) return field;
      const { [NAMED]: by = "", ...attributes } = { ...field.attributes, ...Object.fromEntries(changed) };
      return { ...field, attributes: by === "" ? attributes : { ...attributes, [NAMED]: by } };
    }),
  };
}
