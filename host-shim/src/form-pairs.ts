/** Reads the answers of a form-encoded body that exceeds the limit, and skips single answers that are too large. */

import type { IncomingBody } from "./incoming-body.ts";

/** Limit for the bytes of all answers together. No other limit bounds the memory of such a body. */
const MAX_KEPT_BYTES = 2 ** 18;
/** Limit for the bytes that are read. The rest of the body stays unread. */
const MAX_READ_BYTES = 2 ** 26;
/** Limit for the names in a body (src/front/input.rs). */
const MAX_PAIRS = 20_000;
const AMPERSAND = 0x26;

/** Reads a body to the end of the received bytes, and at most {@link MAX_READ_BYTES}. */
export async function readPairs(body: IncomingBody): Promise<(readonly [string, string])[]> {
  const kept = new Uint8Array(MAX_KEPT_BYTES);
  let length = 0;
  let pairStart = 0;
  let isTooLarge = false;
  const add = (bytes: Uint8Array): void => {
    for (const byte of bytes) {
      if (byte === AMPERSAND) {
        // Each pair leaves room for this byte. Empty pairs are skipped.
        if (length > pairStart) kept[length++] = AMPERSAND;
        pairStart = length;
        isTooLarge = false;
      } else if (!isTooLarge && length < MAX_KEPT_BYTES - 1) kept[length++] = byte;
      else [length, isTooLarge] = [pairStart, true];
    }
  };
  let total = body.read.length;
  try {
    add(body.read);
    for (let piece = await body.next(); piece !== null; piece = await body.next()) {
      add(piece);
      total += piece.length;
      if (total > MAX_READ_BYTES) break;
    }
    pairStart = length;
  } catch {
    // The pairs before the end are complete; the last one may be cut off.
  }
  return [...new URLSearchParams(new TextDecoder().decode(kept.subarray(0, pairStart)))].slice(0, MAX_PAIRS);
}
