/** Where the host serves what. */

/** The REST root: the engine's namespace is `/api/cf/v1`. */
export const REST_ROOT = "/api";
/** What visitors reach. */
export const FRONT_PREFIX = "/forms";

/** Whether the request is for the REST API, by its pretty path or by `?rest_route=`. */
export function isRestRequest(request: Request): boolean {
  const url = new URL(request.url);
  return isUnder(url.pathname, REST_ROOT) || url.searchParams.has("rest_route");
}

/** Whether the path is the prefix or below it. */
export function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** The path of the base URL, put before the host's links: a proxy may serve it under a prefix. */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, "");
}

/** The target when it is a path of this site, else the fallback: no open redirect (CWE-601). */
export function localPath(target: string | null | undefined, fallback: string): string {
  if (target == null || !target.startsWith("/")) return fallback;
  const here = "http://here.invalid";
  const url = URL.parse(target, here);
  // Dot segments can leave a path that begins with two slashes, which browsers read as a host.
  if (url === null || url.origin !== here || url.pathname.startsWith("//")) return fallback;
  return url.pathname + url.search + url.hash;
}
