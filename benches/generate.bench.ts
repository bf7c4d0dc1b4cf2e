/**
 * Generating fields from a form's HTML, against parse5 (a tree) and htmlparser2 (events) doing the
 * same extraction in JavaScript: names, types, labels, options, defaults, required, attributes.
 * How many times faster the engine is, the result as an object in JavaScript included.
 */

import { loadEngine } from "#load-engine";
import { Parser } from "htmlparser2";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { median, type Measurement, type Section } from "./section.ts";

interface JsField {
  readonly name: string;
  readonly type: string;
  readonly id: string | undefined;
  label: string;
  readonly required: boolean;
  default_value: string;
  readonly options: { value: string; label: string }[];
  readonly attributes: Record<string, string>;
}

type Attributes = Readonly<Record<string, string>>;

function fieldOf(tag: string, attributes: Attributes): JsField | undefined {
  const { name, id, type, value, required, ...others } = attributes;
  if (name === undefined || name === "") return undefined;
  return {
    name: name.endsWith("[]") ? name.slice(0, -2) : name,
    type: tag === "input" ? (type ?? "text").toLowerCase() : tag,
    id,
    label: others["aria-label"] ?? "",
    required: required !== undefined,
    default_value: value ?? "",
    options: [],
    attributes: others,
  };
}

const collapsed = (text: string) => text.replace(/[\t\n\f\r ]+/g, " ").trim();

/** Radios and checkboxes of one name become one field; labels find their controls. */
class Extraction {
  readonly fields: JsField[] = [];
  readonly #byName = new Map<string, JsField>();
  readonly #labels = new Map<string, string>();

  add(field: JsField, around: { text: string } | undefined): JsField {
    const known = this.#byName.get(field.name);
    if (known !== undefined && (field.type === "radio" || field.type === "checkbox")) {
      known.options.push({ value: field.default_value, label: "" });
      return known;
    }
    this.fields.push(field);
    this.#byName.set(field.name, field);
    if (around !== undefined) this.#around.push([field, around]);
    return field;
  }
  readonly #around: [JsField, { text: string }][] = [];

  label(target: string | undefined, text: string): void {
    if (target !== undefined && !this.#labels.has(target)) this.#labels.set(target, text);
  }

  finish(): readonly JsField[] {
    for (const [field, around] of this.#around) field.label = collapsed(around.text);
    for (const field of this.fields) {
      const text = field.id === undefined ? undefined : this.#labels.get(field.id);
      if (text !== undefined) field.label = collapsed(text);
    }
    return this.fields;
  }
}

type Node = DefaultTreeAdapterTypes.ChildNode;

function textOf(node: Node): string {
  if ("value" in node) return node.value;
  if (!("childNodes" in node) || node.nodeName === "select") return "";
  return node.childNodes.map(textOf).join("");
}

function withParse5(html: string): readonly JsField[] {
  const extraction = new Extraction();
  const visit = (node: Node, around: { text: string } | undefined): void => {
    if (!("tagName" in node)) return;
    const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
    let label = around;
    if (node.tagName === "label") {
      const text = textOf(node);
      extraction.label(attributes["for"], text);
      label = attributes["for"] === undefined ? { text } : around;
    } else if (["input", "select", "textarea"].includes(node.tagName)) {
      const field = fieldOf(node.tagName, attributes);
      if (field !== undefined) {
        const added = extraction.add(field, label);
        if (node.tagName === "textarea") added.default_value = textOf(node);
        if (node.tagName === "select") options(node, added);
      }
      return;
    }
    for (const child of node.childNodes) visit(child, label);
  };
  const options = (node: DefaultTreeAdapterTypes.Element, field: JsField): void => {
    for (const child of node.childNodes) {
      if (!("tagName" in child)) continue;
      if (child.tagName === "optgroup") options(child, field);
      if (child.tagName !== "option") continue;
      const text = collapsed(textOf(child));
      field.options.push({ value: child.attrs.find(({ name }) => name === "value")?.value ?? text, label: text });
    }
  };
  for (const node of parseFragment(html).childNodes) visit(node, undefined);
  return extraction.finish();
}

function withHtmlparser2(html: string): readonly JsField[] {
  const extraction = new Extraction();
  let label: { text: string; target: string | undefined } | undefined;
  let field: JsField | undefined;
  let option: { value: string | undefined; label: string } | undefined;
  let isText = false;
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag === "label") label = { text: "", target: attributes["for"] };
      else if (tag === "option") option = { value: attributes["value"], label: "" };
      else if (tag === "input" || tag === "select" || tag === "textarea") {
        const found = fieldOf(tag, attributes);
        field = found && extraction.add(found, label?.target === undefined ? label : undefined);
        isText = tag === "textarea";
      }
    },
    ontext(text) {
      if (option !== undefined) option.label += text;
      else if (isText && field !== undefined) field.default_value += text;
      else if (label !== undefined) label.text += text;
    },
    onclosetag(tag) {
      if (tag === "label" && label !== undefined) {
        extraction.label(label.target, label.text);
        label = undefined;
      } else if (tag === "option" && option !== undefined) {
        const text = collapsed(option.label);
        field?.options.push({ value: option.value ?? text, label: text });
        option = undefined;
      } else if (tag === "textarea") isText = false;
    },
  });
  parser.end(html);
  return extraction.finish();
}

