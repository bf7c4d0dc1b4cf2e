/**
 * Random expressions, evaluated by the visitor's script and by the engine. Run as a script with a number of expressions
 * and a seed: `node tests/shim/random-expressions.ts 1000000 1`.
 */

import {
  type Chosen,
  evaluate,
  NO_MOMENT,
  type Source,
  textOf,
  type Tree,
  type Value,
} from "../../visitor/script/calculate.ts";
import { Failure, parse } from "../../visitor/script/decimals.ts";
import { parseMoment } from "../../visitor/script/moments.ts";
import { member, type JsonValue, type Site, startSite } from "./site.ts";

/** 2026-11-28. */
const TODAY = "2026-11-28";
const TODAY_DAYS = 20_785;

/** A generator of numbers from 0 up to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const OPTIONS = [
  { value: "a", label: "Ants" },
  { value: "7", label: "Seven" },
  { value: "c", label: "Cats" },
];
const WEIGHTS: Readonly<Record<string, number>> = { a: 2.5, c: -1 };

const FIELDS = [
  { name: "n", type: "number" },
  { name: "m", type: "number" },
  { name: "t", type: "text" },
  { name: "w", type: "text" },
  { name: "c", type: "radio", options: OPTIONS, attributes: { "data-weights": JSON.stringify(WEIGHTS) } },
  { name: "p", type: "radio", options: OPTIONS },
  { name: "q", type: "checkbox", options: OPTIONS, attributes: { "data-weights": JSON.stringify(WEIGHTS) } },
  { name: "k", type: "checkbox" },
  { name: "d", type: "date" },
  { name: "e", type: "date" },
  { name: "u", type: "time" },
  { name: "v", type: "datetime-local" },
];

type Answers = Readonly<Record<string, string | boolean | readonly string[]>>;

/** Possible answers of some fields; every field may stay empty. */
const CHOICES: Readonly<Record<string, readonly (string | boolean | readonly string[])[]>> = {
  n: ["0", "3", "-2.5", "19.99", "1e3", "0.000000000000000001", "999999999999", "-0"],
  m: ["1", "7", "0.1", "-100", "123456.789"],
  t: ["12.50", "word", "Zoë 😀", "2026-02-28", "true", "no", "-3"],
  w: ["a", "10:30", "0", "3", "7"],
  c: ["a", "7", "c"],
  p: ["a", "7", "c"],
  q: [["a"], ["c", "7"], ["a", "7", "c"], []],
  k: [true, false],
  d: ["2026-01-31", "2004-02-29", "0001-01-01", "9999-12-31"],
  e: ["2026-12-30", "2027-01-04", "1990-11-29"],
  u: ["22:00", "06:30", "23:59:59"],
  v: ["2026-03-29T02:30", "2025-12-31T23:59"],
};

const LITERALS = [
  "0",
  "1",
  "2",
  "0.5",
  "-3",
  "100",
  "1e2",
  "12.345",
  "'a'",
  "'7'",
  "''",
  "'2026-01-31'",
  "'06:15'",
  '"x"',
  "true",
  "false",
  "today()",
  "999999999999999999",
  "0.000000000000000007",
];
const BINARY = ["+", "-", "*", "/", "^", "&", "=", "!=", "<", "<=", ">", ">=", "and", "or"];
const CALLS: readonly (readonly [name: string, least: number, most: number])[] = [
  ["if", 2, 3],
  ["switch", 3, 6],
  ["tier", 3, 7],
  ["default", 2, 2],
  ["is_empty", 1, 1],
  ["sum", 1, 3],
  ["avg", 1, 3],
  ["min", 1, 3],
  ["max", 1, 3],
  ["count", 1, 3],
  ["row", 0, 0],
  ["round", 1, 2],
  ["floor", 1, 2],
  ["ceil", 1, 2],
  ["abs", 1, 1],
  ["mod", 2, 2],
  ["number", 1, 1],
  ["text", 1, 2],
  ["len", 1, 1],
  ["weight", 1, 1],
  ["label", 1, 1],
  ["has", 2, 2],
  ["rank", 2, 2],
  ["mode", 1, 4],
  ["date", 3, 3],
  ["year", 1, 1],
  ["month", 1, 1],
  ["day", 1, 1],
  ["weekday", 1, 1],
  ["days", 2, 2],
  ["months", 2, 2],
  ["years", 2, 2],
  ["add_months", 2, 2],
  ["hours", 2, 2],
];

