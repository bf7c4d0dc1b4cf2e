/** The last step of a form that shows what was answered before it is sent. */
import { type Control, labelOf, localized, wordsOf } from "./faults.ts";
import { element, own, textOf } from "./own.ts";

/** What an answer says: the words of what is chosen, else what was written. */
function answerOf(control: Control): string {
  if (control.matches("[type=radio],[type=checkbox]")) {
    if (!(control as HTMLInputElement).checked) return "";
    return control.closest(".cf-options,fieldset") === null ? textOf(control.form as HTMLFormElement, "yes") : wordsOf(control.labels?.[0]);
  }
  if (control instanceof HTMLSelectElement) return [...control.selectedOptions].filter(({ value }) => value !== "").map(({ label }) => label).join(", ");
  if (control instanceof HTMLInputElement && control.files !== null) return [...control.files].map(({ name }) => name).join(", ");
  return control.matches("[type^=date],[type=number],[type=range]") ? localized(control.form as HTMLFormElement, control.value) : control.value;
}

/** Lists the answers of a form in its review; `change` leads to what was answered. */
export function showReview(form: HTMLFormElement, review: HTMLElement, change: (control: Control) => void): void {
  const answers = new Map<string, { readonly first: Control; readonly texts: string[] }>();
  for (const control of own(form).querySelectorAll<Control>("input,select,textarea")) {
    if (control.name.startsWith("_") || control.matches("[aria-hidden=true] *,:disabled,[type=hidden],.cf-search>:not([name]),[type=password],[type=submit],[type=image]")) continue;
    const text = answerOf(control);
    const label = labelOf(form, control);
    const isPart = control.matches("[name$=']']:not([name$='[]'],[type=radio],[type=checkbox])");
    const name = isPart ? control.name : control.name.replace(/\[.*/, "");
    const known = answers.get(name || label) ?? { first: control, texts: [] };
    answers.set(name || label, known);
    if (text !== "") known.texts.push(text);
  }
  const list = element("dl", "cf-answers");
  for (const { first, texts } of answers.values()) {
    if (texts.length === 0) continue;
    const [row, label] = [element("div", ""), labelOf(form, first)];
    const button = element("button", "cf-change", textOf(form, "review_change"));
    button.type = "button";
    button.setAttribute("aria-label", `${button.textContent} ${label}`);
    button.addEventListener("click", () => change(first));
    const cell = element("dd", "");
    cell.append(button);
    row.append(element("dt", "", label), element("dd", "", texts.join(", ")), cell);
    list.append(row);
  }
  review.replaceChildren(element("h2", "cf-step-title", textOf(form, "review_title")), list);
}
