/**
 * Sets of boxes of which one must be ticked. HTML has no attribute for that, since `required` asks
 * for the very box that has it: the page marks the set (`data-cf-required`), and its first box tells
 * the browser, which then keeps the visitor in the step and does not send the form.
 */
import { own, textOf } from "./own.ts";

/** The boxes that a mark is about: those of the set's fieldset, else those of the box's name. */
function boxesOf(form: HTMLFormElement, mark: HTMLElement): readonly HTMLInputElement[] {
  const isSet = mark.matches(".cf-options");
  const boxes = (isSet ? mark : own(form)).querySelectorAll<HTMLInputElement>("input[type=checkbox]");
  return [...boxes].filter((box) => isSet || box.name === mark.getAttribute("name"));
}

/** What the set is called: its legend, without the star. */
function labelOf(box: HTMLInputElement): string {
  const legend = box.closest("fieldset")?.querySelector("legend")?.cloneNode(true);
  if (!(legend instanceof HTMLElement)) return box.name.replace(/\[\]$/, "");
  legend.querySelector(".cf-required")?.remove();
  return legend.textContent.trim().replace(/[.:;,!?]$/, "");
}

const unanswered = new WeakSet<Element>();

/** Whether a control is the first of a set that lacks an answer. */
export const isUnanswered = (control: Element): boolean => unanswered.has(control);

/** Tells the browser which sets lack an answer, as the visitor's answers are now. */
export function checkSets(form: HTMLFormElement): void {
  for (const mark of own(form).querySelectorAll<HTMLElement>("[data-cf-required]")) {
    const [first, ...others] = boxesOf(form, mark);
    if (first === undefined || others.length === 0) continue;
    const isAnswered = [first, ...others].some((box) => box.checked);
    first.setCustomValidity(isAnswered ? "" : textOf(form, "required_choice_missing").replace("{label}", () => labelOf(first)));
    unanswered[isAnswered ? "delete" : "add"](first);
  }
}
