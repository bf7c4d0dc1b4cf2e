/**
 * A form in a page of any site: `<cf-form slug="contact"></cf-form>`, in a shadow tree with the
 * form's own styles, or with the attribute `frame` in a frame whose height follows the form
 * (docs/embedding.md). What stands inside the element shows where this script does not run.
 *
 * Styles are adopted, not linked: a page whose policy knows no styles but its own shows them too.
 */
import { fetchForm, slugOf } from "../script/fetched.ts";
import { page, sharedForms } from "../script/own.ts";
import { base, nonce } from "../script/source.ts";
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

const scripts = new Map<string, Promise<unknown>>();

function script(address: string): Promise<unknown> {
  const known = scripts.get(address) ?? new Promise((resolve, reject) => {
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

class FormElement extends HTMLElement {
  #isShown = false;

  connectedCallback(): void {
    const slug = this.getAttribute("slug");
    if (slug === null || this.#isShown || slugOf(`${base}${slug}/embed`) === undefined) return;
    this.#isShown = true;
    if (this.hasAttribute("frame")) return this.#frame(slug);
    this.#inline(slug).catch((error: unknown) => {
      // What stands inside the element shows: a link to the form's page.
      console.error("cf-form:", error);
      this.#isShown = false;
    });
  }

  async #inline(slug: string): Promise<void> {
    const fetched = await fetchForm(slug);
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
    const address = new URL(`${slug}?frame`, base);
    frame.src = address.href;
    frame.title = this.getAttribute("title") ?? slug;
    frame.allow = "clipboard-write";
    Object.assign(frame.style, { border: "0", width: "100%", height: "30rem", display: "block" });
    window.addEventListener("message", ({ source: from, origin, data }) => {
      if (from !== frame.contentWindow || origin !== address.origin) return;
      if (data?.type === "cf:height") frame.style.height = `${Math.ceil(Number(data.height)) || 0}px`;
      else if (data?.type === "cf:event") this.dispatchEvent(new CustomEvent(String(data.name), { bubbles: true, detail: data.detail }));
    });
    this.#root().replaceChildren(frame);
  }

  /** What stands inside the element stays there, for what wrote it. */
  #root(): ShadowRoot {
    return this.shadowRoot ?? this.attachShadow({ mode: "open" });
  }
}

if (customElements.get("cf-form") === undefined) customElements.define("cf-form", FormElement);
