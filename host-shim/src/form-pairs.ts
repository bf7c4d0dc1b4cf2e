/** The answers of a form-encoded body that is too large as a whole: read as they come, without those that are too large. */

import type { IncomingBody } from "./incoming-body.ts";

/** All answers together may have so many bytes. */
const KEPT_BYTES = 2 ** 20;
const AMPERSAND = 0x26;

/** Reads a body to its end, as far as it is sent. */
export async function readPairs(body: IncomingBody): Promise<(readonly [string, string])[]> {
  const pairs: (readonly [string, string])[] = [];
  let room = KEPT_BYTES;
  let pair: number[] = [];
  let isTooLarge = false;
  const end = (): void => {
    if (!isTooLarge) pairs.push(...new URLSearchParams(new TextDecoder().decode(Uint8Array.from(pair))));
    room -= pair.length;
    pair = [];
    isTooLarge = false;
  };
  const add = (bytes: Uint8Array): void => {
    for (let from = 0; ; ) {
      const at = bytes.indexOf(AMPERSAND, from);
      const part = bytes.subarray(from, at === -1 ? undefined : at);
      if (isTooLarge || pair.length + part.length > room) [pair, isTooLarge] = [[], true];
      else for (const byte of part) pair.push(byte);
      if (at === -1) return;
      end();
      from = at + 1;
    }
  };
  try {
    add(body.read);
    for (let piece = await body.next(); piece !== null; piece = await body.next()) add(piece);
    end();
  } catch {
    // What came before is there; the pair that was cut off is not.
  }
  return pairs;
}
