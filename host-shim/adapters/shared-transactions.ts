/**
 * Transactions that batches share whose statements may be gathered: the batches that come while as many run
 * as may wait, and share the next one with its round trip and its commit.
 */
import type { Statement, StatementResult } from "../src/ports.ts";

export interface Transactions<Planned extends Statement> {
  /** Runs the statements of several batches in one transaction. */
  runShared(statements: readonly Planned[]): Promise<StatementResult[]>;
  /** Runs one batch. */
  runAlone(statements: readonly Planned[]): Promise<StatementResult[]>;
  /** Whether it is certain of a transaction that failed so that it left nothing. */
  isUndone(error: unknown): boolean;
}

/** How many shared transactions run at once: while one is committed, the next does its work. */
const MOST_AT_ONCE = 2;

/** How many batches share a transaction at most. */
const MOST_BATCHES = 50;

interface Waiting<Planned> {
  readonly statements: readonly Planned[];
  readonly resolve: (results: StatementResult[]) => void;
  readonly reject: (reason: unknown) => void;
}

export function isGathered({ gathered }: Statement): boolean {
  return gathered === true;
}

export class SharedTransactions<Planned extends Statement> {
  readonly #transactions: Transactions<Planned>;
  readonly #waiting: Waiting<Planned>[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(transactions: Transactions<Planned>) {
    this.#transactions = transactions;
  }

  run(statements: readonly Planned[]): Promise<StatementResult[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statements, resolve, reject });
      // After this turn of the event loop, whose other batches share the transaction.
      if (this.#waiting.length === 1) setImmediate(() => this.#begin());
    });
  }

  /** Resolves when nothing runs or waits. */
  async settled(): Promise<void> {
    while (this.#waiting.length > 0 || this.#running.size > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all(this.#running);
    }
  }

  #begin(): void {
    while (this.#waiting.length > 0 && this.#running.size < MOST_AT_ONCE) {
      const running = this.#commit(this.#waiting.splice(0, MOST_BATCHES)).finally(() => {
        this.#running.delete(running);
        this.#begin();
      });
      this.#running.add(running);
    }
  }

  /** Never rejects. */
  async #commit(group: readonly Waiting<Planned>[]): Promise<void> {
    if (group.length > 1) {
      try {
        const results = await this.#transactions.runShared(joined(group));
        let at = 0;
        for (const { statements, resolve } of group) {
          resolve(statements.map((statement) => (isGathered(statement) ? undefined : results[at++]) ?? { rows: [], changes: 0 }));
        }
        return;
      } catch (error) {
        if (!this.#transactions.isUndone(error)) {
          for (const { reject } of group) reject(error);
          return;
        }
      }
    }
    // Only the one that is at fault fails.
    const alone = group.map(({ statements, resolve, reject }) => this.#transactions.runAlone(statements).then(resolve, reject));
    await Promise.all(alone);
  }
}

/** The statements of all batches; after them those that they share, each once over all lists, in an order that all transactions have. */
function joined<Planned extends Statement>(group: readonly Waiting<Planned>[]): Planned[] {
  const own: Planned[] = [];
  const gathered = new Map<string, { statement: Planned; lists: string[] }>();
  for (const statement of group.flatMap(({ statements }) => statements)) {
    if (!isGathered(statement)) {
      own.push(statement);
      continue;
    }
    const list = String(statement.params[0]).slice(1, -1);
    const known = gathered.get(statement.sql);
    if (known === undefined) gathered.set(statement.sql, { statement, lists: [list] });
    else known.lists.push(list);
  }
  const texts = [...gathered.keys()].sort();
  const shared = texts.flatMap((text) => gathered.get(text) ?? []);
  return [...own, ...shared.map(({ statement, lists }) => ({ ...statement, params: [`[${lists.join(",")}]`] }))];
}
