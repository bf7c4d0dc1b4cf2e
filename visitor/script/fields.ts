/** The facts about a form's fields, which the engine writes into the page (src/pages/fields.rs). */
import type { Tree } from "./calculate.ts";
import { native } from "./dom.ts";

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export interface UploadLimits {
  /** Accepted extensions, separated by spaces; empty when the server decides. */
  readonly extensions: string;
  /** Accepted types in words. */
  readonly types: string;
  /** Limit on the number of files. */
  readonly files: number;
  /** Limit on the bytes of each file. */
  readonly bytes: number | null;
  /** Whether there must be a file. */
  readonly required: boolean;
}

export interface Field {
  /** Label in faults and in the review; with answers in it, it follows them. */
  label: string;
  /** The label with the pipes that show answers. */
  readonly text?: string;
  /** The text between the parts of an answer that texts show; empty for an answer without parts. */
  readonly piped?: string;
  /** The unit of a number that texts show. */
  readonly unit?: string;
  /** Kind of an answer that is not text. */
  readonly answer?: "toggle" | "choices";
  /** The value of a checkbox, when that value is a word for "off". */
  readonly value?: string;
  /** Whether the choice also accepts a free answer. */
  readonly open?: true;
  /** Whether one checkbox of the group must be ticked. */
  readonly required?: true;
  /** Bounds on the number of chosen options, when any is chosen. */
  readonly min?: number;
  readonly max?: number;
  /** Labels of the parts of a name or address, by the names of their inputs. */
  readonly parts?: Readonly<Record<string, string>>;
  /** Whether the parts are the day, the month and the year of a date. */
  readonly date?: true;
  /** The repeating group whose rows have the field. */
  readonly rows?: string;
  /** Whether the field is a repeating group. */
  readonly repeats?: true;
  /** The field, the group and the number of the row, for a field in one row. */
  readonly column?: string;
  readonly group?: string;
  readonly row?: string;
  /** Limits of a file field. */
  readonly upload?: UploadLimits;
  /** The expression of a calculated field. */
  readonly calc?: Tree;
  /** The expressions that bound its answers. */
  readonly atLeast?: Tree;
  readonly atMost?: Tree;
  /** The places to which a calculated value is rounded. */
  readonly places?: number;
  /** The kind of a calculated value's format, its sign or unit, and whether all places are shown. */
  readonly format?: readonly [kind: string, unit: string, isFixed: boolean];
  /** The type of the field's value in expressions: `number`, `moment`, `box`, `choice` or `text`. */
  readonly reads?: string;
  /** The weights and labels of the options, by value. */
  readonly weights?: Readonly<Record<string, readonly [weight: string, label: string]>>;
  /** The text between the parts of an answer that expressions read. */
  readonly between?: string;
  /** The calculated value as it would be stored, and as people read it. */
  result?: string;
  shown?: string;
  /** What the server would store for a text; undefined for a faulty one. */
  stored?: (text: string) => string | undefined;
  /** Labels of the options by value, for the review and for texts that show them. */
  readonly options?: Readonly<Record<string, string>>;
}

/** The buttons that send a form. */
export const SUBMITS = "button:not([type=button],[type=reset],[formnovalidate]),input[type=submit],input[type=image]";

/** The controls that have an aid (aids.ts). */
export const AIDED = "input[type=password],input[type=email],input[maxlength],textarea[maxlength]";

/** The file inputs that visitors sign. */
export const SIGNATURES = "input[data-cf-signature]";
/** The controls that hold answers. The country beside a telephone number is no answer of its own. */
export const ANSWERS = "input[name],select[name]:not(.cf-country),textarea[name]";

export const CHOICE = "[type=radio],[type=checkbox]";

const known = new WeakMap<HTMLFormElement, Map<string, Field>>();

/** The fields of a form by their names. */
export function fieldsOf(form: HTMLFormElement): Map<string, Field> {
  let fields = known.get(form);
  if (fields === undefined)
    known.set(
      form,
      (fields = new Map(Object.entries(JSON.parse(native(form).dataset["fields"] ?? "{}") as Record<string, Field>))),
    );
  return fields;
}

/** The name of a field in a row, as `guests[0][who]`; undefined for other names. Its facts are those of the field. */
function nameInRow(form: HTMLFormElement, name: string): string | undefined {
  const [whole, group, row, column = ""] = /^(.+?)\[(\d+)\]\[(.+?)\]/.exec(name) ?? [];
  const facts = fieldsOf(form).get(column);
  if (whole === undefined || group === undefined || row === undefined || facts?.rows !== group) return undefined;
  if (!fieldsOf(form).has(whole)) {
    const { rows: _, parts, ...rest } = facts;
    const inRow = Object.entries(parts ?? {}).map(([part, label]) => [whole + part.slice(column.length), label]);
    fieldsOf(form).set(whole, {
      ...rest,
      ...(parts === undefined ? {} : { parts: Object.fromEntries(inRow) as Record<string, string> }),
      column,
      group,
      row,
    });
  }
  return whole;
}

/** The field of a control: the one with the longest name that `a[]` or `a[city]` begins with. */
export function fieldName(form: HTMLFormElement, { name, dataset }: Control): string {
  const result = dataset["cfResult"];
  if (result !== undefined) return nameInRow(form, result) ?? result;
  let field = name
    .replace(/[\t\n\f\r ]+/g, " ")
    .trim()
    .replace(/ ?\[\]$/, "");
  const inRow = nameInRow(form, field);
  if (inRow !== undefined) return inRow;
  while (!fieldsOf(form).has(field) && field.includes("[")) field = field.slice(0, field.lastIndexOf("["));
  return field;
}

export const fieldOf = (form: HTMLFormElement, control: Control): Field | undefined =>
  fieldsOf(form).get(fieldName(form, control));

/** The label of a control's field, or of the part that the control is for. */
export function labelOf(form: HTMLFormElement, control: Control): string {
  const field = fieldOf(form, control);
  return field?.parts?.[control.name] ?? field?.label ?? control.name;
}

/** The controls that share one answer and its faults: all choices of a group, else the control alone. */
export function choiceGroup(form: HTMLFormElement, control: Control): readonly Control[] {
  const field = fieldOf(form, control);
  if (!control.matches(CHOICE) || field === undefined || field.answer === "toggle") return [control];
  const name = fieldName(form, control);
  return [...native(form).elements].filter(
    (one): one is HTMLInputElement =>
      one instanceof HTMLInputElement &&
      one.name.startsWith(name) &&
      one.matches(CHOICE) &&
      fieldName(form, one) === name,
  );
}
