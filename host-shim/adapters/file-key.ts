/** The keys of the files port, which every adapter checks. */

/** Parts of lower-case ASCII letters, digits, `.`, `_` and `-`, of which none is `.` or `..`. */
const KEY = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[a-z0-9._-]+(?:\/[a-z0-9._-]+)*$/;
const MAX_KEY_LENGTH = 512;

/** Returns the key; throws for an invalid key, so that none leaves the store's folder. */
export function checkFileKey(key: string): string {
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key))
    throw new RangeError(`not a key: ${JSON.stringify(key.slice(0, 100))}`);
  return key;
}
