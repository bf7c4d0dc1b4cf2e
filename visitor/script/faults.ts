/**
 * Shows the faults of the visitor's answers with the form's texts: beside each field, and all together above the form.
 * The browser's bubbles are never shown.
 *
 * A submit and Next show every fault. A field that loses the focus shows a fault unless it is empty. A fault disappears
 * as soon as the answer is valid. The server's page shows the same texts in the same places (src/pages/summary.rs).
 */
import { boundText } from "./bound-text.ts";
import { ANSWERS, CHOICE, type Control, fieldName, fieldOf, labelOf, choiceGroup } from "./fields.ts";
import { closest, element, native, rootOf, textOf } from "./dom.ts";
import { choiceFault } from "./choice-limits.ts";
import { clearNote, showNote } from "./sending.ts";
import { isUnset } from "./unset.ts";
import { showStepOf, walkOf } from "./walks.ts";

/** A fault in the server's response. */
export interface ServerFault {
  readonly field: string;
  /** The part of a name or address that has the fault. */
  readonly part?: string;
  /** In a repeating group, the name of the input. */
  readonly input?: string;
  readonly message: string;
  /** The message for a place beside the field. */
  readonly short?: string;
}

/** The message about a control in its two forms. */
interface FaultTexts {
  /** For the list above the form. */
  readonly message: string;
  readonly short: string;
}

/** A fault that the page shows. */
interface ShownFault {
  readonly control: Control;
  readonly line: HTMLElement;
  /** Whether the server found the fault, so that the browser cannot tell when it is corrected. */
  readonly isFromServer: boolean;
  /** The item in the list above the form. */
  entry?: Element | null;
}

const shownFaults = new WeakMap<HTMLFormElement, ShownFault[]>();
let count = 0;

const MARK = /[\s.:;,!?…。：！？؟]+$/;

/* ---- Words ---- */

/**
 * Fills the placeholders of a text. A label loses its final punctuation mark if the text continues with a punctuation
 * mark.
 */
export const fillTemplate = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(label|min|max|step|title)\}([\s.:;,!?…。：！？؟]?)/g, (_, name: string, mark: string) => {
    const value = values[name] ?? "";
    return (mark.trim() === "" ? value : value.replace(MARK, "") || value) + mark;
  });

/** Formats a number, a date or a date with time in the form's language. */
export function localized(form: HTMLFormElement, text: string): string {
  const [, year, month = "", day = "", time = ""] = /^(\d+)-(\d+)-?(\d+)?(T.+)?$/.exec(text) ?? [];
  if (year !== undefined) {
    let format = textOf(form, "date_format") || "{year}-{month}-{day}";
    if (day === "") format = format.replace(/-?\{day\}[^{]*/, "");
    return format.replace("{year}", year).replace("{month}", month).replace("{day}", day) + time.replace("T", " ");
  }
  const mark = textOf(form, "decimal_mark");
  if (mark === "" || text === "" || Number.isNaN(Number(text))) return text;
  const [whole = "", fraction] = text.split(".");
  const grouped =
    whole.replace("-", "").length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, () => textOf(form, "group_mark")) : whole;
  return fraction === undefined ? grouped : `${grouped}${mark}${fraction}`;
}

/** Fills in a message about a control, for the list and for the place beside the control. */
export function faultTexts(
  form: HTMLFormElement,
  template: string,
  control: Control,
  values: Readonly<Record<string, string>> = {},
): FaultTexts {
  const rest = template.replace(/^\{label\}\s*[:：–—-][\s.:;,!?…。：！？؟–—-]*/, "");
  const short = rest === "" || rest.startsWith("{") ? template : rest.charAt(0).toUpperCase() + rest.slice(1);
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    name === "title" ? value : (boundText(textOf(form, "date_format"), value) ?? localized(form, value)),
  ]);
  const label = labelOf(form, control);
  const all = { label, ...Object.fromEntries(entries) };
  // A control without a name is not a field and has no label.
  return { message: fillTemplate(label === "" ? short : template, all), short: fillTemplate(short, all) };
}

