/**
 * The engine renders HTML that html-validate accepts: the forms of `tests/cases/markup` converted to schemas and back,
 * and visitors' pages. Also, every visible text of those forms is in the schema or in a warning.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { loadEngine, type Engine } from "#load-engine";
import { HtmlValidate } from "html-validate";
import { JSDOM } from "jsdom";
import { startSite, type Site } from "./site.ts";

const FOLDER = new URL("../cases/markup/", import.meta.url);
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith(".html"));
const htmlOf = (name: string) => readFileSync(new URL(name, FOLDER), "utf8");

interface Read {
  readonly schema: Record<string, unknown>;
  readonly warnings: readonly { readonly code: string; readonly message: string; readonly offset: number }[];
}

/** Checks the rules of the HTML standard, and that no element has a `style`. */
const checker = new HtmlValidate({
  root: true,
  extends: ["html-validate:standard"],
  rules: {
    "no-inline-style": "error",
    "no-dup-id": "error",
    "input-missing-label": "error",
  },
});

/**
 * Accepted violations: values in the authors' HTML of two cases, and `autocomplete="off"` on hidden inputs. Without
 * that attribute, Firefox restores the key of a sent form in a reloaded page.
 */
const PASSED_OVER = [
  /invalid value "VIRTUAL"/,
  /"cc-csc" cannot be used/,
  /"off" cannot be used on <input type="hidden">/,
];

function faultsOf(name: string, html: string): string[] {
  const { results } = checker.validateStringSync(html);
  return results
    .flatMap(({ messages }) => messages)
    .filter(({ message }) => !PASSED_OVER.some((known) => known.test(message)))
    .map(({ ruleId, message, line, selector }) => `${name}:${line}: ${ruleId}: ${message} (${selector})`);
}

let engine: Engine;
let site: Site;
before(async () => {
  engine = await loadEngine();
  site = await startSite();
});
after(() => site.close());

const read = (html: string): Read => engine.parseMarkup(html) as unknown as Read;

test("each form, rendered, is valid HTML", () => {
  assert.ok(NAMES.length >= 60, `${NAMES.length} forms`);
  const faults = NAMES.flatMap((name) => {
    const { html }: { html: string } = engine.renderSchema(read(htmlOf(name)).schema) as { html: string };
    return faultsOf(name, html);
  });
  assert.deepEqual(faults, []);
});

