/**
 * The nonce of cookie authentication, sent in `X-WP-Nonce` or `_wpnonce`.
 *
 * It proves that the page which makes the request could read an answer of this site, which
 * another site's page cannot. It is a signature over user, session and time, so nothing is
 * stored; ticks of 12 hours, of which the current and the previous one count, make it good for
 * 12 to 24 hours.
 */
import type { Session } from "./sessions.ts";
import { sameText, type Sign } from "./secret.ts";

const TICK_MS = 12 * 60 * 60 * 1000;

export interface Nonces {
  issue(session: Session): string;
  isValid(nonce: string, session: Session): boolean;
}

export function createNonces(sign: Sign, now: () => number): Nonces {
  function at(tick: number, session: Session): string {
    return sign("nonce", tick, session.user.id, session.id);
  }
  const currentTick = () => Math.floor(now() / TICK_MS);

  return {
    issue: (session) => at(currentTick(), session),
    isValid(nonce, session) {
      const tick = currentTick();
      return sameText(nonce, at(tick, session)) || sameText(nonce, at(tick - 1, session));
    },
  };
}

const FORM_ENCODED = "application/x-www-form-urlencoded";

/**
 * The nonce a request carries: in the query, a form-encoded body, or the header, in this order;
 * null without one. The request's body stays readable.
 */
export async function nonceOf(request: Request): Promise<string | null> {
  // The test before the parse spares most requests the cost of a URL object.
  if (request.url.includes("_wpnonce=")) {
    const inQuery = new URL(request.url).searchParams.get("_wpnonce");
    if (inQuery !== null) return inQuery;
  }
  const inBody = await nonceInBody(request);
  return inBody ?? request.headers.get("x-wp-nonce");
}

async function nonceInBody(request: Request): Promise<string | null> {
  const isForm = request.headers.get("content-type")?.toLowerCase().startsWith(FORM_ENCODED) === true;
  if (!isForm || request.method === "GET" || request.method === "HEAD" || request.bodyUsed) return null;
  // The server has bounded the body before anyone reads it.
  return new URLSearchParams(await request.clone().text()).get("_wpnonce");
}
