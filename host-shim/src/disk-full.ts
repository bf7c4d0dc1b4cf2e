/** Distinguishes a full disk from other failures of a port. */

/**
 * Codes of a full disk: SQLITE_FULL, which `node:sqlite` reports as a number and other drivers by name; PostgreSQL's
 * `disk_full`; the system's codes.
 */
const SQLITE_FULL = 13;
const CODES: ReadonlySet<unknown> = new Set(["SQLITE_FULL", "53100", "ENOSPC", "EDQUOT"]);

/** Whether an error or its cause says that the disk or a quota is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error && (Number(error.errcode) & 0xff) === SQLITE_FULL) return true;
  return ("code" in error && CODES.has(error.code)) || isDiskFull(error.cause);
}
