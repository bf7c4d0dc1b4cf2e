/**
 * The part of the script for forms with calculations: shows calculated values while the visitor answers, and bounds
 * answers by expressions. The server calculates again; the shown values are never sent.
 */
import {
  attempt,
  type Chosen,
  evaluate,
  isNothing,
  isTrue,
  momentOf,
  NO_MOMENT,
  numberOf,
  type Row,
  type Source,
  textOf,
  type Value,
} from "./calculate.ts";
import { applyConditions, calculateWith, readerOf, type Reader, rowsOf } from "./conditions.ts";
import { abs, digits, ONE, parse, rounded, times } from "./decimals.ts";
import { native, textOf as wordOf } from "./dom.ts";
import { localized } from "./faults.ts";
import { type Control, type Field, fieldName, fieldsOf } from "./fields.ts";
import { DAY, momentText, parseMoment } from "./moments.ts";

function single(reads: string | undefined, text: string | undefined): Value {
  if (text === undefined || text === "") return reads === "moment" ? NO_MOMENT : null;
  const read = reads === "number" ? parse(text) : reads === "moment" ? parseMoment(text) : undefined;
  return read ?? text;
}

function chosenOf({ weights = {} }: Field, text: string): Chosen {
  const [weight, label] = weights[text] ?? [];
  if (weight !== undefined) return [text, label ?? text, parse(weight) ?? 0n];
  return [text, text, Object.keys(weights).length > 0 ? 0n : (parse(text) ?? 0n)];
}

/** Today in a time zone, in days since 1970-01-01. The Swedish date format is that of ISO 8601. */
function todayIn(timeZone: string | undefined): number {
  return Date.parse(new Date().toLocaleDateString("sv", { timeZone: timeZone || "UTC" })) / DAY;
}

/** The answers that expressions read. */
function sourceOf(form: HTMLFormElement): Source & { readonly reader: Reader } {
  const reader = readerOf(form);
  return {
    reader,
    today: todayIn(form.dataset["zone"]),
    rows: (name) => (fieldsOf(form).get(name)?.repeats ? rowsOf(form, name).length : undefined),
    answer: (name, row) => valueOf(form, reader, name, row),
  };
}

/** Returns the row of a group in which a field is read; undefined if the field is read in all rows. */
function rowWithin(row: Row | undefined, group: string): Row | undefined {
  return row === undefined || row.group === group ? row : rowWithin(row.outer, group);
}

/** Returns the answer of a field, or of one of its parts, as expressions read it. */
function valueOf(form: HTMLFormElement, reader: Reader, name: string, row?: Row): Value {
  const field = fieldsOf(form).get(name);
  const at = name.lastIndexOf(".");
  const base = field === undefined ? name.slice(0, at) : name;
  const group = fieldsOf(form).get(base)?.rows;
  if (group !== undefined) {
    const numbers = rowsOf(form, group);
    const within = rowWithin(row, group);
    const inRow = (number: string): Value =>
      valueOf(form, reader, `${group}[${number}][${base}]${name.slice(base.length)}`);
    return within === undefined ? { list: numbers.map(inRow) } : inRow(numbers[within.index] ?? "");
  }
  if (field === undefined) return single("text", reader.part(base, name.slice(at + 1)));
  const texts = [...(reader.answers(name)?.texts ?? [])];
  // A free answer is sent in addition to the options.
  const words = field.open === true && (texts.length === 0 || field.answer === "choices") && reader.part(name, "other");
  if (words) texts.push(words);
  switch (field.reads) {
    case "box":
      return texts.some(isTrue);
    case "choice":
      return { chosen: texts.map((text) => chosenOf(field, text)) };
    default:
      if (field.parts !== undefined && !field.date) return single("text", texts.join(field.between ?? " "));
      if (field.answer === "choices") return { list: texts.map((text) => single(field.reads, text)) };
      return single(field.reads, texts.at(-1));
  }
}

/** Returns a field's result in the form in which the server stores it. */
function resultOf({ reads, places = 6 }: Field, value: Value): string {
  if (isNothing(value)) return "";
  if (reads === "moment") {
    const day = momentOf(value)?.day;
    return day === undefined ? "" : momentText({ day });
  }
  if (reads !== "number" && typeof value !== "bigint") return textOf(value);
  const number = rounded(numberOf(value), places);
  return abs(number) < (ONE / 1000n) * 10n ** BigInt(18 - places) ? digits(number) : "";
}

/** Groups the digits of a number of at least `from` digits, with the marks of the form's language. */
function grouped(form: HTMLFormElement, text: string, from: number): string {
  const [whole = "", fraction = ""] = text.split(".");
  const parted = whole.length < from ? whole : whole.replace(/\B(?=(\d{3})+$)/g, wordOf(form, "group_mark") || ",");
  return fraction === "" ? parted : `${parted}${wordOf(form, "decimal_mark") || "."}${fraction}`;
}

