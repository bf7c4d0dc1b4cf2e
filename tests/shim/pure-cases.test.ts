/** The cases of `tests/cases` give the same results through WebAssembly as natively. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { loadBrowserModule } from "../../pkg/load/browser-node.js";
import { startSite, type Site } from "./site.ts";

interface Case {
  readonly name: string;
  readonly schema: Record<string, unknown>;
  readonly input: Record<string, unknown>;
  readonly expect: Record<string, unknown>;
}

function casesOf(file: string): readonly Case[] {
  const { cases }: { cases: readonly Case[] } = JSON.parse(
    readFileSync(new URL(`../cases/${file}`, import.meta.url), "utf8"),
  );
  assert.ok(cases.length > 0);
  return cases;
}

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

describe("conditions", () => {
  it("every case has the native result", () => {
    for (const { name, schema, input, expect } of casesOf("conditions.json")) {
      const result = site.forms.evaluateConditions({ schema, data: input });
      assert.ok("hidden" in result, `${name}: ${JSON.stringify(result)}`);
      assert.deepEqual([...result.hidden].sort(), [...(expect["hidden"] as string[])].sort(), name);
    }
  });
});

describe("validation", () => {
  it("every case has the native result", () => {
    for (const { name, schema, input, expect } of casesOf("validation.json")) {
      const {
        json,
        pairs,
        files,
        settings = {},
      } = input as {
        json?: Record<string, unknown>;
        pairs?: [string, string][];
        files?: { field: string; filename: string; content_type: string; size: number }[];
        settings?: Record<string, unknown>;
      };
      const answers = json === undefined ? { schema, pairs: pairs ?? [], files: files ?? [] } : { schema, data: json };
      const result = site.forms.validateSubmission({ ...answers, settings });
      // The cases contain codes of faults, not messages.
      const comparable =
        "errors" in result
          ? { errors: result.errors.map(({ message: _, ...fault }) => fault) }
          : "data" in result
            ? { data: result.data }
            : result;
      assert.deepEqual(comparable, expect, name);
    }
  });
});

it("a schema stays equal when it is rendered as HTML and read again", () => {
  const schema = {
    version: 1,
    fields: [
      { name: "email", type: "email", label: 'Email <&> "quoted"', required: true },
      {
        name: "size",
        type: "radio",
        options: [
          { value: "s", label: "Small" },
          { value: "l", label: "Large" },
        ],
      },
    ],
  };
  const rendered = site.forms.renderSchema(schema);
  assert.ok("html" in rendered);
  const parsed = site.forms.parseMarkup(rendered.html);
  assert.ok("schema" in parsed);
  const again = site.forms.renderSchema(parsed.schema);
  assert.deepEqual(again, rendered);
});

it("an invalid schema gets every fault with its path", () => {
  const result = site.forms.renderSchema({ fields: [{ name: "", type: "nonsense" }, { type: "text" }] });
  assert.ok("faults" in result);
  assert.ok(result.faults.length >= 3, JSON.stringify(result.faults));
});

it("every route of the table is an export of the module", async () => {
  const { loadEngine } = await import("#load-engine");
  const exported = new Set(Object.keys(await loadEngine()));
  const missing = site.forms.routes().filter(({ operation }) => !exported.has(operation));
  assert.deepEqual(missing, []);
});

it("the module for browsers gives the same results as the server", async () => {
  const browser = await loadBrowserModule();
  const html = '<label>Mail <input type="email" name="mail" required></label><input name="n" type="number" max="1e20">';
  const parsed = site.forms.parseMarkup(html);
  assert.ok("schema" in parsed);
  assert.deepEqual(browser.parseMarkup(html), parsed);
  for (const schema of [parsed.schema, { fields: [{ name: "", type: "nonsense" }] }]) {
    assert.deepEqual(browser.renderSchema(schema), site.forms.renderSchema(schema));
  }
  for (const { schema, input } of [...casesOf("conditions.json"), ...casesOf("validation.json")]) {
    const {
      json,
      pairs = [],
      files = [],
      settings = {},
      ...members
    } = input as {
      json?: Record<string, unknown>;
      pairs?: [string, string][];
      files?: { field: string; filename: string; content_type: string; size: number }[];
      settings?: Record<string, unknown>;
    };
    const data = json ?? (Object.keys(members).length > 0 ? members : undefined);
    const answers = data === undefined ? { schema, pairs, files, settings } : { schema, data, settings };
    assert.deepEqual(browser.validateSubmission(answers), site.forms.validateSubmission(answers));
    assert.deepEqual(browser.evaluateConditions(answers), site.forms.evaluateConditions(answers));
  }
});

it("an object that contains itself is rejected, and the engine continues", () => {
  const schema: Record<string, unknown> = { fields: [] };
  schema["form_settings"] = { schema };
  assert.throws(() => site.forms.renderSchema(schema), /nested too deep/);
  assert.deepEqual(site.forms.evaluateConditions({ schema: { fields: [] }, data: {} }), { hidden: [] });
});

it("a number that JavaScript cannot represent exactly is rounded, not rejected", () => {
  const parsed = site.forms.parseMarkup('<label>N <input name="n" type="number" max="18446744073709551615"></label>');
  assert.ok("schema" in parsed);
  assert.equal(parsed.schema.fields[0]?.validation?.max, 2 ** 64);
});
