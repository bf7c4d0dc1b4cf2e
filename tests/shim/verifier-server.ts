/**
 * A local server that speaks the protocols of Turnstile, hCaptcha, reCAPTCHA and Akismet, according to their
 * documentation (the addresses are in `src/spam/verifiers.json`).
 */
import { startLocalServer, type LocalResponse, type LocalServer, type ReceivedRequest } from "./local-server.ts";
import { member } from "./site.ts";

/** The site's secret key, which the services expect. */
export const SECRET = "captcha-secret";

export interface VerifierServer extends LocalServer {
  /** A token from a widget, which is valid once. */
  issue(): string;
  /** The visitor's reCAPTCHA score, from 0 to 1. */
  score: number;
}

/** Each service's verification path, and its error code for a used token. */
const CAPTCHAS: Readonly<Record<string, { readonly path: string; readonly used: string }>> = {
  "https://challenges.cloudflare.com": { path: "/turnstile/v0/siteverify", used: "timeout-or-duplicate" },
  "https://api.hcaptcha.com": { path: "/siteverify", used: "already-seen-response" },
  "https://www.google.com": { path: "/recaptcha/api/siteverify", used: "timeout-or-duplicate" },
};

export async function startVerifiers(): Promise<VerifierServer> {
  const fresh = new Set<string>();
  const used = new Set<string>();
  let issued = 0;

  /** The error code of a verification; null for a valid token. */
  function captchaFault(request: ReceivedRequest, usedCode: string): string | null {
    const field = (name: string) => member(request.body, name);
    if (field("secret") === null) return "missing-input-secret";
    if (field("secret") !== SECRET) return "invalid-input-secret";
    const token = String(field("response") ?? "");
    if (token === "") return "missing-input-response";
    if (used.has(token)) return usedCode;
    if (!fresh.delete(token)) return "invalid-input-response";
    used.add(token);
    return null;
  }

  function respond(request: ReceivedRequest): LocalResponse {
    const isForm = request.headers["content-type"] === "application/x-www-form-urlencoded";
    if (request.method !== "POST" || !isForm) return { status: 405, body: "POST a form" };
    if (`${request.origin}${request.path}` === "https://rest.akismet.com/1.1/comment-check") return akismet(request);
    const captcha = CAPTCHAS[request.origin];
    if (captcha?.path !== request.path) return { status: 404, body: "Not Found" };
    const fault = captchaFault(request, captcha.used);
    if (fault !== null) return { status: 200, body: { success: false, "error-codes": [fault] } };
    const score = request.origin === "https://www.google.com" ? { score: verifiers.score, action: "submit" } : {};
    return {
      status: 200,
      body: { success: true, challenge_ts: "2026-01-02T03:04:05Z", hostname: "localhost", ...score },
    };
  }

  const verifiers: VerifierServer = {
    ...(await startLocalServer(respond)),
    score: 0.9,
    issue() {
      issued += 1;
      const token = `token-${issued}`;
      fresh.add(token);
      return token;
    },
  };
  return verifiers;
}

/** Responds like Akismet, whose documented test address `akismet-guaranteed-spam` is always spam. */
function akismet({ body, headers }: ReceivedRequest): LocalResponse {
  const field = (name: string) => String(member(body, name) ?? "");
  const missing = ["blog", "user_ip"].find((name) => field(name) === "");
  if (missing !== undefined || field("api_key") !== SECRET) {
    const help = missing === undefined ? "We were unable to parse your key" : `Missing required field: ${missing}.`;
    return { status: 200, headers: { "x-akismet-debug-help": help }, body: "invalid" };
  }
  if (!/^cf-forms\//.test(headers["user-agent"] ?? "")) return { status: 403, body: "no user agent" };
  if (field("comment_author_email") !== "akismet-guaranteed-spam@example.com") return { status: 200, body: "false" };
  const isBlatant = field("comment_content").includes("blatant");
  return { status: 200, headers: isBlatant ? { "x-akismet-pro-tip": "discard" } : {}, body: "true" };
}
