/**
 * Shows and hides conditional fields as the visitor answers. The rules are those of crates/model/src/logic/compare.rs and
 * conditions.rs; both run the same cases (tests/cases/conditions.json).
 */
import { ANSWERS, type Control, type Field, fieldName, fieldsOf } from "./fields.ts";
import { native } from "./dom.ts";
import { isUnset } from "./unset.ts";

interface Rule {
  readonly field?: string;
  readonly operator?: string;
  readonly value?: unknown;
  readonly any?: readonly Rule[];
  readonly all?: readonly Rule[];
  readonly action?: "show" | "hide";
}

/** Selects the elements that have conditions. */
export const CONDITIONAL = "[data-cf-conditions]";

/** The non-empty texts of an answer, and the way to compare them. */
interface Answer {
  readonly texts: readonly string[];
  readonly kind: "text" | "toggle" | "choices";
  /** The `value` attribute of a checkbox, if conditions would read it as "off", such as `0` or `no`. */
  readonly box?: string;
}

type Answers = (field: string) => Answer | undefined;

const NUMBER = /^-?(?:\d+|\d*\.\d+)(?:e[-+]?\d+)?$/i;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:\.\d{1,9})?))?$/;
const OFF: readonly string[] = ["", "0", "false", "off", "no"];

function number(text: string): number | undefined {
  const value = NUMBER.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** Parses a date, a time or both: the day as an ISO date, which sorts as text, the time in seconds. */
function moment(text: string): { readonly day?: string; readonly time?: number } | undefined {
  const [first = "", second] = text.split(/[T ]/);
  const [day, clock] = TIME.test(first) ? [undefined, first] : [first, second];
  const at = day === undefined ? 0 : Date.parse(/^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T00:00Z` : "");
  const exists = day === undefined || (!Number.isNaN(at) && new Date(at).toISOString().startsWith(day));
  const [, hour, minute, seconds = "0"] = TIME.exec(clock ?? "") ?? [];
  if (!exists || (clock !== undefined && hour === undefined)) return undefined;
  const time = (Number(hour) * 60 + Number(minute)) * 60 + Number(seconds);
  return { ...(day === undefined ? {} : { day }), ...(clock === undefined ? {} : { time }) };
}

function timeOrder(left: string, right: string): number | undefined {
  const [a, b] = [moment(left), moment(right)];
  if (a === undefined || b === undefined || (a.day === undefined) !== (b.day === undefined)) return undefined;
  if (a.day !== b.day) return (a.day ?? "") < (b.day ?? "") ? -1 : 1;
  return a.time === undefined || b.time === undefined ? 0 : a.time - b.time;
}

function sizeOrder(left: string, right: string): number | undefined {
  const [a, b] = [number(left), number(right)];
  return a === undefined || b === undefined ? timeOrder(left, right) : a - b;
}

const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value.trim()
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : "";

const isChecked = ({ texts, kind }: Answer): boolean =>
  texts.some((text) => kind === "choices" || !OFF.includes(text.toLowerCase()));

function equals(answer: Answer, value: unknown): boolean {
  const wanted = textOf(value);
  if (typeof value === "boolean") return isChecked(answer) === value;
  if (answer.box !== undefined && wanted === answer.box) return isChecked(answer);
  if (answer.kind === "toggle") return isChecked(answer) === !OFF.includes(wanted.toLowerCase());
  if (wanted === "") return answer.texts.length === 0;
  const wantedNumber = number(wanted);
  return answer.texts.some((text) => text === wanted || (wantedNumber !== undefined && number(text) === wantedNumber));
}

function holds(operator: string | undefined, answer: Answer, value: unknown): boolean {
  const { texts, kind } = answer;
  const wanted = textOf(value);
  const ordered = (order: typeof sizeOrder, fits: (difference: number) => boolean): boolean =>
    texts.some((text) => fits(order(text, wanted) ?? NaN));
  switch (operator) {
    case "equals":
      return equals(answer, value);
    case "not_equals":
      return !equals(answer, value);
    case "in":
      return (Array.isArray(value) ? value : [value]).some((one) => equals(answer, one));
    case "not_in":
      return !holds("in", answer, value);
    case "contains":
      return texts.some((text) => (kind === "choices" ? text === wanted : text.includes(wanted)));
    case "not_contains":
      return !holds("contains", answer, value);
    case "starts_with":
      return texts.some((text) => text.startsWith(wanted));
    case "ends_with":
      return texts.some((text) => text.endsWith(wanted));
    case "is_empty":
      return texts.length === 0;
    case "is_not_empty":
      return texts.length > 0;
    case "greater_than":
      return ordered(sizeOrder, (difference) => difference > 0);
    case "less_than":
      return ordered(sizeOrder, (difference) => difference < 0);
    case "greater_or_equal":
      return ordered(sizeOrder, (difference) => difference >= 0);
    case "less_or_equal":
      return ordered(sizeOrder, (difference) => difference <= 0);
    case "before":
      return ordered(timeOrder, (difference) => difference < 0);
    case "after":
      return ordered(timeOrder, (difference) => difference > 0);
    case "checked":
      return isChecked(answer);
    case "not_checked":
      return !isChecked(answer);
    case "matches":
      return matches(texts, wanted);
    default:
      return true;
  }
}

function matches(texts: readonly string[], pattern: string): boolean {
  // The server also accepts patterns of browsers' older grammars, so each grammar is tried.
  for (const flag of ["v", "u", ""]) {
    try {
      const whole = new RegExp(`^(?:${pattern})$`, flag);
      return texts.some((text) => whole.test(text));
    } catch {}
  }
  return false;
}

/** Whether a rule or group lets the element show; undefined if the form has none of its fields. */
function verdict(rule: Rule, answers: Answers): boolean | undefined {
  const shown = rule.action !== "hide";
  const members = rule.any ?? rule.all;
  if (members === undefined) {
    const answer = answers(rule.field ?? "");
    return answer === undefined ? undefined : holds(rule.operator, answer, rule.value) === shown;
  }
  const verdicts = members.map((member) => verdict(member, answers)).filter((one) => one !== undefined);
  if (verdicts.length === 0) return undefined;
  return (rule.any === undefined ? !verdicts.includes(false) : verdicts.includes(true)) === shown;
}

/** The conditions of an element, as the engine parsed them (crates/markup/src/pages.rs). */
function rulesOf(element: Element): readonly Rule[] {
  try {
    const rules: unknown = JSON.parse(element.getAttribute("data-cf-conditions") ?? "[]");
    return Array.isArray(rules) ? rules : [];
  } catch {
    // A plugin's HTML may hold anything here. The server applies the form's conditions in any case.
    return [];
  }
}

/** Returns the controls of a form by field, except the text inputs of "Other", which no condition reads. */
function controlsByField(form: HTMLFormElement): ReadonlyMap<string, readonly Control[]> {
  const controls = new Map<string, Control[]>();
  for (const control of native(form).querySelectorAll<Control>(ANSWERS)) {
    const field = fieldName(form, control);
    if (control.name === `${field}[other]`) continue;
    const known = controls.get(field);
    if (known === undefined) controls.set(field, [control]);
    else known.push(control);
  }
  return controls;
}

/** Returns the values that a control would send, as the server reads them. */
function textsOf(control: Control): readonly string[] {
  if (control.matches(":disabled") || isUnset(control)) return [];
  if (control instanceof HTMLSelectElement) return [...control.selectedOptions].map((option) => option.value);
  if (!(control instanceof HTMLInputElement)) return [control.value];
  switch (control.type) {
    case "checkbox":
    case "radio":
      return control.checked ? [control.value] : [];
    case "file":
      return [...(control.files ?? [])].map((file) => file.name);
    case "email":
      return control.multiple ? control.value.split(",") : [control.value];
    case "submit":
    case "button":
    case "reset":
    case "image":
      return [];
    default:
      return [control.value];
  }
}

/** Joins a date's parts to `YYYY-MM-DD`; empty while a part is missing or invalid. */
export function dateOf(controls: readonly Control[]): string {
  const part = (name: string): string =>
    controls
      .filter((control) => control.name.endsWith(`[${name}]`))
      .flatMap(textsOf)
      .join("")
      .trim();
  const date = `${part("year")}-${part("month").padStart(2, "0")}-${part("day").padStart(2, "0")}`;
  return moment(date) === undefined ? "" : date;
}

/**
 * Returns the answer that a field's controls would send, as the server reads it (answers_in in
 * crates/model/src/logic/validate).
 */
function answerOf({ answer, open, parts, date }: Field, controls: readonly Control[]): readonly string[] {
  if (date) return [dateOf(controls)];
  if (answer === "choices" || parts !== undefined) return controls.flatMap(textsOf);
  // A hidden control counts only when no visible control has an answer.
  const isHidden = ({ type }: Control): boolean => type === "hidden";
  const visible = controls.filter((control) => !isHidden(control));
  if (answer === "toggle") {
    const [ticked] = visible.flatMap(textsOf);
    return ticked === undefined ? [] : [OFF.includes(ticked.trim().toLowerCase()) ? "true" : ticked];
  }
  const sent = visible.flatMap(textsOf);
  const texts = sent.length > 0 ? sent : controls.filter(isHidden).flatMap(textsOf);
  return open ? texts : texts.slice(-1);
}

/** Returns the numbers of a group's rows that count: rows with an answer that the page did not preset. */
export function rowsOf(form: HTMLFormElement, group: string): readonly string[] {
  const place = native(form).querySelector(`[data-cf-rows="${CSS.escape(group)}"]`);
  const template = place?.querySelector<HTMLTemplateElement>(":scope > template");
  const rows = [...(place?.querySelectorAll<HTMLElement>(":scope > [data-cf-row]") ?? [])];
  const controls = "input[name]:not([type=hidden]),select[name],textarea[name]";
  const presets = [...(template?.content.querySelectorAll<HTMLInputElement>(controls) ?? [])];
  const isTouched = (control: HTMLInputElement, row: string): boolean => {
    const name = control.name.replace(`[${row}]`, "[{row}]");
    const isBox = control.matches("[type=radio],[type=checkbox]");
    const preset = presets.find((one) => one.name === name && (!isBox || one.value === control.value));
    if (isBox) return control.checked && preset?.checked !== true;
    return textsOf(control).some((text) => text.trim() !== "" && text !== preset?.value);
  };
  const numbers = rows.map((row) => row.dataset["cfRow"] ?? "");
  return numbers.filter((number, index) =>
    [...(rows[index]?.querySelectorAll<HTMLInputElement>(controls) ?? [])].some((one) => isTouched(one, number)),
  );
}

/**
 * Shows or hides an element. The controls of a hidden element are disabled, so they count as empty and are neither sent
 * nor required.
 */
function setShown(element: HTMLElement, shown: boolean): boolean {
  if (element.hidden === !shown) return false;
  element.hidden = !shown;
  const controls = "input,select,textarea,button";
  const affected = element.matches(controls) ? [element] : [...element.querySelectorAll<HTMLElement>(controls)];
  for (const control of affected) {
    if (!shown && !control.hasAttribute("disabled")) {
      control.setAttribute("disabled", "");
      control.setAttribute("data-cf-was-shown", "");
    } else if (shown && control.hasAttribute("data-cf-was-shown") && control.closest("[hidden]") === null) {
      control.removeAttribute("disabled");
      control.removeAttribute("data-cf-was-shown");
    }
  }
  return true;
}

/** Reads the answers of a form. */
export interface Reader {
  readonly answers: Answers;
  /** The answer of a part of a name or an address. */
  readonly part: (field: string, part: string) => string | undefined;
  /** Drops the cached answers of a field, or of all fields. */
  readonly forget: (field?: string) => void;
}

/** Creates a reader that caches a form's answers. Calculated values are answers too. */
export function readerOf(form: HTMLFormElement): Reader {
  const controls = controlsByField(form);
  const known = new Map<string, Answer | undefined>();
  const read = (field: string): Answer | undefined => {
    const facts = fieldsOf(form).get(field);
    if (facts === undefined) return undefined;
    const inRows = [...fieldsOf(form)].filter(([, { column, group }]) => column === field && group === facts.rows);
    if (facts.rows !== undefined) {
      const texts = inRows.flatMap(([name]) => read(name)?.texts ?? []);
      return { texts, kind: facts.answer ?? "text" };
    }
    if (facts.repeats) return { texts: rowsOf(form, field), kind: "choices" };
    const sent = facts.calc === undefined ? answerOf(facts, controls.get(field) ?? []) : [facts.result ?? ""];
    const texts = sent.flatMap((text) => (text.trim() === "" ? [] : [facts.stored?.(text) ?? text.trim()]));
    return { texts, kind: facts.answer ?? "text", ...(facts.value === undefined ? {} : { box: facts.value }) };
  };
  return {
    answers: (field) => {
      if (!known.has(field)) known.set(field, read(field));
      return known.get(field);
    },
    part: (field, part) =>
      [...native(form).querySelectorAll<Control>(`[name="${CSS.escape(`${field}[${part}]`)}"]`)]
        .flatMap(textsOf)
        .at(-1)
        ?.trim(),
    forget: (field) => {
      if (field === undefined) known.clear();
      else known.delete(field);
    },
  };
}

/** The functions that calculate the values of a form and return whether any value has changed. */
const calculators = new WeakMap<HTMLFormElement, () => boolean>();

/** Registers the function that calculates a form's values each time conditions are applied. */
export const calculateWith = (form: HTMLFormElement, calculate: () => boolean): void =>
  void calculators.set(form, calculate);

/** Applies a form's conditions, and returns whether an element was shown or hidden. */
export function applyConditions(form: HTMLFormElement): boolean {
  const elements = [...native(form).querySelectorAll<HTMLElement>(CONDITIONAL)];
  const rules = elements.map(rulesOf);
  const { answers, forget } = readerOf(form);
  // A hidden field is empty for the fields after it, so most forms settle in one pass. Every pass settles at least one
  // element, so the number of elements bounds the passes, also when conditions form a cycle.
  let pass = 0;
  for (; pass <= elements.length; pass += 1) {
    if (calculators.get(form)?.() === true) forget();
    const changed = elements.filter((element, index) => {
      const shown = (rules[index] ?? []).every((rule) => verdict(rule, answers) !== false);
      if (!setShown(element, shown)) return false;
      forget();
      return true;
    });
    if (changed.length === 0) break;
  }
  return pass > 0;
}
