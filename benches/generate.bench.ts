/**
 * Compares the engine's extraction of fields from HTML with parse5 (a tree) and htmlparser2 (events), which extract the
 * same fields in JavaScript (`extraction.ts`). The result is the ratio of the times from the HTML to JavaScript objects.
 */

import assert from "node:assert/strict";
import { loadEngine } from "#load-engine";
import { type Field, withHtmlparser2, withParse5 } from "./extraction.ts";
import { median, type Measurement, type Section } from "./section.ts";

function controls(from: number, to: number): string {
  let html = "";
  for (let n = from; n < to; n += 1) {
    const id = `field-${n}`;
    html += `<div class="row mb-3"><label for="${id}" class="form-label">Question &amp; answer ${n}</label>\n`;
    const rest = `class="form-control" id="${id}" name="${id}" data-n="${n}" aria-describedby="${id}-help"`;
    switch (n % 5) {
      case 0:
        html += `<input type="email" ${rest} placeholder="you@example.org" autocomplete="email" required>`;
        break;
      case 1:
        html += `<select ${rest}><option value="">Choose</option><option value="a" selected>Alpha</option><option value="b">Beta &amp; more</option></select>`;
        break;
      case 2:
        html += `<textarea ${rest} rows="4" maxlength="500">Some text</textarea>`;
        break;
      case 3:
        html += `<label><input type="radio" name="${id}" value="y" aria-describedby="${id}-help" checked> Yes</label><label><input type="radio" name="${id}" value="n"> No</label>`;
        break;
      default:
        html += `<input type="text" ${rest} value="x" minlength="2" maxlength="80" pattern="[a-z]+">`;
    }
    html += `<small id="${id}-help" class="form-text">Help with <i>${n}</i></small></div>\n`;
  }
  return html;
}

function upTo(bytes: number, piece: (n: number) => string): string {
  let html = "";
  for (let n = 0; html.length < bytes; n += 1) html += piece(n);
  return html;
}

const article =
  '<p>Some <b>plain</b> text with a <a href="/page?a=1&amp;b=2">link</a> and an <img src="/i.png" alt="">.</p>\n';

const inputs: readonly [string, string][] = [
  ["2 KB form", controls(0, 9)],
  ["200 KB, all form", upTo(200_000, (n) => controls(n * 10, n * 10 + 10))],
  [
    "200 KB page with one form",
    `${upTo(100_000, () => article)}<form>${controls(0, 9)}</form>${upTo(100_000, () => article)}`,
  ],
  [
    "5 MB page",
    `${upTo(2_500_000, () => article)}<form>${upTo(2_000_000, (n) => controls(n * 10, n * 10 + 10))}</form>${upTo(500_000, () => article)}`,
  ],
];

/** Time for JIT compilation before the measurement, in milliseconds. */
const warmUp = 1_000;

/**
 * Returns the median milliseconds of each call over several windows. The calls alternate, so that other load affects
 * all of them.
 */
function times(calls: readonly (() => unknown)[], rounds: number): number[] {
  for (const call of calls) {
    const begun = performance.now();
    for (let round = 0; round < rounds * 3 || performance.now() - begun < warmUp; round += 1) call();
  }
  const samples = calls.map((): number[] => []);
  for (let sample = 0; sample < 11; sample += 1) {
    for (const [index, call] of calls.entries()) {
      const started = performance.now();
      for (let round = 0; round < rounds; round += 1) call();
      samples[index]?.push((performance.now() - started) / rounds);
    }
  }
  return samples.map(median);
}

const generate: Section = {
  name: "generate",
  async run() {
    const engine = await loadEngine();
    const measurements: Measurement[] = [];
    for (const [what, html] of inputs) {
      const ours = (): { schema: { fields: Field[] } } => engine.parseMarkup(html) as { schema: { fields: Field[] } };
      for (const fields of [withParse5(html), withHtmlparser2(html)])
        assert.deepEqual(fields, ours().schema.fields, what);
      const rounds = Math.max(1, Math.round(400_000 / html.length));
      const [engineMs, parse5, htmlparser2] = times(
        [ours, () => withParse5(html), () => withHtmlparser2(html)],
        rounds,
      ) as [number, number, number];
      const detail = `${engineMs.toFixed(3)} ms; parse5 ${parse5.toFixed(3)} ms, htmlparser2 ${htmlparser2.toFixed(3)} ms`;
      measurements.push(
        { what: `${what}, parse5`, value: parse5 / engineMs, unit: "×", budget: { atLeast: 1 }, detail },
        { what: `${what}, htmlparser2`, value: engineMs / htmlparser2, unit: "×", budget: { atMost: 2.2 }, detail },
      );
    }
    return measurements;
  },
};
export default generate;
