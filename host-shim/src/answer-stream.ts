/** Gives the client the next piece. */
type Offer = (controller: ReadableStreamDefaultController<Uint8Array>) => void;

/**
 * The body of an answer that is made piece by piece. A piece is handed over when the client asks for
 * it, so that neither side gathers more than one.
 */
export class AnswerStream {
  readonly readable: ReadableStream<Uint8Array>;
  /** The next piece, while the client has not asked for it. */
  #offered: Offer | null = null;
  /** The client's request, while there is no piece. */
  #asking: ((offered: Offer) => void) | null = null;

  /** `onCancel` is called when the client wants no more. */
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
   * Breaks the body off, so that the client can see that it is not all. A server learns it when it
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
