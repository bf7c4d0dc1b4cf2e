/** Serves sign-in and sign-out, as a form for people and as JSON for scripts in a browser. Also serves fresh nonces. */
import { Hono, type Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { REALM } from "../../src/challenge.ts";
import type { LogLevel } from "../../src/ports.ts";
import type { KnownDevices } from "./known-devices.ts";
import { nonceOf, type Nonces } from "./nonce.ts";
import { pageTexts, waitText } from "./page-texts.ts";
import { pageNonce, signInPage, STYLE_SOURCE } from "./pages.ts";
import { acceptsHtml, restError } from "./responses.ts";
import { randomToken, sameText, type Sign } from "./secret.ts";
import type { Sessions } from "./sessions.ts";
import type { SignInLimits } from "./sign-in-limits.ts";
import { REST_ROOT, type Site } from "./site.ts";
import { principalOf, type Users } from "./users.ts";

/** Cookie that binds the form to its browser before there is a session. */
const CSRF_COOKIE = "cf_sign_in";

/** Path of a fresh nonce by the platform's REST conventions, with `?action=rest-nonce`. */
const NONCE_PATH = "/wp-admin/admin-ajax.php";

export interface SignInServices {
  readonly site: Site;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly nonces: Nonces;
  readonly sign: Sign;
  readonly signInLimits: SignInLimits;
  readonly devices: KnownDevices;
  clientAddress(request: Request): string | null;
  log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void;
}

interface Attempt {
  /** Whether the request is JSON, so that the response is JSON. */
  readonly isJson: boolean;
  readonly login: string;
  readonly password: string;
  readonly redirectTo: string;
}

export function signInRoutes(services: SignInServices): Hono {
  const { site, sessions, nonces } = services;
  const pages = new SignInForm(services);
  const routes = new Hono();

  for (const path of ["/sign-in/*", "/sign-out", NONCE_PATH]) {
    routes.use(path, async (c, next) => {
      await next();
      c.header("Cache-Control", "no-store");
    });
  }

  routes.get("/sign-in", async (c) => {
    const target = site.localPath(c.req.query("redirect_to"));
    if ((await sessions.find(c.req.raw)) !== null) return c.redirect(target, 303);
    return pages.form(c, "", target, null);
  });
  routes.post("/sign-in", (c) => signIn(c, pages, services));
  routes.post("/sign-out", (c) => signOut(c, services));

  async function freshNonce(c: Context): Promise<Response> {
    const session = await sessions.find(c.req.raw);
    return session === null ? c.text("0", 400) : c.text(nonces.issue(session));
  }
  routes.get("/sign-in/nonce", freshNonce);
  routes.get(NONCE_PATH, async (c, next) => {
    return c.req.query("action") === "rest-nonce" ? freshNonce(c) : next();
  });

  return routes;
}

/** Renders the sign-in form and reads its requests. */
class SignInForm {
  private readonly services: SignInServices;
  private readonly site: SignInServices["site"];
  private readonly csrfCookie: string;

  constructor(services: SignInServices) {
    this.services = services;
    this.site = services.site;
    this.csrfCookie = this.site.isHttps ? `__Host-${CSRF_COOKIE}` : CSRF_COOKIE;
  }

  form(c: Context, login: string, redirectTo: string, fault: string | null): Response | Promise<Response> {
    let cookie = getCookie(c, this.csrfCookie);
    if (cookie === undefined) {
      cookie = randomToken();
      setCookie(c, this.csrfCookie, cookie, {
        path: "/",
        httpOnly: true,
        sameSite: "Strict",
        secure: this.site.isHttps,
      });
    }
    c.header("Content-Security-Policy", policy(pageNonce()));
    return c.html(
      signInPage(pageTexts(c), this.site.basePath, { csrfToken: this.csrfToken(cookie), redirectTo, login, fault }),
    );
  }

  /** Reads a JSON or form body; returns an error response for an invalid one. */
  async readAttempt(c: Context): Promise<Attempt | Response> {
    const type = (c.req.header("content-type") ?? "").toLowerCase();
    // Another site's page cannot send JSON without permission (CORS), but it can post forms.
    if (type.startsWith("application/json")) {
      const body: unknown = await c.req.json().catch(() => null);
      if (typeof body !== "object" || body === null) {
        return restError(c, 400, "rest_invalid_json", "The body is not a JSON object.");
      }
      const { login, password } = body as { readonly login?: unknown; readonly password?: unknown };
      if (typeof login !== "string" || typeof password !== "string") {
        return restError(c, 400, "rest_invalid_param", "login and password must be texts.");
      }
      return { isJson: true, login, password, redirectTo: this.site.localPath(null) };
    }
    const fields = new URLSearchParams(await c.req.text());
    const cookie = getCookie(c, this.csrfCookie);
    const redirectTo = this.site.localPath(fields.get("redirect_to"));
    const login = fields.get("login") ?? "";
    if (cookie === undefined || !sameText(fields.get("csrf_token") ?? "", this.csrfToken(cookie))) {
      c.status(403);
      return this.form(c, login, redirectTo, pageTexts(c).t("host.expired"));
    }
    return { isJson: false, login, password: fields.get("password") ?? "", redirectTo };
  }

  refuse(c: Context, attempt: Attempt, status: 401 | 429, code: string, message: string): Response | Promise<Response> {
    if (attempt.isJson) return restError(c, status, code, message);
    c.status(status);
    return this.form(c, attempt.login, attempt.redirectTo, message);
  }

  private csrfToken(cookie: string): string {
    return this.services.sign("sign-in form", cookie);
  }
}

async function signIn(c: Context, pages: SignInForm, services: SignInServices): Promise<Response> {
  const { site, users, sessions, nonces, signInLimits, devices } = services;
  const attempt = await pages.readAttempt(c);
  if (attempt instanceof Response) return attempt;
  const counted = await signInLimits.begin(c.req.raw, attempt.login);
  if (counted.secondsToWait > 0) {
    c.header("Retry-After", String(counted.secondsToWait));
    return pages.refuse(c, attempt, 429, "rest_too_many_requests", waitText(pageTexts(c), counted.secondsToWait));
  }
  const account = await users.verifyPassword(attempt.login, attempt.password);
  const started = account === null ? null : await sessions.start(account);
  if (account === null || started === null) {
    // The login is not logged, because people sometimes type their password into that field.
    services.log("warn", "sign-in failed", { address: services.clientAddress(c.req.raw) });
    // A Basic challenge would make browsers show their own dialog instead of the form; this scheme does not.
    c.header("WWW-Authenticate", `Cookie realm="${REALM}", form-action="${site.basePath}/sign-in"`);
    return pages.refuse(c, attempt, 401, "incorrect_password", pageTexts(c).t("host.wrongPassword"));
  }
  await counted.forgive();

  const { user } = account;
  const { session, cookie } = started;
  c.header("Set-Cookie", cookie, { append: true });
  c.header("Set-Cookie", devices.remember(c.req.raw, account), { append: true });
  if (!attempt.isJson) return c.redirect(attempt.redirectTo, 303);
  const { capabilities } = principalOf(user);
  return c.json({
    user: { id: user.id, login: user.login, email: user.email, capabilities },
    nonce: nonces.issue(session),
    rest_root: site.baseUrl + REST_ROOT,
  });
}

async function signOut(c: Context, { site, sessions, nonces }: SignInServices): Promise<Response> {
  const session = await sessions.find(c.req.raw);
  if (session !== null) {
    const nonce = await nonceOf(c.req.raw);
    if (nonce === null || !nonces.isValid(nonce, session)) {
      return restError(c, 403, "rest_cookie_invalid_nonce", "Your session has expired. Sign in again.");
    }
    c.header("Set-Cookie", await sessions.end(session), { append: true });
  }
  return acceptsHtml(c) ? c.redirect(`${site.basePath}/`, 303) : c.body(null, 204);
}

/** Returns the policy of the sign-in page. No element of the page has the nonce, so no script runs. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