/** A random expression with at most `depth` nested levels. */
export function expressionOf(random: () => number, depth: number): string {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const inner = (): string => expressionOf(random, depth - 1);
  const kind = depth === 0 ? random() * 0.5 : random();
  if (kind < 0.28) return one(FIELDS).name;
  if (kind < 0.5) return one(LITERALS).replace("1e2", "100");
  if (kind < 0.72) return `(${inner()} ${one(BINARY)} ${inner()})`;
  if (kind < 0.78) return one([`-(${inner()})`, `(not ${inner()})`, `(${inner()})%`]);
  const [name, least, most] = one(CALLS);
  const count = least + Math.floor(random() * (most - least + 1));
  return `${name}(${Array.from({ length: count }, inner).join(", ")})`;
}

/** Random answers of a submit, and their values in expressions. */
function answersOf(random: () => number): { readonly data: Answers; readonly source: Source } {
  const data: Record<string, string | boolean | readonly string[]> = {};
  for (const { name } of FIELDS) {
    const choices = CHOICES[name] ?? [];
    const chosen = choices[Math.floor(random() * (choices.length + 1))];
    if (chosen !== undefined) data[name] = chosen;
  }
  return { data, source: { rows: () => undefined, answer: (name) => valueOf(name, data[name]), today: TODAY_DAYS } };
}

function valueOf(name: string, answer: Answers[string] | undefined): Value {
  const kind = FIELDS.find((field) => field.name === name)?.type ?? "";
  const text = typeof answer === "string" ? answer : "";
  if (name === "k") return answer === true;
  if (["c", "p", "q"].includes(name)) {
    const values = typeof answer === "object" ? answer : text === "" ? [] : [text];
    const weightOf = (value: string): bigint =>
      name === "p" ? (parse(value) ?? 0n) : (parse(String(WEIGHTS[value] ?? 0)) ?? 0n);
    const labelOf = (value: string): string => OPTIONS.find((option) => option.value === value)?.label ?? value;
    return { chosen: values.map((value): Chosen => [value, labelOf(value), weightOf(value)]) };
  }
  if (["date", "time", "datetime-local"].includes(kind)) return text === "" ? NO_MOMENT : (parseMoment(text) ?? text);
  if (text === "") return null;
  return kind === "number" ? (parse(text) ?? text) : text;
}

function shownBy(tree: Tree, source: Source): string {
  try {
    return textOf(evaluate(tree, source)).trim();
  } catch (error) {
    if (error instanceof Failure) return "";
    throw error;
  }
}

const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** The expression trees in a form's page, by field. */
async function treesOf(site: Site, schema: object): Promise<ReadonlyMap<string, Tree>> {
  const { status, body } = await site.api("POST", "/forms", { title: "Random", status: "published", schema });
  if (status !== 201) throw new Error(JSON.stringify(body).slice(0, 2000));
  const page = await (await fetch(`${site.url}/forms/${String(member(body as JsonValue, "slug"))}`)).text();
  const [, fields = "{}"] = / data-fields="([^"]*)"/.exec(page) ?? [];
  const facts = JSON.parse(unescaped(fields)) as Readonly<Record<string, { readonly calc?: Tree }>>;
  return new Map(Object.entries(facts).flatMap(([name, { calc }]) => (calc === undefined ? [] : [[name, calc]])));
}

/** Number of expressions per form. */
const BATCH = 1_000;

/** Compares the script and the engine for a number of random expressions; returns the differences. */
export async function differences(site: Site, count: number, seed: number): Promise<readonly string[]> {
  const random = randomOf(seed);
  const found: string[] = [];
  for (let done = 0; done < count; done += BATCH) {
    const size = Math.min(BATCH, count - done);
    const expressions = Array.from(
      { length: size },
      () => `'=' & (${expressionOf(random, 1 + Math.floor(random() * 4))})`,
    );
    const calculated = expressions.map((expression, index) => ({
      name: `x${index}`,
      type: "text",
      attributes: { "data-calc": expression, readonly: "" },
    }));
    const schema = { version: 1, fields: [...FIELDS, ...calculated] };
    const trees = await treesOf(site, schema);
    for (let round = 0; round < 3; round += 1) {
      const { data, source } = answersOf(random);
      const result = site.forms.validateSubmission({ schema, data, today: TODAY });
      if (!("data" in result)) throw new Error(JSON.stringify(result).slice(0, 2000));
      const stored = result.data as Readonly<Record<string, unknown>>;
      for (const [index, expression] of expressions.entries()) {
        const tree = trees.get(`x${index}`);
        const shown = tree === undefined ? "no tree" : shownBy(tree, source);
        if (shown !== stored[`x${index}`])
          found.push(`${expression} of ${JSON.stringify(data)}: page ${shown}, engine ${String(stored[`x${index}`])}`);
      }
    }
  }
  return found;
}

if (process.argv[1] === import.meta.filename) {
  const [count = "10000", seed = "1"] = process.argv.slice(2);
  const site = await startSite({});
  const found = await differences(site, Number(count), Number(seed));
  for (const line of found.slice(0, 20)) console.log(line);
  console.log(`${count} expressions, ${found.length} differences`);
  await site.close();
}
