/** What CSS cannot do for single fields: a range says its value, and "Other" asks for its text. */
import { localized } from "./faults.ts";
import { own } from "./own.ts";
import { isUnset } from "./unset.ts";

/** Makes the ranges say what they are at, as the form is now. */
function showRange(form: HTMLFormElement, range: HTMLInputElement): void {
  const [value, min, max] = [range.valueAsNumber, Number(range.min || 0), Number(range.max || 100)];
  range.style.setProperty("--cf-at", `${max > min ? ((value - min) / (max - min)) * 100 : 0}%`);
  const output = range.parentElement?.querySelector("output");
  const isOpen = isUnset(range);
  range.classList.toggle("cf-unset", isOpen);
  if (isOpen) range.setAttribute("aria-valuetext", "–");
  else range.removeAttribute("aria-valuetext");
  const told = isOpen ? "–" : localized(form, range.value);
  if (output && output.textContent !== told) output.textContent = told;
}

export function showExtras(form: HTMLFormElement): void {
  for (const range of own(form).querySelectorAll<HTMLInputElement>("input[type=range]")) showRange(form, range);
  for (const colour of own(form).querySelectorAll("input[type=color]")) colour.classList.toggle("cf-unset", isUnset(colour));
  for (const other of own(form).querySelectorAll(".cf-other")) {
    const [choice, text] = other.querySelectorAll("input");
    if (choice === undefined || text === undefined) continue;
    text.required = choice.checked;
    if (text.disabled === choice.checked) text.disabled = !choice.checked;
  }
}
