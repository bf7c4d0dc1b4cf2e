/**
 * Evaluates expressions, which the engine writes into the page as trees. The rules are those of
 * crates/model/src/logic/calc; a test compares both (tests/shim/random-expressions.ts). A number is a bigint that
 * counts units of 10⁻¹⁸; the count is below 10³⁶.
 */

import {
  abs,
  digits,
  Failure,
  fail,
  inRange,
  ONE,
  over,
  parse,
  power,
  remainder,
  type Rounding,
  rounded,
  times,
  whole,
} from "./decimals.ts";
import { DAY, dayNumber, type Moment, momentText, parseMoment } from "./moments.ts";

/**
 * A node: a number, a text, a boolean, or a list of a function's name and its arguments. The function "" reads a field.
 */
export type Tree = { readonly n: string } | string | boolean | readonly [string, ...Tree[]];

/** A chosen option: its value, its label and its weight. */
export type Chosen = readonly [value: string, label: string, weight: bigint];

/** A value; null is a missing answer, and "no moment" is a missing day or time. */
export type Value =
  | null
  | bigint
  | string
  | boolean
  | Moment
  | { readonly chosen: readonly Chosen[] }
  | { readonly list: readonly Value[] }
  | typeof NO_MOMENT;

/** The row of a repeating group in which an expression is evaluated. */
export interface Row {
  readonly group: string;
  /** Index from 0 among the rows that count. */
  readonly index: number;
  /** The row of another group that contains this row. */
  readonly outer?: Row | undefined;
}

/** The answers, numbers of rows and the current day that an expression reads. */
export interface Source {
  readonly answer: (name: string, row?: Row) => Value;
  /** The number of a repeating group's rows; undefined for another name. */
  readonly rows: (name: string) => number | undefined;
  /** The current day, in days since 1970-01-01. */
  readonly today: number;
}

export const NO_MOMENT: unique symbol = Symbol("no moment");

/* ---- Values ---- */

const isMoment = (value: Value): value is Moment =>
  typeof value === "object" && value !== null && !("chosen" in value) && !("list" in value);

export const isNothing = (value: Value): boolean =>
  value === null ||
  value === NO_MOMENT ||
  value === "" ||
  (typeof value === "object" &&
    ("chosen" in value ? value.chosen.length === 0 : "list" in value && value.list.every(isNothing)));

const OFF = ["", "0", "false", "off", "no"];

export function isTrue(value: Value): boolean {
  if (typeof value === "boolean") return value;
  if (typeof value === "bigint") return value !== 0n;
  if (typeof value === "string") return !OFF.includes(value.trim().toLowerCase());
  return typeof value === "object" && value !== null && "list" in value ? fail() : !isNothing(value);
}

export function numberOf(value: Value): bigint {
  if (typeof value === "bigint") return value;
  if (value === null || value === "" || typeof value === "symbol") return 0n;
  if (typeof value === "string") return parse(value) ?? fail();
  if (typeof value === "boolean") return value ? ONE : 0n;
  return "chosen" in value ? value.chosen.reduce((sum, [, , weight]) => inRange(sum + weight), 0n) : fail();
}

export function textOf(value: Value): string {
  if (value === null || typeof value === "symbol") return "";
  if (typeof value === "bigint") return digits(value);
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if ("chosen" in value) return value.chosen.map(([one]) => one).join(", ");
  return "list" in value ? fail() : momentText(value);
}

export function momentOf(value: Value): Moment | undefined {
  if (isMoment(value)) return value;
  if (isNothing(value)) return undefined;
  return typeof value === "string" ? (parseMoment(value) ?? fail()) : fail();
}

/** The result of `read`; undefined if it cannot be calculated. */
export const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
};

