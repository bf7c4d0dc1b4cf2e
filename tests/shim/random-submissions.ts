/**
 * Random submissions, checked by the module for browsers and by a submit to the engine. Run as a script with a number of
 * submissions and a seed: `node tests/shim/random-submissions.ts 100000 1`.
 */

import { loadBrowserModule } from "../../pkg/load/browser-node.js";
import { randomOf } from "./random-expressions.ts";
import en from "../../visitor/languages/en.json" with { type: "json" };
import { member, type JsonValue, type Site, startSite } from "./site.ts";

type Random = () => number;
type Pair = [string, string];
type BrowserModule = Awaited<ReturnType<typeof loadBrowserModule>>;

interface Field {
  readonly name: string;
  readonly type?: string;
  readonly label?: string;
  readonly required?: boolean;
  readonly group?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly options?: readonly unknown[];
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const OPTIONS = [
  { value: "a", label: "Ants" },
  { value: "7", label: "Seven" },
  { value: "c", label: "Cats & dogs" },
  "d",
];
const WEIGHTS = { "data-weights": '{"a":2.5,"7":3}' };
const choice = (more: object = {}): object => ({ options: OPTIONS, ...more });

/** Members of a field of each type and variant. */
const KINDS: readonly object[] = [
  { type: "name" },
  { type: "email", validation: { max: 30 } },
  { type: "tel" },
  { type: "tel", attributes: { "data-phone": "DE" } },
  { type: "tel", attributes: { "data-phone": "", "data-countries": "US IT CH" } },
  { type: "address" },
  { type: "text", validation: { min: 2, max: 5 } },
  { type: "text", validation: { pattern: "[A-Z]+[0-9]*" } },
  { type: "text", attributes: { type: "month" } },
  { type: "text", attributes: { type: "week" } },
  { type: "text", attributes: { type: "search" } },
  { type: "textarea", validation: { max: 12 } },
  { type: "number", validation: { min: -2, max: 100 }, attributes: { step: "0.5" } },
  { type: "number", attributes: { step: "any" } },
  { type: "url" },
  { type: "radio", ...choice({ attributes: WEIGHTS }) },
  { type: "radio", ...choice({ attributes: { "data-other": "Else" } }) },
  { type: "radio", css_class: "cf-scale", ...choice() },
  { type: "checkbox" },
  { type: "checkbox", ...choice({ validation: { min: 1, max: 2 }, attributes: WEIGHTS }) },
  { type: "checkbox", ...choice({ attributes: { "data-other": "Else" } }) },
  { type: "checkbox", ...choice({ attributes: { "data-rank": "" } }) },
  { type: "checkbox", ...choice({ attributes: { "data-rank": "" }, validation: { min: 2, max: 3 } }) },
  { type: "select", ...choice() },
  { type: "select", ...choice({ attributes: { multiple: "" }, validation: { max: 2 } }) },
  { type: "consent", label: "I agree to the [terms](/terms)" },
  { type: "rating", css_class: "cf-stars" },
  { type: "rating", css_class: "cf-nps", validation: { min: 0, max: 10 } },
  { type: "range", validation: { min: 0, max: 10 } },
  { type: "range", default_value: "3" },
  { type: "date" },
  { type: "date", attributes: { min: "2026-01-01", max: "2027-12-31" } },
  { type: "date", attributes: { "data-parts": "" } },
  { type: "time" },
  { type: "datetime-local" },
  { type: "color" },
  { type: "hidden", default_value: "h" },
  { type: "heading", label: "A heading" },
  { type: "divider" },
];

const GROUPS: readonly object[] = [
  { attributes: { "data-repeat": "" }, validation: { min: 1, max: 3 } },
  { attributes: { "data-repeat": "Add" } },
  { css_class: "cf-matrix" },
  { css_class: "cf-period" },
  {},
];

const NO_ANSWER = new Set(["heading", "divider"]);

function condition(random: Random, fields: readonly Field[]): object {
  const { name } = pick(random, fields);
  const operator = pick(random, ["equals", "not_equals", "contains", "is_empty", "is_not_empty", "greater_than"]);
  return operator.startsWith("is_") ? { field: name, operator } : { field: name, operator, value: pick(random, TEXTS) };
}

function calculation(random: Random, name: string, answered: readonly Field[]): Field {
  const one = (): string => pick(random, answered).name;
  const expression = pick(random, [
    () => `default(${one()} * 2 + 1, 0)`,
    () => `count(${one()}, ${one()})`,
    () => `if(is_empty(${one()}), 1, ${one()})`,
    () => `text(len(${one()})) & '/' & ${one()}`,
    () => `sum(${one()}, ${one()}) / 3`,
    () => `default(years(${one()}, today()), -1)`,
  ])();
  const type = pick(random, ["number", "text", "hidden"]);
  const bounds = type === "number" && random() < 0.3 ? { validation: { min: 1, max: 50 } } : {};
  return { name, type, ...bounds, attributes: { "data-calc": expression, readonly: "" }, required: random() < 0.2 };
}

/** A random form: some fields are in groups and rows, and some have conditions or calculated values. */
function formOf(random: Random): readonly Field[] {
  const fields: Field[] = [];
  const count = 2 + Math.floor(random() * 9);
  let group: string | undefined;
  for (let index = 0; index < count; index += 1) {
    if (random() < 0.2) {
      group = random() < 0.3 ? undefined : `g${index}`;
      if (group !== undefined) fields.push({ name: group, type: "fieldset", label: "Group", ...pick(random, GROUPS) });
    }
    const answered = fields.filter(({ type }) => type !== "fieldset" && !NO_ANSWER.has(type ?? ""));
    const name = `f${index}`;
    const field: Field =
      answered.length > 0 && random() < 0.15
        ? calculation(random, name, answered)
        : { name, ...pick(random, KINDS), required: random() < 0.25 };
    const conditions = answered.length > 0 && random() < 0.2 ? { conditions: [condition(random, answered)] } : {};
    const label = random() < 0.7 ? { label: `Field ${index}` } : {};
    const pipe = answered.length > 0 && random() < 0.1 ? { label: `For [${pick(random, answered).name}|you]` } : {};
    fields.push({ ...label, ...field, ...pipe, ...conditions, ...(group === undefined ? {} : { group }) });
  }
  return fields;
}

const TEXTS = [
  ..."|a|7|c|d|x|AB1|abcdef|Zoë 😀|ada@example.org|a@b|https://example.org/x|example.org|0|3|-2.5|12.3|1e2|1e400| 5 |007".split(
    "|",
  ),
  ..."2026-11-28|2026-02-30|1999-1-5|9999-12-31|2026-W07|2026-13|10:30|25:00|2026-03-29T02:30|#a1b2c3|#xyz|on|1|true".split(
    "|",
  ),
  ..."0151 12345678|+49 (0)151 12345678|0041 44 668 18 00|555|<b>&amp;\u0000\u202e|line\nline\r\nend".split("|"),
];
const PARTS: Readonly<Record<string, readonly string[]>> = {
  name: ["first", "last"],
  address: ["street", "city", "postal_code", "country"],
  consent: ["accepted"],
  date: ["day", "month", "year"],
  tel: ["country"],
  radio: ["other"],
  checkbox: ["other"],
};

/** Texts that a field of each type accepts. */
const FITTING: Readonly<Record<string, readonly string[]>> = {
  email: ["ada@example.org", "Ada@Example.ORG ", "a@exämple.org"],
  tel: ["0151 12345678", "+49 (0)151 12345678", "0041 44 668 18 00", "+1 202 555 0123"],
  text: ["AB1", "abc", "X", "2026-12", "2026-W07", " Zoë "],
  textarea: ["one", "one\ntwo", " x "],
  number: ["0", "3", "-1.5", "12.5", "1e1", "007"],
  url: ["https://example.org/x", "http://example.org"],
  rating: ["1", "3", "5"],
  range: ["0", "3", "10"],
  date: ["2026-11-28", "2026-02-28", "2027-12-31"],
  time: ["10:30", "23:59:59"],
  "datetime-local": ["2026-03-29T02:30"],
  color: ["#a1b2c3", "#A1B2C3"],
};

/** Pairs for a field, usually in its format and sometimes in another. `fits` prefers texts that the field accepts. */
function pairsFor(random: Random, field: Field, input: string, fits: boolean): Pair[] {
  if (random() < 0.15) return [];
  const { attributes = {}, type = "text", options } = field;
  const parts = PARTS[type] ?? [];
  const isParts = ["name", "address", "consent"].includes(type) || "data-parts" in attributes;
  const value = (): string => {
    if (options !== undefined && random() < 0.8) return pick(random, ["a", "7", "c", "d"]);
    if ("data-parts" in attributes && fits) return pick(random, ["1", "11", "2026"]);
    if ("data-parts" in attributes) return pick(random, ["1", "31", "12", "2026", "02", "", "x"]);
    return pick(random, (fits ? FITTING[type] : undefined) ?? TEXTS);
  };
  const pairs: Pair[] = [];
  const isList = (type === "checkbox" && options !== undefined) || "multiple" in attributes;
  if (isList) {
    const some = Math.floor(random() * 4);
    for (let index = 0; index < some; index += 1) pairs.push([random() < 0.9 ? `${input}[]` : input, value()]);
  } else if (!isParts || random() < 0.1) pairs.push([input, value()]);
  for (const part of parts) if (random() < (isParts ? 0.8 : 0.2)) pairs.push([`${input}[${part}]`, value()]);
  return pairs;
}

/** The pairs of a submit. */
function pairsOf(random: Random, fields: readonly Field[]): readonly Pair[] {
  const repeats = new Set(fields.filter((field) => "data-repeat" in (field.attributes ?? {})).map(({ name }) => name));
  const fits = random() < 0.6;
  const pairs = fields.flatMap((field) => {
    const { group = "" } = field;
    if (!repeats.has(group)) return pairsFor(random, field, field.name, fits);
    const rows = pick(random, [[], ["0"], ["0", "1"], ["3", "1"], ["0", "1", "2", "5"], ["00", "x"]]);
    return rows.flatMap((row) => pairsFor(random, field, `${group}[${row}][${field.name}]`, fits));
  });
  return random() < 0.1 ? pairs.reverse() : pairs;
}

/** Number of submissions per form. */
const BATCH = 100;

/** The outcome of a submit: the stored answers, or the faults. */
async function submitted(site: Site, slug: string, pairs: readonly Pair[]): Promise<JsonValue> {
  const body = new FormData();
  for (const [name, value] of pairs) body.append(name, value);
  const response = await site.forms.fetch(
    new Request(`${site.url}/forms/${slug}`, { method: "POST", headers: { accept: "application/json" }, body }),
  );
  const result = JSON.parse((await response?.text()) ?? "null") as JsonValue;
  if (response?.status === 400) return { errors: member(result, "errors") };
  if (response?.status !== 200) return { unexpected: result };
  const path = `${site.url}/api/cf/v1/submissions/${String(member(result, "submission_id"))}`;
  const stored = await site.forms.fetch(new Request(path, { headers: { "x-test-caller": "administrator" } }));
  return { data: member(JSON.parse((await stored?.text()) ?? "null"), "data") };
}

/** JSON with sorted members, because the order of an object's members means nothing. */
const shown = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );

