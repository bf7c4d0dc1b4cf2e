/** Matrices, rankings and telephone numbers through WebAssembly: cases of `tests/cases/fields`, pages and writes. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, it } from "node:test";
import { callings, storedPhone } from "../../visitor/script/phone-number.ts";
import { member, startSite, type JsonValue, type Site } from "./site.ts";

interface Case {
  readonly name: string;
  readonly schema: { readonly fields: readonly object[] };
  readonly query?: string;
  readonly settings?: object;
  readonly input: { readonly pairs?: [string, string][]; readonly json?: Record<string, unknown> };
  readonly expect: {
    readonly data?: Record<string, unknown>;
    readonly errors?: readonly { readonly field: string; readonly code: string }[];
    readonly texts?: Readonly<Record<string, string>>;
    readonly contains?: readonly string[];
    readonly contains_not?: readonly string[];
    readonly faults?: readonly { readonly at: string }[];
    readonly warnings?: readonly string[];
  };
}

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const casesOf = (file: string): readonly Case[] => JSON.parse(read(`../cases/fields/${file}.json`)).cases as Case[];

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

for (const file of ["matrix", "phone", "ranking"])
  for (const { name, schema, input, expect } of casesOf(file))
    it(`${file}: ${name}`, () => {
      const answers = input.json === undefined ? { pairs: input.pairs ?? [] } : { data: input.json };
      const result = site.forms.validateSubmission({ schema, files: [], ...answers });
      if (expect.data !== undefined) assert.deepEqual("data" in result && result.data, expect.data);
      if (expect.errors === undefined) return;
      assert.ok("errors" in result);
      assert.deepEqual(
        result.errors.map(({ field, code }) => ({ field, code })),
        expect.errors.map(({ field, code }) => ({ field, code })),
      );
    });

for (const { name, schema, query = "", settings = {}, expect } of casesOf("html"))
  it(`a page: ${name}`, async () => {
    const { status, body } = await site.api("POST", "/forms", { title: "Case", status: "published", schema, settings });
    assert.equal(status, 201, JSON.stringify(body));
    const slug = String(member(body as JsonValue, "slug"));
    const page = await (await fetch(`${site.url}/forms/${slug}?${query}`)).text();
    // The cases describe the fields, and the button after them that saves the answers.
    const html = page.slice(page.indexOf('class="cf-fields"'), page.lastIndexOf("</form>"));
    const id = String(member(body as JsonValue, "id"));
    let at = 0;
    for (const part of expect.contains ?? []) {
      at = html.indexOf(part.replaceAll("cf-1--", `cf-${id}--`).replace("/forms/x/", `/forms/${slug}/`), at);
      assert.ok(at >= 0, `${part} is not in ${html}`);
    }
    for (const part of expect.contains_not ?? []) assert.ok(!html.includes(part), `${part} is in ${html}`);
    const isRare = /data-(?:phone|rank|repeat)/.test(JSON.stringify(schema));
    assert.equal(/<link rel="stylesheet" href="[^"]*fields\.\w+\.css">/.test(page), isRare);
  });

for (const { name, schema, expect } of casesOf("schema-checks"))
  it(`a write: ${name}`, async () => {
    const { status, body, headers } = await site.api("POST", "/forms", { title: "Case", schema });
    assert.equal(status, (expect.faults ?? []).length > 0 ? 400 : 201, JSON.stringify(body));
    for (const { at } of expect.faults ?? []) assert.ok(JSON.stringify(body).includes(at), JSON.stringify(body));
    for (const warning of expect.warnings ?? [])
      assert.ok(headers.get("x-cf-warning")?.includes(warning), String(headers.get("x-cf-warning")));
  });

/** A random number generator with a seed, so that a failure can be reproduced. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

it("the script stores what the engine stores", () => {
  const table = callings(read("../../crates/model/src/phones.txt"));
  const codes = table.map(([code]) => code);
  const regions = table.flatMap(([, all]) => all);
  assert.equal(regions.length, 245);
  const pick = random(7);
  const choose = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  const starts = ["", "", "0", "00", "+", "8", "06", "1", "tel:+", "(+", "＋", "\u202a+", "(0)"];
  const between = ["", "", "", " ", "-", "(0)", "/", ".", "\u00a0", "x", "+"];
  const digits = ["0123456789", "٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "०१२३४५६७८९", "０１２３４５６７８９"];
  let stored = 0;
  for (let round = 0; round < 4_000; round += 1) {
    const alphabet = pick(4) === 0 ? choose(digits) : "0123456789";
    const length = pick(16);
    let text = choose(starts) + (pick(3) === 0 ? "" : choose(codes));
    for (let at = 0; at < length; at += 1) text += [...alphabet][pick(10)] + (pick(5) === 0 ? choose(between) : "");
    const [usual, country] = [choose([...regions, ""]), choose(["", "", choose(regions)])];
    const offered = pick(4) === 0 ? [choose(regions), choose(regions)] : [];
    const attributes = {
      "data-phone": usual,
      ...(offered.length === 0 ? {} : { "data-countries": offered.join(" ") }),
    };
    const schema = { version: 1, fields: [{ name: "p", type: "tel", attributes }] };
    const pairs: [string, string][] = [
      ["p", text],
      ["p[country]", country],
    ];
    const result = site.forms.validateSubmission({ schema, pairs, files: [] });
    const engine = "data" in result ? result.data["p"] : undefined;
    if (engine !== undefined) stored += 1;
    if (engine === "") continue;
    const shown = JSON.stringify({ text, usual, country, offered });
    assert.equal(storedPhone(table, text, country || usual, offered), engine, shown);
  }
  assert.ok(stored > 400, `only ${stored} of the texts are numbers`);
});
