/**
 * What writes to a SQLite file: batches that come at once share a transaction, and one fsync.
 *
 * The connection is synchronous, so no transaction spans two turns of the event loop. That makes
 * group commit simple: the batches that arrive within one turn run in one transaction. There are no
 * savepoints, at each of which FTS5 would write what it holds: when a batch fails, all is undone, and
 * each batch gets a transaction of its own.
 */
import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import type { Statement, StatementResult } from "../src/ports.ts";
import { SqliteStatements } from "./sqlite-statements.ts";
import { GatheredStatements, isGatheredAfter, statementError } from "./statement.ts";

export interface SqliteOptions {
  /** The database file, made when absent (mode 0600), or `:memory:`. */
  readonly path: string;
  /** How long a batch waits for another process's lock before it is rejected. Default 10,000. */
  readonly busy_ms?: number;
  /** No transaction takes further batches after this time, so that other work gets its turn. Default 15. */
  readonly hold_ms?: number;
  /** How many prepared statements are kept, the least recently used leaving first. Default 500. */
  readonly prepared?: number;
  /** Whether a thread writes once batches come at once. To be turned off where there is a process for each core. Default true. */
  readonly thread?: boolean;
}

const SQLITE_BUSY = 5;

/**
 * Begins a transaction that writes. The pages that its statements may take back are kept in memory, where SQLite
 * would soon write them to a temporary file: they were a third of a submit. That is settled when a transaction
 * begins; large sorts still go to files.
 */
const BEGIN_WRITE = "PRAGMA temp_store = MEMORY; BEGIN IMMEDIATE; PRAGMA temp_store = DEFAULT";

/**
 * After so many transactions of this process the log (WAL) goes into the file and begins anew. Where processes write by
 * turns, the other has begun before SQLite's own checkpoint ends: the log never begins anew, and from 1,000 pages on
 * each commit pays a checkpoint.
 */
const CHECKPOINT_AFTER = 32;

interface Write {
  readonly statements: readonly Statement[];
  readonly patient: boolean;
  readonly resolve: (results: StatementResult[]) => void;
  readonly reject: (reason: unknown) => void;
}

export class SqliteWriter {
  readonly #connection: DatabaseSync;
  readonly #statements: SqliteStatements;
  readonly #busyMs: number;
  readonly #holdMs: number;
  readonly #queue: Write[] = [];
  /** So many of the next batches get a transaction each, because a shared one failed. */
  #alone = 0;
  /** How many transactions were committed since the log began anew. */
  #committed = 0;
  #draining: Promise<void> | null = null;

  constructor(connection: DatabaseSync, statements: SqliteStatements, { busy_ms = 10_000, hold_ms = 15 }: SqliteOptions) {
    this.#connection = connection;
    this.#statements = statements;
    this.#busyMs = busy_ms;
    this.#holdMs = hold_ms;
  }

  /** How many batches wait for a transaction. */
  get waiting(): number {
    return this.#queue.length;
  }

  write(statements: readonly Statement[], patient: boolean): Promise<StatementResult[]> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ statements, patient, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when no batch is under way. */
  async finished(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      await nextTurn();
      try {
        const isPatient = this.#queue.some(({ patient }) => patient);
        await whileBusy(() => this.#commitGroup(), isPatient ? Infinity : this.#busyMs);
      } catch (error) {
        for (const write of this.#queue.splice(0)) write.reject(error);
      }
    }
    this.#draining = null;
  }

  /** Runs the batches at the head of the queue in one transaction; they leave the queue when settled. */
  #commitGroup(): void {
    const until = performance.now() + this.#holdMs;
    const outcomes: StatementResult[][] = [];
    const gathered = new GatheredStatements<Statement>();
    let taken = 0;
    this.#connection.exec(BEGIN_WRITE);
    try {
      for (const { statements } of this.#queue) {
        taken += 1;
        // Who gathers nothing may look at what the others leave.
        if (!statements.some(isGatheredAfter)) this.#executeGathered(gathered);
        outcomes.push(execute(this.#statements, statements, gathered));
        if (this.#alone > 0 || performance.now() >= until) break;
      }
      this.#executeGathered(gathered);
      this.#connection.exec("COMMIT");
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
      if (isBusy(error)) throw error;
      // A batch failed, or undid the transaction of all (disk full, a deferred constraint at COMMIT).
      // Each now gets a transaction of its own, so that only the guilty one fails.
      if (taken > 1) this.#alone = Math.max(this.#alone, taken);
      else {
        this.#alone = Math.max(0, this.#alone - 1);
        this.#queue.shift()?.reject(error);
      }
      return;
    }
    this.#alone = Math.max(0, this.#alone - taken);
    this.#committed += 1;
    if (this.#committed >= CHECKPOINT_AFTER) this.#beginLogAnew();
    for (const [index, { resolve }] of this.#queue.splice(0, taken).entries()) resolve(outcomes[index] ?? []);
  }

  /** At once after a commit, when no other process has the lock yet; else after the next. */
  #beginLogAnew(): void {
    try {
      const found = this.#connection.prepare("PRAGMA wal_checkpoint(RESTART)").get();
      if (found?.["busy"] === 0) this.#committed = 0;
    } catch {
      // What is committed is in the log. SQLite too passes over a checkpoint that failed.
    }
  }

  /** Runs what the batches so far have gathered. */
  #executeGathered(gathered: GatheredStatements<Statement>): void {
    for (const statement of gathered.take()) execute(this.#statements, [statement]);
  }
}

/** Runs the statements of a batch within the caller's transaction; those that may be gathered are. */
export function execute(
  prepared: SqliteStatements,
  statements: readonly Statement[],
  gathered?: GatheredStatements<Statement>,
): StatementResult[] {
  return statements.map((statement, index) => {
    try {
      if (gathered !== undefined && isGatheredAfter(statement)) {
        gathered.add(statement);
        return { rows: [], changes: 0 };
      }
      return prepared.execute(statement);
    } catch (cause) {
      throw isBusy(cause) ? cause : statementError(cause, index, statements);
    }
  });
}

/** Waits for another connection's lock between the attempts, leaving the event loop free. */
export async function whileBusy<T>(attempt: () => T, busyMs: number): Promise<T> {
  const since = performance.now();
  for (;;) {
    const waited = performance.now() - since;
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || waited >= busyMs) throw error;
    }
    // The lock is free for a few milliseconds at a time, while its last holder reads further requests.
    await delay(Math.min(waited / 100, 50) * (0.5 + Math.random()));
  }
}

/**
 * Makes the file where there is none: SQLite makes files that others may read, and its WAL and shared memory inherit the
 * file's mode. One that is there is not opened: to close it would take away the locks that this process's connections
 * have on it (https://sqlite.org/howtocorrupt.html, 2.2).
 */
export function makeFile(path: string): void {
  if (path !== ":memory:" && !existsSync(path)) closeSync(openSync(path, "a", 0o600));
}

export function connect(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5_000 });
  // Waiting for a lock blocks the thread. That is fine here, where two processes may both be
  // switching the file to WAL, and nowhere else. SQLite's own checkpoint is for a few very large transactions.
  connection.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 0; PRAGMA wal_autocheckpoint = 10000",
  );
  return connection;
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}
