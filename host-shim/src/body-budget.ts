/**
 * Limits the bytes of request bodies in memory, because clients send them before they are authenticated. A body that is
 * alone in flight is always accepted, because each body also has a size limit.
 */
import { addressBlock } from "./address-block.ts";

/** Limit for all bodies of the process. */
const MAX_BYTES = 64 * 2 ** 20;
/** Limit for all bodies of one address, or of one /64 of IPv6. */
const MAX_ADDRESS_BYTES = 16 * 2 ** 20;

/**
 * Maximum number of rejected bodies that are being read at the same time. The rest of such a body is read only to show
 * the visitor's answers again.
 */
const MAX_PASSED_OVER = 16;
/** Maximum number of such bodies of one address, or of one /64 of IPv6. */
const MAX_ADDRESS_PASSED_OVER = 4;

/** The limit that was reached: that of the process, or that of the address. */
export type Busy = "busy" | "busy_address";

/** The part of the budget that one body uses. */
export interface BodyLease {
  /** Grows the lease to a total of `bytes`, or returns the limit that this would exceed. */
  grow(bytes: number): Busy | null;
  /**
   * Reserves a slot for a rejected body, whose rest may then be read for the visitor's answers; false if no slot is
   * free. May be called after {@link free}; then another `free` releases the slot.
   */
  passOver(): boolean;
  /**
   * Releases the bytes and the slot. Every later `grow` fails, so the rest of the body can be read only if
   * {@link passOver} reserves a slot.
   */
  free(): void;
}

/** Amounts in total and by address. */
class Tally {
  all = 0;
  readonly #ofAddresses = new Map<string, number>();

  of(block: string): number {
    return this.#ofAddresses.get(block) ?? 0;
  }

  /** Adds an amount, which may be negative, to the total and to a known address. */
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

  /** Opens a lease without bytes for a body. `address` is null when the host does not know the client's address. */
  lease(address: string | null): BodyLease {
    let bytesLeased = 0;
    let isPassedOver = false;
    let isFree = false;
    let known: string | null = null;
    // Most bodies are too short to be counted, so the address's block is computed only on demand.
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
        if (others > 0 && others + bytes > MAX_ADDRESS_BYTES) return "busy_address";
        if (this.#bytes.all > bytesLeased && this.#bytes.all - bytesLeased + bytes > MAX_BYTES) return "busy";
        set(bytes);
        return null;
      },
      passOver: () => {
        if (isPassedOver) return true;
        const of = block();
        if (
          this.#passedOver.all >= MAX_PASSED_OVER ||
          (of !== null && this.#passedOver.of(of) >= MAX_ADDRESS_PASSED_OVER)
        )
          return false;
        // `MAX_PASSED_OVER` bounds the memory of rejected bodies, so their bytes no longer count.
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
