/** Options that a host passes to the admin. URLs may be paths of the page's site. */
export interface AdminOptions {
  /** The REST root; the engine's namespace is `{apiRoot}/cf/v1`. */
  readonly apiRoot: string;
  /** The nonce of the session whose cookie the browser sends. */
  readonly nonce?: string;
  /** URL that returns a fresh nonce as text. */
  readonly nonceEndpoint?: string;
  /** Replaces the browser's `fetch`, for hosts that authenticate without a cookie. */
  readonly fetch?: (address: string, init: RequestInit) => Promise<Response>;
  /** The part of the URL that contains the current screen: the path, the part after `#`, or none. */
  readonly routing?: "path" | "hash" | "memory";
  /** Base path of the admin, for `routing: "path"`. */
  readonly basePath?: string;
  /** Language of the admin, `en` or `de`; default: the browser's. */
  readonly language?: string;
  /** The signed-in user. */
  readonly user?: AdminUser;
  /** Routes of the host beyond `cf/v1`. A screen without its route is hidden. */
  readonly host?: HostRoutes;
}

/** The signed-in account. */
export interface AdminUser {
  readonly login: string;
  /** Address that a new form notifies of its submissions, unless the user turns that off. */
  readonly email?: string;
  /** `submissions_read` hides everything that makes changes; the API rejects them in any case. */
  readonly access?: "all" | "submissions_read";
}

/** URLs of the host's routes, which docs/embedded-host.md describes. */
export interface HostRoutes {
  /** The signed-in user's account, with its `email`, and `/application-passwords` and `/password` below it. */
  readonly account?: string;
  readonly users?: string;
  readonly mail?: string;
  /** Settings of the mail server, with `/test` below it. */
  readonly mailServer?: string;
  readonly health?: string;
  readonly signIn?: string;
  readonly signOut?: string;
}
