/**
 * Minimum speed of a request body. A client that sends a byte now and then would keep a connection and a request's
 * memory. A client on a bad line must still get through.
 */
export interface BodyPace {
  /** The time before the pace counts, in milliseconds. */
  readonly graceMs: number;
  /** Allowance in milliseconds, because the client's last piece may still be on its way. */
  readonly slackMs: number;
  /** Longest stall after any number of bytes sent fast, in milliseconds. */
  readonly maxAheadMs: number;
  /** Longest time for reading a rejected body for its answers, in milliseconds. */
  readonly passOverMs: number;
}

/** Bytes that must arrive in a millisecond: 1 KB in a second. */
const BYTES_PER_MS = 1;

/** Default pace. A client that stalls gets an error before hosts close its idle connection after a minute. */
export const BODY_PACE: BodyPace = { graceMs: 10_000, slackMs: 2_000, maxAheadMs: 45_000, passOverMs: 120_000 };

/** Remaining waiting time for a client. Each byte earns more. */
export class Patience {
  readonly #pace: Omit<BodyPace, "passOverMs">;
  #earnedMs = 0;
  #waitedMs = 0;

  constructor(pace: Omit<BodyPace, "passOverMs">) {
    this.#pace = pace;
  }

  /** Counts received bytes. */
  earn(bytes: number): void {
    this.#earnedMs = Math.min(this.#earnedMs + bytes / BYTES_PER_MS, this.#waitedMs + this.#pace.maxAheadMs);
  }

  /** Counts time spent waiting for the client. Time that the server spends between two pieces does not count. */
  wait(milliseconds: number): void {
    this.#waitedMs += milliseconds;
  }

  get leftMs(): number {
    const { graceMs, slackMs } = this.#pace;
    return Math.max(0, Math.max(graceMs, this.#earnedMs + slackMs) - this.#waitedMs);
  }
}

/** The longest body that counts as too slow if it is incomplete after the grace period. */
export function bytesInGrace({ graceMs, slackMs }: BodyPace): number {
  return (graceMs - slackMs) * BYTES_PER_MS;
}
