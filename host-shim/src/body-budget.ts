/**
 * How many bytes of bodies may be under way: strangers send them before anybody knows who they are.
 * A body alone is always let in; how large one may be is another limit.
 */
import { addressBlock } from "./address-block.ts";

/** For the process. */
const FOR_ALL = 64 * 2 ** 20;
/** The most bytes for one address; of IPv6 for one /64. */
const FOR_ONE = 16 * 2 ** 20;

/** The most refused bodies that are read on at once, for the answers in them. */
const MAX_PASSED_OVER = 16;
/** The same for one address; of IPv6 for one /64. */
const MAX_PASSED_OVER_OF_ONE = 4;

/** Whose limit is reached: that of the process, or of the address. */
export type Busy = "busy" | "busy_address";

/** The bytes of one body. */
export interface BodyLease {
  /** Grows to so many bytes in all, or returns whose limit is reached. */
  grow(bytes: number): Busy | null;
  /**
   * Takes a place for a body that is read on though it is refused; false where none is free. Also after {@link free},
   * which gives the place back.
   */
  passOver(): boolean;
  /** Gives all bytes back, for good: reading of the body stops. */
  free(): void;
}

/** Amounts, in all and by address. */
class Tally {
  all = 0;
  readonly #ofAddresses = new Map<string, number>();

  of(block: string): number {
    return this.#ofAddresses.get(block) ?? 0;
  }

  /** Adds an amount, which may be negative, for an address where it is known. */
  add(more: number, block: string | null): void {
    this.all += more;
    if (block === null) return;
    const amount = this.of(block) + more;
    if (amount > 0) this.#ofAddresses.set(block, amount);
    else this.#ofAddresses.delete(block);
  }
}

export class BodyBudget {
  readonly #bytes = new Tally();
  readonly #passedOver = new Tally();

  /** A lease without bytes, for a body from an address; null where the host does not know it. */
  lease(address: string | null): BodyLease {
    let bytesLeased = 0;
    let isPassedOver = false;
    let isFree = false;
    let known: string | null = null;
    // Most bodies are too short to be counted.
    const block = (): string | null => (address === null ? null : (known ??= addressBlock(address)));
    const set = (bytes: number): void => {
      this.#bytes.add(bytes - bytesLeased, block());
      bytesLeased = bytes;
    };
    return {
      grow: (bytes) => {
        if (isFree) return "busy";
        if (bytes <= bytesLeased) return null;
        const of = block();
        const others = of === null ? 0 : this.#bytes.of(of) - bytesLeased;
        if (others > 0 && others + bytes > FOR_ONE) return "busy_address";
        if (this.#bytes.all > bytesLeased && this.#bytes.all - bytesLeased + bytes > FOR_ALL) return "busy";
        set(bytes);
        return null;
      },
      passOver: () => {
        if (isPassedOver) return true;
        const of = block();
        if (this.#passedOver.all >= MAX_PASSED_OVER || (of !== null && this.#passedOver.of(of) >= MAX_PASSED_OVER_OF_ONE)) return false;
        // The number of such bodies bounds what they keep.
        if (bytesLeased > 0) set(0);
        this.#passedOver.add(1, of);
        return (isPassedOver = true);
      },
      free: () => {
        isFree = true;
        if (bytesLeased > 0) set(0);
        if (isPassedOver) this.#passedOver.add(-1, block());
        isPassedOver = false;
      },
    };
  }
}
