/** Field behaviour beyond CSS: a range shows its value, and "Other" requires its text. */
import { localized } from "./faults.ts";
import { native } from "./dom.ts";
import { isUnset } from "./unset.ts";

/** Shows the value of a range beside it. */
function showRange(form: HTMLFormElement, range: HTMLInputElement): void {
  const [value, min, max] = [range.valueAsNumber, Number(range.min || 0), Number(range.max || 100)];
  range.style.setProperty("--cf-at", `${max > min ? ((value - min) / (max - min)) * 100 : 0}%`);
  const output = range.parentElement?.querySelector("output");
  const isOpen = isUnset(range);
  range.classList.toggle("cf-unset", isOpen);
  if (isOpen) range.setAttribute("aria-valuetext", "–");
  else range.removeAttribute("aria-valuetext");
  const text = isOpen ? "–" : localized(form, range.value);
  if (output && output.textContent !== text) output.textContent = text;
}

export function showExtras(form: HTMLFormElement): void {
  for (const range of native(form).querySelectorAll<HTMLInputElement>("input[type=range]")) showRange(form, range);
  for (const colour of native(form).querySelectorAll("input[type=color]"))
    colour.classList.toggle("cf-unset", isUnset(colour));
  for (const other of native(form).querySelectorAll(".cf-other")) {
    const [choice, text] = other.querySelectorAll("input");
    if (choice === undefined || text === undefined) continue;
    text.required = choice.checked;
    if (text.disabled === choice.checked) text.disabled = !choice.checked;
  }
}
