/** The answers of a form-encoded body that is too large as a whole: read as they come, without those that are too large. */

import type { IncomingBody } from "./incoming-body.ts";

/** All answers together may have so many bytes. Nothing else bounds what such bodies keep in memory. */
const KEPT_BYTES = 2 ** 18;
/** The rest of a body is left unread after so many bytes. */
const MAX_READ_BYTES = 2 ** 26;
/** As many names as a body may have (src/front/input.rs). */
const MAX_PAIRS = 20_000;
const AMPERSAND = 0x26;

/** Reads a body to its end, as far as it is sent, and at most {@link MAX_READ_BYTES} of it. */
export async function readPairs(body: IncomingBody): Promise<(readonly [string, string])[]> {
  const kept = new Uint8Array(KEPT_BYTES);
  let length = 0;
  let pairStart = 0;
  let isTooLarge = false;
  const add = (bytes: Uint8Array): void => {
    for (const byte of bytes) {
      if (byte === AMPERSAND) {
        // Each pair left room for this byte. Empty pairs are passed over.
        if (length > pairStart) kept[length++] = AMPERSAND;
        pairStart = length;
        isTooLarge = false;
      } else if (!isTooLarge && length < KEPT_BYTES - 1) kept[length++] = byte;
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
    // What came before is there; the pair that was cut off is not.
  }
  return [...new URLSearchParams(new TextDecoder().decode(kept.subarray(0, pairStart)))].slice(0, MAX_PAIRS);
}
