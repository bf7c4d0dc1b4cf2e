/** The site's addresses: the configured ones, and the one that a request came to. */

import type { Mount } from "./bridge.ts";
import type { FormsOptions } from "./options.ts";

export interface RequestAddress {
  readonly mount: Mount;
  /** What the engine receives: null for the configured address; undefined where the host is not allowed. */
  readonly requestUrl: string | null | undefined;
}

export class Addresses {
  readonly restRoot: string;
  readonly frontPrefix: string;
  /** The address of requests that name none of their own. */
  readonly configured: string;
  /** For what leaves a request; null where none was configured. */
  readonly publicUrl: string | null;
  readonly #tell: ((request: Request) => string) | null;
  readonly #allowed: ReadonlySet<string>;
  readonly #mount: Mount;

  constructor({ baseUrl, publicUrl, allowedHosts = [], restRoot = "/api", frontPrefix = "/forms" }: FormsOptions) {
    const isFixed = typeof baseUrl === "string";
    this.restRoot = restRoot;
    this.frontPrefix = frontPrefix;
    this.#tell = isFixed ? null : baseUrl;
    this.#allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
    this.publicUrl = publicUrl === undefined ? (isFixed ? baseUrl : null) : publicUrl;
    this.configured = isFixed ? baseUrl : (this.publicUrl ?? "http://localhost");
    this.#mount = this.#mountAt(this.configured);
  }

  of(request: Request): RequestAddress {
    if (this.#tell === null) return { mount: this.#mount, requestUrl: null };
    const url = URL.parse(this.#tell(request));
    if (url !== null && this.#allowed.has(url.host)) {
      const requested = url.origin + url.pathname.replace(/\/+$/, "");
      return { mount: this.#mountAt(requested), requestUrl: requested };
    }
    const mount = url === null || this.publicUrl !== null ? this.#mount : this.#mountAt(url.href);
    return { mount, requestUrl: this.publicUrl === null ? undefined : null };
  }

  #mountAt(baseUrl: string): Mount {
    const { restRoot, frontPrefix } = this;
    return { basePath: new URL(baseUrl).pathname.replace(/\/+$/, ""), restRoot, frontPrefix };
  }
}
