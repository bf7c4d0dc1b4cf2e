/** The edits of `POST /forms/preview?convert=true` that make a command in an author's HTML, each on what the one before it made. */
import type { Command } from "./commands.ts";
import type { Field, FormSchema } from "./content.ts";
import { partsOf, placeOf, type Target } from "./tree.ts";

export type MarkupEdit = { readonly name: string; readonly field?: object } | { readonly field: object };

/** Null for what cannot be said of HTML field by field: it moves nothing, and has its own steps. */
export function markupEditsOf(command: Command): readonly ((schema: FormSchema) => MarkupEdit)[] | null {
  switch (command.kind) {
    case "update":
      return [() => ({ name: command.name, field: command.change })];
    case "remove":
      return command.names.map((name) => () => ({ name }));
    case "add":
      return command.fields.map((field, index) => (schema) => {
        const before = command.fields[index - 1];
        return {
          field: placed(
            field,
            before === undefined ? command.target : { ...command.target, after: before.name },
            schema,
          ),
        };
      });
    default:
      return null;
  }
}

/** The field before the one that follows at its place, else at the end of its group or step. */
function placed({ position: _, group, ...field }: Field, target: Target, schema: FormSchema): object {
  const { fields } = schema;
  const isHeld = group !== null && fields.some(({ name }) => name === group);
  if (isHeld) return { ...field, group };
  const parts = partsOf(schema);
  const isBeside = ({ name }: Field): boolean => {
    const place = placeOf(parts, name);
    return place !== null && place.step === target.step && place.group === target.group;
  };
  const at = target.after === null ? -1 : fields.findIndex(({ name }) => name === target.after);
  const next = target.after !== null && at < 0 ? -1 : fields.findIndex((own, index) => index > at && isBeside(own));
  if (next >= 0) return { ...field, position: next, group: fields[next]?.group ?? null };
  const holder = target.group ?? target.step;
  return holder === null ? field : { ...field, group: holder };
}
