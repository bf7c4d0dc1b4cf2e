/** Clears answers that browsers cannot clear: ratings, and ranges and colours that are not required. */
import { labelOf } from "./fields.ts";
import { element, native, textOf } from "./dom.ts";
import { isUnset, takeBack } from "./unset.ts";

/** Adds a button that clears an answer, visible while there is an answer. */
function addButton(form: HTMLFormElement, controls: readonly HTMLInputElement[], place: Element): void {
  const [first] = controls;
  if (first === undefined || controls.some(({ required }) => required)) return;
  const text = textOf(form, "clear_answer");
  const button = element("button", "cf-clear", text);
  button.type = "button";
  button.setAttribute("aria-label", `${text}: ${labelOf(form, first)}`);
  const isAnswered = (): boolean =>
    first.type === "radio" ? controls.some(({ checked }) => checked) : !isUnset(first);
  const update = (): void => {
    button.hidden = !isAnswered() || first.matches(":disabled");
  };
  button.addEventListener("click", () => {
    if (first.type === "radio") for (const control of controls) control.checked = false;
    else takeBack(first);
    // An event of the control itself would count as an interaction.
    place.dispatchEvent(new Event("input", { bubbles: true }));
    // The button disappears, so the focus moves to the control.
    first.focus();
  });
  for (const name of ["input", "change"]) native(form).addEventListener(name, update);
  native(form).addEventListener("reset", () => setTimeout(update));
  place.append(button);
  update();
}

/** Adds the buttons of a form's ratings, ranges and colours. */
export function addClearButtons(form: HTMLFormElement): void {
  const all = <T extends Element>(selector: string): readonly T[] => [...native(form).querySelectorAll<T>(selector)];
  // A conversational form has another button for this.
  if (native(form).dataset["steps"] === "conversational") return;
  for (const set of all("[data-cf-type=rating]")) {
    const radios = [...set.querySelectorAll<HTMLInputElement>("input[type=radio]")];
    addButton(form, radios, set);
  }
  for (const control of all<HTMLInputElement>("input:is([data-cf-kind=range],[data-cf-kind=color])"))
    if (control.parentElement !== null) addButton(form, [control], control.parentElement);
}
