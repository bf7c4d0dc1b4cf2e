/**
 * A database adapter that fails for one batch like broken connections, servers and disks do, based on a correct
 * adapter.
 */
import type { Database } from "../../host-shim/src/ports.ts";

type Opened = Database & { close(): Promise<void> };

/** Whether the faulty batch runs in the database, and whether the engine gets an error. */
export const FAULTS = {
  "fails, and nothing is written": { isRun: false, isReported: true },
  "returns nothing, and nothing is written": { isRun: false, isReported: false },
  "is written, and the connection breaks": { isRun: true, isReported: true },
  "is written, and returns nothing": { isRun: true, isReported: false },
} as const;

export type Fault = keyof typeof FAULTS;

export class FaultyDatabase implements Opened {
  readonly dialect: Database["dialect"];
  /** The adapter without faults. */
  readonly sound: Opened;
  #fault: Fault | null = null;
  /** Number of batches until the fault, including the faulty batch. */
  #left = 0;
  /** Number of batches that got the fault. */
  faults = 0;
  /** Number of batches so far. */
  batches = 0;

  constructor(sound: Opened) {
    this.sound = sound;
    this.dialect = sound.dialect;
  }

  /** Gives the n-th batch from now (counted from 1) a fault. */
  arm(n: number, fault: Fault): void {
    this.#left = n;
    this.#fault = fault;
  }

  /** Cancels the fault, and returns whether it was still pending. */
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