/** The message for the browser's validity state of a control. */
function fault(form: HTMLFormElement, control: Control): FaultTexts {
  const { validity: wrong } = control;
  const type = control.getAttribute("type") ?? "";
  const isMoment = /date|time|month|week/.test(type);
  const { min = "", max = "", minLength = 0, maxLength = 0 } = control as HTMLInputElement;
  const say = (key: string, values: Readonly<Record<string, string>> = {}): FaultTexts =>
    faultTexts(form, textOf(form, key), control, values);
  const ofSet = choiceFault(control);
  if (ofSet !== undefined) return say(ofSet.key, ofSet.values);
  if (isUnset(control)) return say("required_field_missing");
  if (wrong.customError)
    return { message: `${labelOf(form, control)}: ${control.validationMessage}`, short: control.validationMessage };
  if (wrong.stepMismatch && !isMoment) return say("invalid_step", { step: (control as HTMLInputElement).step || "1" });
  if (wrong.badInput || wrong.stepMismatch) return say(isMoment ? "invalid_date" : "invalid_number");
  if (wrong.valueMissing) {
    if (type === "checkbox" && fieldOf(form, control)?.answer !== "choices") return say("required_box_missing");
    return say(
      control.matches(CHOICE) || control instanceof HTMLSelectElement
        ? "required_choice_missing"
        : "required_field_missing",
    );
  }
  if (wrong.typeMismatch) return say(type === "url" ? "invalid_url" : "invalid_email");
  if (wrong.rangeUnderflow) return say("too_small", { min });
  if (wrong.rangeOverflow) return say("too_large", { max });
  if (wrong.tooShort) return say("too_short", { min: `${minLength}` });
  if (wrong.tooLong) return say("too_long", { max: `${maxLength}` });
  // HTML recommends that authors describe the pattern in `title`.
  const title = control.title.trim();
  return title === "" ? say("invalid_pattern") : say("invalid_pattern_title", { title });
}

/* ---- Showing and removing ---- */

/** Inserts a message below a group of choices, or else after the control with its label. */
function place(form: HTMLFormElement, control: Control, isOfPart: boolean, line: HTMLElement): void {
  const field = control.closest(".cf-options");
  if (field !== null && !isOfPart) return field.append(line);
  const last = choiceGroup(form, control).at(-1) ?? control;
  const next = last.matches(CHOICE) && last.nextElementSibling?.matches("label") ? last.nextElementSibling : null;
  let before: Element = last.closest("label") ?? last.closest(".cf-drop,.cf-date") ?? next ?? last;
  while (before.nextElementSibling?.matches(".cf-error")) before = before.nextElementSibling;
  before.after(line);
}

const isPart = (control: Control): boolean =>
  !control.matches(`${CHOICE},[data-cf-rank] *`) && control.name.endsWith("]");

function showFault(form: HTMLFormElement, control: Control, { short }: FaultTexts, isFromServer: boolean): ShownFault {
  count += 1;
  const line = element("p", "cf-error", short);
  line.id = `cf-error-${native(form).dataset["id"] ?? "form"}-${count}`;
  place(form, control, isPart(control), line);
  for (const one of choiceGroup(form, control)) {
    one.setAttribute("aria-invalid", "true");
    one.setAttribute("aria-describedby", `${one.getAttribute("aria-describedby") ?? ""} ${line.id}`.trim());
  }
  const shown = { control, line, isFromServer };
  shownFaults.set(form, [...(shownFaults.get(form) ?? []), shown]);
  return shown;
}

function removeFaults(form: HTMLFormElement, gone: readonly ShownFault[]): void {
  for (const { control, line, entry } of gone) {
    line.remove();
    entry?.remove();
    for (const one of choiceGroup(form, control)) {
      one.removeAttribute("aria-invalid");
      const ids = (one.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id !== line.id && id !== "");
      if (ids.length > 0) one.setAttribute("aria-describedby", ids.join(" "));
      else one.removeAttribute("aria-describedby");
    }
  }
  shownFaults.set(
    form,
    (shownFaults.get(form) ?? []).filter((shown) => !gone.includes(shown)),
  );
  const list = native(form).querySelector(".cf-summary");
  if (list?.querySelector("li") !== null) return;
  list.remove();
  clearNote(form);
}

