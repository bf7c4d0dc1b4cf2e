/** Enqueues the next piece for the client. */
type Offer = (controller: ReadableStreamDefaultController<Uint8Array>) => void;

/**
 * The body of a response that the engine makes piece by piece. A piece is handed over when the client pulls, so that
 * neither side buffers more than one.
 */
export class ResponseStream {
  readonly readable: ReadableStream<Uint8Array>;
  /** The next piece, until the client pulls it. */
  #offered: Offer | null = null;
  /** The client's pull, until there is a piece. */
  #pending: ((offered: Offer) => void) | null = null;

  /** Calls `onCancel` when the client cancels the body. */
  constructor(onCancel: () => void) {
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      const offered = this.#offered ?? (await new Promise<Offer>((resolve) => (this.#pending = resolve)));
      this.#offered = null;
      this.#pending = null;
      offered(controller);
    };
    this.readable = new ReadableStream({ pull, cancel: onCancel }, { highWaterMark: 0 });
  }

  /** Settles when the client has taken the piece, and never when the client is gone. */
  async write(piece: Uint8Array): Promise<void> {
    // An empty piece would not satisfy a pull.
    if (piece.length === 0) return;
    await new Promise<void>((resolve) => {
      this.#offer((controller) => {
        controller.enqueue(piece);
        resolve();
      });
    });
  }

  /** Ends the complete body. */
  close(): void {
    this.#offer((controller) => controller.close());
  }

  /**
   * Aborts the body, so that the client can see that it is incomplete. The abort waits for the server's next pull: some
   * servers would end the response normally if it came while they wait for the client.
   */
  fail(reason: string): void {
    this.#offer((controller) => controller.error(new Error(reason)));
  }

  #offer(offered: Offer): void {
    if (this.#pending === null) this.#offered = offered;
    else this.#pending(offered);
  }
}
