/** The admin as a custom element; React and the styles live in an open shadow root. */
import { createRoot, type Root } from "react-dom/client";
import { enableShadowDOM } from "react-stately/private/flags/flags";
import style from "../styles/index.css?inline";
import type { AdminOptions } from "../types/options.d.ts";
import { Admin } from "./admin.tsx";
import { BrowserModuleProvider, loadBrowserModule } from "../shared/browser-module.ts";

enableShadowDOM();

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);

const ROUTINGS = ["path", "hash", "memory"] as const;

export class FormsAdminElement extends HTMLElement {
  #root: Root | undefined;
  #options: AdminOptions | undefined;

  get options(): AdminOptions | undefined {
    return this.#options;
  }

  set options(options: AdminOptions | undefined) {
    this.#options = options;
    this.#render();
  }

  connectedCallback(): void {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [sheet];
    this.#root = createRoot(shadow);
    this.#render();
  }

  disconnectedCallback(): void {
    this.#root?.unmount();
    this.#root = undefined;
  }

  #render(): void {
    const options = this.#options ?? this.#attributes();
    if (options !== undefined)
      this.#root?.render(
        <BrowserModuleProvider value={loadBrowserModule}>
          <Admin {...options} />
        </BrowserModuleProvider>,
      );
  }

  /** Options from the element's attributes, for pages that do not set the property `options`. */
  #attributes(): AdminOptions | undefined {
    const apiRoot = this.getAttribute("api-root");
    if (apiRoot === null) return undefined;
    const nonceEndpoint = this.getAttribute("nonce-endpoint");
    const language = this.getAttribute("language");
    const routing = ROUTINGS.find((name) => name === this.getAttribute("routing"));
    return {
      apiRoot,
      ...(nonceEndpoint === null ? {} : { nonceEndpoint }),
      ...(language === null ? {} : { language }),
      ...(routing === undefined ? {} : { routing }),
    };
  }
}

if (customElements.get("cf-forms-admin") === undefined) customElements.define("cf-forms-admin", FormsAdminElement);