export function clearFaults(form: HTMLFormElement): void {
  native(form).querySelector(".cf-summary")?.remove();
  clearNote(form);
  removeFaults(form, shownFaults.get(form) ?? []);
}

/** Shows all faults. With a title, also lists them above the form, and shows the title above the button. */
function show(
  form: HTMLFormElement,
  faults: readonly (readonly [Control, FaultTexts])[],
  title: string,
  isFromServer = false,
): void {
  clearFaults(form);
  const list = element("ul", "");
  for (const [control, words] of faults) {
    const shown = showFault(form, control, words, isFromServer);
    const [entry, link] = [element("li", ""), element("a", "", words.message)];
    control.id ||= shown.line.id.replace("error", "control");
    link.href = `#${control.id}`;
    entry.append(link);
    list.append(entry);
    shown.entry = entry;
  }
  const summary = element("div", "cf-summary");
  const isListed = title !== "" && faults.length > 0;
  if (isListed) {
    summary.setAttribute("role", "alert");
    summary.tabIndex = -1;
    summary.append(element("p", "cf-summary-title", title), list);
    native(form).prepend(summary);
  }
  const [first] = faults;
  if (first === undefined) return;
  showStepOf(form, first[0]);
  // With several faults on one page, the list takes the focus, because it links to each.
  if (isListed && faults.length > 1 && walkOf(form) === undefined) summary.focus();
  else first[0].focus();
  if (isListed) showNote(form, title, "");
}

/** Shows the faults of these controls and returns whether there are any. */
export function showFaults(form: HTMLFormElement, controls: Iterable<Element>, title = ""): boolean {
  const names = new Set<string>();
  const wrong = [...controls].filter((one): one is Control => {
    const control = one as Control;
    if (!control.willValidate || control.validity.valid) return false;
    // A group of choices has only one fault; so do the parts of a date.
    if (choiceGroup(form, control).length === 1 && !fieldOf(form, control)?.date) return true;
    const name = fieldName(form, control);
    return !names.has(name) && names.add(name).size > 0;
  });
  show(
    form,
    wrong.map((control) => [control, fault(form, control)]),
    title,
  );
  return wrong.length > 0;
}

/** Shows the server's faults that belong to a control of the form. */
export function showServerFaults(form: HTMLFormElement, faults: readonly ServerFault[], title: string): void {
  const found = faults.flatMap(
    ({ field, part, input, message, short = message }): (readonly [Control, FaultTexts])[] => {
      // A visitor cannot correct a hidden input of the same name.
      const controls = [...native(form).querySelectorAll<Control>(ANSWERS)].filter((one) =>
        input === undefined ? fieldName(form, one) === field : one.name === input,
      );
      // The fault of a repeating group is shown at its first row.
      const group = `[data-cf-rows="${CSS.escape(field)}"] :is(input:not([type=hidden]),select,textarea)`;
      const control =
        controls.find(({ name }) => name === `${field}[${part}]`) ??
        controls.find(({ type }) => type !== "hidden") ??
        controls[0] ??
        native(form).querySelector<Control>(group);
      return control === undefined || control === null ? [] : [[control, { message, short }]];
    },
  );
  show(form, found, title, true);
}

/** Shows the fault of a changed field instead of the previous one. */
function showFaultOnChange(form: HTMLFormElement, control: Control, known: readonly ShownFault[]): void {
  const { valid, badInput } = control.validity;
  // A listener may just have completed an address (addresses.ts), so the fault may be gone.
  if (valid) return removeFaults(form, known);
  // The options of a multiple select are chosen one after another, so it may be incomplete now.
  if (
    isUnset(control) ||
    (control instanceof HTMLSelectElement && control.multiple) ||
    (control.value === "" && !badInput)
  )
    return;
  const entries = known.map(({ entry }) => entry);
  const words = fault(form, control);
  // The fault is shown already.
  if (known.some(({ line }) => line.textContent === words.short)) return;
  for (const shown of known) shown.entry = null;
  removeFaults(form, known);
  const shown = showFault(form, control, words, false);
  shown.entry = entries.find((entry) => entry !== undefined && entry !== null) ?? null;
  const link = shown.entry?.querySelector("a");
  if (link) link.textContent = words.message;
}

