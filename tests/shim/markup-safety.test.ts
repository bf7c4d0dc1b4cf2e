/**
 * Vectors of the published cross-site scripting cheat sheets (`tests/cases/cross-site-scripting.json`), checked with a
 * real DOM (jsdom). They are HTML of authors without `unfiltered_html`, which is sanitized, and every text of a schema.
 * The output cannot run scripts wherever a browser parses it, and sanitizing it again changes nothing.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { loadEngine } from "#load-engine";
import { JSDOM } from "jsdom";
import { beyond, cleaned, dangersIn, VECTORS } from "./cross-site-scripting.ts";
import { startSite, type Site } from "./site.ts";

/** Contexts of a form in a page. Browsers parse the same bytes differently in each. */
const PLACES: readonly (readonly [string, string])[] = [
  ["<div>", "</div>"],
  ["<p>", "</p>"],
  ["<table><tr><td>", "</table>"],
  ["<table>", "</table>"],
  ["<select>", "</select>"],
  ["<svg><desc>", "</desc></svg>"],
  ["<svg>", "</svg>"],
  ["<math><mtext>", "</mtext></math>"],
  ["<noscript>", "</noscript>"],
  ["<template>", "</template>"],
  ["<textarea>", "</textarea>"],
  ["<style>", "</style>"],
];

const window = new JSDOM("").window;

/** The HTML as a browser parses it into an element. */
function parse(html: string): HTMLElement {
  const element = window.document.createElement("div");
  element.innerHTML = html;
  return element;
}

/** Dangers of each context without a form. */
const BASELINES = new Map(PLACES.map(([opening]) => [opening, dangersIn(parse(opening))]));

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

test("the page of a form with such texts runs only its script", async () => {
  const fields = VECTORS.map((vector, index) => ({
    name: `f${index}`,
    type: "text",
    label: asText(vector),
    description: asText(vector),
    default_value: asText(vector),
  }));
  const made = await site.api("POST", "/forms", {
    title: asText(VECTORS[0] ?? ""),
    slug: "texts",
    messages: { success: VECTORS[0] },
  });
  const { id } = made.body as { id: number };
  const put = await site.api("PUT", `/forms/${id}/schema`, { fields });
  assert.equal(put.status, 200, JSON.stringify(put.body).slice(0, 300));
  const page = await (await fetch(`${site.url}/forms/texts`)).text();
  const document = new window.DOMParser().parseFromString(page, "text/html");
  const scripts = [...document.querySelectorAll("script")];
  assert.ok(
    scripts.every((script) => new URL(script.src, site.url).pathname.startsWith("/forms/-/assets/")),
    scripts.map((s) => s.outerHTML).join(),
  );
  assert.deepEqual(dangersIn(document.querySelector("form") ?? document), []);
});

test(`none of ${VECTORS.length} vectors survives sanitizing, in any place`, async () => {
  assert.ok(VECTORS.length >= 150);
  const stored: [string, string][] = [];
  for (const vector of VECTORS) stored.push([vector, (await cleaned(site, vector)).markup]);
  for (const [vector, markup] of stored) {
    for (const [opening, closing] of PLACES) {
      const read = parse(opening + markup + closing);
      assert.deepEqual(
        beyond(BASELINES.get(opening) ?? [], dangersIn(read)),
        [],
        `${vector}\nbecame ${markup}\nin ${opening}`,
      );
      // Mutation: the HTML that a browser serializes is parsed again.
      const again = parse(read.innerHTML);
      assert.deepEqual(
        beyond(BASELINES.get(opening) ?? [], dangersIn(again)),
        [],
        `${vector}\nbecame ${markup}\nread again in ${opening}`,
      );
    }
    const first = parse(markup).innerHTML;
    assert.equal(parse(first).innerHTML, first, `${vector}\nbecame ${markup}, which is not stable`);
  }
});

test("sanitizing sanitized HTML changes nothing", async () => {
  for (const vector of VECTORS.filter((_, index) => index % 4 === 0)) {
    const { markup } = await cleaned(site, vector);
    const again = await cleaned(site, markup);
    assert.deepEqual([again.markup, again.removed], [markup, ""], vector);
  }
});

/** A vector without the control characters that a schema rejects. */
const asText = (vector: string) => vector.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");

function schemaWith(text: string): Record<string, unknown> {
  const line = text.replace(/\n/g, " ");
  const texts = { label: text, placeholder: text, description: text, css_class: text, default_value: text };
  const options = [{ value: line, label: text }];
  const kinds = [
    "text",
    "textarea",
    "select",
    "radio",
    "checkbox",
    "consent",
    "rating",
    "name",
    "address",
    "heading",
    "paragraph",
    "divider",
    "fieldset",
    "container",
    "submit",
    "hidden",
    "file",
    "range",
    "color",
    "password",
  ];
  const fields = kinds.map((type) => ({
    name: `${type}-${line.slice(0, 40).trim().replace(/\s+/g, " ").replace(/\[\]$/, "")}`,
    type,
    ...texts,
    ...(["select", "radio", "checkbox", "text"].includes(type) ? { options } : {}),
    attributes: { title: text, "data-x": /script|data:/i.test(text) ? "" : text, id: text },
    conditions:
      type === "textarea"
        ? [
            {
              field: `text-${line.slice(0, 40).trim().replace(/\s+/g, " ").replace(/\[\]$/, "")}`,
              operator: "equals",
              value: text,
            },
          ]
        : [],
  }));
  return {
    version: 1,
    fields,
    layout: {
      type: "multi-step",
      steps: [{ id: line.slice(0, 90), title: text, fields: fields.map(({ name }) => name) }],
      theme: text,
    },
    form_settings: { note: text },
  };
}

test("no text of a schema is parsed as markup", async () => {
  const engine = await loadEngine();
  for (const vector of VECTORS) {
    const text = asText(vector);
    const schema = schemaWith(text);
    // A `javascript:` address is rejected in an attribute, but allowed in texts.
    let rendered = engine.renderSchema(schema) as { html?: string; faults?: { path: string }[] };
    for (const fault of rendered.faults ?? []) {
      assert.match(fault.path, /attributes\./, `${text}: ${JSON.stringify(rendered.faults)}`);
      const [, index = "", name = ""] = /fields\[(\d+)\]\.attributes\.(.+)/.exec(fault.path) ?? [];
      const field = (schema["fields"] as { attributes: Record<string, string> }[])[Number(index)];
      delete field?.attributes[name];
    }
    if (rendered.html === undefined) rendered = engine.renderSchema(schema) as { html?: string };
    assert.ok(rendered.html, JSON.stringify(rendered));
    const form = parse(rendered.html);
    assert.deepEqual(dangersIn(form), [], `${text}\n${rendered.html}`);
    assert.deepEqual([...form.querySelectorAll("img, a, b, style, title, xmp, noscript, video, form")], [], text);
    assert.equal(form.querySelector("textarea")?.defaultValue, text);
    assert.equal(
      form.querySelector("option[selected]")?.getAttribute("value") ?? text.replace(/\n/g, " "),
      text.replace(/\n/g, " "),
    );
    const first = form.innerHTML;
    assert.equal(parse(first).innerHTML, first, `${text} is not stable`);
  }
});
