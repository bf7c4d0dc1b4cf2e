/**
 * Indexes stored submissions again after an update, in small steps between the requests of visitors. An interrupted step
 * is repeated at the next start.
 */

/** The result of a step. `paused` ends a turn that the next start continues; `held` means that another process indexes. */
export type ReindexState = "more" | "paused" | "held" | "done";

/** Delay of the next attempt when another process indexes, or a step failed. */
const RETRY_MS = 60_000;

export class Reindexer {
  readonly #step: (begun: boolean) => Promise<ReindexState>;
  readonly #now: () => number;
  readonly #report: (error: unknown) => void;
  #work: Promise<void> | null = null;
  #retryAt = 0;
  #hasEnded = false;

  /** `step` indexes a batch of submissions; `report` gets the error of a failed step. */
  constructor(step: (begun: boolean) => Promise<ReindexState>, now: () => number, report: (error: unknown) => void) {
    this.#step = step;
    this.#now = now;
    this.#report = report;
  }

  /** Starts a turn; null when one is running or nothing is left. The promise resolves at the end and never rejects. */
  start(): Promise<void> | null {
    const wait = this.#retryAt - this.#now();
    // A longer wait comes from a skewed clock and does not count.
    if (this.#hasEnded || this.#work !== null || (wait > 0 && wait <= RETRY_MS)) return null;
    const work = this.#turn().catch((error: unknown) => {
      this.#retryAt = this.#now() + RETRY_MS;
      this.#report(error);
    });
    this.#work = work.finally(() => (this.#work = null));
    return this.#work;
  }

  /** Stops after the current step. */
  async close(): Promise<void> {
    this.#hasEnded = true;
    await this.#work;
  }

  async #turn(): Promise<void> {
    for (let begun = false; ; begun = true) {
      const startedAt = performance.now();
      const state = await this.#step(begun);
      if (state === "done") this.#hasEnded = true;
      if (state === "held") this.#retryAt = this.#now() + RETRY_MS;
      if (state !== "more" || this.#hasEnded) return;
      // The pause is as long as the step, so that indexing takes at most half of the time.
      const took = performance.now() - startedAt;
      await new Promise((resolve) => setTimeout(resolve, took));
    }
  }
}
