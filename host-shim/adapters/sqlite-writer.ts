/**
 * Writes to a SQLite file. Concurrent batches share a transaction, and one fsync.
 *
 * The connection is synchronous, so no transaction spans two turns of the event loop. The batches that arrive within one
 * turn run in one transaction. There are no savepoints, because FTS5 writes its buffer at each of them. When a batch
 * fails, the transaction is rolled back, and each batch runs in a separate one.
 */
import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import type { Statement, StatementResult } from "../src/ports.ts";
import type { SqliteStatements } from "./sqlite-statements.ts";
import { GatheredStatements, isGatheredAfter, statementError } from "./statement.ts";

/** Options of `openSqlite`. */
export interface SqliteOptions {
  /** The database file, created when absent (mode 0600), or `:memory:`. */
  readonly path: string;
  /** Time that a batch waits for another process's lock, in milliseconds. Default 10,000. */
  readonly busy_ms?: number;
  /** Time in milliseconds after which a transaction takes no further batches, to yield to other work. Default 15. */
  readonly hold_ms?: number;
  /** Size of the LRU cache of prepared statements. Default 500. */
  readonly prepared?: number;
  /**
   * Whether a thread takes over the writes once there are concurrent batches. Turn it off with one process per core.
   * Default true.
   */
  readonly thread?: boolean;
}

const SQLITE_BUSY = 5;

/**
 * Begins a writing transaction. The statement journal stays in memory, because writing it to a temporary file took a third
 * of a submit's time. The setting is read when a transaction begins; large sorts still use files.
 */
const BEGIN_WRITE = "PRAGMA temp_store = MEMORY; BEGIN IMMEDIATE; PRAGMA temp_store = DEFAULT";

/**
 * Number of this process's transactions after which the WAL is checkpointed and restarted. When processes write in
 * turns, another process starts to write before SQLite's automatic checkpoint ends. The WAL then never restarts, and
 * beyond 1,000 pages each commit pays for a checkpoint.
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
  /** Number of the next batches that run separately, because a shared transaction failed. */
  #alone = 0;
  /** Number of committed transactions since the WAL was restarted. */
  #committed = 0;
  #draining: Promise<void> | null = null;

  constructor(
    connection: DatabaseSync,
    statements: SqliteStatements,
    { busy_ms = 10_000, hold_ms = 15 }: SqliteOptions,
  ) {
    this.#connection = connection;
    this.#statements = statements;
    this.#busyMs = busy_ms;
    this.#holdMs = hold_ms;
  }

  /** Number of batches that wait for a transaction. */
  get waiting(): number {
    return this.#queue.length;
  }

  write(statements: readonly Statement[], patient: boolean): Promise<StatementResult[]> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ statements, patient, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when no batch is running or waiting. */
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
        // A batch without statements that are gathered to run after it may read the effects of earlier batches. So the
        // gathered statements of earlier batches run first.
        if (!statements.some(isGatheredAfter)) this.#executeGathered(gathered);
        outcomes.push(execute(this.#statements, statements, gathered));
        if (this.#alone > 0 || performance.now() >= until) break;
      }
      this.#executeGathered(gathered);
      this.#connection.exec("COMMIT");
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
      if (isBusy(error)) throw error;
      // A batch failed or rolled back the shared transaction (disk full, a deferred constraint at COMMIT). Each batch now
      // runs in a separate transaction, so that only the faulty one fails.
      if (taken > 1) this.#alone = Math.max(this.#alone, taken);
      else {
        this.#alone = Math.max(0, this.#alone - 1);
        this.#queue.shift()?.reject(error);
      }
      return;
    }
    this.#alone = Math.max(0, this.#alone - taken);
    this.#committed += 1;
    if (this.#committed >= CHECKPOINT_AFTER) this.#restartLog();
    for (const [index, { resolve }] of this.#queue.splice(0, taken).entries()) resolve(outcomes[index] ?? []);
  }

  /**
   * Checkpoints and restarts the WAL right after a commit. If another process already has the lock, the next commit
   * tries again.
   */
  #restartLog(): void {
    try {
      const found = this.#connection.prepare("PRAGMA wal_checkpoint(RESTART)").get();
      if (found?.["busy"] === 0) this.#committed = 0;
    } catch {
      // Committed data is in the WAL, so a failed checkpoint loses nothing; SQLite ignores it too.
    }
  }

  /** Runs the statements that the batches so far have gathered. */
  #executeGathered(gathered: GatheredStatements<Statement>): void {
    for (const statement of gathered.take()) execute(this.#statements, [statement]);
  }
}

/** Runs the statements of a batch within the caller's transaction, and collects those that may be gathered. */
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

/** Retries while another connection holds the lock, without blocking the event loop. */
export async function whileBusy<T>(attempt: () => T, busyMs: number): Promise<T> {
  const since = performance.now();
  for (;;) {
    const waited = performance.now() - since;
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || waited >= busyMs) throw error;
    }
    // Retries come at short random intervals, because the lock is free only while its last holder reads further
    // requests.
    await delay(Math.min(waited / 100, 50) * (0.5 + Math.random()));
  }
}

/**
 * Creates the file when it is missing. SQLite would create a file that others can read, and the WAL and shared memory
 * inherit the file's mode. An existing file is not opened, because closing it would release the locks of this process's
 * connections (https://sqlite.org/howtocorrupt.html, 2.2).
 */
export function makeFile(path: string): void {
  if (path !== ":memory:" && !existsSync(path)) closeSync(openSync(path, "a", 0o600));
}

export function connect(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5_000 });
  // Waiting for a lock blocks the thread. That is acceptable only here, where two processes may switch the file to WAL at
  // once. SQLite's automatic checkpoint serves only very large transactions.
  connection.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 0; PRAGMA wal_autocheckpoint = 10000",
  );
  return connection;
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}
