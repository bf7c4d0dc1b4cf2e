/**
 * The cases of `tests/cases/conditions.json` in a real browser: the visitor's script shows and hides the same fields as
 * the engine. A case is skipped if the inputs cannot hold the answers. For example, a number input cannot hold a word.
 * The test prints the number of played cases, and fails unless more than 80 % of the cases are played.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { script } from "../../visitor/assets.ts";
import { member, type Site } from "../shim/site.ts";
import { useBrowserSite } from "./browser-site.ts";
import { noChromium } from "./chromium.ts";

type Answer = string | number | boolean | null | readonly Answer[] | { readonly [part: string]: Answer };

interface Case {
  readonly name: string;
  readonly schema: { readonly fields: readonly { readonly name: string }[] };
  readonly input: Readonly<Record<string, Answer>>;
  readonly expect: { readonly hidden: readonly string[] };
}

const { cases }: { cases: readonly Case[] } = JSON.parse(
  readFileSync(new URL("../cases/conditions.json", import.meta.url), "utf8"),
);

/** The pairs of names and values that a form's inputs send for an answer. */
function pairsOf(name: string, answer: Answer): [string, string][] {
  if (answer === null || answer === false) return [];
  if (answer === true) return [[name, "on"]];
  if (Array.isArray(answer)) return answer.map((one) => [`${name}[]`, String(one)]);
  if (typeof answer !== "object") return [[name, String(answer)]];
  return Object.entries(answer).flatMap(([part, value]) => pairsOf(`${name}[${part}]`, value));
}

/** Runs in the page: fills in the answers, and returns the hidden fields; null if the inputs cannot hold an answer. */
function play([pairs, names]: [[string, string][], string[]]): string[] | null {
  type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
  const form = document.querySelector("form");
  if (form === null) return null;
  const controls = [...form.querySelectorAll<Control>("input[name],select[name],textarea[name]")];
  const sent = new Set(pairs.map(([name]) => name));
  for (const control of controls) {
    if (control.type === "checkbox" || control.type === "radio") (control as HTMLInputElement).checked = false;
    else if (!sent.has(control.name)) control.value = "";
  }
  for (const [name, value] of pairs) {
    const named = controls.filter((control) => control.name === name);
    const box = named.find((control) => control.type === "checkbox" || control.type === "radio");
    const match = box === undefined ? named[0] : named.find((control) => control.value === value);
    if (match === undefined) return null;
    if (box !== undefined) (match as HTMLInputElement).checked = true;
    else match.value = value;
    if (match.value !== value) return null;
  }
  form.dispatchEvent(new Event("input"));
  const isOf = (control: Control, name: string): boolean =>
    control.name === name || control.name.startsWith(`${name}[`);
  return names.filter((name) => {
    const members = controls.filter((control) => isOf(control, name));
    const container = form.querySelector(`[data-cf-name="${name}"]`);
    return container === null
      ? members.every((control) => control.closest("[hidden]") !== null)
      : container.closest("[hidden]") !== null;
  });
}

describe("conditions in Chromium", { skip: noChromium }, () => {
  let site: Site;
  let page: Page;

  useBrowserSite(async (started) => {
    site = started.site;
    page = await started.browser.newPage();
  });

  /** The HTML of the form element, from a preview of a form. */
  async function formOf(body: object): Promise<string> {
    const response = await site.api("POST", "/forms/preview", { title: "Conditions", ...body });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return /<form [\s\S]*<\/form>/.exec(String(member(response.body, "html")))?.[0] ?? "";
  }

  const open = (form: string): Promise<void> => page.setContent(`${form}<script>${script.content}</script>`);

  it("hide the same fields as the engine", async (test) => {
    const differences: string[] = [];
    let played = 0;
    let shown: unknown = null;
    for (const { name, schema, input, expect } of cases) {
      const pairs = Object.entries(input).flatMap(([field, answer]) => pairsOf(field, answer));
      if (JSON.stringify(schema) !== shown) {
        shown = JSON.stringify(schema);
        await open(await formOf({ schema }));
      }
      const names = schema.fields.map((field) => field.name);
      const hidden = await page.evaluate(play, [pairs, names] satisfies [[string, string][], string[]]);
      if (hidden === null) continue;
      played += 1;
      if (hidden.join() !== expect.hidden.join()) differences.push(`${name}: hides ${hidden.join() || "nothing"}`);
    }
    assert.deepEqual(differences, []);
    test.diagnostic(`played ${played} of ${cases.length} cases`);
    assert.ok(played > cases.length * 0.8, `only ${played} of ${cases.length} were played`);
  });

  it("hide the right fields in an author's HTML, in several spellings of the conditions", async () => {
    const markup = `<p><input name="a"></p><p><input type="checkbox" name="box" value="0"></p>
      <p data-show-if="a=x|y"><input name="either"></p><p data-show-if=" a : z "><input name="spaced"></p>
      <p data-hide-if="a" data-show-if="box=off"><input name="both"></p><p data-show-if="gone=1"><input name="free"></p>
      <p data-cf-conditions="nonsense"><input name="plain"></p>`;
    await open(await formOf({ markup }));
    const names = ["either", "spaced", "both", "free", "plain"];
    const hidden = (a: string): Promise<string[] | null> =>
      page.evaluate(play, [[["a", a]], names] satisfies [[string, string][], string[]]);
    assert.deepEqual(await hidden(""), ["either", "spaced"]);
    assert.deepEqual(await hidden("y"), ["spaced", "both"]);
    assert.deepEqual(await hidden("z"), ["either", "both"]);
  });

  for (const reversed of [false, true]) {
    it(`apply to a chain of 200 fields, with conditions on the ${reversed ? "next" : "previous"} field`, async () => {
      const names = Array.from({ length: 200 }, (_, number) => `f${number}`);
      const fields = names.map((name, number) => ({
        name,
        type: "text",
        default_value: "x",
        conditions: number === 0 ? [] : [{ field: `f${number - 1}`, operator: "is_not_empty" }],
      }));
      await open(await formOf({ schema: { fields: reversed ? fields.reverse() : fields } }));
      const answers = names.map((name): [string, string] => [name, "x"]);
      assert.deepEqual(await page.evaluate(play, [answers, names] satisfies [[string, string][], string[]]), []);
      const [, ...others] = answers;
      const hidden = await page.evaluate(play, [others, names] satisfies [[string, string][], string[]]);
      assert.deepEqual(hidden, names.slice(1));
    });
  }
});
