/** The review: a last step that lists the answers before the form is sent. */
import { answerOf } from "./answers.ts";
import { ANSWERS, type Control, fieldName, fieldOf, labelOf } from "./fields.ts";
import { element, native, textOf } from "./dom.ts";

/** Lists the answers of a form in its review; `change` shows the control of an answer. */
export function showReview(form: HTMLFormElement, review: HTMLElement, change: (control: Control) => void): void {
  const answers = new Map<string, { readonly first: Control; readonly texts: string[] }>();
  const isResult = (control: Control): boolean => control.matches(".cf-field > [data-cf-result]:not(:disabled)");
  for (const control of native(form).querySelectorAll<Control>(`${ANSWERS},input[data-cf-result]`)) {
    const field = fieldOf(form, control);
    if (
      field === undefined ||
      (control.dataset["cfResult"] !== undefined && !isResult(control)) ||
      control.matches(
        ":disabled,[type=hidden]:not([data-cf-result]),[type=password],[data-cf-secret],[type=submit],[type=image]",
      )
    )
      continue;
    const text = isResult(control) ? (field.shown ?? "") : answerOf(form, control);
    // Each part of an address has a row.
    const row = field.parts === undefined || field.date ? fieldName(form, control) : control.name;
    const known = answers.get(row) ?? { first: control, texts: [] };
    answers.set(row, known);
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
    if (!isResult(first)) cell.append(button);
    row.append(element("dt", "", label), element("dd", "", texts.join(", ")), cell);
    list.append(row);
  }
  const title = element("h2", "cf-step-title", textOf(form, "review_title"));
  title.dataset["cfStepTitle"] = "";
  review.replaceChildren(title, list);
}
