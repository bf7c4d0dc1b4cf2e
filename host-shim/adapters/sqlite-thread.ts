/** A thread that writes to a SQLite file: its program is `sqlite-thread-program.ts`. */
import { Worker } from "node:worker_threads";
import type { SentText } from "../src/frame.ts";
import type { SqlValue, StatementResult, Statements } from "../src/ports.ts";
import type { SqliteOptions } from "./sqlite-writer.ts";

/** Batches on their way to the thread, and the bytes of their parameters. */
export interface SentWrites {
  readonly writes: readonly (readonly [id: number, patient: boolean, statements: readonly SentStatement[]])[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The parameters are so many of the bytes, or stand here. */
export type SentStatement = readonly [sql: SentText, gathered: number, params: number | readonly SqlValue[]];

/** What has become of batches. */
export type Outcomes = readonly (readonly [id: number, outcome: StatementResult[] | SentError])[];

/** What the thread sends: that it is ready, or {@link Outcomes} as JSON, which is copied in half the time. */
export type Reply = string;

/** An error as it travels between threads, which would drop SQLite's code. */
export interface SentError {
  readonly message: string;
  readonly errcode: unknown;
}

/** So many batches are sent at once, so that the thread writes while others come. */
const MOST_AT_ONCE = 20;

/** How many texts of statements have a number. */
const NUMBERED_TEXTS = 500;

interface Waiting {
  readonly resolve: (results: StatementResult[]) => void;
  readonly reject: (reason: unknown) => void;
}

export class SqliteThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #numbers = new Map<string, number>();
  /** What came in this turn of the event loop. */
  #writes: SentWrites["writes"][number][] = [];
  #bytes: Uint8Array[] = [];
  #lastId = 0;
  #isReady = false;
  #finished: (() => void) | null = null;

  constructor(options: SqliteOptions) {
    const own = import.meta.url;
    const program = `./sqlite-thread-program${own.slice(own.lastIndexOf("."))}`;
    this.#worker = new Worker(new URL(program, own), { workerData: options });
    this.#worker.unref();
    this.#worker.on("message", (reply: Reply) => this.#receive(reply));
    this.#worker.once("error", (error) => this.#fail(error));
    this.#worker.once("exit", () => this.#fail(new Error("the thread that writes to the database has ended")));
  }

  /** Whether it takes batches: not before its connection is open, nor after it has ended. */
  get isReady(): boolean {
    return this.#isReady;
  }

  write(statements: Statements, patient: boolean): Promise<StatementResult[]> {
    return new Promise((resolve, reject) => {
      const { encoded } = statements;
      // Parameters that cannot travel are this batch's fault alone: here they reject it.
      if (encoded === undefined) structuredClone(statements.map(({ params }) => params));
      else this.#bytes.push(encoded.bytes);
      if (this.#waiting.size === 0) this.#worker.ref();
      if (this.#writes.length === 0) setImmediate(() => this.#send());
      this.#lastId += 1;
      this.#waiting.set(this.#lastId, { resolve, reject });
      const sent = statements.map(
        (statement, index): SentStatement => [this.#numbered(statement.sql), statement.gathered ?? 0, encoded?.lengths[index] ?? statement.params],
      );
      this.#writes.push([this.#lastId, patient, sent]);
      if (this.#writes.length >= MOST_AT_ONCE) this.#send();
    });
  }

  /** Ends the thread once no batch is under way. */
  async close(): Promise<void> {
    if (this.#waiting.size > 0) await new Promise<void>((resolve) => (this.#finished = resolve));
    this.#isReady = false;
    await this.#worker.terminate();
  }

  #numbered(sql: string): SentText {
    const known = this.#numbers.get(sql);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    if (number >= NUMBERED_TEXTS) return sql;
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
