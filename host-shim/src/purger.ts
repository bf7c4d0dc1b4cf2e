/**
 * Has the engine delete what is over and old: once an hour, in small steps, with the requests of
 * visitors in between.
 */

const PAUSE_MS = 3_600_000;

export class Purger {
  readonly #step: (begun: boolean) => Promise<boolean>;
  readonly #now: () => number;
  #nextAt = 0;
  #work: Promise<void> | null = null;
  #closed = false;

  /** `step` deletes some of it and answers whether there is more. It does not reject. */
  constructor(step: (begun: boolean) => Promise<boolean>, now: () => number) {
    this.#step = step;
    this.#now = now;
  }

  /** Resolves when there is nothing more to delete now; at once within an hour of the last time. */
  run(): Promise<void> {
    if (!this.#closed && this.#work === null && this.#now() >= this.#nextAt) {
      this.#nextAt = this.#now() + PAUSE_MS;
      this.#work = this.#deleteAll().finally(() => {
        this.#work = null;
      });
    }
    return this.#work ?? Promise.resolve();
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
