/** Authenticates callers by EmDash's sessions and tokens. */
import type { EmDashRuntime } from "emdash/middleware";
import { nonceOf, sessionNonces } from "../../src/nonce.ts";
import type { Authentication, AuthenticationFailure, Principal } from "../../src/ports.ts";

export interface EmDashUser {
  readonly id: string;
  readonly email: string;
  /** Role: 10 subscriber, 20 contributor, 30 author, 40 editor, 50 administrator. */
  readonly role: number;
}

/** Data of an Astro endpoint in addition to the request. */
export interface CallContext {
  /** User of a valid session cookie, set by EmDash. */
  readonly user: EmDashUser | null;
  /** Address of the socket. */
  readonly address: string | null;
  /** Whether the plugin itself makes the call, for a user that EmDash has authorized. */
  readonly isInternal?: boolean;
}

const ADMINISTRATOR = 50;
const WRONG_TOKEN: AuthenticationFailure = {
  status: 401,
  code: "rest_invalid_token",
  message: "The token is not valid.",
};
const WRONG_NONCE: AuthenticationFailure = {
  status: 403,
  code: "rest_cookie_invalid_nonce",
  message: "Your session has expired. Sign in again.",
};

/** Returns the session that a nonce is bound to. */
export function sessionOf(user: EmDashUser, request: Request): string {
  const cookie = /(?:^|;\s*)astro-session=([^;]*)/.exec(request.headers.get("cookie") ?? "");
  return `${user.id}\n${cookie?.[1] ?? ""}`;
}

interface IdentityOptions {
  readonly runtime: EmDashRuntime;
  readonly nonceKey: string;
  readonly editRole: number;
}

export function identityOf({ runtime, nonceKey, editRole }: IdentityOptions) {
  const nonces = sessionNonces(nonceKey);

  function principalOf({ id, email, role }: EmDashUser): Principal {
    const capabilities = role >= editRole ? ["edit_forms"] : [];
    return {
      id,
      login: email,
      capabilities: role >= ADMINISTRATOR ? [...capabilities, "unfiltered_html", "manage_options"] : capabilities,
    };
  }

  async function authenticate(request: Request, context: unknown): Promise<Authentication> {
    const { user, isInternal } = context as CallContext;
    if (isInternal === true) return { principal: { id: "", login: "cf-forms", capabilities: ["edit_forms"] } };
    const token = tokenOf(request.headers.get("authorization"));
    if (token !== null) {
      const owner = await ownerOf(token, runtime);
      return owner === null ? { failure: WRONG_TOKEN } : { principal: principalOf(owner) };
    }
    // EmDash does not check the origin on injected routes, and browsers add the cookie to other sites' requests.
    const nonce = user === null ? null : await nonceOf(request);
    if (user === null || nonce === null) return { principal: null };
    return (await nonces.isValid(nonce, sessionOf(user, request)))
      ? { principal: principalOf(user) }
      : { failure: WRONG_NONCE };
  }

  async function visitor(_request: Request, context: unknown): Promise<Principal | null> {
    const { user } = context as CallContext;
    return user === null ? null : principalOf(user);
  }

  return { authenticate, visitor };
}

/** Reads a bearer token, or the password of HTTP Basic for clients without bearer support; EmDash has no passwords. */
function tokenOf(header: string | null): string | null {
  const [, scheme = "", credentials = ""] = /^(\S+)\s+(\S+)\s*$/.exec(header ?? "") ?? [];
  if (scheme.toLowerCase() === "bearer") return credentials;
  if (scheme.toLowerCase() !== "basic") return null;
  const decoded = Buffer.from(credentials, "base64").toString("utf8");
  return decoded.slice(decoded.indexOf(":") + 1);
}

/** EmDash's token tables by the tokens' prefixes: tokens that users create, and tokens that OAuth issues to programs. */
const TOKEN_TABLES: Readonly<Record<string, string>> = {
  ec_pat_: "_emdash_api_tokens AS token",
  ec_oat_: "(SELECT * FROM _emdash_oauth_tokens WHERE token_type = 'access') AS token",
};

/** Finds the user of a token with the scope `admin`, because EmDash resolves tokens only below `/_emdash/api`. */
async function ownerOf(token: string, { db }: EmDashRuntime): Promise<EmDashUser | null> {
  const table = /^ec_[a-z]{3}_[\w-]{20,100}$/.test(token) ? TOKEN_TABLES[token.slice(0, 7)] : undefined;
  if (table === undefined) return null;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  const hash = Buffer.from(digest).toString("base64url");
  const sql = `SELECT users.id, users.email, users.role, users.disabled, token.scopes, token.expires_at
    FROM ${table} JOIN users ON users.id = token.user_id WHERE token.token_hash = `;
  const query = { kind: "RawNode", sqlFragments: [sql, ""], parameters: [] };
  const compiled = { sql: `${sql}?`, parameters: [hash], query, queryId: { queryId: "cf-forms" } };
  const { rows } = await db.executeQuery(compiled as never);
  const found = rows[0] as Readonly<Record<string, unknown>> | undefined;
  if (found === undefined || Number(found["disabled"]) !== 0) return null;
  const { id, email, role, scopes, expires_at: expiry } = found;
  if (typeof expiry === "string" && Date.parse(expiry) < Date.now()) return null;
  const granted: unknown = JSON.parse(String(scopes));
  if (!Array.isArray(granted) || !granted.includes("admin")) return null;
  return { id: String(id), email: String(email), role: Number(role) };
}

/** Returns the origin that a request came to. Without `allowedDomains` Astro replaces the host in a request's URL. */
export function requestOrigin({ url, headers }: Pick<Request, "url" | "headers">): string {
  const { protocol, origin } = new URL(url);
  const host = headers.get("host");
  return host === null ? origin : (URL.parse(`${protocol}//${host}`)?.origin ?? origin);
}

/** Returns the last address in a header of the site's proxy, else that of the socket. */
export function clientAddress(
  { headers }: Request,
  { address }: CallContext,
  proxyHeaders: readonly string[],
): string | null {
  for (const name of proxyHeaders) {
    const reported = headers.get(name)?.split(",").at(-1)?.trim();
    if (reported !== undefined && reported !== "") return reported;
  }
  return address;
}
