/**
 * The database port on `node:sqlite` (Node 22.13 or later): one file, WAL, durable, no native build.
 *
 * Reads are synchronous. Writing batches share transactions (`sqlite-writer.ts`). When several arrive at once, a thread
 * writes them, so that requests are served while the disk works.
 */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { BatchOptions, Database, Statement, StatementResult, Statements } from "../src/ports.ts";
import { SqliteStatements } from "./sqlite-statements.ts";
import { SqliteThread } from "./sqlite-thread.ts";
import { connect, execute, isBusy, makeFile, SqliteWriter, whileBusy, type SqliteOptions } from "./sqlite-writer.ts";

export type { SqliteOptions } from "./sqlite-writer.ts";

/** A SQLite database with a file to close. */
export interface SqliteDatabase extends Database {
  readonly dialect: "sqlite";
  /** Finishes running batches, then closes the file. Later batches are rejected. */
  close(): Promise<void>;
}

/** Opens a SQLite file with `node:sqlite`. */
export function openSqlite(options: SqliteOptions): SqliteDatabase {
  return new Sqlite(options);
}

class Sqlite implements SqliteDatabase {
  readonly dialect = "sqlite";
  readonly #options: SqliteOptions;
  readonly #connection: DatabaseSync;
  readonly #statements: SqliteStatements;
  /** Writer on this thread, used while no writing thread is ready. */
  readonly #writer: SqliteWriter;
  #thread: SqliteThread | null = null;
  /** Whether a thread may still be started. A database in memory is invisible to other connections. */
  #canStartThread: boolean;
  readonly #busyMs: number;
  readonly #holdMs: number;
  /** Start of the first read in this turn of the event loop. */
  #readingSince: number | null = null;
  #closed = false;

  constructor(options: SqliteOptions) {
    const { path, busy_ms = 10_000, hold_ms = 15, prepared = 500, thread = true } = options;
    this.#options = options;
    this.#canStartThread = thread && path !== ":memory:";
    makeFile(path);
    this.#connection = connect(path);
    this.#statements = new SqliteStatements(this.#connection, prepared);
    this.#writer = new SqliteWriter(this.#connection, this.#statements, options);
    this.#busyMs = busy_ms;
    this.#holdMs = hold_ms;
  }

  async batch(statements: Statements, { patient = false }: BatchOptions = {}): Promise<StatementResult[]> {
    if (this.#closed) throw new Error("the database is closed");
    if (statements.length === 0) return [];
    if (statements.every(({ sql }) => this.#statements.onlyReads(sql))) {
      await this.#turnToRead();
      return whileBusy(() => this.#read(statements), this.#busyMs);
    }
    if (this.#thread?.isReady === true) return this.#thread.write(statements, patient);
    // A thread is worth its cost only with concurrent batches.
    if (this.#writer.waiting > 0 && this.#canStartThread) this.#startThread();
    return this.#writer.write(statements, patient);
  }

  readNow(statements: readonly Statement[]): StatementResult[] | null {
    if (this.#closed || this.#isTurnOver() || !statements.every(({ sql }) => this.#statements.onlyReads(sql)))
      return null;
    this.#beginToRead();
    try {
      return this.#read(statements);
    } catch (error) {
      if (isBusy(error)) return null;
      throw error;
    }
  }

  /** Starts the thread. If that fails (a bundle without its program, Node's permissions), this thread keeps writing. */
  #startThread(): void {
    this.#canStartThread = false;
    try {
      this.#thread = new SqliteThread(this.#options);
    } catch {
      // The writer of this thread takes over.
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#writer.finished(), this.#thread?.close()]);
    if (this.#connection.isOpen) this.#connection.close();
  }

  /** Waits for a turn to read. Reads are synchronous, so a caller that reads continuously could block others. */
  async #turnToRead(): Promise<void> {
    while (this.#isTurnOver()) await nextTurn();
    this.#beginToRead();
  }

  #isTurnOver(): boolean {
    return this.#readingSince !== null && performance.now() - this.#readingSince > this.#holdMs;
  }

  #beginToRead(): void {
    if (this.#readingSince !== null) return;
    this.#readingSince = performance.now();
    setImmediate(() => (this.#readingSince = null));
  }

  /** Runs several reads in one transaction, so that no other connection's commit falls between them. */
  #read(statements: readonly Statement[]): StatementResult[] {
    if (statements.length === 1) return execute(this.#statements, statements);
    this.#connection.exec("BEGIN");
    try {
      return execute(this.#statements, statements);
    } finally {
      this.#connection.exec("ROLLBACK");
    }
  }
}
