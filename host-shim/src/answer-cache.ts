/**
 * A cache of responses as bytes, with the statement by which the database proves that they still hold:
 * the engine is asked again only when it gives something else.
 */

import type { Answer, Unchanged } from "./frame.ts";
import type { Database } from "./ports.ts";

/** How many responses are kept, and the bytes of the longest. */
const MOST_ANSWERS = 200;
const LONGEST_ANSWER = 64 * 2 ** 10;

interface Kept {
  readonly answer: Answer;
  readonly unchanged: Unchanged;
}

export class AnswerCache {
  /** By all that an answer depends on but what the database holds; the oldest first, however often it was found. */
  readonly #answers = new Map<string, Kept>();

  keep(key: string, answer: Answer): void {
    const { holds_while: unchanged } = answer;
    if (unchanged === undefined || answer.body.length > LONGEST_ANSWER) return;
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size >= MOST_ANSWERS) this.#answers.delete(oldest);
    // A step's bytes are part of its frame.
    this.#answers.set(key, { answer: { ...answer, body: answer.body.slice() }, unchanged });
  }

  /** Finds a cached response that still holds. A failure of the database is left to the engine to report. */
  async find(key: string, database: Database): Promise<Answer | null> {
    const kept = this.#answers.get(key);
    if (kept === undefined) return null;
    const { sql, params, rows } = kept.unchanged;
    const statements = [{ sql, params }];
    try {
      const results = database.readNow?.(statements) ?? (await database.batch(statements));
      const [found] = results[0]?.rows ?? [];
      const [wanted] = rows;
      if (found !== undefined && wanted?.every((value, index) => value === found[index]) === true) return kept.answer;
    } catch {
      // Told below, as any fault is.
    }
    this.#answers.delete(key);
    return null;
  }
}
