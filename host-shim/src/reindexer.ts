/**
 * Has the engine index stored submissions again after an update, in small steps while the site serves: the requests of
 * visitors come in between. A step that is cut off is made again at the next start.
 */

/** The answer to a step: `paused` ends a turn that goes on with the next start, `held` tells that another process has it. */
export type ReindexState = "more" | "paused" | "held" | "done";

/** Before the next attempt when another process has the turn, or a step failed. */
const RETRY_MS = 60_000;

export class Reindexer {
  readonly #step: (begun: boolean) => Promise<ReindexState>;
  readonly #now: () => number;
  readonly #report: (error: unknown) => void;
  #work: Promise<void> | null = null;
  #retryAt = 0;
  #isOver = false;

  /** `step` indexes some submissions; `report` gets the error of one that failed. */
  constructor(step: (begun: boolean) => Promise<ReindexState>, now: () => number, report: (error: unknown) => void) {
    this.#step = step;
    this.#now = now;
    this.#report = report;
  }

  /** Begins a turn, unless one is under way, or nothing is left. Resolves at its end, and never rejects. */
  start(): Promise<void> | null {
    const wait = this.#retryAt - this.#now();
    // A longer wait comes of a clock that was ahead.
    if (this.#isOver || this.#work !== null || (wait > 0 && wait <= RETRY_MS)) return null;
    const work = this.#turn().catch((error: unknown) => {
      this.#retryAt = this.#now() + RETRY_MS;
      this.#report(error);
    });
    this.#work = work.finally(() => (this.#work = null));
    return this.#work;
  }

  /** Takes no further step, and waits for the one under way. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#work;
  }

  async #turn(): Promise<void> {
    for (let begun = false; ; begun = true) {
      const startedAt = performance.now();
      const state = await this.#step(begun);
      if (state === "done") this.#isOver = true;
      if (state === "held") this.#retryAt = this.#now() + RETRY_MS;
      if (state !== "more" || this.#isOver) return;
      // At most half of the time is spent on it.
      const took = performance.now() - startedAt;
      await new Promise((resolve) => setTimeout(resolve, took));
    }
  }
}
