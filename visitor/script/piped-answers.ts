/** The part of the script for forms whose texts show answers or whose answers can be cleared. */
import { addClearButtons } from "./clear-answers.ts";
import { native } from "./dom.ts";
import { startPipes } from "./pipes.ts";

/** Chooses "Other" if the page already has its text, from the address or from an earlier submit. */
function tickOthers(form: HTMLFormElement): void {
  for (const other of native(form).querySelectorAll(".cf-other")) {
    const [choice, text] = other.querySelectorAll("input");
    if (choice === undefined || !text?.defaultValue || choice.checked) continue;
    choice.checked = true;
    choice.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

export function startAnswers(form: HTMLFormElement): void {
  if (native(form).querySelector("[data-cf-prefilled]") !== null) tickOthers(form);
  startPipes(form);
  addClearButtons(form);
}
