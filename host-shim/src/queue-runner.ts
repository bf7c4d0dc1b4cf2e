/**
 * Runs the action queue: claims due entries and starts a task for each, so that a slow endpoint delays no other entry.
 *
 * Each call is a separate pass, which waits only for the entries that it began. On platforms like Workers, a request that
 * awaits another request's promise hangs, so passes share only numbers and times.
 */

/**
 * A claimed entry in the engine's format, passed back unchanged. An entry with `alone` runs while no other entry runs.
 */
export type Claim = Readonly<Record<string, unknown>>;

export interface QueueEngine {
  /** Claims up to `limit` due entries, while `running` entries run. */
  claim(limit: number, running: number): Promise<readonly Claim[]>;
  /** Runs an entry; settles when its outcome is stored. */
  runEntry(claim: Claim): Promise<void>;
  /** Releases entries that were claimed but not begun. */
  release(claims: readonly Claim[]): Promise<void>;
}

/** Interval at which a pass with running entries claims entries that have become due. */
const CLAIM_INTERVAL_MS = 1_000;

/** Time after which a running entry counts as lost with its request, and no longer uses a slot. */
const LOST_AFTER_MS = 240_000;

const isAlone = (claim: Claim): boolean => claim["alone"] === true;

export class QueueRunner {
  readonly #engine: QueueEngine;
  readonly #concurrency: number;
  /** Running entries, with their start. */
  readonly #running = new Map<Promise<void>, { readonly began: number; readonly isAlone: boolean }>();
  readonly #passes = new Set<Promise<unknown>>();
  #claimedAt = 0;
  #closed = false;

  constructor(engine: QueueEngine, concurrency: number) {
    this.#engine = engine;
    this.#concurrency = concurrency;
  }

  /** Runs due entries until none is left or all slots are taken, and at most `limit`. Returns the number of runs. */
  run(limit = Infinity): Promise<number> {
    // When an entry ends, its pass claims more.
    if (this.#room() === 0) return Promise.resolve(0);
    const pass = this.#runDue(limit);
    const settled: Promise<unknown> = pass.catch(() => undefined).finally(() => this.#passes.delete(settled));
    this.#passes.add(settled);
    return pass;
  }

  /** Stops claiming, and waits for running entries. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#running.keys()]);
    await Promise.all(this.#passes);
  }

  async #runDue(limit: number): Promise<number> {
    const started = new Set<Promise<void>>();
    let processed = 0;
    while (!this.#closed && processed < limit) {
      const { begun, released } = await this.#begin(started, limit - processed);
      processed += begun;
      // Another pass may have missed the released entries.
      if (started.size === 0 && !(released > 0 && this.#room() > 0)) break;
      await this.#change(started);
    }
    await Promise.all(started);
    return processed;
  }

  /** Claims entries up to the room and the limit, starts them, and releases the surplus. */
  async #begin(
    started: Set<Promise<void>>,
    limit: number,
  ): Promise<{ readonly begun: number; readonly released: number }> {
    const wanted = Math.min(this.#room(), limit);
    // When an entry ends, its pass claims more.
    if (wanted === 0) return { begun: 0, released: 0 };
    this.#claimedAt = performance.now();
    const claims = await this.#engine.claim(wanted, this.#running.size);
    // During the claim, another pass may have started entries, or an entry that must run alone.
    const isBlocked = this.#closed || (this.#running.size > 0 && claims.some(isAlone));
    const room = isBlocked ? 0 : this.#room();
    const surplus = claims.slice(room);
    if (surplus.length > 0) await this.#engine.release(surplus);
    for (const claim of claims.slice(0, room)) this.#start(claim, started);
    return { begun: claims.length - surplus.length, released: surplus.length };
  }

  #start(claim: Claim, started: Set<Promise<void>>): void {
    const work: Promise<void> = this.#engine
      .runEntry(claim)
      .catch(() => undefined)
      .finally(() => {
        this.#running.delete(work);
        started.delete(work);
      });
    this.#running.set(work, { began: performance.now(), isAlone: isAlone(claim) });
    started.add(work);
  }

  #room(): number {
    const lostBefore = performance.now() - LOST_AFTER_MS;
    for (const [work, { began }] of this.#running) if (began < lostBefore) this.#running.delete(work);
    if ([...this.#running.values()].some((running) => running.isAlone)) return 0;
    return Math.max(0, this.#concurrency - this.#running.size);
  }

  /** Resolves when the pass should claim again: one of its entries has ended, or the interval is over. */
  async #change(started: ReadonlySet<Promise<void>>): Promise<void> {
    const before = started.size;
    while (started.size > 0 && started.size === before && !this.#closed) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const interval = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLAIM_INTERVAL_MS)));
      await Promise.race([...started, interval]);
      clearTimeout(timer);
      // One claim in an interval is enough, however many passes wait.
      if (performance.now() - this.#claimedAt >= CLAIM_INTERVAL_MS) return;
    }
  }
}
