/** The site's address and paths. */

/** Path of the REST root; the engine's namespace is `/api/cf/v1`. */
export const REST_ROOT = "/api";
/** Path of the admin web app. */
export const ADMIN_PATH = "/admin";

/** Path of the API's documentation. */
export const API_PAGE_PATH = "/api-documentation";
/** Routes of the host below the REST root: users, the mail server's settings, stored mails, state. */
export const HOST_ROUTES = {
  users: "/cf-host/v1/users",
  /** The mail server's settings. */
  mail: "/cf-host/v1/mail",
  /** Mails that are kept because no mail server is set up. */
  outbox: "/cf-host/v1/outbox",
  health: "/cf-host/v1/health",
} as const;
/** Path of visitors' pages. */
export const FRONT_PREFIX = "/forms";

export interface Site {
  /** Address without a trailing slash, such as `https://example.org/tools`. */
  readonly baseUrl: string;
  /** Path of the base URL, such as `/tools`, or empty. Requests and links begin with it. */
  readonly basePath: string;
  /** Whether the site uses https, so that cookies are marked Secure. */
  readonly isHttps: boolean;
  /** Whether the request is for the REST API, by its path or by `?rest_route=`. */
  isRest(request: Request): boolean;
  /** Whether the path is one of the visitors' pages. */
  isFront(path: string): boolean;
  /** Returns the target when it is a path of this origin, else the admin, to prevent open redirects (CWE-601). */
  localPath(target: string | null | undefined): string;
}

export function siteAt(baseUrl: string): Site {
  const url = new URL(baseUrl);
  const basePath = url.pathname.replace(/\/+$/, "");
  const isUnder = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
  return {
    baseUrl,
    basePath,
    isHttps: url.protocol === "https:",
    isRest(request) {
      const { pathname, searchParams } = new URL(request.url);
      return isUnder(pathname, basePath + REST_ROOT) || searchParams.has("rest_route");
    },
    isFront: (path) => isUnder(path, basePath + FRONT_PREFIX),
    localPath(target) {
      const home = basePath + ADMIN_PATH;
      if (target == null || !target.startsWith("/")) return home;
      const here = "http://here.invalid";
      const resolved = URL.parse(target, here);
      // Resolving dot segments can produce a path that begins with two slashes, which browsers read as a host.
      if (resolved === null || resolved.origin !== here || resolved.pathname.startsWith("//")) return home;
      return resolved.pathname + resolved.search + resolved.hash;
    },
  };
}
