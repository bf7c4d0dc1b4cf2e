/**
 * Converts texts with answers between their stored form and the editor's elements. Stored texts are lines, or HTML with
 * `<b>`, `<i>`, `<a>` and lists, in which `[name]` is an answer. The editor shows a chip for each answer.
 */
import { parseHtml } from "../../../../visitor/script/trusted.ts";

/** Attribute with the name of the answer that a chip represents. */
const CHIP = "data-answer";

/** `line`: one line. `plain`: lines. `rich`: lines, or HTML if there is something to format. */
export type TextFormat = "line" | "plain" | "rich";

/** Returns the label of an answer's name, such as `email` or `all:label`; null for any other text in brackets. */
export type LabelOf = (name: string) => string | null;

const BRACKETS = /\[\s*([^[\]\n]{1,120}?)\s*\]/g;
const ADDRESS = /^(?:https?:|mailto:|tel:|\[)/i;
const INLINE: Readonly<Record<string, string>> = { B: "b", STRONG: "b", I: "i", EM: "i" };
const LISTS: ReadonlySet<string> = new Set(["UL", "OL"]);
const BLOCKS: ReadonlySet<string> = new Set(["DIV", "P"]);

const isHtml = (text: string): boolean => text.includes("<");

/** Whether the editor can show a stored text without losing markup. */
export function isEditable(text: string): boolean {
  if (!isHtml(text)) return true;
  const page = parseHtml(text);
  const elements = [...page.body.querySelectorAll("*")];
  return (
    page.head.childElementCount === 0 &&
    elements.every((element) => {
      const { tagName: tag } = element;
      const isKnown = tag in INLINE || LISTS.has(tag) || BLOCKS.has(tag) || ["BR", "LI", "A"].includes(tag);
      const names = element.getAttributeNames();
      if (tag === "A")
        return names.every((name) => name === "href") && ADDRESS.test(element.getAttribute("href") ?? "");
      // A nested list would lose its nesting.
      return isKnown && names.length === 0 && !(LISTS.has(tag) && element.parentElement?.closest("ul, ol") !== null);
    })
  );
}

export function chipOf(name: string, label: string): HTMLElement {
  const chip = document.createElement("span");
  chip.className = "answer-chip";
  chip.contentEditable = "false";
  chip.setAttribute(CHIP, name);
  chip.textContent = label;
  return chip;
}

/** Returns the nodes of a text: its words and chips. */
export function inlineNodes(text: string, labelOf: LabelOf): readonly Node[] {
  const nodes: Node[] = [];
  let end = 0;
  for (const match of text.matchAll(BRACKETS)) {
    const [whole, name = ""] = match;
    const label = labelOf(name);
    if (label === null) continue;
    if (match.index > end) nodes.push(document.createTextNode(text.slice(end, match.index)));
    nodes.push(chipOf(name, label));
    end = match.index + whole.length;
  }
  if (end < text.length) nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

/** Returns the nodes that show a stored text. Each line is its own block. */
export function shownNodes(text: string, format: TextFormat, labelOf: LabelOf): readonly Node[] {
  if (format === "line") return inlineNodes(text.replaceAll(/\s*\n\s*/g, " "), labelOf);
  if (format === "plain" || !isHtml(text))
    return text === "" ? [] : text.split("\n").map((line) => block(inlineNodes(line, labelOf)));
  const blocks: HTMLElement[] = [];
  let line: Node[] | null = null;
  const endLine = () => {
    if (line !== null) blocks.push(block(line));
    line = null;
  };
  const add = (nodes: readonly Node[]) => {
    line = [...(line ?? []), ...nodes];
  };
  const walk = (parent: ParentNode) => {
    for (const child of parent.childNodes) {
      if (child instanceof HTMLBRElement) {
        add([]);
        endLine();
      } else if (child instanceof HTMLElement && LISTS.has(child.tagName)) {
        endLine();
        blocks.push(copy(child, labelOf));
      } else if (child instanceof HTMLElement && BLOCKS.has(child.tagName)) {
        endLine();
        walk(child);
        if (child.textContent === "") add([]);
        endLine();
      } else {
        const text = wordsOf(child, line === null);
        if (child instanceof HTMLElement) add([copy(child, labelOf)]);
        else if (text !== "") add(inlineNodes(text, labelOf));
      }
    }
  };
  walk(parseHtml(text).body);
  endLine();
  return blocks;
}

/** Text of a node with white space as HTML shows it. */
function wordsOf(node: Node, isLineStart: boolean): string {
  const text = (node.textContent ?? "").replaceAll(/[ \t]*\n\s*/g, "\n");
  const { nextSibling: next } = node;
  const isLineEnd = next instanceof HTMLElement && (LISTS.has(next.tagName) || BLOCKS.has(next.tagName));
  const started = isLineStart ? text.trimStart() : text;
  return (isLineEnd ? started.trimEnd() : started).replaceAll("\n", " ");
}

function block(nodes: readonly Node[]): HTMLElement {
  const element = document.createElement("div");
  if (nodes.length === 0) element.append(document.createElement("br"));
  else element.append(...nodes);
  return element;
}

/** Copies an element into this page: its kind, its children, and the address of a link. */
function copy(element: HTMLElement, labelOf: LabelOf): HTMLElement {
  const made = document.createElement(INLINE[element.tagName] ?? element.tagName.toLowerCase());
  const href = element.getAttribute("href");
  if (element.tagName === "A" && href !== null) made.setAttribute("href", href);
  for (const child of element.childNodes) {
    if (child instanceof HTMLElement) made.append(copy(child, labelOf));
    else if (!(LISTS.has(element.tagName) && (child.textContent ?? "").trim() === ""))
      made.append(...inlineNodes((child.textContent ?? "").replaceAll(/\s*\n\s*/g, " "), labelOf));
  }
  return made;
}

interface Line {
  readonly isList: boolean;
  readonly html: string;
  readonly text: string;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Returns the text to store for an editor's content. */
export function storedText(root: HTMLElement, format: TextFormat): string {
  const lines = linesOf(root);
  const text = lines.map((line) => line.text).join("\n");
  if (format === "line") return text.replaceAll("\n", " ");
  if (format === "plain") return text;
  const needsHtml = lines.some(({ isList, html, text: words }) => isList || html !== escaped(words) || isHtml(words));
  if (!needsHtml) return text;
  const html = lines.map((line, index) => {
    const next = lines[index + 1];
    return next === undefined ? line.html : line.isList || next.isList ? `${line.html}\n` : `${line.html}<br>\n`;
  });
  // The engine recognizes HTML by its first tag.
  return isHtml(html.join("")) ? html.join("") : `<div>${html.join("")}</div>`;
}

/** Reads an editor's content line by line; a list counts as one line. */
function linesOf(root: HTMLElement): readonly Line[] {
  const lines: Line[] = [];
  let line: { html: string; text: string } | null = null;
  const endLine = () => {
    if (line !== null) lines.push({ isList: false, ...line });
    line = null;
  };
  const add = (html: string, text: string) => {
    line = { html: (line?.html ?? "") + html, text: (line?.text ?? "") + text };
  };
  const walk = (parent: Node) => {
    for (const child of parent.childNodes) {
      if (child instanceof HTMLBRElement) {
        add("", "");
        endLine();
      } else if (child instanceof HTMLElement && LISTS.has(child.tagName)) {
        endLine();
        const items = [...child.children].map((item) => inlineOf(item));
        const tag = child.tagName.toLowerCase();
        lines.push({
          isList: true,
          html: `<${tag}>${items.map(({ html }) => `<li>${html}</li>`).join("")}</${tag}>`,
          text: items.map(({ text }) => `- ${text}`).join("\n"),
        });
      } else if (child instanceof HTMLElement && BLOCKS.has(child.tagName)) {
        endLine();
        walk(child);
        endLine();
      } else {
        const { html, text } = inlineOf(child);
        if (html !== "") add(html, text);
      }
    }
  };
  walk(root);
  endLine();
  return lines;
}

/** Reads a node as inline markup. */
function inlineOf(node: Node): { readonly html: string; readonly text: string } {
  if (!(node instanceof HTMLElement)) {
    const text = (node.textContent ?? "").replaceAll("\u00a0", " ");
    return { html: escaped(text), text };
  }
  const name = node.getAttribute(CHIP);
  if (name !== null) return { html: `[${name}]`, text: `[${name}]` };
  if (node instanceof HTMLBRElement) return { html: "", text: "" };
  const inner = [...node.childNodes].map(inlineOf);
  const html = inner.map((part) => part.html).join("");
  const text = inner.map((part) => part.text).join("");
  if (html === "") return { html, text };
  const href = node.getAttribute("href") ?? "";
  const tag = INLINE[node.tagName];
  if (tag !== undefined) return { html: `<${tag}>${html}</${tag}>`, text };
  if (node.tagName === "A" && ADDRESS.test(href)) return { html: `<a href="${escaped(href)}">${html}</a>`, text };
  return { html, text };
}
