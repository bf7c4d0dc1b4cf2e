/**
 * Authenticates OAuth 2.0 bearer tokens (RFC 6750) that are JWTs (RFC 9068), verified with the issuer's published keys.
 * Also an example of how a host adds an authenticator.
 */
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from "jose";
import type { LogLevel, Principal } from "../../src/ports.ts";
import { authorization, type Authenticator } from "./authenticate.ts";
import type { OAuthConfiguration } from "./configuration.ts";

/** Accepted algorithms. All use public keys, because a verifier with a shared secret could also sign. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** Capabilities that a token can grant. Other scopes are ignored. */
const GRANTABLE = ["edit_forms", "unfiltered_html"];

const CLOCK_TOLERANCE_SECONDS = 30;

/**
 * Codes of errors in fetching the issuer's keys. jose throws the generic `JOSEError` for a response that is not 200 or
 * not JSON.
 */
const KEY_ERRORS: ReadonlySet<string> = new Set(
  [errors.JOSEError, errors.JWKSTimeout, errors.JWKSInvalid].map(({ code }) => code),
);

/**
 * Accepts tokens of the issuer for the audience. An invalid token gets a 401 `rest_invalid_token`, and the log has
 * the reason.
 */
export function oauthBearer(
  configuration: OAuthConfiguration,
  now: () => number,
  log: (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void,
): Authenticator {
  const keys = createRemoteJWKSet(configuration.jwksUrl, { timeoutDuration: 5000 });
  const { issuer, audience } = configuration;

  return async (request) => {
    const token = authorization(request, "bearer");
    if (token === null) return undefined;
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(now()),
        // Tokens cannot be revoked, so each must expire.
        requiredClaims: ["sub", "exp"],
      });
      return { principal: principalOf(payload) };
    } catch (error) {
      // An invalid token is the sender's fault; keys that cannot be fetched are an error of this site.
      const level = error instanceof errors.JOSEError && !KEY_ERRORS.has(error.code) ? "info" : "error";
      log(level, "bearer token refused", { reason: error instanceof Error ? error.message : String(error) });
      return {
        failure: { status: 401, code: "rest_invalid_token", message: "The bearer token is not valid." },
        headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
      };
    }
  };
}

/** Builds the principal from a token's claims; capabilities come from the scopes. */
function principalOf(claims: JWTPayload): Principal {
  const subject = claims.sub ?? "";
  const name = claims["preferred_username"] ?? claims["client_id"];
  const scopes = scopesOf(claims);
  return {
    // The prefix separates the issuer's subjects from the host's users.
    id: `oauth:${subject}`,
    login: typeof name === "string" ? name : subject,
    capabilities: GRANTABLE.filter((capability) => scopes.includes(capability)),
  };
}

/** Reads the scopes. `scope` is a space-separated text (RFC 8693 §4.2); some issuers write lists, or `scp`. */
function scopesOf(claims: JWTPayload): readonly string[] {
  const scopes = claims["scope"] ?? claims["scp"];
  if (typeof scopes === "string") return scopes.split(" ");
  return Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === "string") : [];
}
