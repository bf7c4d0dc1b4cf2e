/**
 * Compares the markup reader with a real DOM (jsdom). For generated HTML, well-formed or not, the controls, their
 * types, options, labels, defaults and required flags equal those of the DOM.
 *
 * Deliberate differences:
 * - Text stays where it was written; the DOM moves misplaced text and controls in tables before the table. So order is
 *   not compared, and the documents have no tables.
 * - An empty first option that prompts for a choice becomes the field's placeholder.
 * - Disabled options, and further options with the same value, are left out.
 * - `<style>` within a select contains text, as in newer browsers; jsdom ignores it.
 * - A label may begin within `<b>` or the like, and `</b>` may come before its end. Browsers then create a second label
 *   and move the following content out of the first; here the label continues until its end. No document here contains
 *   that.
 * - Content of SVG or MathML is not part of a form, not even HTML within it. lol_html and browsers may end an SVG or
 *   MathML element without an end tag at different places, if the element may contain HTML. That affects at most one of
 *   a thousand fragments below.
 * - A label excludes the asterisk of a required field, text that `aria-hidden` hides, and the text of controls within
 *   it. Block elements separate words.
 * - Of nested labels around a control, only the innermost counts. Texts of several other labels are joined without
 *   repeats.
 * - A checkbox whose label is a sentence or has a link is a consent. Its label keeps links as `[text](address)`.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { loadEngine } from "#load-engine";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { type Seen, TYPES, withDom } from "./dom-fields.ts";

const CASES = 5_000;
const FRAGMENT_CASES = 20_000;
/** The default seed, as in scripts/test.mjs. */
const seed = Number(process.env["CF_SEED"] ?? 20_261_121);

/** The random number generator mulberry32, which returns the same numbers on every platform. */
function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PIECES = [
  "<label>",
  "</label>",
  "<label for=a1>",
  "<label for=b2>For b ",
  "Some text ",
  "A &amp; B&copy ",
  "&#65;&notit; ",
  "<p>",
  "</p>",
  "<div>",
  "</div>",
  "<span>",
  "</span>",
  "<b>",
  "</b>",
  "<ul><li>",
  "<li>",
  "</ul>",
  "<dl><dt>",
  "<dd>",
  "</dl>",
  "<h3>Title</h3>",
  "<br>",
  "</br>",
  "</p></div>",
  "<section>",
  "</section>",
  "<!-- <input name=no> -->",
  "<template><input name=no></template>",
  "<script>'<input name=no>'</script>",
  "<svg><g/></svg>",
  "<textarea name=N>",
  "<textarea name=N>\n\n x &lt;y",
  "</textarea>",
  "<button>",
  "</button>",
  "<input name=N id=a1>",
  "<input NAME='N' id=b2 VALUE=\"v &quot;\" required>",
  "<input name=N type=EMAIL value=a&amp;b>",
  "<input name=N type=nonsense value=' x '>",
  "<input name=N type=number value=5 min=1>",
  "<input name=N type=hidden value=h>",
  "<input name=N type=checkbox>",
  "<input name=N type=checkbox checked value=yes required>",
  "<input name=N type=radio value=1>",
  "<input name=R type=radio value=1 checked>",
  "<input name=R type=radio value=2>",
  "<input name=R type=radio value=3 required>",
  "<input name=C[] type=checkbox value=1>",
  "<input name=C[] type=checkbox value=2 checked>",
  "<input name=N type=date value=2024-02-30>",
  "<input name=N value=first value=second>",
  "<input name=N/>",
  "<input type=text>",
  "<input name=>",
  "<select name=N><option>One <option value=2 selected>Two</option><optgroup label=G><option label=L value=l></select>",
  "<select name=N multiple required><option value='' >None<option value=3 disabled>Three</optgroup><option selected>Four</select>",
  "<select name=N required><option value=''>Choose<option>One",
  "</select>",
  "<select name=N><option>A<hr>B<option>C</select>",
  "<option>Stray ",
  "<optgroup label=S>",
  "<hr>",
  "<fieldset>",
  "</fieldset>",
  "<legend>Legend</legend>",
  "<datalist id=d><option value=x></datalist>",
  "<input name=N list=d>",
  "<form>",
  "</form>",
  "<a href=x>",
  "</a>",
  "<i>",
  "</i></b>",
];

/** Whether a label begins within an element that browsers would end elsewhere (see the list above). */
const misnestsLabel = (html: string) =>
  html.lastIndexOf("<label") > html.search(/<(b|i|a href=x)>/) && /<(b|i|a href=x)>/.test(html);

function htmlOf(random: () => number): string {
  const length = 1 + Math.floor(random() * 22);
  let next = 0;
  let html = "";
  for (let n = 0; n < length; n += 1) {
    let piece = PIECES[Math.floor(random() * PIECES.length)] ?? "";
    if (/^<(a |\/a|\/b|\/i)/.test(piece) && misnestsLabel(html)) continue;
    while (/name=N|NAME='N'/.test(piece)) piece = piece.replace(/name=N|NAME='N'/, `name=n${next++}`);
    html += piece;
  }
  return html;
}

interface Field extends Omit<Seen, "options"> {
  readonly name: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly attributes: Readonly<Record<string, string>>;
}

