/**
 * Limits on the entries of a lane that run at once; a lane is an action of a form. The limit follows the lane's last
 * runs: quick successes double it, so that a mail server or a webhook gets as many connections as it serves well. An
 * endpoint that hangs gets one connection.
 */

/** Limit of a lane without runs. */
export const FIRST_LIMIT = 1;

/** Duration from which a run is slow. */
export const SLOW_MS = 500;

/** Highest limits of lanes, by the duration of their runs. */
const MAX_LIMITS = [
  { belowMs: 100, limit: 64 },
  { belowMs: SLOW_MS, limit: 16 },
  { belowMs: Infinity, limit: 4 },
] as const;

/** Limit on the lanes with a known limit. */
const MAX_LANES = 1_000;

export class LaneLimits {
  /** Limits that differ from {@link FIRST_LIMIT}, in the order of the lanes' last runs. */
  readonly #limits = new Map<string, number>();

  /** Changes the limit after a run. */
  ended(lane: string, durationMs: number, succeeded: boolean): void {
    const limit = this.#limits.get(lane) ?? FIRST_LIMIT;
    this.#limits.delete(lane);
    const changed = nextLimit(limit, durationMs, succeeded);
    if (changed === FIRST_LIMIT) return;
    this.#limits.set(lane, changed);
    for (const oldest of this.#limits.keys()) {
      if (this.#limits.size <= MAX_LANES) break;
      this.#limits.delete(oldest);
    }
  }

  /** Copy of the limits that differ from {@link FIRST_LIMIT}. */
  known(): Map<string, number> {
    return new Map(this.#limits);
  }
}

function nextLimit(limit: number, durationMs: number, succeeded: boolean): number {
  const isSlow = durationMs >= SLOW_MS;
  if (!succeeded) return isSlow ? FIRST_LIMIT : limit;
  const most = MAX_LIMITS.find(({ belowMs }) => durationMs < belowMs)?.limit ?? FIRST_LIMIT;
  return limit > most ? Math.max(most, limit / 2) : Math.min(most, isSlow ? limit + 1 : 2 * limit);
}
