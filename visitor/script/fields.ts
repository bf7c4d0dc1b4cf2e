/** What the page says of a form's fields: the engine knows them (src/front/fields.rs), and nothing is guessed here. */
import { own } from "./own.ts";

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export interface Field {
  /** What faults and the review call it. */
  readonly label: string;
  /** How an answer that is no text is understood. */
  readonly answer?: "toggle" | "choices";
  /** Of a box: its own value, where that is a word for "off". */
  readonly value?: string;
  /** Of a choice: whether it takes a free answer too. */
  readonly open?: true;
  /** Of a set of boxes: whether one of them must be ticked. */
  readonly required?: true;
  /** Of several choices: how many there may be, where there are any. */
  readonly min?: number;
  readonly max?: number;
  /** Of a name or address: what its parts are called, by the names of their inputs. */
  readonly parts?: Readonly<Record<string, string>>;
  /** Of choices, for a review: what they say, by their values. */
  readonly options?: Readonly<Record<string, string>>;
}

export const CHOICE = "[type=radio],[type=checkbox]";

const known = new WeakMap<HTMLFormElement, ReadonlyMap<string, Field>>();

/** The fields of a form by their names. */
export function fieldsOf(form: HTMLFormElement): ReadonlyMap<string, Field> {
  let fields = known.get(form);
  if (fields === undefined) known.set(form, (fields = new Map(Object.entries(JSON.parse(own(form).dataset["fields"] ?? "{}") as Record<string, Field>))));
  return fields;
}

/** The field that a control belongs to: the one of the longest name that `a[]` or `a[city]` begins with. */
export function fieldName(form: HTMLFormElement, { name }: Control): string {
  let field = name.replace(/[\t\n\f\r ]+/g, " ").trim().replace(/ ?\[\]$/, "");
  while (!fieldsOf(form).has(field) && field.includes("[")) field = field.slice(0, field.lastIndexOf("["));
  return field;
}

export const fieldOf = (form: HTMLFormElement, control: Control): Field | undefined => fieldsOf(form).get(fieldName(form, control));

/** What a field, or the part of it that a control is for, is called. */
export function labelOf(form: HTMLFormElement, control: Control): string {
  const field = fieldOf(form, control);
  return field?.parts?.[control.name] ?? field?.label ?? control.name;
}

/** The controls that have one answer, and its faults, together: the choices of a set. */
export function setOf(form: HTMLFormElement, control: Control): readonly Control[] {
  const field = fieldOf(form, control);
  if (!control.matches(CHOICE) || field === undefined || field.answer === "toggle") return [control];
  const name = fieldName(form, control);
  return [...own(form).elements].filter((one): one is HTMLInputElement =>
    one instanceof HTMLInputElement && one.name.startsWith(name) && one.matches(CHOICE) && fieldName(form, one) === name);
}