/** Pieces that change the state of a tokenizer. */
const STATES = [
  "<",
  ">",
  "/",
  "=",
  '"',
  "'",
  " ",
  "\n",
  "\f",
  "\0",
  "!",
  "-",
  "--",
  "-->",
  "--!>",
  "<!--",
  "<!",
  "</",
  "<?",
  "&",
  "&amp",
  ";",
  "]]>",
  "<p",
  "</p ",
  "<textarea name=nN>",
  "</textarea",
  "<script>",
  "</script>",
  "<!--<script",
  "<style>",
  "</style>",
  "<title>",
  "</title>",
  "<svg>",
  "</svg>",
  "<![CDATA[",
  "<desc>",
  "</desc>",
  "<math>",
  "<mi>",
  "</math>",
  "<input name=nN title=x data-a>",
  "<input name='nN' title='>' data-a=b/>",
  '<input\nname = "nN"/title=">"data-a=\'"\'>',
  "<INPUT NAME=nN TITLE=&lt;x&gt DATA-A=x='y'>",
];

/** A document of tag fragments, which avoids the deliberate differences. */
function fragmentsOf(random: () => number): string {
  let html = "";
  for (let n = 4 + Math.floor(random() * 16); n > 0; n -= 1) {
    const piece = STATES[Math.floor(random() * STATES.length)] ?? "";
    html += piece.replace("nN", `n${html.length}`);
  }
  return html;
}

/** The title, `data-a` and text of controls, by name. */
type Held = Record<string, { title: string; data: string; text: string }>;

function heldByParse5(html: string): Held {
  const held: Held = {};
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if (node.nodeName === "svg" || node.nodeName === "math") return;
    if ("tagName" in node && (node.tagName === "input" || node.tagName === "textarea")) {
      const {
        name = "",
        title = "",
        "data-a": data = "",
      } = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
      const [text] = node.childNodes;
      if (/^n\d+$/.test(name))
        held[name] ??= { title, data, text: text !== undefined && "value" in text ? text.value : "" };
    }
    if ("childNodes" in node) node.childNodes.forEach(visit);
  };
  visit(parse(`<!DOCTYPE html><body>${html}`));
  return held;
}

function heldByFields(fields: readonly Field[]): Held {
  const held: Held = {};
  for (const { name, type, default_value, attributes } of fields) {
    if (!/^n\d+$/.test(name)) continue;
    held[name] = {
      title: attributes["title"] ?? "",
      data: attributes["data-a"] ?? "",
      text: type === "textarea" ? default_value : "",
    };
  }
  return held;
}

const plain = (held: Held): unknown =>
  Object.fromEntries(
    Object.entries(held)
      .sort()
      .map(([name, values]) => [name, Object.values(values).map((value) => value.replace(/\f/g, " "))]),
  );

test(`${FRAGMENT_CASES} documents of tag fragments have the controls that parse5 finds (CF_SEED=${seed})`, async () => {
  const engine = await loadEngine();
  const random = randomFrom(seed);
  let nestedDiffer = 0;
  for (let n = 0; n < FRAGMENT_CASES; n += 1) {
    const html = fragmentsOf(random);
    const { schema } = engine.parseMarkup(html) as { schema: { fields: readonly Field[] } };
    const [found, expected] = [plain(heldByFields(schema.fields)), plain(heldByParse5(html))];
    if (/<(svg|math)[^]*<(svg|math|desc|mi)/.test(html)) nestedDiffer += isDeepStrictEqual(found, expected) ? 0 : 1;
    else assert.deepEqual(found, expected, `seed ${seed}, case ${n}:\n${JSON.stringify(html)}`);
  }
  assert.ok(nestedDiffer <= FRAGMENT_CASES / 1000, `${nestedDiffer} documents differ`);
});

/** The label of a consent as people read it. */
const withoutLinks = (label: string): string =>
  label
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\s+/g, " ")
    .trim();

test(`${CASES} documents are read like a DOM (CF_SEED=${seed})`, async () => {
  const engine = await loadEngine();
  const random = randomFrom(seed);
  for (let n = 0; n < CASES; n += 1) {
    const html = htmlOf(random);
    const { schema } = engine.parseMarkup(html) as { schema: { fields: readonly Field[] } };
    const expected = withDom(html);
    const found = new Map<string, Seen>();
    for (const field of schema.fields) {
      const { name, required, default_value, label, options } = field;
      const type = field.type === "consent" ? "checkbox" : field.type;
      if (!TYPES.has(type)) continue;
      const dom = expected.get(name);
      const isSet = type === "radio" || (type === "checkbox" && options.length > 0);
      found.set(name, {
        type,
        // HTML has no required flag for hidden inputs; only a marker makes the field required.
        required: dom !== undefined && type === "hidden" ? dom.required : required,
        default_value,
        // Without a label in the DOM, the reader uses other texts.
        label: dom?.label === undefined ? undefined : field.type === "consent" ? withoutLinks(label ?? "") : label,
        options:
          type === "select" || isSet ? options.map(({ value, label }) => [value, isSet ? "" : label] as const) : [],
      });
    }
    assert.deepEqual(
      Object.fromEntries([...found].sort()),
      Object.fromEntries([...expected].sort()),
      `seed ${seed}, case ${n}:\n${html}`,
    );
  }
});
