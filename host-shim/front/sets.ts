/**
 * Sets of boxes of which one must be ticked. HTML has no attribute for that, since `required` asks
 * for the very box that has it: the page says which sets are required (fields.ts), and the first box of
 * such a set tells the browser, which then keeps the visitor in the step and does not send the form.
 */
import { filled } from "./faults.ts";
import { fieldName, fieldsOf, labelOf } from "./fields.ts";
import { own, textOf } from "./own.ts";
import { isUnset } from "./unset.ts";

const unanswered = new WeakSet<Element>();

/** Whether a control is the first of a set that lacks an answer. */
export const isUnanswered = (control: Element): boolean => unanswered.has(control);

/** The field that a box is a choice of; the box of "Other" has no name of its own. */
const nameOf = (form: HTMLFormElement, box: HTMLInputElement): string =>
  fieldName(form, box) || (box.closest<HTMLElement>("[data-cf-name]")?.dataset["cfName"] ?? "");

/** Tells the browser which sets lack an answer, as the visitor's answers are now. */
export function checkSets(form: HTMLFormElement): void {
  const sets = new Map<string, HTMLInputElement[]>();
  for (const box of own(form).querySelectorAll<HTMLInputElement>("input[type=checkbox]")) {
    const name = nameOf(form, box);
    if (fieldsOf(form).get(name)?.required) sets.set(name, [...(sets.get(name) ?? []), box]);
  }
  for (const boxes of sets.values()) {
    const [first] = boxes as [HTMLInputElement];
    const isAnswered = boxes.some((box) => box.checked);
    first.setCustomValidity(isAnswered ? "" : filled(textOf(form, "required_choice_missing"), { label: labelOf(form, first) }));
    unanswered[isAnswered ? "delete" : "add"](first);
  }
  // Browsers do not ask for these.
  for (const control of own(form).querySelectorAll<HTMLInputElement>("input[data-cf-kind][required]")) {
    control.setCustomValidity(isUnset(control) ? filled(textOf(form, "required_field_missing"), { label: labelOf(form, control) }) : "");
  }
}