function equal(a: Value, b: Value): boolean {
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b);
  const isChoice = (value: Value): boolean => typeof value === "object" && value !== null && "chosen" in value;
  if ((isChoice(a) && typeof b === "bigint") || (typeof a === "bigint" && isChoice(b)))
    return numberOf(a) === numberOf(b);
  if (textOf(a) === textOf(b)) return true;
  const number = (value: Value): bigint | undefined => (isChoice(value) ? undefined : attempt(() => numberOf(value)));
  const one = number(a);
  return one !== undefined && number(b) === one;
}

const sign = (difference: bigint | number): number => (difference > 0 ? 1 : difference < 0 ? -1 : 0);

/** Compares two values; undefined if one is missing. */
function order(a: Value, b: Value): number | undefined {
  if (isNothing(a) || isNothing(b)) return undefined;
  const [one, other] = [attempt(() => numberOf(a)), attempt(() => numberOf(b))];
  if (one !== undefined && other !== undefined) return sign(one - other);
  const [left, right] = [momentOf(a) ?? fail(), momentOf(b) ?? fail()];
  if (left.day !== undefined && right.day !== undefined) {
    const days = sign(left.day - right.day);
    return days !== 0 || left.time === undefined || right.time === undefined ? days : sign(left.time - right.time);
  }
  if (left.day !== undefined || right.day !== undefined || left.time === undefined || right.time === undefined)
    return fail();
  return sign(left.time - right.time);
}

/* ---- Days ---- */

const number = (ones: number): bigint => BigInt(ones) * ONE;
const wholeOf = (value: Value): number => Number(whole(numberOf(value), -10_000_000n, 10_000_000n));
const milliseconds = ({ day = 0, time = 0 }: Moment): number => day * DAY + time;

function later(moment: Moment, days: number): Moment {
  const day = (moment.day ?? fail()) + days;
  return day < -719_162 || day > 2_932_896 ? fail() : { ...moment, day };
}

function sum(a: Value, b: Value, isMinus: boolean): Value {
  if (a === NO_MOMENT || b === NO_MOMENT) return NO_MOMENT;
  if (isMinus && isMoment(a) && (isMoment(b) || typeof b === "string")) {
    const to = attempt(() => momentOf(b));
    if (to !== undefined) {
      if (a.day === undefined || to.day === undefined) return fail();
      return over(number(milliseconds(a) - milliseconds(to)), number(DAY));
    }
  }
  if (isMoment(a)) return later(a, isMinus ? -wholeOf(b) : wholeOf(b));
  if (isMoment(b) && !isMinus) return later(b, wholeOf(a));
  const [left, right] = [numberOf(a), numberOf(b)];
  return inRange(isMinus ? left - right : left + right);
}

const dateOf = (value: Value): Date | undefined => {
  const moment = momentOf(value);
  return moment === undefined ? undefined : new Date((moment.day ?? fail()) * DAY);
};

const monthsOf = (date: Date): number => date.getUTCFullYear() * 12 + date.getUTCMonth();

function months(from: Date, to: Date): number {
  if (from > to) return -months(to, from);
  return monthsOf(to) - monthsOf(from) - (to.getUTCDate() < from.getUTCDate() ? 1 : 0);
}

function addMonths(value: Value, count: number): Value {
  const [moment, date] = [momentOf(value), dateOf(value)];
  if (moment === undefined || date === undefined) return NO_MOMENT;
  const month = monthsOf(date) + count;
  let [day, found]: [number, number | undefined] = [date.getUTCDate(), undefined];
  // In a shorter month, the last day replaces a missing one, up to three days earlier.
  for (let tries = 0; tries < 4 && found === undefined; tries += 1, day -= 1)
    found = dayNumber(Math.floor(month / 12), (((month % 12) + 12) % 12) + 1, day);
  return { ...moment, day: found ?? fail() };
}

function hours(a: Value, b: Value): Value {
  const [from, to] = [momentOf(a), momentOf(b)];
  if (from === undefined || to === undefined) return null;
  if ((from.day === undefined) !== (to.day === undefined)) return fail();
  const difference = milliseconds(to) - milliseconds(from);
  return over(number(from.day === undefined && difference < 0 ? difference + DAY : difference), number(3_600_000));
}

