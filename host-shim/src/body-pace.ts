/**
 * Minimum speed of a request body. Without it, a client that sends a byte now and then would hold a connection and
 * memory. A client on a bad line must still get through.
 */
export interface BodyPace {
  /** Grace period before the minimum speed applies, in milliseconds. */
  readonly graceMs: number;
  /** Allowance in milliseconds, because the client's last piece may still be on its way. */
  readonly slackMs: number;
  /** Longest stall that a client can earn by sending faster than the minimum, in milliseconds. */
  readonly maxAheadMs: number;
  /** Timeout for reading the answers of a rejected body, in milliseconds. */
  readonly passOverMs: number;
}

/** Bytes that must arrive in a millisecond: 1 KB in a second. */
const BYTES_PER_MS = 1;

/** Default pace. A client that stalls gets an error before hosts close its idle connection after a minute. */
export const BODY_PACE: BodyPace = { graceMs: 10_000, slackMs: 2_000, maxAheadMs: 45_000, passOverMs: 120_000 };

/** Time budget for waiting on a client. Each received byte adds to it. */
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

/** Size in bytes of the largest body that must be complete when the grace period ends. */
export function bytesInGrace({ graceMs, slackMs }: BodyPace): number {
  return (graceMs - slackMs) * BYTES_PER_MS;
}
