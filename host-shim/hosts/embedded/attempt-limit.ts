/** Counts failed attempts for a key, such as an address or a login, in memory: of this process, or of all workers. */
import { RateLimiterCluster, RateLimiterMemory } from "rate-limiter-flexible";
import { isWorker } from "./workers.ts";

export interface AttemptLimit {
  /** How many seconds the key must wait; 0 when it may try. */
  secondsToWait(key: string): Promise<number>;
  count(key: string): Promise<void>;
  /** Takes one count back. */
  forgive(key: string): Promise<void>;
}

/** Lets each key fail `attempts` times in `seconds`. Limits of one name are one limit. */
export function createAttemptLimit(name: string, attempts: number, seconds: number): AttemptLimit {
  const limiter = new (isWorker ? RateLimiterCluster : RateLimiterMemory)({ keyPrefix: name, points: attempts, duration: seconds });
  return {
    async secondsToWait(key) {
      const state = await limiter.get(key);
      if (state === null || state.remainingPoints > 0) return 0;
      return Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    },
    async count(key) {
      await limiter.penalty(key);
    },
    async forgive(key) {
      await limiter.reward(key);
    },
  };
}