function dates(name: string, a: Value, b: Value): Value {
  const first = dateOf(a);
  if (first === undefined) return null;
  if (name === "year") return number(first.getUTCFullYear());
  if (name === "month") return number(first.getUTCMonth() + 1);
  if (name === "day") return number(first.getUTCDate());
  if (name === "weekday") return number(first.getUTCDay() || 7);
  const second = dateOf(b);
  if (second === undefined) return null;
  if (name === "days") return number((second.getTime() - first.getTime()) / DAY);
  return number(name === "months" ? months(first, second) : Math.trunc(months(first, second) / 12));
}

/* ---- Functions ---- */

const flat = (value: Value): readonly Value[] => {
  if (typeof value !== "object" || value === null || isMoment(value)) return [value];
  return "list" in value ? value.list.flatMap(flat) : value.chosen.map((one) => ({ chosen: [one] }));
};

const chosenOf = (value: Value): readonly Chosen[] | undefined =>
  typeof value === "object" && value !== null && "chosen" in value ? value.chosen : undefined;

const placesOf = (value: Value, least: bigint): number => Number(whole(numberOf(value), least, 18n));

const compared =
  (fits: (order: number) => boolean) =>
  (a: Value, b: Value): boolean => {
    const found = order(a, b);
    return found !== undefined && fits(found);
  };

const round =
  (rounding: Rounding) =>
  (a: Value, b: Value): bigint =>
    rounded(numberOf(a), placesOf(b, -9n), rounding);

/** Returns the most frequent text, and the first of equally frequent texts. */
function mode(values: readonly Value[]): Value {
  const texts = values
    .flatMap(flat)
    .filter((value) => !isNothing(value))
    .map(textOf);
  const countOf = (text: string): number => texts.filter((other) => other === text).length;
  const most = Math.max(...texts.map(countOf));
  return texts.find((text) => countOf(text) === most) ?? null;
}

/** The functions that evaluate all their arguments first. */
const FUNCTIONS: Readonly<Record<string, (a: Value, b: Value, all: readonly Value[]) => Value>> = {
  "+": (a, b) => sum(a, b, false),
  "-": (a, b) => sum(a, b, true),
  "*": (a, b) => times(numberOf(a), numberOf(b)),
  "/": (a, b) => over(numberOf(a), numberOf(b)),
  "^": (a, b) => power(numberOf(a), numberOf(b)),
  "%": (a) => over(numberOf(a), 100n * ONE),
  "&": (a, b) => textOf(a) + textOf(b),
  "=": equal,
  "!=": (a, b) => !equal(a, b),
  "<": compared((found) => found < 0),
  "<=": compared((found) => found <= 0),
  ">": compared((found) => found > 0),
  ">=": compared((found) => found >= 0),
  neg: (a) => -numberOf(a),
  not: (a) => !isTrue(a),
  abs: (a) => abs(numberOf(a)),
  mod: (a, b) => remainder(numberOf(a), numberOf(b)),
  number: (a) => (isNothing(a) ? null : numberOf(a)),
  weight: numberOf,
  round: round("round"),
  floor: round("floor"),
  ceil: round("ceil"),
  len: (a) => number(textOf(a).length),
  is_empty: isNothing,
  label: (a) =>
    chosenOf(a)
      ?.map(([, label]) => label)
      .join(", ") ?? textOf(a),
  text: (a, b, all) => {
    if (all.length === 1) return textOf(a);
    const places = placesOf(b, 0n);
    return digits(rounded(numberOf(a), places), places);
  },
  has: (a, b) => {
    const option = textOf(b);
    return chosenOf(a)?.some(([one]) => one === option) ?? (!isNothing(a) && textOf(a) === option);
  },
  rank: (a, b) => {
    const option = textOf(b);
    const chosen = chosenOf(a);
    if (chosen === undefined) return isNothing(a) ? null : fail();
    const place = chosen.findIndex(([one]) => one === option);
    return place < 0 ? null : number(place + 1);
  },
  mode: (_a, _b, all) => mode(all),
  date: (_a, _b, all) => {
    for (const part of all) {
      if (isNothing(part)) return NO_MOMENT;
      wholeOf(part);
    }
    const [year = 0, month = 0, day = 0] = all.map(wholeOf);
    return { day: dayNumber(year, month, day) ?? fail() };
  },
  add_months: (a, b) => addMonths(a, wholeOf(b)),
  hours,
};

