/**
 * Runs the action queue: claims due entries and starts a task for each, so that one slow endpoint
 * delays no other entry.
 *
 * Each call is a pass of its own, which waits for the entries that it began and for nothing else: on
 * platforms like Workers a request that waits for another request's promise hangs. Passes know of each
 * other only numbers and times.
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

/** After this time an entry that has not ended was lost with its request: it takes no room any more. */
const LOST_AFTER_MS = 240_000;

const isAlone = (claim: Claim): boolean => claim["alone"] === true;

export class QueueRunner {
  readonly #engine: QueueEngine;
  readonly #concurrency: number;
  /** The entries that run, and since when. */
  readonly #running = new Map<Promise<void>, { readonly began: number; readonly isAlone: boolean }>();
  readonly #passes = new Set<Promise<unknown>>();
  #lookedAt = 0;
  #closed = false;

  constructor(engine: QueueEngine, concurrency: number) {
    this.#engine = engine;
    this.#concurrency = concurrency;
  }

  /** Runs what is due until nothing is, as far as there is room, and at most so many entries; returns how many it ran. */
  run(most = Infinity): Promise<number> {
    // Whose entry ends looks again.
    if (this.#room() === 0) return Promise.resolve(0);
    const pass = this.#runDue(most);
    const settled: Promise<unknown> = pass.catch(() => undefined).finally(() => this.#passes.delete(settled));
    this.#passes.add(settled);
    return pass;
  }

  /** Claims no more, and waits for what runs. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#running.keys()]);
    await Promise.all(this.#passes);
  }

  async #runDue(most: number): Promise<number> {
    const own = new Set<Promise<void>>();
    let processed = 0;
    while (!this.#closed && processed < most) {
      const { started, released } = await this.#begin(own, most - processed);
      processed += started;
      // What was given back may have been missed by who looked meanwhile.
      if (own.size === 0 && !(released > 0 && this.#room() > 0)) break;
      await this.#change(own);
    }
    await Promise.all(own);
    return processed;
  }

  /** Claims what there is room for, starts it, and gives back what was too much. */
  async #begin(own: Set<Promise<void>>, most: number): Promise<{ readonly started: number; readonly released: number }> {
    const wanted = Math.min(this.#room(), most);
    // Whose entry ends looks again.
    if (wanted === 0) return { started: 0, released: 0 };
    this.#lookedAt = performance.now();
    const claims = await this.#engine.claim(wanted, this.#running.size);
    // Another pass may have filled the room meanwhile, or begun what lets none beside it.
    const isBlocked = this.#closed || (this.#running.size > 0 && claims.some(isAlone));
    const room = isBlocked ? 0 : this.#room();
    const tooMany = claims.slice(room);
    if (tooMany.length > 0) await this.#engine.release(tooMany);
    for (const claim of claims.slice(0, room)) this.#start(claim, own);
    return { started: claims.length - tooMany.length, released: tooMany.length };
  }

  #start(claim: Claim, own: Set<Promise<void>>): void {
    const work: Promise<void> = this.#engine
      .runEntry(claim)
      .catch(() => undefined)
      .finally(() => {
        this.#running.delete(work);
        own.delete(work);
      });
    this.#running.set(work, { began: performance.now(), isAlone: isAlone(claim) });
    own.add(work);
  }

  #room(): number {
    const lostBefore = performance.now() - LOST_AFTER_MS;
    for (const [work, { began }] of this.#running) if (began < lostBefore) this.#running.delete(work);
    if ([...this.#running.values()].some((running) => running.isAlone)) return 0;
    return Math.max(0, this.#concurrency - this.#running.size);
  }

  /** Resolves when it is worth looking again: one of its own has ended, or after a while. */
  async #change(own: ReadonlySet<Promise<void>>): Promise<void> {
    const before = own.size;
    while (own.size > 0 && own.size === before && !this.#closed) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const aWhile = new Promise<void>((resolve) => (timer = setTimeout(resolve, LOOK_AGAIN_MS)));
      await Promise.race([...own, aWhile]);
      clearTimeout(timer);
      // One look in a while is enough, however many passes wait.
      if (performance.now() - this.#lookedAt >= LOOK_AGAIN_MS) return;
    }
  }
}
