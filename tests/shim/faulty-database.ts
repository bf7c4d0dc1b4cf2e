/** A database adapter that does wrong by one batch, made of a sound one: what connections, servers and disks do. */
import type { Database } from "../../host-shim/src/ports.ts";

type Opened = Database & { close(): Promise<void> };

/** What becomes of a batch, for the engine and in the database. */
export const FAULTS = {
  "fails, and nothing is written": { isRun: false, isReported: true },
  "gets no answer, and nothing is written": { isRun: false, isReported: false },
  "is written, and the connection breaks": { isRun: true, isReported: true },
  "is written, and gets no answer": { isRun: true, isReported: false },
} as const;

export type Fault = keyof typeof FAULTS;

export class FaultyDatabase implements Opened {
  readonly dialect: Database["dialect"];
  /** The adapter without faults. */
  readonly sound: Opened;
  #fault: Fault | null = null;
  /** After how many batches the fault comes. */
  #left = 0;
  /** How many batches have met their fault. */
  faults = 0;
  /** How many batches came. */
  batches = 0;

  constructor(sound: Opened) {
    this.sound = sound;
    this.dialect = sound.dialect;
  }

  /** Has the n-th batch from now, from 1, meet a fault. */
  arm(n: number, fault: Fault): void {
    this.#left = n;
    this.#fault = fault;
  }

  /** Cancels the fault, and returns whether it was still to come. */
  disarm(): boolean {
    const isArmed = this.#fault !== null;
    this.#fault = null;
    return isArmed;
  }

  async batch(...given: Parameters<Database["batch"]>): ReturnType<Database["batch"]> {
    this.batches += 1;
    if (this.#fault === null || (this.#left -= 1) > 0) return this.sound.batch(...given);
    const { isRun, isReported } = FAULTS[this.#fault];
    this.#fault = null;
    this.faults += 1;
    if (isRun) await this.sound.batch(...given);
    if (isReported) throw new Error("the connection is lost");
    return new Promise(() => undefined);
  }

  close(): Promise<void> {
    return this.sound.close();
  }
}
