/**
 * The vectors of the published cross-site scripting cheat sheets, and the dangers that a parsed page must not contain.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Site } from "./site.ts";

export const VECTORS: readonly string[] = JSON.parse(
  readFileSync(new URL("../cases/cross-site-scripting.json", import.meta.url), "utf8"),
);

/**
 * Finds parts that run or load scripts. Tests also send this function to browsers as text, so it uses no outer names.
 */
export function dangersIn(root: ParentNode): string[] {
  const active =
    "script, style, iframe, frame, frameset, object, embed, applet, base, link, meta, svg, math, template, portal, fencedframe";
  const addresses = [
    "href",
    "src",
    "action",
    "formaction",
    "xlink:href",
    "data",
    "poster",
    "background",
    "srcset",
    "cite",
    "ping",
  ];
  const dangers = [...root.querySelectorAll(active)].map((element) => `<${element.localName}>`);
  for (const element of root.querySelectorAll("*")) {
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name) || name === "style" || name === "srcdoc" || name === "formaction")
        dangers.push(`${name}=${value}`);
      if (addresses.includes(name) && URL.canParse(value, "https://site.example/")) {
        const { protocol, pathname } = new URL(value, "https://site.example/");
        const isPicture = protocol === "data:" && /^image\/(png|gif|jpeg|webp|avif)[;,]/.test(pathname);
        if (!/^(https?|mailto|tel|sms):$/.test(protocol) && !isPicture) dangers.push(`${name}=${value}`);
      }
    }
  }
  return dangers;
}

/** Returns the found dangers that are not in the baseline. */
export function beyond(baseline: readonly string[], found: readonly string[]): string[] {
  const dangers = [...found];
  for (const danger of baseline) {
    const known = dangers.indexOf(danger);
    if (known >= 0) dangers.splice(known, 1);
  }
  return dangers;
}

export interface Cleaned {
  /** Path of the form's page; null when the markup is rejected as ambiguous. */
  readonly path: string | null;
  readonly markup: string;
  readonly removed: string;
}

/** Creates a form as an author without `unfiltered_html`. U+0000 is rejected before any cleaning. */
export async function cleaned(site: Site, html: string): Promise<Cleaned> {
  const response = await site.api(
    "POST",
    "/forms",
    { title: "x", markup: html.replaceAll("\0", "") },
    "editor-without-html",
  );
  if (response.status === 400) {
    assert.equal((response.body as { code: string }).code, "markup_ambiguous");
    return { path: null, markup: "", removed: "1" };
  }
  assert.equal(response.status, 201);
  const { markup, slug } = response.body as { markup: string; slug: string };
  // The count of warnings includes controls that are not stored, which the warnings name.
  const notStored = (response.headers.get("x-cf-warning") ?? "").split("not stored").length - 1;
  const removed = Number(response.headers.get("x-cf-warnings") ?? 0) - notStored;
  return { path: `/forms/${slug}`, markup, removed: removed === 0 ? "" : String(removed) };
}
