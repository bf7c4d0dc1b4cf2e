/** Calculations through WebAssembly: the cases of `tests/cases/fields`, the page, and random expressions. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, it } from "node:test";
import { languages } from "../../visitor/languages/index.ts";
import { differences } from "./random-expressions.ts";
import { member, startSite, type JsonValue, type Site } from "./site.ts";

interface Case {
  readonly name: string;
  readonly schema: { readonly fields: readonly object[] };
  readonly input: { readonly pairs?: [string, string][]; readonly language?: string };
  readonly expect: {
    readonly data?: Record<string, unknown>;
    readonly errors?: readonly { readonly field: string; readonly code: string }[];
    readonly texts?: Readonly<Record<string, string>>;
  };
}

const casesOf = (file: string): readonly Case[] =>
  JSON.parse(readFileSync(new URL(`../cases/fields/${file}.json`, import.meta.url), "utf8")).cases as Case[];

let site: Site;
before(async () => {
  site = await startSite({ forms: { languages } });
});
after(() => site.close());

for (const { name, schema, input, expect } of casesOf("calculations"))
  it(`a calculation: ${name}`, () => {
    const result = site.forms.validateSubmission({ schema, pairs: input.pairs ?? [], files: [], today: "2026-11-28" });
    if (expect.errors === undefined) assert.deepEqual("data" in result && result.data, expect.data);
    else {
      assert.ok("errors" in result);
      assert.deepEqual(
        result.errors.map(({ field, code }) => ({ field, code })),
        expect.errors.map(({ field, code }) => ({ field, code })),
      );
    }
  });

async function slugOf(schema: unknown, settings: object = {}): Promise<string> {
  const { status, body } = await site.api("POST", "/forms", { title: "Case", status: "published", schema, settings });
  assert.equal(status, 201, JSON.stringify(body));
  return String(member(body as JsonValue, "slug"));
}

const unescaped = (text: string): string =>
  text
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

for (const { name, schema, input, expect } of casesOf("formats"))
  it(`a format: ${name}`, async () => {
    for (const [template, expected] of Object.entries(expect.texts ?? {})) {
      const fields = [
        ...schema.fields,
        { name: "shown here", type: "heading", label: template },
        { name: "never", required: true },
      ];
      const slug = await slugOf(
        { ...schema, fields },
        input.language === undefined ? {} : { language: input.language },
      );
      const body = new FormData();
      for (const [key, value] of input.pairs ?? []) body.append(key, value);
      const response = await fetch(`${site.url}/forms/${slug}`, { method: "POST", body });
      const html = await response.text();
      const [, shown = ""] = /<h2 class="cf-heading"[^>]*>([\s\S]*?)<\/h2>/.exec(html) ?? [];
      assert.equal(unescaped(shown), expected);
    }
  });

it("a page has an output for the result, and does not contain the expressions", async () => {
  // Numbers of eight digits: a page has random hexadecimal keys and the time, which may contain shorter ones.
  const [factor, weight] = ["79197919", "31337313"];
  const slug = await slugOf({
    version: 1,
    fields: [
      { name: "n", type: "number" },
      { name: "q", type: "radio", options: ["a"], attributes: { "data-weights": `{"a":${weight}}` } },
      { name: "total", type: "number", label: "Total", attributes: { "data-calc": "n * 2", readonly: "" } },
      { name: "score", type: "hidden", attributes: { "data-calc": `n * ${factor} + q`, "data-server": "" } },
    ],
  });
  const html = await (await fetch(`${site.url}/forms/${slug}`)).text();
  const [, output = ""] = /(<label[^>]*>Total<\/label>\s*<output[^>]*>)/.exec(html) ?? [];
  for (const part of ['for="cf-', '--total"', '--n"', 'data-cf-calc="total"']) assert.ok(output.includes(part), output);
  for (const part of ['name="total"', "data-calc=", factor, weight, 'name="score"'])
    assert.ok(!html.includes(part), part);
  assert.match(html, /data-calculations/);
});

it("a write rejects an invalid expression with the position of the fault, and accepts a valid one", async () => {
  const calc = (expression: string): object => ({
    title: "Case",
    schema: {
      version: 1,
      fields: [
        { name: "n", type: "number" },
        { name: "x", type: "number", attributes: { "data-calc": expression } },
      ],
    },
  });
  const rejected = await site.api("POST", "/forms", calc("n *"));
  assert.equal(rejected.status, 400);
  assert.match(JSON.stringify(rejected.body), /fields\[1\]\.attributes\.data-calc.*unexpected end at 3/);
  const accepted = await site.api("POST", "/forms", calc("n * 2"));
  assert.equal(accepted.status, 201);
});

it("the script and the engine calculate the same values", async () => {
  assert.deepEqual(await differences(site, 2_000, 33), []);
});
