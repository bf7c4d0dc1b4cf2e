/**
 * Shares transactions between batches with gathered statements. While the maximum number of transactions is running,
 * further batches wait. Then they share the next transaction, with its round trip and its commit.
 */
import type { Statement, StatementResult } from "../src/ports.ts";
import { GatheredStatements, isGathered, isGatheredAfter } from "./statement.ts";

/** Runs statements in one transaction. */
export interface Transactions<Planned extends Statement> {
  /** Runs batches together. Has a short lock timeout, because other batches wait. */
  runShared(statements: readonly Planned[]): Promise<StatementResult[]>;
  /** Runs one batch, and retries it after a conflict with a concurrent transaction. */
  runAlone(statements: readonly Planned[]): Promise<StatementResult[]>;
  /** Whether this error guarantees that the transaction was rolled back. */
  isRolledBack(error: unknown): boolean;
  /** Whether the error is a conflict with a concurrent transaction. */
  isConflict(error: unknown): boolean;
}

export interface SharedTransactionsOptions {
  /** Longest time that a batch waits to begin, in milliseconds. Then it is rejected. */
  readonly wait_ms: number;
  /** Limit for separate batches that run at once after their shared transaction failed. */
  readonly max_alone: number;
}

/** Limit for concurrent shared transactions: while one commits, the next one works. */
const MAX_CONCURRENT = 2;

/** Limit for the batches of a shared transaction. */
const MAX_BATCHES = 50;

interface Waiting<Planned> {
  readonly statements: readonly Planned[];
  resolve(results: StatementResult[]): void;
  reject(reason: unknown): void;
}

/** Batches that wait for shared transactions, or for separate ones. */
interface Queue<Planned> {
  readonly waiting: Waiting<Planned>[];
  readonly maxConcurrent: number;
  readonly maxBatches: number;
  readonly running: Set<Promise<void>>;
}

export class SharedTransactions<Planned extends Statement> {
  readonly #transactions: Transactions<Planned>;
  readonly #waitMs: number;
  readonly #shared: Queue<Planned>;
  /** Queue of separate batches. One that waits for a lock must not block the shared transactions. */
  readonly #alone: Queue<Planned>;
  /** Batches that have waited too long. */
  readonly #expired = new WeakSet<Waiting<Planned>>();

  constructor(transactions: Transactions<Planned>, { wait_ms, max_alone }: SharedTransactionsOptions) {
    this.#transactions = transactions;
    this.#waitMs = wait_ms;
    this.#shared = { waiting: [], maxConcurrent: MAX_CONCURRENT, maxBatches: MAX_BATCHES, running: new Set() };
    this.#alone = { waiting: [], maxConcurrent: max_alone, maxBatches: 1, running: new Set() };
  }

  /** Runs a batch that has gathered statements. */
  async run(statements: readonly Planned[]): Promise<StatementResult[]> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        const batch = { statements, resolve, reject };
        const { waiting } = this.#shared;
        waiting.push(batch);
        // Other batches of this turn of the event loop share the transaction.
        if (waiting.length === 1) setImmediate(() => this.#begin(this.#shared));
        timer = setTimeout(() => this.#expire(batch), this.#waitMs);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resolves when nothing runs or waits. */
  async settled(): Promise<void> {
    const queues = [this.#shared, this.#alone];
    while (queues.some(({ waiting, running }) => waiting.length > 0 || running.size > 0)) {
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all(queues.flatMap(({ running }) => [...running]));
    }
  }

  /** Rejects a batch that has not begun, before its caller times out, so that it cannot take effect later. */
  #expire(batch: Waiting<Planned>): void {
    this.#expired.add(batch);
    for (const { waiting } of [this.#shared, this.#alone]) {
      const at = waiting.indexOf(batch);
      if (at !== -1) this.#reject(waiting.splice(at, 1));
    }
  }

  #reject(batches: readonly Waiting<Planned>[]): void {
    for (const { reject } of batches)
      reject(new Error(`the database is busy: the batch waited ${this.#waitMs} ms and was not begun`));
  }

  #begin(queue: Queue<Planned>): void {
    while (queue.waiting.length > 0 && queue.running.size < queue.maxConcurrent) {
      const running = this.#commit(queue.waiting.splice(0, queue.maxBatches), queue === this.#alone).finally(() => {
        queue.running.delete(running);
        this.#begin(queue);
      });
      queue.running.add(running);
    }
  }

  /** Runs a group and settles its batches. Never rejects. */
  async #commit(group: readonly Waiting<Planned>[], isAlone: boolean): Promise<void> {
    const { first, last } = gatheredOf(group);
    const separate = group.flatMap(({ statements }) => statements.filter((statement) => !isGathered(statement)));
    const all = [...first, ...separate, ...last];
    try {
      const results = await (isAlone ? this.#transactions.runAlone(all) : this.#transactions.runShared(all));
      let at = first.length;
      for (const { statements, resolve } of group) {
        resolve(
          statements.map(
            (statement) => (isGathered(statement) ? undefined : results[at++]) ?? { rows: [], changes: 0 },
          ),
        );
      }
    } catch (error) {
      const isSettled =
        isAlone ||
        !this.#transactions.isRolledBack(error) ||
        (group.length === 1 && !this.#transactions.isConflict(error));
      if (isSettled) for (const { reject } of group) reject(error);
      else this.#runEach(group);
    }
  }

  /** Runs each batch separately, so that only the faulty one fails. */
  #runEach(group: readonly Waiting<Planned>[]): void {
    this.#reject(group.filter((batch) => this.#expired.has(batch)));
    this.#alone.waiting.push(...group.filter((batch) => !this.#expired.has(batch)));
    this.#begin(this.#alone);
  }
}

/** Joins the gathered statements of all batches, in an order that is the same in all transactions. */
function gatheredOf<Planned extends Statement>(
  group: readonly Waiting<Planned>[],
): { first: Planned[]; last: Planned[] } {
  const all = new GatheredStatements<Planned>();
  for (const { statements } of group) for (const statement of statements) if (isGathered(statement)) all.add(statement);
  const gathered = all.take();
  const place = ({ gathered = 0 }: Statement) => gathered;
  gathered.sort((one, other) => place(one) - place(other) || (one.sql < other.sql ? -1 : 1));
  return { first: gathered.filter((statement) => !isGatheredAfter(statement)), last: gathered.filter(isGatheredAfter) };
}
