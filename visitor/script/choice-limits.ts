/**
 * Groups of choices with a minimum or maximum number of chosen options. HTML has no attribute for a group: `required`
 * on a checkbox requires that checkbox. The engine writes the bounds into the page (fields.ts). The first box of the
 * group, or the select, gets a custom validity, so that the browser does not send the form. The server counts in the
 * same way (crates/model/src/logic/validate/choice.rs).
 */
import { fillTemplate } from "./faults.ts";
import { type Control, type Field, fieldName, fieldsOf, labelOf } from "./fields.ts";
import { native, textOf } from "./dom.ts";
import { isUnset } from "./unset.ts";

type Choices = HTMLInputElement | HTMLSelectElement;

/** The fault of a group: the key of the message and the values of its placeholders. */
export interface ChoiceFault {
  readonly key: string;
  readonly values?: Readonly<Record<string, string>>;
}

const faults = new WeakMap<Element, ChoiceFault>();

/** Returns the fault of the group that begins with this control. */
export const choiceFault = (control: Element): ChoiceFault | undefined => faults.get(control);

/** The field of a control. The box of "Other" has no name, so its element names the field. */
const nameOf = (form: HTMLFormElement, control: Choices): string =>
  fieldName(form, control) || (control.closest<HTMLElement>("[data-cf-name]")?.dataset["cfName"] ?? "");

/** Number of chosen options of a control. */
function countOf(control: Choices): number {
  if (control instanceof HTMLSelectElement)
    return [...control.selectedOptions].filter(({ value }) => value !== "").length;
  return control.checked ? 1 : 0;
}

function faultOf({ required, min = 0, max = Infinity }: Field, count: number): ChoiceFault | undefined {
  if (count === 0) return required === true ? { key: "required_choice_missing" } : undefined;
  if (count < min) return { key: "too_few_choices", values: { min: `${min}` } };
  if (count > max)
    return max === 1 ? { key: "too_many_choices_one" } : { key: "too_many_choices", values: { max: `${max}` } };
  return undefined;
}

/** Sets or removes a fault that browsers do not detect. */
export function setFault(form: HTMLFormElement, control: Control, fault: ChoiceFault | undefined): void {
  const values = { label: labelOf(form, control), ...fault?.values };
  control.setCustomValidity(fault === undefined ? "" : fillTemplate(textOf(form, fault.key), values));
  if (fault === undefined) faults.delete(control);
  else faults.set(control, fault);
}

/** Sets the custom validity of groups with too few or too many choices. */
export function checkChoiceLimits(form: HTMLFormElement): void {
  const sets = new Map<string, Choices[]>();
  for (const control of native(form).querySelectorAll<Choices>(
    "input[type=checkbox],select[multiple],[data-cf-rank] select",
  )) {
    const name = nameOf(form, control);
    const field = fieldsOf(form).get(name);
    if (field?.required === true || field?.min !== undefined || field?.max !== undefined)
      sets.set(name, [...(sets.get(name) ?? []), control]);
  }
  for (const [name, controls] of sets) {
    const [first] = controls as [Choices];
    const fault = faultOf(
      fieldsOf(form).get(name) as Field,
      controls.reduce((sum, control) => sum + countOf(control), 0),
    );
    setFault(form, first, fault);
  }
  // Browsers do not validate `required` on ranges and colours.
  for (const control of native(form).querySelectorAll<HTMLInputElement>("input[data-cf-kind][required]")) {
    control.setCustomValidity(
      isUnset(control) ? fillTemplate(textOf(form, "required_field_missing"), { label: labelOf(form, control) }) : "",
    );
  }
}
