/** The site's addresses: the configured ones, and the address of a request. */

import type { Mount } from "./bridge.ts";
import type { FormsOptions } from "./options.ts";

export interface RequestAddress {
  readonly mount: Mount;
  /**
   * Address for the engine; null for the configured one. Undefined if the host is not allowed and there is no public
   * address.
   */
  readonly requestUrl: string | null | undefined;
}

export class Addresses {
  readonly restRoot: string;
  readonly frontPrefix: string;
  /** Fallback for requests without an allowed address. */
  readonly configured: string;
  /** Address in mails and signed links; null when none is configured. */
  readonly publicUrl: string | null;
  /** Paths under {@link configured}. */
  readonly configuredMount: Mount;
  readonly #addressOf: ((request: Request) => string) | null;
  readonly #allowed: ReadonlySet<string>;

  constructor({ baseUrl, publicUrl, allowedHosts = [], restRoot = "/api", frontPrefix = "/forms" }: FormsOptions) {
    const isFixed = typeof baseUrl === "string";
    this.restRoot = restRoot;
    this.frontPrefix = frontPrefix;
    this.#addressOf = isFixed ? null : baseUrl;
    this.#allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
    this.publicUrl = publicUrl === undefined ? (isFixed ? baseUrl : null) : publicUrl;
    this.configured = isFixed ? baseUrl : (this.publicUrl ?? "http://localhost");
    this.configuredMount = this.#mountAt(this.configured);
  }

  of(request: Request): RequestAddress {
    if (this.#addressOf === null) return { mount: this.configuredMount, requestUrl: null };
    const url = URL.parse(this.#addressOf(request));
    if (url !== null && this.#isAllowed(url)) {
      const requested = url.origin + url.pathname.replace(/\/+$/, "");
      return { mount: this.#mountAt(requested), requestUrl: requested };
    }
    const mount = url === null || this.publicUrl !== null ? this.configuredMount : this.#mountAt(url.href);
    return { mount, requestUrl: this.publicUrl === null ? undefined : null };
  }

  #isAllowed({ host, hostname }: URL): boolean {
    return this.#allowed.has(host) || this.#allowed.has(`${hostname}:*`);
  }

  #mountAt(baseUrl: string): Mount {
    const { restRoot, frontPrefix } = this;
    return { basePath: new URL(baseUrl).pathname.replace(/\/+$/, ""), restRoot, frontPrefix };
  }
}
