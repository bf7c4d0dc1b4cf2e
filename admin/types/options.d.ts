/** What a host tells the admin. Addresses may be paths of the page's own site. */
export interface AdminOptions {
  /** The REST root; the engine's namespace is `{apiRoot}/cf/v1`. */
  readonly apiRoot: string;
  /** The nonce of the session whose cookie the browser sends. */
  readonly nonce?: string;
  /** Where a fresh nonce is fetched, as text. */
  readonly nonceEndpoint?: string;
  /** In place of the browser's own, for hosts that sign in by other means than a cookie. */
  readonly fetch?: (address: string, init: RequestInit) => Promise<Response>;
  /** Where the screens have their addresses: in the path, after `#`, or nowhere. */
  readonly routing?: "path" | "hash" | "memory";
  /** With `routing: "path"`: the path below which the admin lives. */
  readonly basePath?: string;
  /** `en` or `de`; without it, the browser's language. */
  readonly language?: string;
  /** Who is signed in. */
  readonly user?: AdminUser;
  /** What the host has beyond `cf/v1`. A screen whose address is missing is not shown. */
  readonly host?: HostRoutes;
}

export interface AdminUser {
  readonly login: string;
  /** `submissions_read` hides everything that changes something; the API refuses it anyway. */
  readonly access?: "all" | "submissions_read";
}

/** Routes as the embedded host documents them (docs/embedded-host.md). */
export interface HostRoutes {
  /** The signed-in person's account, with `/application-passwords` and `/password` below it. */
  readonly account?: string;
  readonly users?: string;
  readonly mail?: string;
  readonly health?: string;
  readonly signIn?: string;
  readonly signOut?: string;
}