/** Formats a result for display. */
function shownOf(form: HTMLFormElement, { format, places = 6 }: Field, result: string): string {
  const stored = parse(result);
  if (format === undefined || stored === undefined) return localized(form, result);
  const [kind, unit, isFixed] = format;
  const isPercent = kind === "percent";
  const exact = isPercent ? times(stored, 100n * ONE) : stored;
  const shown = isFixed ? (isPercent ? Math.max(0, places - 2) : places) : undefined;
  const number = shown === undefined ? exact : rounded(exact, shown);
  const amount = grouped(form, digits(abs(number), shown), kind === "currency" ? 4 : 5);
  const minus = number < 0n ? "-" : "";
  if (isPercent) return minus + (wordOf(form, "percent_format") || "{amount}%").replace("{amount}", amount);
  if (kind === "unit") return `${minus}${amount}\u00a0${unit}`;
  if (kind !== "currency") return minus + amount;
  const written = wordOf(form, "currency_format") || "{sign}{amount}";
  const parted = /^[A-Z]+$/.test(unit) ? written.replace("}{", "}\u00a0{") : written;
  return minus + parted.replace("{sign}", unit).replace("{amount}", amount);
}

/** Finds the elements that show a field's value, and the input that conditions disable when they hide the field. */
function placesOf(form: HTMLFormElement, name: string): readonly HTMLElement[] {
  const quoted = CSS.escape(name);
  return [...native(form).querySelectorAll<HTMLElement>(`[data-cf-calc="${quoted}"],[data-cf-result="${quoted}"]`)];
}

/** Types of inputs that hold the unformatted result. */
const BARE: readonly string[] = ["date", "number", "hidden"];

function show(form: HTMLFormElement, name: string, { result = "", shown = "" }: Field): void {
  for (const place of placesOf(form, name)) {
    if (place instanceof HTMLInputElement) place.value = BARE.includes(place.type) ? result : shown;
    else if (place.textContent !== shown) place.textContent = shown;
  }
}

/** Returns the row of a field in a repeating group; undefined while the row does not count. */
function rowOf(form: HTMLFormElement, { group, row }: Field): Row | undefined {
  const index = group === undefined || row === undefined ? -1 : rowsOf(form, group).indexOf(row);
  return group === undefined || index < 0 ? undefined : { group, index };
}

/** Calculates all fields, again and again until none changes; returns whether any has changed. */
function calculateAll(form: HTMLFormElement): boolean {
  // Makes the calculated fields of rows known to `fieldsOf`.
  for (const one of native(form).querySelectorAll<HTMLInputElement>("[data-cf-result]")) fieldName(form, one);
  const fields = [...fieldsOf(form)].filter(([, { calc, rows }]) => calc !== undefined && rows === undefined);
  let hasChanged = false;
  for (let pass = 0; pass <= fields.length; pass += 1) {
    const { reader, ...source } = sourceOf(form);
    const changed = fields.filter(([name, field]) => {
      const { calc } = field;
      const row = rowOf(form, field);
      const isGone = field.group !== undefined && row === undefined;
      const isEmpty = calc === undefined || isGone || placesOf(form, name).some((place) => place.matches(":disabled"));
      const result = isEmpty ? "" : (attempt(() => resultOf(field, evaluate(calc, source, row))) ?? "");
      if (result === (field.result ?? "")) return false;
      field.result = result;
      reader.forget(name);
      return true;
    });
    if (changed.length === 0) break;
    hasChanged = true;
  }
  for (const [name, field] of fields) {
    field.shown = field.result ? shownOf(form, field, field.result) : "";
    show(form, name, field);
  }
  return hasChanged;
}

const bounds = new WeakMap<Control, Readonly<Record<"min" | "max", string>>>();

/** Bounds the answers of controls by expressions. An empty bound sets no limit. */
function bound(form: HTMLFormElement): void {
  const source = sourceOf(form);
  for (const [name, field] of fieldsOf(form)) {
    const { atLeast, atMost } = field;
    if (atLeast === undefined && atMost === undefined) continue;
    const row = rowOf(form, field);
    for (const control of native(form).querySelectorAll<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`)) {
      const written = bounds.get(control) ?? { min: control.min, max: control.max };
      bounds.set(control, written);
      for (const [side, tree] of [
        ["min", atLeast],
        ["max", atMost],
      ] as const)
        if (tree !== undefined) control[side] = attempt(() => textOf(evaluate(tree, source, row))) || written[side];
    }
  }
}

/** Starts to show the calculations of a form. */
export function startCalculations(form: HTMLFormElement): void {
  calculateWith(form, () => {
    const hasChanged = calculateAll(form);
    bound(form);
    if (hasChanged) native(form).dispatchEvent(new CustomEvent("cf-calculated"));
    return hasChanged;
  });
  applyConditions(form);
}
