/**
 * Runs the action queue: claims due entries and starts a task for each, so that one slow endpoint
 * delays no other entry.
 */

/** A claimed entry, as the engine names it. Handed back as it came; one that is `alone` runs beside no other. */
export type Claim = Readonly<Record<string, unknown>>;

export interface QueueEngine {
  /** Claims at most so many due entries, while so many run. */
  claim(limit: number, running: number): Promise<readonly Claim[]>;
  /** Runs one; settles when its outcome is stored. */
  runEntry(claim: Claim): Promise<void>;
  /** Gives back entries that were claimed and not begun. */
  release(claims: readonly Claim[]): Promise<void>;
}

/** How long a pass with entries under way waits before it looks for what has become due. */
const LOOK_AGAIN_MS = 1_000;

export class QueueRunner {
  readonly #engine: QueueEngine;
  readonly #concurrency: number;
  readonly #running = new Set<Promise<void>>();
  #pass: Promise<number> | null = null;
  #wanted = false;
  #wake: () => void = () => {};
  #closed = false;
  #alone = false;

  constructor(engine: QueueEngine, concurrency: number) {
    this.#engine = engine;
    this.#concurrency = concurrency;
  }

  /** Runs what is due until nothing is; answers how many entries ran. A call during a pass extends it. */
  run(): Promise<number> {
    this.#wanted = true;
    this.#wake();
    this.#pass ??= this.#runAll().catch((error: unknown) => {
      this.#pass = null;
      throw error;
    });
    return this.#pass;
  }

  /** Claims no more, and waits for what runs. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#wake();
    await this.#pass?.catch(() => undefined);
    await Promise.all(this.#running);
  }

  async #runAll(): Promise<number> {
    let processed = 0;
    while (!this.#closed) {
      this.#wanted = false;
      const running = this.#running.size;
      const free = this.#alone ? 0 : this.#concurrency - running;
      const claims = free > 0 ? await this.#engine.claim(free, running) : [];
      if (this.#closed) {
        if (claims.length > 0) await this.#engine.release(claims);
        break;
      }
      for (const claim of claims) this.#start(claim);
      processed += claims.length;
      // What was wanted, or ended and made room, while this claim was under way.
      if (this.#wanted) continue;
      if (this.#running.size === 0) break;
      await this.#change();
    }
    // At once with the end of the loop: a call in between would be told of a pass that looks no more.
    this.#pass = null;
    return processed;
  }

  #start(claim: Claim): void {
    this.#alone = claim["alone"] === true;
    const work: Promise<void> = this.#engine.runEntry(claim).then(
      () => this.#done(work),
      () => this.#done(work),
    );
    this.#running.add(work);
  }

  #done(work: Promise<void>): void {
    this.#running.delete(work);
    this.#alone = false;
    this.#wanted = true;
    this.#wake();
  }

  /** Resolves when an entry has ended, when more is wanted, or after a while. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_AGAIN_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
