/**
 * The element `<cf-form slug="contact"></cf-form>` shows a form in a page of any site (docs/embedding.md). The form is
 * in a shadow tree, or, with the attribute `frame`, in a frame whose height follows the form. Without this script the
 * element shows its content.
 *
 * Styles are adopted instead of linked, because the page's policy may forbid other sites' style sheets.
 */
import { fetchForm, slugOf } from "../script/fetch-form.ts";
import { page, sharedForms } from "../script/dom.ts";
import { base, nonce } from "../script/script-source.ts";
import { trusted } from "../script/trusted.ts";

async function text(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} ${address}`);
  return response.text();
}

const sheets = new Map<string, Promise<CSSStyleSheet>>();

function sheet(address: string): Promise<CSSStyleSheet> {
  const known = sheets.get(address) ?? text(address).then((style) => new CSSStyleSheet().replace(style));
  sheets.set(address, known);
  return known;
}

/** The longest query that the engine reads, in bytes (crates/model/src/logic/prefill.rs). */
const MAX_QUERY_BYTES = 8 * 1024;

const scripts = new Map<string, Promise<unknown>>();

function script(address: string): Promise<unknown> {
  const known =
    scripts.get(address) ??
    new Promise((resolve, reject) => {
      const element = page.createElement("script");
      element.nonce = nonce;
      element.src = trusted.scriptAddress(address);
      element.onload = resolve;
      element.onerror = reject;
      page.head.append(element);
    });
  scripts.set(address, known);
  return known;
}

/** Time after a frame's load in which its page reports its height. A page that forbids the frame never does. */
const REPORT_MS = 3_000;

class FormElement extends HTMLElement {
  #isShown = false;

  connectedCallback(): void {
    const slug = this.getAttribute("slug");
    if (slug === null || this.#isShown || slugOf(`${base}${slug}/embed`) === undefined) return;
    this.#isShown = true;
    if (this.hasAttribute("frame")) return this.#frame(slug);
    this.#inline(slug).catch((error: unknown) => {
      // The element still shows its content, such as a link to the form's page.
      console.error("cf-form:", error);
      this.#isShown = false;
    });
  }

  async #inline(slug: string): Promise<void> {
    const fetched = await fetchForm(slug, this.#query());
    const styles = fetched.styles.map(sheet);
    const code = fetched.scripts.map(script);
    const box = page.createElement("div");
    box.className = "cf-embed";
    box.append(...fetched.elements);
    const adopted = await Promise.all(styles);
    const root = this.#root();
    root.adoptedStyleSheets = adopted;
    root.replaceChildren(box);
    await Promise.all(code);
    sharedForms()?.enhance(root);
  }

  #frame(slug: string): void {
    const frame = page.createElement("iframe");
    const address = new URL(`${slug}?frame${this.#query().replace("?", "&")}`, base);
    frame.src = address.href;
    frame.title = this.getAttribute("title") ?? slug;
    frame.allow = "clipboard-write";
    Object.assign(frame.style, { border: "0", width: "100%", height: "30rem", display: "block" });
    // The frame keeps its space but stays invisible until the form appears, because it may show the browser's error
    // page.
    frame.style.visibility = "hidden";
    let timer = 0;
    frame.addEventListener("load", () => {
      if (frame.style.visibility === "hidden") timer = window.setTimeout(() => this.#fallBack(address), REPORT_MS);
    });
    window.addEventListener("message", ({ source: from, origin, data }) => {
      if (from !== frame.contentWindow || origin !== address.origin) return;
      clearTimeout(timer);
      frame.style.visibility = "";
      if (data?.type === "cf:height") frame.style.height = `${Math.ceil(Number(data.height)) || 0}px`;
      else if (data?.type === "cf:event")
        this.dispatchEvent(new CustomEvent(String(data.name), { bubbles: true, detail: data.detail }));
    });
    this.#root().replaceChildren(frame);
  }

  /** Shows the element's content instead of a frame that is not permitted; without content, a link to the form. */
  #fallBack(address: URL): void {
    address.search = "";
    const link = page.createElement("a");
    link.href = address.href;
    link.textContent = this.getAttribute("title") ?? address.href;
    const slot = page.createElement("slot");
    slot.append(link);
    this.#root().replaceChildren(slot);
  }

  /** Returns the page's query if the attribute `prefill` is set; empty for a query that the engine would not read. */
  #query(): string {
    const { search } = location;
    return this.hasAttribute("prefill") && search.length <= MAX_QUERY_BYTES ? search : "";
  }

  /** Returns the shadow tree. The element's content stays in the page, because its author wrote it. */
  #root(): ShadowRoot {
    return this.shadowRoot ?? this.attachShadow({ mode: "open" });
  }
}

if (customElements.get("cf-form") === undefined) customElements.define("cf-form", FormElement);
