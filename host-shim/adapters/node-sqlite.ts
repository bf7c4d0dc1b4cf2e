/**
 * The database port on `node:sqlite` (Node 22.13 or later): one file, WAL, durable, no native build.
 *
 * Reads are answered at once. Batches that write share transactions (`sqlite-writer.ts`); where they
 * come at once, a thread writes them, so that requests are answered while the disk is waited for.
 */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { BatchOptions, Database, Statement, StatementResult, Statements } from "../src/ports.ts";
import { SqliteStatements } from "./sqlite-statements.ts";
import { SqliteThread } from "./sqlite-thread.ts";
import { connect, execute, isBusy, makeFile, SqliteWriter, whileBusy, type SqliteOptions } from "./sqlite-writer.ts";

export type { SqliteOptions } from "./sqlite-writer.ts";

export interface SqliteDatabase extends Database {
  readonly dialect: "sqlite";
  /** Finishes the batches under way, then closes the file. Later batches are rejected. */
  close(): Promise<void>;
}

export function openSqlite(options: SqliteOptions): SqliteDatabase {
  return new Sqlite(options);
}

class Sqlite implements SqliteDatabase {
  readonly dialect = "sqlite";
  readonly #options: SqliteOptions;
  readonly #connection: DatabaseSync;
  readonly #statements: SqliteStatements;
  /** Writes until a thread does. */
  readonly #writer: SqliteWriter;
  #thread: SqliteThread | null = null;
  /** Whether one may still be started. Other connections see nothing of a database in memory. */
  #mayHaveThread: boolean;
  readonly #busyMs: number;
  readonly #holdMs: number;
  /** When the first read of this turn of the event loop began. */
  #readingSince: number | null = null;
  #closed = false;

  constructor(options: SqliteOptions) {
    const { path, busy_ms = 10_000, hold_ms = 15, prepared = 500, thread = true } = options;
    this.#options = options;
    this.#mayHaveThread = thread && path !== ":memory:";
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
    // A site whose batches come one by one needs no thread.
    if (this.#writer.waiting > 0 && this.#mayHaveThread) this.#startThread();
    return this.#writer.write(statements, patient);
  }

  readNow(statements: readonly Statement[]): StatementResult[] | null {
    if (this.#closed || this.#isTurnOver() || !statements.every(({ sql }) => this.#statements.onlyReads(sql))) return null;
    this.#beginToRead();
    try {
      return this.#read(statements);
    } catch (error) {
      if (isBusy(error)) return null;
      throw error;
    }
  }

  /** Where it may have none (a bundle without its program, Node's permissions), the calling thread goes on writing. */
  #startThread(): void {
    this.#mayHaveThread = false;
    try {
      this.#thread = new SqliteThread(this.#options);
    } catch {
      // The writer is there.
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#writer.finished(), this.#thread?.close()]);
    if (this.#connection.isOpen) this.#connection.close();
  }

  /** Reads answer within the turn; a caller that goes on reading must not keep all others waiting. */
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

  /** Several reads share a transaction, so that another connection's commit cannot fall between them. */
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
