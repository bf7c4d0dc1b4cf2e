/**
 * Runs the action queue: claims due entries and starts a task for each, so that one slow endpoint
 * delays no other entry.
 */

/** A claimed entry, as the engine names it. Handed back as it came. */
export type Claim = Readonly<Record<string, unknown>>;

export interface QueueEngine {
  /** Claims at most so many due entries. */
  claim(limit: number): Promise<readonly Claim[]>;
  /** Runs one; settles when its outcome is stored. */
  runEntry(claim: Claim): Promise<void>;
}

export class QueueRunner {
  readonly #engine: QueueEngine;
  readonly #concurrency: number;
  readonly #running = new Set<Promise<void>>();
  #pass: Promise<number> | null = null;
  #again = false;
  #closed = false;

  constructor(engine: QueueEngine, concurrency: number) {
    this.#engine = engine;
    this.#concurrency = concurrency;
  }

  /** Runs what is due until nothing is; answers how many entries ran. A call during a pass extends it. */
  run(): Promise<number> {
    this.#again = true;
    this.#pass ??= this.#runAll().finally(() => {
      this.#pass = null;
    });
    return this.#pass;
  }

  /** Claims no more, and waits for what runs. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([...this.#running]);
    await this.#pass?.catch(() => undefined);
  }

  async #runAll(): Promise<number> {
    let processed = 0;
    while (this.#again && !this.#closed) {
      this.#again = false;
      const free = this.#concurrency - this.#running.size;
      const claims = free > 0 ? await this.#engine.claim(free) : [];
      for (const claim of claims) this.#start(claim);
      processed += claims.length;
      if (claims.length === free && free > 0) this.#again = true;
      if (this.#running.size >= this.#concurrency) {
        await Promise.race(this.#running);
        this.#again = true;
      }
    }
    await Promise.allSettled([...this.#running]);
    return processed;
  }

  #start(claim: Claim): void {
    const work = this.#engine.runEntry(claim).finally(() => this.#running.delete(work));
    this.#running.add(work);
  }
}