test("any schema, rendered, is valid HTML", () => {
  // `cargo test --test rust` writes these schemas, with the generator of the property tests.
  const lines = readFileSync(new URL("../../target/tmp/markup-schemas.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n");
  assert.ok(lines.length > 300, `${lines.length} schemas`);
  const faults = lines.flatMap((line, index) => {
    const { html }: { html: string } = engine.renderSchema(JSON.parse(line) as object) as { html: string };
    return faultsOf(`schema ${index + 1}`, html);
  });
  // A field's `attributes` are the author's responsibility.
  const isOfAttributes =
    / (attribute-allowed-values|valid-autocomplete|valid-id|no-deprecated-attr|aria-label-misuse): /;
  assert.deepEqual(
    faults.filter((fault) => !isOfAttributes.test(fault)),
    [],
  );
});

test("the page of each form is valid HTML", async () => {
  const faults: string[] = [];
  for (const name of NAMES) {
    const slug = name.replace(/\.html$/, "");
    const made = await site.api("POST", "/forms", { title: `Form ${slug}`, slug });
    const { id } = made.body as { id: number };
    const put = await site.api("PUT", `/forms/${id}/schema`, read(htmlOf(name)).schema);
    assert.equal(put.status, 200, `${name}: ${JSON.stringify(put.body)}`);
    for (const path of [`/forms/${slug}`, `/forms/${slug}/embed`]) {
      const page = await (await fetch(site.url + path)).text();
      faults.push(...faultsOf(path, page));
    }
  }
  assert.deepEqual(faults, []);
});

const collapsed = (text: string) => text.replace(/[\t\n\f\r ]+/g, " ").trim();
/** Removes white space, separators, and marks for required fields, which a schema represents in another way. */
const squeezed = (text: string) => text.replace(/\(required\)|[\s*＊:：,;]+/g, "");
/** Elements without visible text. An icon font draws an icon from its name, and a style or class hides a spam trap. */
const UNSEEN =
  "script, style, template, noscript, title, iframe, svg, [aria-hidden=true], [hidden], head, .material-icons, " +
  ".hidden, .nobody, .gform_validation_container, [style*='display:none']";

function textsIn(value: unknown): string {
  if (typeof value === "string") return `${value}\n`;
  if (value === null || typeof value !== "object") return "";
  return Object.values(value).map(textsIn).join("");
}

/** Documents with broken tables, for which jsdom (parse5) reports no source locations. */
let unlocated = 0;

function located(html: string): JSDOM | undefined {
  try {
    return new JSDOM(html, { includeNodeLocations: true });
  } catch (error) {
    assert.match(String(error), /sourceCodeLocation/);
    unlocated += 1;
    return undefined;
  }
}

/** Offset of an element's start tag in the HTML; undefined for elements that the parser adds or copies. */
function startOf(dom: JSDOM, element: Element): number | undefined {
  try {
    return dom.nodeLocation(element)?.startOffset;
  } catch {
    return undefined;
  }
}

/** The visible texts that are neither in the schema nor in a warning. */
function silentlyLost(html: string): string[] {
  const { schema, warnings } = read(html);
  const schemaText = squeezed(textsIn(schema));
  const warningText = squeezed(warnings.map(({ message }) => message).join("\n"));
  const at = new Set(warnings.map(({ offset }) => offset));
  const dom = located(html);
  if (dom === undefined) return [];
  const { document } = dom.window;
  const bytesBefore = (offset: number) => Buffer.byteLength(html.slice(0, offset));
  const hasForm = document.querySelector("form") !== null;
  const leavesOutside = warnings.some(({ code }) => code === "outside_form");
  const walker = document.createTreeWalker(document, 4);
  const lost: string[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = squeezed(collapsed(node.nodeValue ?? ""));
    const element = node.parentElement;
    if (text === "" || element === null || element.closest(UNSEEN) !== null) continue;
    // Browsers show only the options of a select or datalist, and no datalist without an input.
    if (element.closest("select, datalist") !== null && element.closest("option") === null) continue;
    const list = element.closest("datalist");
    if (list !== null && document.querySelector(`[list="${list.id}"]`) === null) continue;
    if (schemaText.includes(text) || warningText.includes(text)) continue;
    if (hasForm && leavesOutside && element.closest("form") === null) continue;
    let around: Element | null = element;
    let isWarned = false;
    while (around !== null && !isWarned) {
      const start = startOf(dom, around);
      isWarned = start !== undefined && at.has(bytesBefore(start));
      around = around.parentElement;
    }
    // Warnings cut long texts.
    isWarned ||= text.length > 60 && warningText.includes(text.slice(0, 60));
    if (!isWarned) lost.push(node.nodeValue ?? "");
  }
  return lost;
}

test("no visible text is lost silently", () => {
  const lost = NAMES.flatMap((name) => silentlyLost(htmlOf(name)).map((text) => `${name}: ${text}`));
  assert.deepEqual(lost, []);
  assert.equal(unlocated, 0);
});

test("no visible text is lost silently when elements of a form are removed", () => {
  const lost: string[] = [];
  for (const name of NAMES) {
    const tags = [...htmlOf(name).matchAll(/<\/?[a-z][^>]*>/gi)];
    for (let nth = 0; nth < tags.length; nth += Math.ceil(tags.length / 4)) {
      const tag = tags[nth];
      if (tag === undefined) continue;
      const html = htmlOf(name).slice(0, tag.index) + htmlOf(name).slice(tag.index + tag[0].length);
      lost.push(...silentlyLost(html).map((text) => `${name} without ${tag[0]} at ${tag.index}: ${text}`));
    }
  }
  assert.deepEqual(lost, []);
  assert.ok(unlocated < 10, `${unlocated} documents were skipped`);
});
