/**
 * Reads the answers of a form-encoded body that was rejected, or whose submit failed. Skips each answer that does not
 * fit in the memory limit.
 */

import type { IncomingBody } from "./incoming-body.ts";

/** Limit for the bytes of all answers together. No other limit bounds the memory for these answers. */
const MAX_KEPT_BYTES = 2 ** 18;
/** Limit for the bytes that are read. The rest of the body stays unread. */
const MAX_READ_BYTES = 2 ** 26;
/** Limit for the pairs in a body, as in src/front/input.rs. */
const MAX_PAIRS = 20_000;
const AMPERSAND = 0x26;

/**
 * Reads the pairs of a body until the body ends, breaks off, or exceeds {@link MAX_READ_BYTES}. Drops a last pair that
 * may be incomplete.
 */
export async function readPairs(body: IncomingBody): Promise<(readonly [string, string])[]> {
  const kept = new Uint8Array(MAX_KEPT_BYTES);
  let length = 0;
  let pairStart = 0;
  let isTooLarge = false;
  const add = (bytes: Uint8Array): void => {
    for (const byte of bytes) {
      if (byte === AMPERSAND) {
        // The buffer has room for an ampersand after each kept pair. Empty pairs are not kept.
        if (length > pairStart) kept[length++] = AMPERSAND;
        pairStart = length;
        isTooLarge = false;
      } else if (!isTooLarge && length < MAX_KEPT_BYTES - 1) kept[length++] = byte;
      else [length, isTooLarge] = [pairStart, true];
    }
  };
  const completePairs = () =>
    [...new URLSearchParams(new TextDecoder().decode(kept.subarray(0, pairStart)))].slice(0, MAX_PAIRS);
  let total = body.read.length;
  try {
    add(body.read);
    for (let piece = await body.next(); piece !== null; piece = await body.next()) {
      add(piece);
      total += piece.length;
      if (total > MAX_READ_BYTES) return completePairs();
    }
    // The body has ended, so the last pair is complete.
    pairStart = length;
  } catch {
    // The body broke off, so the last pair may be incomplete.
  }
  return completePairs();
}
