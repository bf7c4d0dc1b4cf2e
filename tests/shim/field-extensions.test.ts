/** Prefilled fields, answers in later texts, and scales through WebAssembly: cases of `tests/cases/fields`. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, it } from "node:test";
import { finderOf, replacePipes } from "../../visitor/script/pipe-texts.ts";
import { languages } from "../../visitor/languages/index.ts";
import { member, startSite, type JsonValue, type Site } from "./site.ts";

interface Case {
  readonly name: string;
  readonly schema: { readonly fields: readonly { readonly name: string }[] };
  readonly input: {
    readonly pairs?: [string, string][];
    readonly query?: string;
    readonly setting?: string;
    readonly language?: string;
  };
  readonly expect: {
    readonly data?: Record<string, unknown>;
    readonly errors?: readonly Record<string, unknown>[];
    readonly texts?: Readonly<Record<string, string>>;
    readonly row_texts?: readonly (readonly [group: string, row: number, template: string, text: string])[];
    readonly prefilled?: Readonly<Record<string, readonly string[]>>;
  };
}

const casesOf = (file: string): readonly Case[] =>
  JSON.parse(readFileSync(new URL(`../cases/fields/${file}.json`, import.meta.url), "utf8")).cases as Case[];

let site: Site;
before(async () => {
  site = await startSite({ forms: { languages } });
});
after(() => site.close());

async function makeForm(schema: unknown, settings: object): Promise<string> {
  const { status, body } = await site.api("POST", "/forms", { title: "Case", schema, settings });
  assert.equal(status, 201, JSON.stringify(body));
  return `${site.url}/forms/${String(member(body as JsonValue, "slug"))}`;
}

const unescaped = (text: string): string =>
  text
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

/** The values of a page's filled controls, by name. */
function filledIn(html: string): Record<string, string[]> {
  const filled: Record<string, string[]> = {};
  const attribute = (tag: string, name: string): string | undefined => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  const controls = html.matchAll(
    /<input[^>]*data-cf-prefilled[^>]*>|<(textarea|select)[^>]*data-cf-prefilled[\s\S]*?<\/\1>/g,
  );
  for (const [control] of controls) {
    const [tag = ""] = /^<[^>]*>/.exec(control) ?? [];
    const name = unescaped(attribute(tag, "name") ?? "");
    const values = (filled[name] ??= []);
    if (tag.startsWith("<textarea")) values.push(unescaped(control.slice(tag.length)));
    else if (tag.startsWith("<select")) {
      for (const [option] of control.matchAll(/<option[^>]* selected[^>]*>/g))
        values.push(attribute(option, "value") ?? "");
    } else if (!/type="(radio|checkbox)"/.test(tag)) values.push(unescaped(attribute(tag, "value") ?? ""));
    else if (/ checked/.test(tag)) values.push(unescaped(attribute(tag, "value") ?? "on"));
  }
  return filled;
}

const sorted = (values: Readonly<Record<string, readonly string[]>>): unknown =>
  Object.entries(values)
    .map(([name, list]) => [name, [...list].sort()] as const)
    .sort();

for (const { name, schema, input, expect } of casesOf("prefill"))
  it(`a URL prefills fields: ${name}`, async () => {
    const form = await makeForm(schema, input.setting === undefined ? {} : { prefill: input.setting });
    const page = await fetch(`${form}?${input.query}`);
    assert.deepEqual(sorted(filledIn(await page.text())), sorted(expect.prefilled ?? {}));
    const embedded = await fetch(`${form}/embed?${input.query}`);
    assert.deepEqual(sorted(filledIn(await embedded.text())), sorted(expect.prefilled ?? {}));
  });

/** A required field that no case answers, so that the submit is rejected with a page that shows the answers. */
const UNANSWERED = { name: "never answered", required: true };

for (const { name, schema, input, expect } of casesOf("piping"))
  it(`a text shows: ${name}`, async () => {
    for (const [template, expected] of Object.entries(expect.texts ?? {})) {
      const heading = { name: "shown here", type: "heading", label: template };
      const settings = input.language === undefined ? {} : { language: input.language };
      const form = await makeForm({ ...schema, fields: [...schema.fields, heading, UNANSWERED] }, settings);
      const body = new FormData();
      for (const [key, value] of input.pairs ?? []) body.append(key, value);
      const response = await fetch(form, { method: "POST", body });
      assert.equal(response.status, 400);
      const [, shown = ""] = /<h2 class="cf-heading"[^>]*>([\s\S]*?)<\/h2>/.exec(await response.text()) ?? [];
      assert.equal(unescaped(shown), expected);
    }
    if (expect.row_texts !== undefined) {
      const form = await makeForm({ ...schema, fields: [...schema.fields, UNANSWERED] }, {});
      const response = await fetch(form, { method: "POST", body: new URLSearchParams([...(input.pairs ?? [])]) });
      const [, ...rows] = (await response.text()).split('<fieldset class="cf-row"');
      for (const [, row, , text] of expect.row_texts) assert.ok(unescaped(rows[row] ?? "").includes(text), rows[row]);
    }
    if (expect.data !== undefined)
      assert.deepEqual(site.forms.validateSubmission({ schema, pairs: input.pairs ?? [], files: [] }), {
        data: expect.data,
        files: [],
      });
  });

for (const { name, schema, input, expect } of casesOf("scales"))
  it(`a scale: ${name}`, () => {
    const result = site.forms.validateSubmission({ schema, pairs: input.pairs ?? [], files: [] });
    if (expect.data !== undefined) assert.deepEqual("data" in result && result.data, expect.data);
    if (expect.errors === undefined) return;
    assert.ok("errors" in result, JSON.stringify(result));
    assert.deepEqual(
      result.errors.map(({ field, code }) => ({ field, code })),
      expect.errors.map(({ field, code }) => ({ field, code })),
    );
  });

it("the script and the engine find the same pipes", () => {
  const find = finderOf(["nick", "row[1]", "why?", "who", "who.first"]);
  const shown = (text: string): string => replacePipes(text, find, ({ name, words }) => `<${name}:${words}>`);
  for (const [text, expected] of [
    ["Hi [nick]!", "Hi <nick:>!"],
    ["[NICK|you], [ why? ]", "<nick:you>, <why?:>"],
    ["[row[1]] [row[1]|x]", "<row[1]:> <row[1]:x>"],
    ["[who.first|a|b]", "<who.first:a|b>"],
    ["[nick](/x) [nick] [optional] [[nick]] [nick", "[nick](/x) <nick:> [optional] [<nick:>] [nick"],
  ] as const)
    assert.equal(shown(text), expected);
});
