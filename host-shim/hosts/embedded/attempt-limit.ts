/** Counts failed attempts for a key, such as an address or a login, in memory: of this process, or of all workers. */
import { RateLimiterCluster, RateLimiterMemory } from "rate-limiter-flexible";
import { isWorker } from "./workers.ts";

export interface AttemptLimit {
  /** How many seconds the key must wait; 0 when it may try. */
  secondsToWait(key: string): Promise<number>;
  /** Counts an attempt. Returns 0, or the seconds to wait, in which case nothing was counted. */
  take(key: string): Promise<number>;
  /** Takes one count back. */
  forgive(key: string): Promise<void>;
}

/** The most keys that a limit remembers; beyond that it forgets the key that was counted longest ago. */
const MAX_KEYS = 20_000;

/** Lets each key fail `attempts` times in `seconds`. Limits of one name are one limit. */
export function createAttemptLimit(name: string, attempts: number, seconds: number, maxKeys: number = MAX_KEYS): AttemptLimit {
  const limiter = new (isWorker ? RateLimiterCluster : RateLimiterMemory)({ keyPrefix: name, points: attempts, duration: seconds });
  /** The counted keys, the one counted last at the end. Some may have expired. */
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
      // Counted before it is compared, so that attempts made at once cannot all slip through.
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
