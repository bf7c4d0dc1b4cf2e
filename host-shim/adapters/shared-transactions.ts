/**
 * Transactions that batches share whose statements may be gathered: what comes while as many transactions run
 * as may waits, and shares the next one with its round trip and its commit.
 */
import type { Statement, StatementResult } from "../src/ports.ts";
import { GatheredStatements, isGathered, isGatheredAfter } from "./statement.ts";

/** Runs statements in one transaction. */
export interface Transactions<Planned extends Statement> {
  /** Runs batches that came together; soon fails where a row is locked, since others wait. */
  runShared(statements: readonly Planned[]): Promise<StatementResult[]>;
  /** Runs one batch, again where it failed because of what ran beside it. */
  runAlone(statements: readonly Planned[]): Promise<StatementResult[]>;
  /** Whether a transaction that failed so certainly left nothing. */
  isUndone(error: unknown): boolean;
  /** Whether it failed because of what ran beside it. */
  isOthersFault(error: unknown): boolean;
}

export interface SharedTransactionsOptions {
  /** How long a batch may wait to be begun. */
  readonly wait_ms: number;
  /** How many batches whose shared transaction failed run at once. */
  readonly most_alone: number;
}

/** How many shared transactions run at once: while one is committed, the next does its work. */
const MOST_AT_ONCE = 2;

/** How many batches share a transaction at most. */
const MOST_BATCHES = 50;

interface Waiting<Planned> {
  readonly statements: readonly Planned[];
  resolve(results: StatementResult[]): void;
  reject(reason: unknown): void;
}

/** What waits for a transaction of a kind. */
interface Queue<Planned> {
  readonly waiting: Waiting<Planned>[];
  readonly mostAtOnce: number;
  readonly mostBatches: number;
  readonly running: Set<Promise<void>>;
}

export class SharedTransactions<Planned extends Statement> {
  readonly #transactions: Transactions<Planned>;
  readonly #waitMs: number;
  readonly #shared: Queue<Planned>;
  /** Batches that run alone, apart from the shared ones, which a batch that waits for a lock must not keep from running. */
  readonly #alone: Queue<Planned>;
  /** Those that have waited too long. */
  readonly #late = new WeakSet<Waiting<Planned>>();

  constructor(transactions: Transactions<Planned>, { wait_ms, most_alone }: SharedTransactionsOptions) {
    this.#transactions = transactions;
    this.#waitMs = wait_ms;
    this.#shared = { waiting: [], mostAtOnce: MOST_AT_ONCE, mostBatches: MOST_BATCHES, running: new Set() };
    this.#alone = { waiting: [], mostAtOnce: most_alone, mostBatches: 1, running: new Set() };
  }

  /** Runs a batch that has gathered statements. */
  async run(statements: readonly Planned[]): Promise<StatementResult[]> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        const batch = { statements, resolve, reject };
        const { waiting } = this.#shared;
        waiting.push(batch);
        // After this turn of the event loop, whose other batches share the transaction.
        if (waiting.length === 1) setImmediate(() => this.#begin(this.#shared));
        timer = setTimeout(() => this.#giveUp(batch), this.#waitMs);
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

  /** Rejects a batch that is not under way, before its caller has given it up: it must not take effect later. */
  #giveUp(batch: Waiting<Planned>): void {
    this.#late.add(batch);
    for (const { waiting } of [this.#shared, this.#alone]) {
      const at = waiting.indexOf(batch);
      if (at !== -1) this.#reject(waiting.splice(at, 1));
    }
  }

  #reject(batches: readonly Waiting<Planned>[]): void {
    for (const { reject } of batches) reject(new Error(`the database is busy: the batch waited ${this.#waitMs} ms and was not begun`));
  }

  #begin(queue: Queue<Planned>): void {
    while (queue.waiting.length > 0 && queue.running.size < queue.mostAtOnce) {
      const running = this.#commit(queue.waiting.splice(0, queue.mostBatches), queue === this.#alone).finally(() => {
        queue.running.delete(running);
        this.#begin(queue);
      });
      queue.running.add(running);
    }
  }

  /** Never rejects. */
  async #commit(group: readonly Waiting<Planned>[], isAlone: boolean): Promise<void> {
    const { first, last } = gatheredOf(group);
    const own = group.flatMap(({ statements }) => statements.filter((statement) => !isGathered(statement)));
    const all = [...first, ...own, ...last];
    try {
      const results = await (isAlone ? this.#transactions.runAlone(all) : this.#transactions.runShared(all));
      let at = first.length;
      for (const { statements, resolve } of group) {
        resolve(statements.map((statement) => (isGathered(statement) ? undefined : results[at++]) ?? { rows: [], changes: 0 }));
      }
    } catch (error) {
      const isSettled = isAlone || !this.#transactions.isUndone(error) || (group.length === 1 && !this.#transactions.isOthersFault(error));
      if (isSettled) for (const { reject } of group) reject(error);
      else this.#runEach(group);
    }
  }

  /** Runs each batch alone, so that only the one at fault fails. */
  #runEach(group: readonly Waiting<Planned>[]): void {
    this.#reject(group.filter((batch) => this.#late.has(batch)));
    this.#alone.waiting.push(...group.filter((batch) => !this.#late.has(batch)));
    this.#begin(this.#alone);
  }
}

/** The gathered statements of all batches, each once over all lists, in an order that all transactions have. */
function gatheredOf<Planned extends Statement>(group: readonly Waiting<Planned>[]): { first: Planned[]; last: Planned[] } {
  const all = new GatheredStatements<Planned>();
  for (const { statements } of group) for (const statement of statements) if (isGathered(statement)) all.add(statement);
  const gathered = all.take();
  const place = ({ gathered = 0 }: Statement) => gathered;
  gathered.sort((one, other) => place(one) - place(other) || (one.sql < other.sql ? -1 : 1));
  return { first: gathered.filter((statement) => !isGatheredAfter(statement)), last: gathered.filter(isGatheredAfter) };
}