const LISTS = ["sum", "avg", "min", "max", "count"];

function ofList(name: string, values: readonly Value[]): Value {
  if (name === "count") return number(values.length);
  if (name === "min" || name === "max") {
    let best: Value = null;
    for (const value of values) {
      const found = best === null ? undefined : order(value, best);
      if (best === null || found === (name === "min" ? -1 : 1)) best = value;
    }
    if (best === null) return null;
    const first: Value = best;
    return attempt(() => numberOf(first)) ?? momentOf(first) ?? fail();
  }
  const total = values.reduce<bigint>((all, value) => inRange(all + numberOf(value)), 0n);
  if (name === "sum") return total;
  return values.length === 0 ? null : over(total, number(values.length));
}

/** Returns the value of a tree; throws a {@link Failure} if the tree has no value. */
export function evaluate(tree: Tree, source: Source, row?: Row): Value {
  if (typeof tree === "string" || typeof tree === "boolean") return tree;
  if ("n" in tree) return parse(tree.n) ?? fail();
  const [name, ...parts] = tree;
  const at = (index: number): Value => (parts[index] === undefined ? null : evaluate(parts[index], source, row));
  if (name === "") return source.answer(String(parts[0]), row);
  if (name === "or") return isTrue(at(0)) || isTrue(at(1));
  if (name === "and") return isTrue(at(0)) && isTrue(at(1));
  if (name === "if") return at(isTrue(at(0)) ? 1 : 2);
  if (name === "today") return { day: source.today };
  if (name === "row") return row === undefined ? fail() : number(row.index + 1);
  if (name === "switch") {
    const subject = at(0);
    let index = 1;
    for (; index + 1 < parts.length; index += 2) if (equal(subject, at(index))) return at(index + 1);
    return at(index);
  }
  if (name === "tier") {
    const subject = at(0);
    if (isNothing(subject)) return null;
    const from = numberOf(subject);
    let best: readonly [bigint, number] | undefined;
    for (let index = 1; index < parts.length; index += 2) {
      const threshold = numberOf(at(index));
      if (threshold <= from && (best === undefined || threshold >= best[0])) best = [threshold, index + 1];
    }
    return best === undefined ? null : at(best[1]);
  }
  if (name === "default") {
    const found = attempt(() => at(0));
    return found === undefined || isNothing(found) ? at(1) : found;
  }
  const [first, each] = parts;
  const group = Array.isArray(first) && first[0] === "" && parts.length < 3 ? String(first[1]) : "";
  const rows = LISTS.includes(name) ? source.rows(group) : undefined;
  if (rows !== undefined) {
    if (each === undefined && name !== "count") return fail();
    const inRow = (index: number): Value => {
      const value = each === undefined ? true : evaluate(each, source, { group, index, outer: row });
      return name === "count" ? isTrue(value) || null : value;
    };
    const found = Array.from({ length: rows }, (_, index) => inRow(index));
    return ofList(
      name,
      found.filter((value) => !isNothing(value)),
    );
  }
  const values = parts.map((part) => evaluate(part, source, row));
  if (LISTS.includes(name))
    return ofList(
      name,
      values.flatMap(flat).filter((value) => !isNothing(value)),
    );
  const [a = null, b = null] = values;
  return FUNCTIONS[name]?.(a, b, values) ?? (name in FUNCTIONS ? null : dates(name, a, b));
}
