/**
 * What is wrong with the visitor's answers, told in the form's own words: beside each field, and
 * all together above the form. No bubble of the browser is shown.
 *
 * A submit and Next tell everything. A field that is left tells what was filled in wrongly, never
 * that it is empty. What is told goes as soon as it is right. The server's page says the same, in
 * the same places (src/front/summary.rs, the markup's fill).
 */
import { CHOICE, type Control, fieldName, fieldOf, labelOf, setOf } from "./fields.ts";
import { around, element, own, rootOf, textOf } from "./own.ts";
import { setFault } from "./sets.ts";
import { showStepOf } from "./steps.ts";
import { isUnset } from "./unset.ts";

/** A fault as the server tells it. */
export interface ServerFault {
  readonly field: string;
  /** Of a name or address: the part that is wrong. */
  readonly part?: string;
  readonly message: string;
  /** The message for a place beside the field. */
  readonly short?: string;
}

interface Words {
  /** For the list above the form. */
  readonly message: string;
  readonly short: string;
}

interface Told {
  readonly control: Control;
  readonly line: HTMLElement;
  /** Only the server knows whether it still holds. */
  readonly isOfServer: boolean;
  /** Its line of the list above the form. */
  entry?: Element | null;
}

const toldOf = new WeakMap<HTMLFormElement, Told[]>();
let count = 0;

const MARK = /[\s.:;,!?…。：！？؟]+$/;

/* ---- Words ---- */

/** A text with what it names put in; a label ends without a mark where the text goes on with one. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(label|min|max|step|title)\}([\s.:;,!?…。：！？؟]?)/g, (_, name: string, mark: string) => {
    const value = values[name] ?? "";
    return (mark.trim() === "" ? value : value.replace(MARK, "") || value) + mark;
  });

/** A number, a day, or a day with its time, as the form's language writes it. */
export function localized(form: HTMLFormElement, text: string): string {
  const [, year, month, day, time = ""] = /^(\d+)-(\d+)-(\d+)(T.+)?$/.exec(text) ?? [];
  if (year !== undefined) {
    const format = textOf(form, "date_format") || "{year}-{month}-{day}";
    return format.replace("{year}", year).replace("{month}", month ?? "").replace("{day}", day ?? "") + time.replace("T", " ");
  }
  const mark = textOf(form, "decimal_mark");
  if (mark === "" || text === "" || Number.isNaN(Number(text))) return text;
  const [whole = "", fraction] = text.split(".");
  const grouped = whole.replace("-", "").length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, () => textOf(form, "group_mark")) : whole;
  return fraction === undefined ? grouped : `${grouped}${mark}${fraction}`;
}

/** A message about a control, for the list above the form and for a place beside the control. */
export function wordsOf(form: HTMLFormElement, template: string, control: Control, values: Readonly<Record<string, string>> = {}): Words {
  const rest = template.replace(/^\{label\}\s*[:：–—-][\s.:;,!?…。：！？؟–—-]*/, "");
  const short = rest === "" || rest.startsWith("{") ? template : rest.charAt(0).toUpperCase() + rest.slice(1);
  const told = Object.entries(values).map(([name, value]) => [name, name === "title" ? value : localized(form, value)]);
  const label = labelOf(form, control);
  const all = { label, ...Object.fromEntries(told) };
  // What has no name is no field, and has none to be told.
  return { message: filled(label === "" ? short : template, all), short: filled(short, all) };
}

/** What the browser finds wrong with a control. */
function fault(form: HTMLFormElement, control: Control): Words {
  const { validity: wrong } = control;
  const type = control.getAttribute("type") ?? "";
  const isMoment = /date|time|month|week/.test(type);
  const { min = "", max = "", minLength = 0, maxLength = 0 } = control as HTMLInputElement;
  const say = (key: string, values: Readonly<Record<string, string>> = {}): Words => wordsOf(form, textOf(form, key), control, values);
  const ofSet = setFault(control);
  if (ofSet !== undefined) return say(ofSet.key, ofSet.values);
  if (isUnset(control)) return say("required_field_missing");
  if (wrong.customError) return { message: `${labelOf(form, control)}: ${control.validationMessage}`, short: control.validationMessage };
  if (wrong.stepMismatch && !isMoment) return say("invalid_step", { step: (control as HTMLInputElement).step || "1" });
  if (wrong.badInput || wrong.stepMismatch) return say(isMoment ? "invalid_date" : "invalid_number");
  if (wrong.valueMissing) {
    if (type === "checkbox" && fieldOf(form, control)?.answer !== "choices") return say("required_box_missing");
    return say(control.matches(CHOICE) || control instanceof HTMLSelectElement ? "required_choice_missing" : "required_field_missing");
  }
  if (wrong.typeMismatch) return say(type === "url" ? "invalid_url" : "invalid_email");
  if (wrong.rangeUnderflow) return say("too_small", { min });
  if (wrong.rangeOverflow) return say("too_large", { max });
  if (wrong.tooShort) return say("too_short", { min: `${minLength}` });
  if (wrong.tooLong) return say("too_long", { max: `${maxLength}` });
  // What the author says of the pattern, in the attribute that HTML has for it.
  const title = control.title.trim();
  return title === "" ? say("invalid_pattern") : say("invalid_pattern_title", { title });
}

