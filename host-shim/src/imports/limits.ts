/** Limits of imports. */

/** Limit for a file, in bytes. */
export const MAX_IMPORT_BYTES = 64 * 2 ** 20;