function controls(from: number, to: number): string {
  let html = "";
  for (let n = from; n < to; n += 1) {
    const id = `field-${n}`;
    html += `<div class="row mb-3"><label for="${id}" class="form-label">Question &amp; answer ${n}</label>\n`;
    const rest = `class="form-control" id="${id}" name="${id}" data-n="${n}"`;
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
        html += `<label><input type="radio" name="${id}" value="y" checked> Yes</label><label><input type="radio" name="${id}" value="n"> No</label>`;
        break;
      default:
        html += `<input type="text" ${rest} value="x" minlength="2" maxlength="80" pattern="[a-z]+">`;
    }
    html += "</div>\n";
  }
  return html;
}

function upTo(bytes: number, piece: (n: number) => string): string {
  let html = "";
  for (let n = 0; html.length < bytes; n += 1) html += piece(n);
  return html;
}

const article = "<p>Some <b>plain</b> text with a <a href=\"/page?a=1&amp;b=2\">link</a> and an <img src=\"/i.png\" alt=\"\">.</p>\n";

const inputs: readonly [string, string][] = [
  ["2 KB form", controls(0, 9)],
  ["200 KB, all form", upTo(200_000, (n) => controls(n * 10, n * 10 + 10))],
  ["200 KB page with one form", `${upTo(100_000, () => article)}<form>${controls(0, 9)}</form>${upTo(100_000, () => article)}`],
  ["5 MB page", `${upTo(2_500_000, () => article)}<form>${upTo(2_000_000, (n) => controls(n * 10, n * 10 + 10))}</form>${upTo(500_000, () => article)}`],
];

/** Milliseconds for one call, the middle of several windows. */
function time(call: () => unknown, rounds: number): number {
  const samples: number[] = [];
  for (let sample = 0; sample < 7; sample += 1) {
    const started = performance.now();
    for (let round = 0; round < rounds; round += 1) call();
    samples.push((performance.now() - started) / rounds);
  }
  return median(samples);
}

const generate: Section = {
  name: "generate",
  async run() {
    const engine = await loadEngine();
    const measurements: Measurement[] = [];
    for (const [what, html] of inputs) {
      const ours = (): { schema: { fields: unknown[] } } => JSON.parse(engine.parseMarkup(html));
      const counts = [ours().schema?.fields.filter((f) => isControl(f)).length, withParse5(html).length, withHtmlparser2(html).length];
      if (new Set(counts).size !== 1) throw new Error(`${what}: the fields differ: ${counts.join(", ")}`);
      const rounds = Math.max(1, Math.round(400_000 / html.length));
      const [own, parse5, htmlparser2] = [ours, () => withParse5(html), () => withHtmlparser2(html)].map((call) => {
        // Engines compile what runs often anew: let them first.
        for (let round = 0; round < rounds * 3; round += 1) call();
        return time(call, rounds);
      }) as [number, number, number];
      const detail = `${own.toFixed(3)} ms; parse5 ${parse5.toFixed(3)} ms, htmlparser2 ${htmlparser2.toFixed(3)} ms`;
      measurements.push(
        { what: `${what}, parse5`, value: parse5 / own, unit: "×", budget: { atLeast: 1 }, detail },
        { what: `${what}, htmlparser2`, value: htmlparser2 / own, unit: "×", budget: { atLeast: 1 }, detail },
      );
    }
    return measurements;
  },
};
export default generate;

function isControl(field: unknown): boolean {
  const { type } = field as { type: string };
  return !["heading", "paragraph", "divider", "container", "fieldset", "submit"].includes(type);
}