/* ---- Telling ---- */

/** Where a message stands: below a set of choices, else behind the control with its label. */
function place(form: HTMLFormElement, control: Control, isOfPart: boolean, line: HTMLElement): void {
  const field = control.closest(".cf-options");
  if (field !== null && !isOfPart) return field.append(line);
  const last = setOf(form, control).at(-1) ?? control;
  const next = last.matches(CHOICE) && last.nextElementSibling?.matches("label") ? last.nextElementSibling : null;
  let before: Element = last.closest("label") ?? next ?? last;
  while (before.nextElementSibling?.matches(".cf-error")) before = before.nextElementSibling;
  before.after(line);
}

const isPart = (control: Control): boolean => !control.matches(CHOICE) && control.name.endsWith("]");

function tell(form: HTMLFormElement, control: Control, { short }: Words, isOfServer: boolean): Told {
  count += 1;
  const line = element("p", "cf-error", short);
  line.id = `cf-error-${own(form).dataset["id"] ?? "form"}-${count}`;
  place(form, control, isPart(control), line);
  for (const one of setOf(form, control)) {
    one.setAttribute("aria-invalid", "true");
    one.setAttribute("aria-describedby", `${one.getAttribute("aria-describedby") ?? ""} ${line.id}`.trim());
  }
  const told = { control, line, isOfServer };
  toldOf.set(form, [...(toldOf.get(form) ?? []), told]);
  return told;
}

function withdraw(form: HTMLFormElement, gone: readonly Told[]): void {
  for (const { control, line, entry } of gone) {
    line.remove();
    entry?.remove();
    for (const one of setOf(form, control)) {
      one.removeAttribute("aria-invalid");
      const ids = (one.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id !== line.id && id !== "");
      if (ids.length > 0) one.setAttribute("aria-describedby", ids.join(" "));
      else one.removeAttribute("aria-describedby");
    }
  }
  toldOf.set(form, (toldOf.get(form) ?? []).filter((told) => !gone.includes(told)));
  const list = own(form).querySelector(".cf-summary");
  if (list?.querySelector("li") === null) list.remove();
}

export function clearFaults(form: HTMLFormElement): void {
  own(form).querySelector(".cf-summary")?.remove();
  withdraw(form, toldOf.get(form) ?? []);
}

/** Shows all faults; those of a whole form are listed above it too. The first takes the focus. */
function show(form: HTMLFormElement, faults: readonly (readonly [Control, Words])[], title: string, isOfServer = false): void {
  clearFaults(form);
  const list = element("ul", "");
  for (const [control, words] of faults) {
    const told = tell(form, control, words, isOfServer);
    const [entry, link] = [element("li", ""), element("a", "", words.message)];
    control.id ||= told.line.id.replace("error", "control");
    link.href = `#${control.id}`;
    entry.append(link);
    list.append(entry);
    told.entry = entry;
  }
  if (title !== "" && faults.length > 0) {
    const summary = element("div", "cf-summary");
    summary.setAttribute("role", "alert");
    summary.append(element("p", "cf-summary-title", title), list);
    own(form).prepend(summary);
  }
  const [first] = faults;
  if (first === undefined) return;
  showStepOf(form, first[0]);
  first[0].focus();
}

/** Tells what is wrong with these controls; answers whether anything is. */
export function tellFaults(form: HTMLFormElement, controls: Iterable<Element>, title = ""): boolean {
  const names = new Set<string>();
  const wrong = [...controls].filter((one): one is Control => {
    const control = one as Control;
    if (!control.willValidate || control.validity.valid) return false;
    // The choices of a set have one fault.
    if (setOf(form, control).length === 1) return true;
    const name = fieldName(form, control);
    return !names.has(name) && names.add(name).size > 0;
  });
  show(form, wrong.map((control) => [control, fault(form, control)]), title);
  return wrong.length > 0;
}

