/**
 * Writes the browsers' events that the engine gathers: once in a moment, however many come, so that
 * a page that everybody looks at costs one statement a second.
 */

export class EventWriter {
  readonly #write: () => Promise<void>;
  readonly #delayMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pending: Promise<void> | null = null;
  #resolve: (() => void) | null = null;

  /** `write` does not reject. */
  constructor(write: () => Promise<void>, delayMs: number) {
    this.#write = write;
    this.#delayMs = delayMs;
  }

  /** Something waits; resolves when it is written. */
  soon(): Promise<void> {
    this.#pending ??= new Promise((resolve) => {
      this.#resolve = resolve;
      this.#timer = setTimeout(() => void this.now(), this.#delayMs);
    });
    return this.#pending;
  }

  /** Writes what waits. */
  async now(): Promise<void> {
    const resolve = this.#resolve;
    clearTimeout(this.#timer);
    [this.#pending, this.#resolve] = [null, null];
    await this.#write();
    resolve?.();
  }
}
