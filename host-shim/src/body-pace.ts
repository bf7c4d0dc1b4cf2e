/**
 * How slowly a body may come. A client that sends a byte now and then holds a connection, and whatever a request
 * holds; one on a bad line is to get through.
 */
export interface BodyPace {
  /** The time before the pace counts, in milliseconds. */
  readonly graceMs: number;
  /** What a client may be behind, in milliseconds: its last piece may still be on its way. */
  readonly slackMs: number;
}

/** Bytes that must come in a millisecond: 1 KB in a second. */
const BYTES_PER_MS = 1;

export const BODY_PACE: BodyPace = { graceMs: 10_000, slackMs: 2_000 };

/** For how many milliseconds in all a client may be waited for that has sent so many bytes. */
export function patienceMs(bytes: number, { graceMs, slackMs }: BodyPace): number {
  return Math.max(graceMs, bytes / BYTES_PER_MS + slackMs);
}

/** The longest body that is too slow whenever it is not there after the grace period. */
export function bytesInGrace({ graceMs, slackMs }: BodyPace): number {
  return (graceMs - slackMs) * BYTES_PER_MS;
}
