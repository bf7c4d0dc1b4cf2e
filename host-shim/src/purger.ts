/**
 * Purges expired rows once an hour, in small steps between the requests of visitors.
 */

const INTERVAL_MS = 3_600_000;

export class Purger {
  readonly #step: (begun: boolean) => Promise<boolean>;
  readonly #now: () => number;
  readonly #report: (error: unknown) => void;
  #nextAt = 0;
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  /** `step` deletes a batch of rows and returns whether there are more; `report` gets the error of a failed step. */
  constructor(step: (begun: boolean) => Promise<boolean>, now: () => number, report: (error: unknown) => void) {
    this.#step = step;
    this.#now = now;
    this.#report = report;
  }

  /**
   * Starts a purge unless one started within an hour. Only the clock counts, so a purge whose request the platform ended
   * does not block the next one. Returns a promise that resolves at the end of the purge and never rejects; null when no
   * purge starts.
   */
  start(): Promise<void> | null {
    const now = this.#now();
    if (this.#closed || this.#hasRunRecently()) return null;
    this.#nextAt = now + INTERVAL_MS;
    this.#work = this.#deleteAll().catch(this.#report);
    return this.#work;
  }

  /** Whether a purge started within an hour. A longer wait comes from a skewed clock and does not count. */
  #hasRunRecently(): boolean {
    const left = this.#nextAt - this.#now();
    return left > 0 && left <= INTERVAL_MS;
  }

  /** Stops after the current step. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#work;
  }

  async #deleteAll(): Promise<void> {
    for (let more = await this.#step(false); more && !this.#closed; ) more = await this.#step(true);
  }
}
