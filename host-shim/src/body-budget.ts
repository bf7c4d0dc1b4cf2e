/**
 * How many bytes of bodies may be under way: strangers send them before anybody knows who they are.
 * A body alone is always let in; how large one may be is another limit.
 */
import { addressBlock } from "./address-block.ts";

/** For the process. */
const FOR_ALL = 64 * 2 ** 20;
/** The most bytes for one address; of IPv6 for one /64. */
const FOR_ONE = 16 * 2 ** 20;

/** Whose limit is reached: that of the process, or of the address. */
export type Busy = "busy" | "busy_address";

/** The bytes of one body. */
export interface BodyLease {
  /** Grows to so many bytes in all, or returns whose limit is reached. */
  grow(bytes: number): Busy | null;
  /** Gives all of them back, for good: reading of the body stops. */
  free(): void;
}

export class BodyBudget {
  #all = 0;
  readonly #ofAddresses = new Map<string, number>();

  /** A lease without bytes, for a body from an address; null where the host does not know it. */
  lease(address: string | null): BodyLease {
    let own = 0;
    let isFree = false;
    let known: string | undefined;
    // Most bodies are too short to be counted.
    const block = (of: string): string => (known ??= addressBlock(of));
    const set = (bytes: number): void => {
      const more = bytes - own;
      own = bytes;
      this.#all += more;
      if (address === null) return;
      const ofAddress = (this.#ofAddresses.get(block(address)) ?? 0) + more;
      if (ofAddress > 0) this.#ofAddresses.set(block(address), ofAddress);
      else this.#ofAddresses.delete(block(address));
    };
    return {
      grow: (bytes) => {
        if (isFree) return "busy";
        if (bytes <= own) return null;
        const others = (address === null ? own : (this.#ofAddresses.get(block(address)) ?? 0)) - own;
        if (others > 0 && others + bytes > FOR_ONE) return "busy_address";
        if (this.#all > own && this.#all - own + bytes > FOR_ALL) return "busy";
        set(bytes);
        return null;
      },
      free: () => {
        isFree = true;
        if (own > 0) set(0);
      },
    };
  }
}
