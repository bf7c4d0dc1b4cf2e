/** The answers of controls as text: labels of options, not values. */
import { dateOf } from "./conditions.ts";
import { native, textOf } from "./dom.ts";
import { localized } from "./faults.ts";
import { CHOICE, type Control, fieldOf } from "./fields.ts";
import { isUnset } from "./unset.ts";

/** The answer of a control as text: the label of the chosen option, else the value. */
export function answerOf(form: HTMLFormElement, control: Control): string {
  const field = fieldOf(form, control);
  if (isUnset(control)) return "";
  if (field?.date) {
    // Only the day's control returns the date, so that the date appears once.
    const [name, part] = control.name.split(/\[(?=\w+\]$)/);
    const controls = native(form).querySelectorAll<Control>(`[name^="${CSS.escape(`${name}[`)}"]`);
    return part === "day]" ? localized(form, dateOf([...controls])) : "";
  }
  if (control.matches(CHOICE)) {
    if (!(control as HTMLInputElement).checked) return "";
    return field?.answer === "toggle" ? textOf(form, "yes") : (field?.options?.[control.value] ?? control.value);
  }
  if (control instanceof HTMLSelectElement)
    return [...control.selectedOptions]
      .filter(({ value }) => value !== "")
      .map(({ label }) => label.trim().split("\n", 1)[0])
      .join(", ");
  if (control instanceof HTMLInputElement && control.files !== null)
    return [...control.files].map(({ name }) => name).join(", ");
  return control.matches("[type^=date],[type=number],[type=range]")
    ? localized(form, control.value)
    : (field?.stored?.(control.value) ?? control.value);
}

/** The answers of the controls of one question, each part of a name or an address on a line. */
export function localizedAnswer(form: HTMLFormElement, controls: readonly Control[]): string {
  const isSecret = (control: Control): boolean => control.matches("[type=password],[data-cf-secret]");
  const texts = controls.filter((control) => native(form).contains(control) && !isSecret(control));
  const answers = texts.map((control) => answerOf(form, control)).filter((text) => text !== "");
  return answers.join(controls.some((control) => control.closest(".cf-part") !== null) ? "\n" : ", ");
}
