/**
 * Transactions that batches share whose statements may be gathered: what comes while as many transactions run
 * as may waits, and shares the next one with its round trip and its commit.
 */
import type { Statement, StatementResult } from "../src/ports.ts";

/** Runs statements in one transaction. */
export interface Transactions<Planned extends Statement> {
  /** For several batches. */
  runShared(statements: readonly Planned[]): Promise<StatementResult[]>;
  /** For one batch, again where it failed because of what ran beside it. */
  runAlone(statements: readonly Planned[]): Promise<StatementResult[]>;
  /** Whether a transaction that failed so certainly left nothing. */
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

export function isGathered({ gathered = 0 }: Statement): boolean {
  return gathered !== 0;
}

export class SharedTransactions<Planned extends Statement> {
  readonly #transactions: Transactions<Planned>;
  readonly #waiting: Waiting<Planned>[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(transactions: Transactions<Planned>) {
    this.#transactions = transactions;
  }

  /** Runs a batch that has gathered statements. */
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
    const { first, last } = gatheredOf(group);
    const own = group.flatMap(({ statements }) => statements.filter((statement) => !isGathered(statement)));
    const all = [...first, ...own, ...last];
    try {
      const results = group.length === 1 ? await this.#transactions.runAlone(all) : await this.#transactions.runShared(all);
      let at = first.length;
      for (const { statements, resolve } of group) {
        resolve(statements.map((statement) => (isGathered(statement) ? undefined : results[at++]) ?? { rows: [], changes: 0 }));
      }
    } catch (error) {
      // Only the one that is at fault fails.
      if (group.length > 1 && this.#transactions.isUndone(error)) await Promise.all(group.map((waiting) => this.#commit([waiting])));
      else for (const { reject } of group) reject(error);
    }
  }
}

/** The gathered statements of all batches, each once over all lists, in an order that all transactions have. */
function gatheredOf<Planned extends Statement>(group: readonly Waiting<Planned>[]): { first: Planned[]; last: Planned[] } {
  const lists = new Map<string, { statement: Planned; list: string[] }>();
  for (const statement of group.flatMap(({ statements }) => statements.filter(isGathered))) {
    const items = String(statement.params[0]).slice(1, -1);
    const key = `${statement.gathered} ${statement.sql}`;
    const known = lists.get(key);
    if (known === undefined) lists.set(key, { statement, list: [items] });
    else known.list.push(items);
  }
  const gathered = [...lists.values()].map(({ statement, list }) => ({ ...statement, params: [`[${list.join(",")}]`] }));
  const place = ({ gathered = 0 }: Statement) => gathered;
  gathered.sort((one, other) => place(one) - place(other) || (one.sql < other.sql ? -1 : 1));
  return { first: gathered.filter((statement) => place(statement) < 0), last: gathered.filter((statement) => place(statement) > 0) };
}
