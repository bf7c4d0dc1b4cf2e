/**
 * Writes the browsers' events that the engine gathers: once in a moment, however many come, so that
 * a page that everybody looks at costs one statement a second.
 */

export class EventWriter {
  readonly #write: () => Promise<void>;
  readonly #delayMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Ends the wait of the first request. */
  #resolve: () => void = () => {};
  /** When the next write was requested; null without one. */
  #askedAt: number | null = null;

  /** `write` does not reject. */
  constructor(write: () => Promise<void>, delayMs: number) {
    this.#write = write;
    this.#delayMs = delayMs;
  }

  /**
   * Something waits. Who asks first is answered what resolves when it is written; until then the others
   * are answered null, since no request may wait for another's work. Without a delay each writes at once.
   */
  soon(): Promise<void> | null {
    if (this.#delayMs === 0) return this.#write();
    const now = performance.now();
    // Much later than the delay: the request that was to write was given up by its platform.
    if (this.#askedAt !== null && now - this.#askedAt < this.#delayMs + 10_000) return null;
    this.#askedAt = now;
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#timer = setTimeout(() => void this.now(), this.#delayMs);
    });
  }

  /** Writes what waits. */
  async now(): Promise<void> {
    const resolve = this.#resolve;
    clearTimeout(this.#timer);
    this.#askedAt = null;
    await this.#write();
    resolve();
  }
}
