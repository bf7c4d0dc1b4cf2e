/** The facts about a form's fields. The engine writes these facts into the page (src/pages/fields.rs). */
import type { Tree } from "./calculate.ts";
import { native } from "./dom.ts";

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export interface UploadLimits {
  /** Accepted extensions, separated by spaces; empty if only the server checks the type of a file. */
  readonly extensions: string;
  /** Description of the accepted types for visitors. */
  readonly types: string;
  /** Limit on the number of files. */
  readonly files: number;
  /** Limit on the bytes of each file. */
  readonly bytes: number | null;
  /** Whether a file is required. */
  readonly required: boolean;
}

export interface Field {
  /** Label in faults and in the review. A label with pipes changes with the piped answers. */
  label: string;
  /** The label before answers replace the pipes; undefined for a label without pipes. */
  readonly text?: string;
  /** Separator of the answer's parts in texts that show the answer. Empty for an answer without parts. */
  readonly piped?: string;
  /** Unit of the number, for texts that show the number. */
  readonly unit?: string;
  /** Kind of an answer that is not text. */
  readonly answer?: "toggle" | "choices";
  /** The `value` attribute of a checkbox, if conditions would read it as "off", such as `0` or `no`. */
  readonly value?: string;
  /** Whether the choice also accepts a free answer. */
  readonly open?: true;
  /** Whether at least one checkbox of the group must be ticked. */
  readonly required?: true;
  /** Bounds on the number of chosen options. The bounds do not apply if no option is chosen. */
  readonly min?: number;
  readonly max?: number;
  /** Labels of the parts of a name, an address or a date, keyed by the names of the parts' inputs. */
  readonly parts?: Readonly<Record<string, string>>;
  /** Whether the parts are the day, the month and the year of a date. */
  readonly date?: true;
  /** The repeating group that the field belongs to. */
  readonly rows?: string;
  /** Whether the field is a repeating group. */
  readonly repeats?: true;
  /** For a field in a row, such as `guests[0][who]`: the name of the field that each row repeats, `who`. */
  readonly column?: string;
  /** For a field in a row: the name of the repeating group, `guests`. */
  readonly group?: string;
  /** For a field in a row: the number of the row, `0`. */
  readonly row?: string;
  /** Limits of a file field. */
  readonly upload?: UploadLimits;
  /** The expression of a calculated field. */
  readonly calc?: Tree;
  /** The expressions that bound the field's answers. */
  readonly atLeast?: Tree;
  readonly atMost?: Tree;
  /** Number of decimal places to which a calculated value is rounded. */
  readonly places?: number;
  /**
   * Format of a calculated value: the kind, the unit or currency, and whether all decimal places are shown. A currency
   * is a sign, such as `€`, or a code, such as `CHF`.
   */
  readonly format?: readonly [kind: string, unit: string, isFixed: boolean];
  /** The type of the field's value in expressions: `number`, `moment`, `box`, `choice` or `text`. */
  readonly reads?: string;
  /** The weights and labels of the options, by value. */
  readonly weights?: Readonly<Record<string, readonly [weight: string, label: string]>>;
  /** Separator of the answer's parts in expressions. */
  readonly between?: string;
  /** The calculated value that the server stores. */
  result?: string;
  /** The calculated value in the format for visitors. */
  shown?: string;
  /** Returns the value that the server would store for a text; undefined for an invalid text. */
  stored?: (text: string) => string | undefined;
  /** Labels of the options by value, for the review and for texts that show the answer. */
  readonly options?: Readonly<Record<string, string>>;
}

/** The buttons that submit the answers. Buttons with `formnovalidate` save progress or change rows. */
export const SUBMITS = "button:not([type=button],[type=reset],[formnovalidate]),input[type=submit],input[type=image]";

/** The controls that have an aid, such as a button that shows the password (aids.ts). */
export const AIDED = "input[type=password],input[type=email],input[maxlength],textarea[maxlength],.cf-date input";

/** The file inputs of signatures. */
export const SIGNATURES = "input[data-cf-signature]";
/** The controls that hold answers. The country of a telephone number is not a separate answer. */
export const ANSWERS = "input[name],select[name]:not(.cf-country),textarea[name]";

export const CHOICE = "[type=radio],[type=checkbox]";

const known = new WeakMap<HTMLFormElement, Map<string, Field>>();

/** The fields of a form, keyed by name. */
export function fieldsOf(form: HTMLFormElement): Map<string, Field> {
  let fields = known.get(form);
  if (fields === undefined)
    known.set(
      form,
      (fields = new Map(Object.entries(JSON.parse(native(form).dataset["fields"] ?? "{}") as Record<string, Field>))),
    );
  return fields;
}

/**
 * Returns the name of a field in a row, such as `guests[0][who]`; undefined for other names. Adds the field to the
 * form's fields, with the facts of `who`.
 */
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

/** Returns the name of a control's field. For the control `a[city]`: `a[city]` if this field exists, or else `a`. */
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

/** The label of a control's field. If the control is for a part of the field, the label of this part. */
export function labelOf(form: HTMLFormElement, control: Control): string {
  const field = fieldOf(form, control);
  return field?.parts?.[control.name] ?? field?.label ?? control.name;
}

/** Returns all controls of the radio or checkbox group that a control belongs to. Without a group, only the control. */
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
