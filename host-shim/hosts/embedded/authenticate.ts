/**
 * Who makes a request. A list of authenticators is asked in order; each knows one kind of
 * credentials and passes when the request carries none of them.
 */
import type { Authentication } from "../../src/ports.ts";
import type { Nonces } from "./nonce.ts";
import { nonceOf } from "./nonce.ts";
import type { Sessions } from "./sessions.ts";
import { principalOf } from "./users.ts";

/** Undefined: the request carries no credentials of this kind. Wrong ones are a failure. */
export type Authenticator = (request: Request) => Promise<Authentication | undefined>;

export function authenticateBy(
  authenticators: readonly Authenticator[],
): (request: Request) => Promise<Authentication> {
  return async (request) => {
    for (const authenticator of authenticators) {
      const authentication = await authenticator(request);
      if (authentication !== undefined) return authentication;
    }
    return { principal: null };
  };
}

const SCHEMES = { basic: /^basic(?:\s|$)/i, bearer: /^bearer(?:\s|$)/i } as const;

/** The credentials of the header `Authorization`, when it is of the scheme; else null. */
export function authorization(request: Request, scheme: keyof typeof SCHEMES): string | null {
  const header = request.headers.get("authorization");
  return header !== null && SCHEMES[scheme].test(header) ? header.slice(scheme.length).trim() : null;
}

const INVALID_NONCE: Authentication = {
  failure: { status: 403, code: "rest_cookie_invalid_nonce", message: "Cookie check failed" },
};

/**
 * The session cookie. In the REST API it counts only together with a nonce: browsers add the
 * cookie to requests that other sites' pages make. On the visitors' pages the cookie alone
 * says who is there; SameSite=Lax keeps it out of forms that other sites post.
 */
export function cookieAuthenticator(
  sessions: Sessions,
  nonces: Nonces,
  isRestRequest: (request: Request) => boolean,
): Authenticator {
  return async (request) => {
    if (!isRestRequest(request)) {
      const session = await sessions.find(request);
      return session === null ? undefined : { principal: principalOf(session.user) };
    }
    const nonce = await nonceOf(request);
    if (nonce === null) return undefined;
    const session = await sessions.find(request);
    if (session === null || !nonces.isValid(nonce, session)) return INVALID_NONCE;
    return { principal: principalOf(session.user), headers: { "X-WP-Nonce": nonces.issue(session) } };
  };
}
