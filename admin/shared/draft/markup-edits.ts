/** Edits of `POST /forms/preview?convert=true` that apply a command to the author's HTML, one after another. */
import type { Command } from "./commands.ts";
import type { Field, FormSchema } from "./content.ts";
import { partsOf, placeOf, type Target } from "./tree.ts";

export type MarkupEdit = { readonly name: string; readonly field?: object } | { readonly field: object };

/** Returns the edits of a command; null for commands that HTML does not support, such as moves and steps. */
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
          field: withPosition(
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

/** Gives a field the position of the field that follows the target, or the end of its group or step. */
function withPosition({ position: _, group, ...field }: Field, target: Target, schema: FormSchema): object {
  const { fields } = schema;
  const isInContainer = group !== null && fields.some(({ name }) => name === group);
  if (isInContainer) return { ...field, group };
  const parts = partsOf(schema);
  const isBeside = ({ name }: Field): boolean => {
    const place = placeOf(parts, name);
    return place !== null && place.step === target.step && place.group === target.group;
  };
  const at = target.after === null ? -1 : fields.findIndex(({ name }) => name === target.after);
  const next = target.after !== null && at < 0 ? -1 : fields.findIndex((other, index) => index > at && isBeside(other));
  if (next >= 0) return { ...field, position: next, group: fields[next]?.group ?? null };
  const holder = target.group ?? target.step;
  return holder === null ? field : { ...field, group: holder };
}
