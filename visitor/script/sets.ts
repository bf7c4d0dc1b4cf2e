/**
 * Sets of choices of which one must be chosen, or so many and no more. HTML has no attribute for that, since `required`
 * asks for the very box that has it: the page says how many (fields.ts), and the first box of such a set, or the
 * list, tells the browser, which then keeps the visitor in the step and does not send the form. The server counts
 * alike (crates/model/src/logic/validate/choice.rs).
 */
import { filled } from "./faults.ts";
import { type Field, fieldName, fieldsOf, labelOf } from "./fields.ts";
import { own, textOf } from "./own.ts";
import { isUnset } from "./unset.ts";

type Choices = HTMLInputElement | HTMLSelectElement;

/** What is wrong with a set: the key of the message, and what it names. */
export interface SetFault {
  readonly key: string;
  readonly values?: Readonly<Record<string, string>>;
}

const faults = new WeakMap<Element, SetFault>();

/** What is wrong with the set that a control is the first of. */
export const setFault = (control: Element): SetFault | undefined => faults.get(control);

/** The field that a control is for; the box of "Other" has no name of its own. */
const nameOf = (form: HTMLFormElement, control: Choices): string =>
  fieldName(form, control) || (control.closest<HTMLElement>("[data-cf-name]")?.dataset["cfName"] ?? "");

/** How many choices a control has. */
function countOf(control: Choices): number {
  if (control instanceof HTMLSelectElement) return [...control.selectedOptions].filter(({ value }) => value !== "").length;
  return control.checked ? 1 : 0;
}

function faultOf({ required, min = 0, max = Infinity }: Field, count: number): SetFault | undefined {
  if (count === 0) return required === true ? { key: "required_choice_missing" } : undefined;
  if (count < min) return { key: "too_few_choices", values: { min: `${min}` } };
  if (count > max) return max === 1 ? { key: "too_many_choices_one" } : { key: "too_many_choices", values: { max: `${max}` } };
  return undefined;
}

/** Tells the browser which sets have too few or too many choices, as the visitor's answers are now. */
export function checkSets(form: HTMLFormElement): void {
  const sets = new Map<string, Choices[]>();
  for (const control of own(form).querySelectorAll<Choices>("input[type=checkbox],select[multiple]")) {
    const name = nameOf(form, control);
    const field = fieldsOf(form).get(name);
    if (field?.required === true || field?.min !== undefined || field?.max !== undefined) sets.set(name, [...(sets.get(name) ?? []), control]);
  }
  for (const [name, controls] of sets) {
    const [first] = controls as [Choices];
    const fault = faultOf(fieldsOf(form).get(name) as Field, controls.reduce((sum, control) => sum + countOf(control), 0));
    const text = fault === undefined ? "" : filled(textOf(form, fault.key), { label: labelOf(form, first), ...fault.values });
    first.setCustomValidity(text);
    if (fault === undefined) faults.delete(first);
    else faults.set(first, fault);
  }
  // Browsers do not ask for these.
  for (const control of own(form).querySelectorAll<HTMLInputElement>("input[data-cf-kind][required]")) {
    control.setCustomValidity(isUnset(control) ? filled(textOf(form, "required_field_missing"), { label: labelOf(form, control) }) : "");
  }
}