/** Actions that wait until the pointer is released; null while no button is pressed. */
let waiting: (() => void)[] | null = null;

/**
 * Runs an action once the pointer is released. A message that appears earlier would move the button, so that the click
 * misses it.
 */
export function afterPointerUp(action: () => void): void {
  if (waiting === null) action();
  else waiting.push(action);
}

window.addEventListener("mousedown", ({ button }) => (waiting ??= button === 0 ? [] : null), true);
for (const name of ["mouseup", "dragend"]) {
  window.addEventListener(
    name,
    () => {
      const actions = waiting ?? [];
      waiting = null;
      // The click event comes after `mouseup`.
      setTimeout(() => {
        for (const action of actions) action();
      });
    },
    true,
  );
}

/** Returns the target of a link in the summary. An author's link may have no target. */
function targetOf(root: Document | ShadowRoot, { hash }: HTMLAnchorElement): HTMLElement | null {
  try {
    return root.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/** Removes faults as the visitor corrects them, and suppresses the browser's bubbles. */
export function watchFaults(form: HTMLFormElement): void {
  const root = rootOf(form);
  const lines = native(form).querySelectorAll<HTMLElement>(".cf-error");
  // The page already shows faults when the form was sent without script.
  shownFaults.set(
    form,
    [...lines].flatMap((line): ShownFault[] => {
      const control = native(form).querySelector<Control>(`[aria-describedby~="${CSS.escape(line.id)}"]`);
      if (control === null) return [];
      const entry =
        native(form)
          .querySelector(`.cf-summary [href="#${CSS.escape(control.id || line.id)}"]`)
          ?.closest("li") ?? null;
      return [{ control, line, isFromServer: true, entry }];
    }),
  );
  let isReported = false;
  root.addEventListener(
    "invalid",
    (event) => {
      if ((event.target as Control).form !== form) return;
      event.preventDefault();
      // The browser fires `invalid` for each control; the first event shows all faults.
      if (!isReported) showFaults(form, native(form).elements, textOf(form, "error"));
      isReported = true;
      setTimeout(() => (isReported = false));
    },
    true,
  );
  const faultsOf = (control: Control): ShownFault[] =>
    (shownFaults.get(form) ?? []).filter(
      (shown) =>
        shown.control === control || (control.name !== "" && choiceGroup(form, shown.control).includes(control)),
    );
  native(form).addEventListener("input", ({ target }) => {
    const corrected = faultsOf(target as Control).filter(
      ({ control, isFromServer }) => isFromServer || control.validity.valid,
    );
    if (corrected.length > 0) removeFaults(form, corrected);
  });
  native(form).addEventListener("change", ({ target }) => {
    const control = closest(target, "input,select,textarea") as Control | null;
    const [first] = control === null ? [] : choiceGroup(form, control);
    // A group of choices may be incomplete now, but not have too many.
    if (first !== undefined && (!first.matches(CHOICE) || choiceFault(first)?.values?.["max"] !== undefined))
      afterPointerUp(() => showFaultOnChange(form, first, faultsOf(first)));
  });
  native(form).addEventListener("click", (event) => {
    const link = closest(event.target, ".cf-summary a");
    const place = link instanceof HTMLAnchorElement ? targetOf(root, link) : null;
    if (!place) return;
    event.preventDefault();
    showStepOf(form, place);
    place.focus();
  });
}

/** Removes the faults of controls that conditions have hidden, or whose row is removed. */
export function removeHiddenFaults(form: HTMLFormElement): void {
  const hidden = (shownFaults.get(form) ?? []).filter(
    ({ control }) => control.matches(":disabled") || !control.isConnected,
  );
  if (hidden.length > 0) removeFaults(form, hidden);
}