/** Tells what the server found; what is about no control of the form is only listed. */
export function tellServerFaults(form: HTMLFormElement, faults: readonly ServerFault[], title: string): void {
  const found = faults.flatMap(({ field, part, message, short = message }): (readonly [Control, Words])[] => {
    // Not a hidden input of the name, which nobody can correct.
    const controls = [...own(form).querySelectorAll<Control>("input[name],select[name],textarea[name]")].filter((one) => fieldName(form, one) === field);
    const control = controls.find(({ name }) => name === `${field}[${part}]`) ?? controls.find(({ type }) => type !== "hidden") ?? controls[0];
    return control === undefined ? [] : [[control, { message, short }]];
  });
  show(form, found, title, true);
}

/** Tells what was filled into a field wrongly, in place of what was told of it before. */
function tellLeft(form: HTMLFormElement, control: Control, known: readonly Told[]): void {
  const { valid, badInput } = control.validity;
  // Options of a list are chosen one after the other.
  if (valid || isUnset(control) || (control instanceof HTMLSelectElement && control.multiple) || (control.value === "" && !badInput)) return;
  const entries = known.map(({ entry }) => entry);
  const words = fault(form, control);
  // A submit has told it already.
  if (known.some(({ line }) => line.textContent === words.short)) return;
  for (const told of known) told.entry = null;
  withdraw(form, known);
  const told = tell(form, control, words, false);
  told.entry = entries.find((entry) => entry !== undefined && entry !== null) ?? null;
  const link = told.entry?.querySelector("a");
  if (link) link.textContent = words.message;
}

/** What waits until the pointer is let go; null where none is down. */
let waiting: (() => void)[] | null = null;

/** A message that appears under a pressed pointer would push away what is being clicked, and the click would be lost. */
function whenReleased(action: () => void): void {
  if (waiting === null) action();
  else waiting.push(action);
}

window.addEventListener("mousedown", ({ button }) => (waiting ??= button === 0 ? [] : null), true);
for (const name of ["mouseup", "dragend"]) {
  window.addEventListener(name, () => {
    const actions = waiting ?? [];
    waiting = null;
    // Behind the click.
    setTimeout(() => actions.forEach((action) => action()));
  }, true);
}

/** Returns what a link of the summary leads to. An author's may lead nowhere. */
function targetOf(root: Document | ShadowRoot, { hash }: HTMLAnchorElement): HTMLElement | null {
  try {
    return root.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/** Follows what the visitor does about the faults, and keeps the browser from telling its own. */
export function watchFaults(form: HTMLFormElement): void {
  const root = rootOf(form);
  const lines = own(form).querySelectorAll<HTMLElement>(".cf-error");
  // Those of a page that was sent without script.
  toldOf.set(form, [...lines].flatMap((line): Told[] => {
    const control = own(form).querySelector<Control>(`[aria-describedby~="${CSS.escape(line.id)}"]`);
    if (control === null) return [];
    const entry = own(form).querySelector(`.cf-summary [href="#${CSS.escape(control.id || line.id)}"]`)?.closest("li") ?? null;
    return [{ control, line, isOfServer: true, entry }];
  }));
  let isReported = false;
  root.addEventListener("invalid", (event) => {
    if ((event.target as Control).form !== form) return;
    event.preventDefault();
    // The first of many: all are told at once.
    if (!isReported) tellFaults(form, own(form).elements, textOf(form, "error"));
    isReported = true;
    setTimeout(() => (isReported = false));
  }, true);
  const about = (control: Control): Told[] =>
    (toldOf.get(form) ?? []).filter((told) => told.control === control || (control.name !== "" && setOf(form, told.control).includes(control)));
  own(form).addEventListener("input", ({ target }) => {
    const told = about(target as Control).filter(({ control, isOfServer }) => isOfServer || control.validity.valid);
    if (told.length > 0) withdraw(form, told);
  });
  own(form).addEventListener("change", ({ target }) => {
    const control = around(target, "input,select,textarea") as Control | null;
    if (control !== null && !control.matches(CHOICE)) whenReleased(() => tellLeft(form, control, about(control)));
  });
  own(form).addEventListener("click", (event) => {
    const link = around(event.target, ".cf-summary a");
    const place = link instanceof HTMLAnchorElement ? targetOf(root, link) : null;
    if (!place) return;
    event.preventDefault();
    showStepOf(form, place);
    place.focus();
  });
}

/** Withdraws what was told of controls that conditions have hidden. */
export function dropHiddenFaults(form: HTMLFormElement): void {
  const hidden = (toldOf.get(form) ?? []).filter(({ control }) => control.matches(":disabled"));
  if (hidden.length > 0) withdraw(form, hidden);
}
