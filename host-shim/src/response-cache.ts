/**
 * Caches responses as bytes. Each response has an SQL statement. While the statement returns the same row, the response
 * is valid, and the engine is not called.
 */

import type { Target } from "./bridge.ts";
import type { EngineResponse, RequestHead, Unchanged } from "./frame.ts";
import { inTime } from "./in-time.ts";
import type { Database } from "./ports.ts";

const MAX_RESPONSES = 200;
const MAX_RESPONSE_BYTES = 64 * 2 ** 10;

interface CachedResponse {
  readonly response: EngineResponse;
  readonly unchanged: Unchanged;
}

/** Key with everything that a cached response depends on except plugins; null for a request that is not cached. */
export function cacheKey({ area }: Target, head: RequestHead): string | null {
  const { method, path, query, headers, principal, failure, base_url } = head;
  if (area !== "rest" || method !== "GET" || failure !== null) return null;
  return JSON.stringify([path, query, headers, principal, base_url]);
}

export class ResponseCache {
  /** Cached responses by `cacheKey`. The oldest entry comes first. */
  readonly #responses = new Map<string, CachedResponse>();

  add(key: string, response: EngineResponse): void {
    const { holds_while: unchanged } = response;
    if (unchanged === undefined || response.body.length > MAX_RESPONSE_BYTES) return;
    const [oldest] = this.#responses.keys();
    if (oldest !== undefined && this.#responses.size >= MAX_RESPONSES) this.#responses.delete(oldest);
    // The bytes are a view of the step's frame, which the next step overwrites.
    this.#responses.set(key, { response: { ...response, body: response.body.slice() }, unchanged });
  }

  /** Finds a cached response that is still valid. A failure of the database counts as a cache miss. */
  async find(key: string, database: Database, timeoutMs: number): Promise<EngineResponse | null> {
    const cached = this.#responses.get(key);
    if (cached === undefined) return null;
    const { sql, params, rows } = cached.unchanged;
    const statements = [{ sql, params }];
    try {
      const results =
        database.readNow?.(statements) ?? (await inTime(database.batch(statements), timeoutMs, "the database"));
      const [found] = results[0]?.rows ?? [];
      const [wanted] = rows;
      if (found !== undefined && wanted?.every((value, index) => value === found[index]) === true)
        return cached.response;
    } catch {
      // The engine will get the same failure and report it.
    }
    this.#responses.delete(key);
    return null;
  }
}
