/**
 * Writes the browsers' events that the engine collects. Events are batched, so that a busy page costs one statement a
 * second.
 */

export class EventWriter {
  readonly #write: () => Promise<void>;
  readonly #delayMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Resolves the promise that {@link soon} returned to its first caller. */
  #resolve: () => void = () => {};
  /** The time at which the next write was requested; null without one. */
  #requestedAt: number | null = null;

  /** `write` must not reject. */
  constructor(write: () => Promise<void>, delayMs: number) {
    this.#write = write;
    this.#delayMs = delayMs;
  }

  /**
   * Schedules a write. The first caller gets a promise that resolves after the write. Later callers get null until then,
   * because no request may wait for another's work. Without a delay each call writes at once.
   */
  soon(): Promise<void> | null {
    if (this.#delayMs === 0) return this.#write();
    const now = performance.now();
    // If the write is long overdue, the platform has ended the request whose timer should have written.
    if (this.#requestedAt !== null && now - this.#requestedAt < this.#delayMs + 10_000) return null;
    this.#requestedAt = now;
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#timer = setTimeout(() => void this.now(), this.#delayMs);
    });
  }

  /** Writes now. */
  async now(): Promise<void> {
    const resolve = this.#resolve;
    clearTimeout(this.#timer);
    this.#requestedAt = null;
    await this.#write();
    resolve();
  }
}
