/**
 * Authenticates a request by a list of authenticators in order. Each handles one kind of credentials, and passes when the
 * request has none of that kind.
 */
import { challenged } from "../../src/challenge.ts";
import type { Authentication } from "../../src/ports.ts";
import type { Nonces } from "./nonce.ts";
import { nonceOf } from "./nonce.ts";
import type { Sessions } from "./sessions.ts";
import { principalOf } from "./users.ts";

/** Authenticates one kind of credentials. Returns undefined when the request has none, and a failure when they are wrong. */
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

/** Returns the credentials in the header `Authorization` when it has the scheme; else null. */
export function authorization(request: Request, scheme: keyof typeof SCHEMES): string | null {
  const header = request.headers.get("authorization");
  return header !== null && SCHEMES[scheme].test(header) ? header.slice(scheme.length).trim() : null;
}

const INVALID_NONCE: Authentication = {
  failure: { status: 403, code: "rest_cookie_invalid_nonce", message: "Your session has expired. Sign in again." },
};

/**
 * Authenticates by the session cookie and a nonce. The cookie is not enough, because browsers also add it to requests
 * from other sites' pages.
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
