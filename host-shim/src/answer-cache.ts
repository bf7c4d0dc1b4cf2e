/**
 * Caches responses as bytes. Each response has an SQL statement: while it returns the same rows, the response is valid
 * and the engine is not called.
 */

import type { Target } from "./bridge.ts";
import type { Answer, RequestHead, Unchanged } from "./frame.ts";
import { inTime } from "./in-time.ts";
import type { Database } from "./ports.ts";

const MAX_ANSWERS = 200;
const MAX_ANSWER_BYTES = 64 * 2 ** 10;

interface CachedAnswer {
  readonly answer: Answer;
  readonly unchanged: Unchanged;
}

/** Key with everything that a cached response depends on except plugins; null for a request that is not cached. */
export function cacheKey({ area }: Target, head: RequestHead): string | null {
  const { method, path, query, headers, principal, failure, base_url } = head;
  if (area !== "rest" || method !== "GET" || failure !== null) return null;
  return JSON.stringify([path, query, headers, principal, base_url]);
}

export class AnswerCache {
  /** Cached answers by `cacheKey`. The oldest entry comes first. */
  readonly #answers = new Map<string, CachedAnswer>();

  add(key: string, answer: Answer): void {
    const { holds_while: unchanged } = answer;
    if (unchanged === undefined || answer.body.length > MAX_ANSWER_BYTES) return;
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size >= MAX_ANSWERS) this.#answers.delete(oldest);
    // The bytes are a view of the step's frame, which the next step overwrites.
    this.#answers.set(key, { answer: { ...answer, body: answer.body.slice() }, unchanged });
  }

  /** Finds a cached response that is still valid. A failure of the database counts as a cache miss. */
  async find(key: string, database: Database, timeoutMs: number): Promise<Answer | null> {
    const cached = this.#answers.get(key);
    if (cached === undefined) return null;
    const { sql, params, rows } = cached.unchanged;
    const statements = [{ sql, params }];
    try {
      const results =
        database.readNow?.(statements) ?? (await inTime(database.batch(statements), timeoutMs, "the database"));
      const [found] = results[0]?.rows ?? [];
      const [wanted] = rows;
      if (found !== undefined && wanted?.every((value, index) => value === found[index]) === true) return cached.answer;
    } catch {
      // The engine will get the same failure and report it.
    }
    this.#answers.delete(key);
    return null;
  }
}
