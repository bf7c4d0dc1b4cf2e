/**
 * Has the engine delete old rows: once an hour, in small steps, with the requests of
 * visitors in between.
 */

const PAUSE_MS = 3_600_000;

export class Purger {
  readonly #step: (begun: boolean) => Promise<boolean>;
  readonly #now: () => number;
  readonly #report: (error: unknown) => void;
  #nextAt = 0;
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  /** `step` deletes some rows and returns whether there are more; `report` gets the error of one that failed. */
  constructor(step: (begun: boolean) => Promise<boolean>, now: () => number, report: (error: unknown) => void) {
    this.#step = step;
    this.#now = now;
    this.#report = report;
  }

  /**
   * Begins, unless one has begun within an hour, by the clock alone: a purge whose request
   * its platform gave up keeps no other from beginning. What is begun is answered: it resolves when there
   * is nothing more to delete now, and never rejects.
   */
  start(): Promise<void> | null {
    const now = this.#now();
    if (this.#closed || this.#isPause()) return null;
    this.#nextAt = now + PAUSE_MS;
    this.#work = this.#deleteAll().catch(this.#report);
    return this.#work;
  }

  /** Whether one began within an hour. A pause that is longer comes of a clock that was ahead. */
  #isPause(): boolean {
    const left = this.#nextAt - this.#now();
    return left > 0 && left <= PAUSE_MS;
  }

  /** Takes no further step, and waits for the one under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#work;
  }

  async #deleteAll(): Promise<void> {
    for (let more = await this.#step(false); more && !this.#closed; ) more = await this.#step(true);
  }
}
