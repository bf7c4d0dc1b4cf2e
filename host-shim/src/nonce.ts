/**
 * Nonces for hosts whose callers carry a cookie. A caller sends the nonce in `X-WP-Nonce` or `_wpnonce`.
 *
 * A browser adds a cookie to requests that other sites' pages make. A nonce proves that the page could read a response of
 * this site. A nonce is a signature over session and time, so nothing is stored. Time counts in ticks of 12 hours; the
 * current and the previous tick are valid, so a nonce lasts 12 to 24 hours.
 */

const TICK_MS = 12 * 60 * 60 * 1000;

export interface SessionNonces {
  /** Issues a nonce for a session, named by a unique text such as the user's id and the cookie. */
  issue(session: string): Promise<string>;
  /** Whether the nonce belongs to the session and has not expired. */
  isValid(nonce: string, session: string): Promise<boolean>;
}

/** Issues and checks nonces. All hosts of a site need the same secret of at least 32 random bytes. */
export function sessionNonces(secret: string, now: () => number = Date.now): SessionNonces {
  if (secret.length < 32) throw new RangeError("the secret of nonces needs 32 characters or more");
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const keyOf = () => crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign", "verify"]);
  const textAt = (tick: number, session: string) => encoder.encode(`nonce\n${tick}\n${session}`);
  const currentTick = () => Math.floor(now() / TICK_MS);
  return {
    async issue(session) {
      const signature = await crypto.subtle.sign("HMAC", await keyOf(), textAt(currentTick(), session));
      return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, "0")).join("");
    },
    async isValid(nonce, session) {
      if (!/^[0-9a-f]{64}$/.test(nonce)) return false;
      const signature = Uint8Array.from(nonce.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
      const key = await keyOf();
      for (const tick of [currentTick(), currentTick() - 1]) {
        if (await crypto.subtle.verify("HMAC", key, signature, textAt(tick, session))) return true;
      }
      return false;
    },
  };
}

const FORM_ENCODED = "application/x-www-form-urlencoded";

/** Number of characters at the start of a body that are searched, because the caller is not known yet. */
const SEARCHED_LENGTH = 64 * 1024;

/**
 * Returns the nonce in the query, the start of a form-encoded body or the header, in this order; null without one. The
 * request's body stays readable. The body of a request without a cookie is not read.
 */
export async function nonceOf(request: Request): Promise<string | null> {
  // The text search first avoids the cost of a URL object for most requests.
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
  if (!request.headers.has("cookie")) return null;
  const { body } = request.clone();
  return body === null ? null : new URLSearchParams(await startOf(body)).get("_wpnonce");
}

/** Reads the start of a body whose length nothing bounds yet. */
async function startOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (text.length < SEARCHED_LENGTH) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
  // Not awaited, because the promise resolves only after the end of the request's own body, which nothing reads yet.
  reader.cancel().catch(() => undefined);
  return text;
}
