/** The challenge that a response with status 401 must carry (RFC 9110 §15.5.2). */
import type { Authentication } from "./ports.ts";

/** Name of the protected space in challenges. */
export const REALM = "cf-forms";

/** Challenge for HTTP Basic, also for callers without credentials. */
export const BASIC_CHALLENGE = `Basic realm="${REALM}", charset="UTF-8"`;

const BEARER_CHALLENGE = `Bearer realm="${REALM}", error="invalid_token"`;

/** Adds a challenge to a failure with status 401 that has none, in the scheme of the request's credentials. */
export function challenged(authentication: Authentication, request: Request): Authentication {
  if (!("failure" in authentication) || authentication.failure.status !== 401) return authentication;
  const { headers = {} } = authentication;
  if (Object.keys(headers).some((name) => name.toLowerCase() === "www-authenticate")) return authentication;
  const isBearer = /^bearer(?:\s|$)/i.test(request.headers.get("authorization") ?? "");
  return {
    ...authentication,
    headers: { ...headers, "WWW-Authenticate": isBearer ? BEARER_CHALLENGE : BASIC_CHALLENGE },
  };
}
