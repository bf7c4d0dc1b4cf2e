/** The body of a request: received, or the reason why not. */

import { readBody } from "./bridge.ts";
import { reasonOf } from "./reason.ts";

export type IncomingBody =
  | { readonly kind: "received"; readonly bytes: Uint8Array }
  | { readonly kind: "too large" }
  /** A parser of the host's had it first: the host's mistake. */
  | { readonly kind: "consumed" }
  /** It broke off, or its server gave it up. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** Receives the body; never rejects. */
export async function receiveBody(request: Request, limit: number, lengthHolds: boolean): Promise<IncomingBody> {
  if (request.method === "GET" || request.method === "HEAD") return { kind: "received", bytes: new Uint8Array() };
  if (isConsumed(request)) return { kind: "consumed" };
  try {
    const bytes = await readBody(request, limit, lengthHolds);
    if (bytes === null) return { kind: "too large" };
    // A stream that a parser has emptied ends at once, whatever was announced.
    const announced = Number(request.headers.get("content-length") ?? 0);
    return bytes.length === 0 && announced > 0 ? { kind: "consumed" } : { kind: "received", bytes };
  } catch (error) {
    const reason = reasonOf(error);
    // Servers with a limit of their own end the body with an error, and say so only in words.
    return /too large|limit exceeded|size limit|exceeds/i.test(reason) ? { kind: "too large" } : { kind: "unreadable", reason };
  }
}

/** Some servers build the body only when it is asked for, and throw when it is gone. */
function isConsumed(request: Request): boolean {
  try {
    return request.bodyUsed || request.body?.locked === true;
  } catch {
    return true;
  }
}
