/** Gives the client what comes next. */
type Offer = (controller: ReadableStreamDefaultController<Uint8Array>) => void;

/**
 * The body of an answer that is made piece by piece. A piece is handed over when the client asks for
 * it, so that neither side gathers more than one.
 */
export class AnswerStream {
  readonly readable: ReadableStream<Uint8Array>;
  /** What comes next, while nobody asks for it. */
  #offered: Offer | null = null;
  /** Who asks, while there is nothing. */
  #asking: ((offered: Offer) => void) | null = null;

  /** `onCancel` is told when the client wants no more. */
  constructor(onCancel: () => void) {
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      const offered = this.#offered ?? (await new Promise<Offer>((resolve) => (this.#asking = resolve)));
      this.#offered = null;
      this.#asking = null;
      offered(controller);
    };
    this.readable = new ReadableStream({ pull, cancel: onCancel }, { highWaterMark: 0 });
  }

  /** Settles when the client has taken the piece; never, when it is gone. */
  async write(piece: Uint8Array): Promise<void> {
    // Who asks is given something.
    if (piece.length === 0) return;
    await new Promise<void>((resolve) => {
      this.#offer((controller) => {
        controller.enqueue(piece);
        resolve();
      });
    });
  }

  /** Ends the body as it should end. */
  close(): void {
    this.#offer((controller) => controller.close());
  }

  /**
   * Breaks the body off, so that the client can tell half of it from all. A server learns it when it
   * asks for more: while it waits for the client, some end the answer as if it were whole.
   */
  fail(reason: string): void {
    this.#offer((controller) => controller.error(new Error(reason)));
  }

  #offer(offered: Offer): void {
    if (this.#asking === null) this.#offered = offered;
    else this.#asking(offered);
  }
}
