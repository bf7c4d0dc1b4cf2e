/** Work that continues after the response: the queue, events, the purge, reindexing, imports. */

import type { EngineTasks } from "./engine-tasks.ts";
import { EventWriter } from "./event-writer.ts";
import type { EngineResponse, RequestHead } from "./frame.ts";
import { writeLog } from "./log.ts";
import type { ImportRunner } from "./imports/runner.ts";
import type { FormsOptions } from "./options.ts";
import { Purger } from "./purger.ts";
import { QueueRunner, type Concurrency } from "./queue-runner.ts";
import { Reindexer } from "./reindexer.ts";
import { reasonOf } from "./reason.ts";

const QUEUE_CONCURRENCY: Concurrency = { quick: 128, total: 256 };
const EVENT_DELAY_MS = 1_000;

export class Background {
  readonly #options: FormsOptions;
  readonly #queue: QueueRunner;
  readonly #events: EventWriter;
  readonly #purger: Purger;
  readonly #reindexer: Reindexer;
  readonly #imports: ImportRunner;

  constructor(tasks: EngineTasks, imports: ImportRunner, options: FormsOptions, now: () => number) {
    this.#options = options;
    this.#imports = imports;
    const { queueConcurrency: limit } = options;
    this.#queue = new QueueRunner(tasks, limit === undefined ? QUEUE_CONCURRENCY : { quick: limit, total: limit });
    this.#events = new EventWriter(() => tasks.writeEvents(), options.eventDelayMs ?? EVENT_DELAY_MS);
    // After an error, the next purge deletes the remaining rows.
    this.#purger = new Purger(
      (begun) => tasks.purge(begun),
      now,
      (error) => this.#logError("expired rows could not be purged", error),
    );
    // After an error, a later queue run continues to reindex.
    this.#reindexer = new Reindexer(
      (begun) => tasks.reindex(begun),
      now,
      (error) => this.#logError("submissions could not be indexed again", error),
    );
  }

  /** Runs due actions, and starts the purge and the reindexing, which continue after this promise resolves. */
  async runQueue(context: unknown): Promise<{ processed: number }> {
    const processed = await this.#queue.run(this.#options.queueRunLimit);
    this.#defer(this.#purger.start(), context);
    this.#defer(this.#reindexer.start(), context);
    return { processed };
  }

  /** Runs due actions and continues imports, at the host's request. */
  tick(context: unknown): Promise<{ processed: number }> {
    this.#defer(this.#imports.tick(), context);
    return this.runQueue(context);
  }

  /** Starts the queue run, import or write of events that the response requests, and logs errors. */
  afterResponse(response: EngineResponse, head: RequestHead, context: unknown): void {
    const { host, automaticRuns = true } = this.#options;
    if (response.log !== undefined)
      writeLog(host, "error", response.log, { request_id: head.request_id, path: head.path });
    if (response.flush_events === true) this.#defer(this.#events.soon(), context);
    if (response.run_queue !== true || !automaticRuns) return;
    // Status 202 means that the request started an import.
    if (response.status === 202) return this.#defer(this.#imports.start(), context);
    const work = this.runQueue(context).catch((error: unknown) =>
      this.#logError("the action queue could not run", error),
    );
    this.#defer(work, context);
  }

  async close(): Promise<void> {
    await Promise.all([
      this.#queue.close(),
      this.#events.now(),
      this.#purger.close(),
      this.#reindexer.close(),
      this.#imports.close(),
    ]);
  }

  /**
   * Asks the host to keep the process alive for work that continues after the response. The work runs even if the
   * host's `defer` throws.
   */
  #defer(work: Promise<unknown> | null, context: unknown): void {
    if (work === null) return;
    try {
      this.#options.host.defer?.(work, context);
    } catch (error) {
      this.#logError("the host could not defer work: defer failed", error);
    }
  }

  #logError(message: string, error: unknown): void {
    writeLog(this.#options.host, "error", message, { error: reasonOf(error) });
  }
}