interface Compared {
  readonly found: string[];
  /** The number of submissions that were stored; the others have faults. */
  stored: number;
}

async function batch(
  site: Site,
  browser: BrowserModule,
  random: Random,
  size: number,
  compared: Compared,
): Promise<void> {
  const fields = formOf(random);
  const schema = { version: 1, fields };
  const { status, body } = await site.api("POST", "/forms", { title: "Random", status: "published", schema });
  // The form is invalid: its calculations form a circle, or read a field without a value.
  if (status === 400) return await batch(site, browser, random, size, compared);
  if (status !== 201) throw new Error(JSON.stringify(body).slice(0, 2_000));
  const slug = String(member(body, "slug"));
  for (let index = 0; index < size; index += 1) {
    const pairs = pairsOf(random, fields);
    const validated = () => {
      const { files: _, ...outcome } = {
        files: [],
        // A form body has CR LF as its line breaks.
        ...browser.validateSubmission({
          schema,
          pairs: pairs.map(([name, value]) => [name, lines(value)]),
          files: [],
          messages: en,
        }),
      };
      return outcome;
    };
    let [expected, got] = [validated(), await submitted(site, slug, pairs)];
    // If the day changed in between, `today()` differs, so both run again.
    if (shown(got) !== shown(expected) && shown(validated()) !== shown(expected))
      [expected, got] = [validated(), await submitted(site, slug, pairs)];
    if ("data" in expected) compared.stored += 1;
    if (shown(got) !== shown(expected))
      compared.found.push(`${JSON.stringify({ fields, pairs })}: engine ${shown(got)}, browser ${shown(expected)}`);
  }
  await site.api("DELETE", `/forms/${String(member(body, "id"))}?force=true`);
}

const lines = (text: string): string => text.replace(/\r\n?|\n/g, "\r\n");

/** Compares the browser's module and the engine for a number of random submissions. */
export async function compareSubmissions(site: Site, count: number, seed: number): Promise<Compared> {
  const random = randomOf(seed);
  const browser = await loadBrowserModule();
  const compared: Compared = { found: [], stored: 0 };
  for (let done = 0; done < count; done += BATCH)
    await batch(site, browser, random, Math.min(BATCH, count - done), compared);
  return compared;
}

if (process.argv[1] === import.meta.filename) {
  const [count = "10000", seed = "1"] = process.argv.slice(2);
  const site = await startSite({});
  const { found, stored } = await compareSubmissions(site, Number(count), Number(seed));
  for (const line of found.slice(0, 20)) console.log(line);
  console.log(`${count} submissions, ${stored} stored, ${found.length} differences`);
  await site.close();
}
