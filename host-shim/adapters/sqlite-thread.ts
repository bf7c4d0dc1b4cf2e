/** A thread that writes to a SQLite file. Its program is `sqlite-thread-program.ts`. */
import { Worker } from "node:worker_threads";
import type { SentText } from "../src/frame.ts";
import type { SqlValue, StatementResult, Statements } from "../src/ports.ts";
import type { SqliteOptions } from "./sqlite-writer.ts";

/** A message with batches for the thread, and the bytes of their parameters. */
export interface SentWrites {
  readonly writes: readonly (readonly [id: number, patient: boolean, statements: readonly SentStatement[]])[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A statement; `params` is the number of bytes of the parameters, or the parameters themselves. */
export type SentStatement = readonly [sql: SentText, gathered: number, params: number | readonly SqlValue[]];

/** Results or errors of batches. */
export type Outcomes = readonly (readonly [id: number, outcome: StatementResult[] | SentError])[];

/** A message of the thread: `ready`, or {@link Outcomes} as JSON, which copies in half the time. */
export type Reply = string;

/** An error as a plain object, because copying an `Error` between threads drops SQLite's code. */
export interface SentError {
  readonly message: string;
  readonly errcode: unknown;
}

/** Limit on the batches of a message, so that the thread writes while the main thread prepares others. */
const MAX_BATCHES = 16;

/** Limit for statement texts with a number. */
const MAX_NUMBERED_TEXTS = 500;

interface Waiting {
  readonly resolve: (results: StatementResult[]) => void;
  readonly reject: (reason: unknown) => void;
}

export class SqliteThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #numbers = new Map<string, number>();
  /** Batches of this turn of the event loop. */
  #writes: SentWrites["writes"][number][] = [];
  #bytes: Uint8Array[] = [];
  #lastId = 0;
  #isReady = false;
  #finished: (() => void) | null = null;

  constructor(options: SqliteOptions) {
    const { url } = import.meta;
    const program = `./sqlite-thread-program${url.slice(url.lastIndexOf("."))}`;
    this.#worker = new Worker(new URL(program, url), { workerData: options });
    this.#worker.unref();
    this.#worker.on("message", (reply: Reply) => this.#receive(reply));
    this.#worker.once("error", (error) => this.#fail(error));
    this.#worker.once("exit", () => this.#fail(new Error("the thread that writes to the database has ended")));
  }

  /** Whether the thread accepts batches: its connection is open, and it has not ended. */
  get isReady(): boolean {
    return this.#isReady;
  }

  write(statements: Statements, patient: boolean): Promise<StatementResult[]> {
    return new Promise((resolve, reject) => {
      const { encoded } = statements;
      // Parameters that cannot be copied must reject only this batch, so they are checked here.
      if (encoded === undefined) structuredClone(statements.map(({ params }) => params));
      else this.#bytes.push(encoded.bytes);
      if (this.#waiting.size === 0) this.#worker.ref();
      if (this.#writes.length === 0) setImmediate(() => this.#send());
      this.#lastId += 1;
      this.#waiting.set(this.#lastId, { resolve, reject });
      const sent = statements.map(
        (statement, index): SentStatement => [
          this.#numbered(statement.sql),
          statement.gathered ?? 0,
          encoded?.lengths[index] ?? statement.params,
        ],
      );
      this.#writes.push([this.#lastId, patient, sent]);
      if (this.#writes.length >= MAX_BATCHES) this.#send();
    });
  }

  /** Ends the thread after the running batches. */
  async close(): Promise<void> {
    if (this.#waiting.size > 0) await new Promise<void>((resolve) => (this.#finished = resolve));
    this.#isReady = false;
    await this.#worker.terminate();
  }

  #numbered(sql: string): SentText {
    const known = this.#numbers.get(sql);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    if (number >= MAX_NUMBERED_TEXTS) return sql;
    this.#numbers.set(sql, number);
    return [number, sql];
  }

  #send(): void {
    if (this.#writes.length === 0) return;
    const bytes = new Uint8Array(this.#bytes.reduce((sum, { length }) => sum + length, 0));
    let offset = 0;
    for (const piece of this.#bytes) {
      bytes.set(piece, offset);
      offset += piece.length;
    }
    this.#worker.postMessage({ writes: this.#writes, bytes } satisfies SentWrites, [bytes.buffer]);
    this.#writes = [];
    this.#bytes = [];
  }

  #receive(reply: Reply): void {
    if (reply === "ready") {
      this.#isReady = true;
      return;
    }
    const outcomes: Outcomes = JSON.parse(reply);
    for (const [id, outcome] of outcomes) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (Array.isArray(outcome)) waiting?.resolve(outcome);
      else waiting?.reject(Object.assign(new Error(outcome.message), { errcode: outcome.errcode }));
    }
    if (this.#waiting.size > 0) return;
    this.#worker.unref();
    this.#finished?.();
  }

  #fail(error: Error): void {
    this.#isReady = false;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#finished?.();
  }
}
