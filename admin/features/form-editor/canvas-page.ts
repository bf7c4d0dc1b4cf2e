/** Document of the preview: parsing it safely, and finding the elements of fields in it. */
import type { RefObject } from "react";
import { parseHtml } from "../../../visitor/script/trusted.ts";

export type Frame = RefObject<HTMLIFrameElement | null>;

/** Returns the document of the preview; null before it is loaded. */
export const documentOf = (frame: Frame): Document | null => frame.current?.contentDocument ?? null;

/**
 * Parses the page without its scripts and without the theme style, which exists only for a stored form. Also removes
 * names that would shadow members of the document, such as `body` and `querySelector` (DOM clobbering).
 */
export function parsePage(html: string): Document {
  const page = parseHtml(html);
  const all = Document.prototype.querySelectorAll.bind(page);
  for (const element of all("script,link[href*='/-/theme.css']")) element.remove();
  for (const element of all("img[name],form[name],embed[name],iframe[name],object")) element.removeAttribute("name");
  for (const element of all("object[id]")) element.removeAttribute("id");
  return page;
}

/** Adds the style sheets that a new version of the page links, such as the one for rare kinds of fields. */
export function addStyles(page: Document, next: Document): void {
  const hrefOf = (link: Element): string | null => link.getAttribute("href");
  const known = new Set([...page.head.querySelectorAll("link")].map(hrefOf));
  for (const link of next.head.querySelectorAll("link[rel=stylesheet]"))
    if (!known.has(hrefOf(link))) page.head.append(page.importNode(link, true));
}

/** Returns the element that shows a field. */
export function elementOf(page: Document, name: string): Element | null {
  const quoted = CSS.escape(name);
  const found = page.querySelector(
    `[data-cf-name="${quoted}"],[name="${quoted}"],[name="${quoted}[]"],[name^="${quoted}["]`,
  );
  if (found === null) return null;
  return fieldElementOf(found);
}

const fieldElementOf = (found: Element): Element =>
  found.matches("fieldset,.cf-group") ? found : (found.closest(".cf-field") ?? found.closest("label") ?? found);

/** Returns the element of every field, found in one pass. */
export function elementsOf(page: Document): ReadonlyMap<string, Element> {
  const found = new Map<string, Element>();
  for (const element of page.querySelectorAll("[data-cf-name],[name]")) {
    const name = element.getAttribute("data-cf-name") ?? element.getAttribute("name")?.replace(/\[.*$/s, "") ?? "";
    if (!found.has(name)) found.set(name, fieldElementOf(element));
  }
  return found;
}
