/** Counts failed attempts for a key, such as an address or a login, in memory, for this process or all workers. */
import { RateLimiterCluster, RateLimiterMemory } from "rate-limiter-flexible";
import { isWorker } from "./workers.ts";

export interface AttemptLimit {
  /** Seconds that the key must wait; 0 when it may try. */
  secondsToWait(key: string): Promise<number>;
  /**
   * Counts an attempt and returns 0. When the limit is reached, returns the seconds to wait and does not count the
   * attempt.
   */
  take(key: string): Promise<number>;
  /** Removes one counted attempt. */
  forgive(key: string): Promise<void>;
}

/** Limit for the keys in memory. Beyond it, the least recently counted key is dropped. */
const MAX_KEYS = 20_000;

/** Creates a limit of `attempts` failures in `seconds` for each key. Workers share the counts of a name. */
export function createAttemptLimit(
  name: string,
  attempts: number,
  seconds: number,
  maxKeys: number = MAX_KEYS,
): AttemptLimit {
  const limiter = new (isWorker ? RateLimiterCluster : RateLimiterMemory)({
    keyPrefix: name,
    points: attempts,
    duration: seconds,
  });
  /** Counted keys, the most recent at the end. Some may have expired. */
  const counted = new Set<string>();

  async function remember(key: string): Promise<void> {
    counted.delete(key);
    counted.add(key);
    const [oldest] = counted;
    if (counted.size <= maxKeys || oldest === undefined) return;
    counted.delete(oldest);
    await limiter.delete(oldest);
  }

  return {
    async secondsToWait(key) {
      const state = await limiter.get(key);
      return state === null || state.remainingPoints > 0 ? 0 : secondsOf(state.msBeforeNext);
    },
    async take(key) {
      await remember(key);
      // Counts before it compares, so that concurrent attempts cannot all pass.
      const state = await limiter.penalty(key);
      if (state.consumedPoints <= attempts) return 0;
      await limiter.reward(key);
      return secondsOf(state.msBeforeNext);
    },
    async forgive(key) {
      await limiter.reward(key);
    },
  };
}

function secondsOf(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}
