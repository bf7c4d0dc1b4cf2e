/**
 * How slowly a body may come. A client that sends a byte now and then holds a connection, and whatever a request
 * holds; one on a bad line is to get through.
 */
export interface BodyPace {
  /** The time before the pace counts, in milliseconds. */
  readonly graceMs: number;
  /** What a client may be behind, in milliseconds: its last piece may still be on its way. */
  readonly slackMs: number;
  /** How long a client may stall that has sent any number of bytes fast, in milliseconds. */
  readonly maxAheadMs: number;
  /** The longest time for a body that is read on though it is refused, in milliseconds. */
  readonly passOverMs: number;
}

/** Bytes that must come in a millisecond: 1 KB in a second. */
const BYTES_PER_MS = 1;

/** A client that stalls hears so before hosts close its connection, which is idle, after a minute. */
export const BODY_PACE: BodyPace = { graceMs: 10_000, slackMs: 2_000, maxAheadMs: 45_000, passOverMs: 120_000 };

/** How long the client of a body may still be waited for: each byte earns it some time. */
export class Patience {
  readonly #pace: Omit<BodyPace, "passOverMs">;
  #earnedMs = 0;
  #waitedMs = 0;

  constructor(pace: Omit<BodyPace, "passOverMs">) {
    this.#pace = pace;
  }

  /** Counts bytes that came. */
  earn(bytes: number): void {
    this.#earnedMs = Math.min(this.#earnedMs + bytes / BYTES_PER_MS, this.#waitedMs + this.#pace.maxAheadMs);
  }

  /** Counts time that the client was waited for. Time that others take between two pieces is not its fault. */
  wait(milliseconds: number): void {
    this.#waitedMs += milliseconds;
  }

  get leftMs(): number {
    const { graceMs, slackMs } = this.#pace;
    return Math.max(0, Math.max(graceMs, this.#earnedMs + slackMs) - this.#waitedMs);
  }
}

/** The longest body that is too slow whenever it is not there after the grace period. */
export function bytesInGrace({ graceMs, slackMs }: BodyPace): number {
  return (graceMs - slackMs) * BYTES_PER_MS;
}
