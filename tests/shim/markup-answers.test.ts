/**
 * The values that a browser sends for an author's HTML are stored. In the generated documents, several controls may
 * have the same name. An answer is stored under the controls' name. The answer contains each nonempty value that jsdom
 * sends for a visible control with this name. A single checkbox is stored as ticked exactly if it is ticked. Exception:
 * a hidden control that sends the checkbox's value may count as a tick. No submit is rejected.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadEngine } from "#load-engine";
import { JSDOM } from "jsdom";

const CASES = 3_000;
/** Seed of the random documents; by default, the default seed of scripts/test.mjs. */
const seed = Number(process.env["CF_SEED"] ?? 20_261_121);

const { window } = new JSDOM("");

function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const NAMES = ["a", "a", "b", "b[]", " c ", "c", "d[e]"];
const CONTROLS = [
  "<input name='N'>",
  "<input name='N' type=email>",
  "<input name='N' type=number>",
  "<input name='N' type=tel maxlength=9>",
  "<textarea name='N'></textarea>",
  "<input name='N' type=hidden value=h>",
  "<input name='N' type=hidden value=''>",
  "<input name='N' type=hidden value=1>",
  "<input name='N' type=checkbox value=yes>",
  "<input name='N' type=checkbox value=''>",
  "<input name='N' type=checkbox value=0>",
  "<input name='N' type=checkbox>",
  "<input name='N' type=radio value=1>",
  "<input name='N' type=radio value=2>",
  "<input name='N' type=radio value=no>",
  "<select name='N'><option value=''>-<option value=1>One<option value=3>Three</select>",
  "<select name='N'><option>2<option>4</select>",
  "<select name='N' multiple><option>5<option>6</select>",
  "<input name='N' disabled value=off>",
  "<select name='N' disabled><option>off</select>",
  "<fieldset disabled><input name='N' type=email value=off></fieldset>",
  "<input name='N' type=range value=5>",
];

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  email: ["a@b.cd", ""],
  number: ["7", "007", "12345678901234567", ""],
  tel: ["+1 2", ""],
};

function fill(form: HTMLFormElement, random: () => number): void {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  for (const control of form.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
    "input,select,textarea",
  )) {
    if (control instanceof window.HTMLSelectElement)
      for (const option of control.options) option.selected = random() < 0.5;
    else if (/^(checkbox|radio)$/.test(control.type)) (control as HTMLInputElement).checked = random() < 0.5;
    else if (control.type !== "hidden") control.value = one(TEXTS[control.type] ?? ["text", "two words", ""]);
  }
}

/** The expected answer of all controls with one name. */
interface Sent {
  /** The values of visible controls, without empty values. */
  readonly values: string[];
  /** Whether the checkbox is ticked, if a checkbox without `[]` is the only visible control; otherwise undefined. */
  readonly isTicked: boolean | undefined;
  /** Whether a hidden control also sends the checkbox's value. Then the body has this value even without a tick. */
  readonly isAmbiguous: boolean;
}

const nameOf = (name: string): string => name.trim().replace(/\[\]$/, "");

function sentBy(form: HTMLFormElement): Map<string, Sent> {
  const sent = new Map<string, Sent>();
  const enabled = [...form.querySelectorAll<HTMLInputElement>("input,select,textarea")].filter(
    (control) => !control.matches(":disabled"),
  );
  const [hidden = [], controls = []] = [true, false].map((isHidden) =>
    enabled.filter(({ type }) => (type === "hidden") === isHidden),
  );
  for (const name of new Set(controls.map((control) => nameOf(control.name)))) {
    const members = controls.filter((control) => nameOf(control.name) === name);
    const [first] = members as [HTMLInputElement];
    const isBox = members.length === 1 && first.type === "checkbox" && !first.name.trim().endsWith("[]");
    const values = members.flatMap((control): string[] => {
      if (/^(checkbox|radio)$/.test(control.type)) return control.checked ? [control.value] : [];
      if (control instanceof window.HTMLSelectElement) return [...control.selectedOptions].map(({ value }) => value);
      return [control.value];
    });
    // A checkbox without a value sends "on". The engine also accepts "1" for such a checkbox.
    const on = first.hasAttribute("value") ? [first.value] : ["on", "1"];
    sent.set(name, {
      values: values.filter((value) => value !== ""),
      isTicked: isBox ? first.checked : undefined,
      isAmbiguous: hidden.some((control) => nameOf(control.name) === name && on.includes(control.value)),
    });
  }
  return sent;
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.flatMap(texts) : [String(value ?? "")]);

test(`the values that a browser sends for ${CASES} filled forms are stored (CF_SEED=${seed})`, async () => {
  const engine = await loadEngine();
  const random = randomFrom(seed);
  for (let n = 0; n < CASES; n += 1) {
    let html = "<form>";
    for (let count = 1 + Math.floor(random() * 6); count > 0; count -= 1) {
      const control = CONTROLS[Math.floor(random() * CONTROLS.length)] as string;
      html += control.replace("N", NAMES[Math.floor(random() * NAMES.length)] as string);
    }
    html += "</form>";
    const document = new window.DOMParser().parseFromString(html, "text/html");
    const form = document.querySelector("form") as HTMLFormElement;
    fill(form, random);
    const pairs = [...new window.FormData(form)].map(([name, value]): [string, string] => [name, String(value)]);
    const { schema } = engine.parseMarkup(html) as { schema: object };
    const result = engine.validateSubmission({ schema, pairs }) as { data?: Record<string, unknown> };
    const context = `seed ${seed}, case ${n}:\n${html}\n${JSON.stringify(pairs)}\n${JSON.stringify(result)}\n${JSON.stringify(schema)}`;
    assert.ok(result.data !== undefined, context);
    for (const [name, { values, isTicked, isAmbiguous }] of sentBy(form)) {
      const stored: unknown = result.data[name];
      if (isTicked !== undefined) {
        // A hidden control with the checkbox's value looks like a tick. Any other hidden value is not a tick.
        if (isTicked || !isAmbiguous) assert.equal(stored === true, isTicked, context);
        continue;
      }
      const known = texts(stored);
      for (const value of values) assert.ok(known.includes(value), `${name} lacks ${value}; ${context}`);
    }
  }
});
