/**
 * Who makes a request. A list of authenticators is asked in order; each knows one kind of
 * credentials and passes when the request carries none of them.
 */
import { challenged } from "../../src/challenge.ts";
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
      if (authentication !== undefined) return challenged(authentication, request);
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
 * The session cookie. It counts only together with a nonce: browsers add the cookie to requests
 * that other sites' pages make.
 */
export function cookieAuthenticator(sessions: Sessions, nonces: Nonces): Authenticator {
  return async (request) => {
    const nonce = await nonceOf(request);
    if (nonce === null) return undefined;
    const session = await sessions.find(request);
    if (session === null || !nonces.isValid(nonce, session)) return INVALID_NONCE;
    return { principal: principalOf(session.user), headers: { "X-WP-Nonce": nonces.issue(session) } };
  };
}
