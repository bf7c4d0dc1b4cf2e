/**
 * A form in a page of any site: `<cf-form slug="contact"></cf-form>`, in a shadow tree with the
 * form's own styles, or with the attribute `frame` in a frame whose height follows the form
 * (docs/embedding.md). What stands inside the element shows where this script does not run.
 *
 * Styles are adopted, not linked: a page whose policy knows no styles but its own shows them too.
 */
const own = document.currentScript ?? document.querySelector("script[src*='/-/assets/embed.']");
const source = own instanceof HTMLScriptElement ? own.src : document.baseURI;

const at = (path: string): URL => new URL(`../../${path}`, source);

const text = async (address: string | URL): Promise<string> => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} ${address}`);
  return response.text();
};

const sheets = new Map<string, Promise<CSSStyleSheet>>();

function sheet(address: string): Promise<CSSStyleSheet> {
  const known = sheets.get(address) ?? text(address).then((style) => new CSSStyleSheet().replace(style));
  sheets.set(address, known);
  return known;
}

const scripts = new Map<string, Promise<unknown>>();

function script(address: string): Promise<unknown> {
  const known = scripts.get(address) ?? new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.onload = resolve;
    element.onerror = reject;
    element.src = address;
    document.head.append(element);
  });
  scripts.set(address, known);
  return known;
}

class FormElement extends HTMLElement {
  #isShown = false;

  connectedCallback(): void {
    const slug = this.getAttribute("slug");
    if (slug === null || this.#isShown) return;
    this.#isShown = true;
    if (this.hasAttribute("frame")) return this.#frame(slug);
    this.#inline(slug).catch((error: unknown) => {
      // What stands inside the element shows: a link to the form's page.
      console.error("cf-form:", error);
      this.#isShown = false;
    });
  }

  async #inline(slug: string): Promise<void> {
    const parsed = new DOMParser().parseFromString(await text(at(`${encodeURIComponent(slug)}/embed`)), "text/html");
    const styles = [...parsed.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].map(({ href }) => sheet(href));
    const code = [...parsed.querySelectorAll<HTMLScriptElement>("script[src]")].map(({ src }) => script(src));
    const box = document.createElement("div");
    box.className = "cf-embed";
    box.append(...[...parsed.body.children].filter((child) => !child.matches("link,script")));
    const adopted = await Promise.all(styles);
    const root = this.#root();
    root.adoptedStyleSheets = adopted;
    root.replaceChildren(box);
    await Promise.all(code);
    (window as { cfForms?: { enhance(root: ParentNode): void } }).cfForms?.enhance(root);
  }

  #frame(slug: string): void {
    const frame = document.createElement("iframe");
    const address = at(`${encodeURIComponent(slug)}?frame`);
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
