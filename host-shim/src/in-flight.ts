/**
 * What is under way, for sets that each request joins and leaves. A `Set` makes itself a new table after every
 * few dozen members; the old one keeps all that it held until the whole heap is collected, and at thousands of
 * requests a second V8's scavenges took twice as long for that.
 */

/** A member: where it stands, or -1 while it is in no list. */
export interface Placed {
  place: number;
}

/** A set without order, whose members know their places. */
export class InFlight<Member extends Placed> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: Member): void {
    member.place = this.#members.push(member) - 1;
  }

  has({ place }: Member): boolean {
    return place >= 0;
  }

  /** Returns whether it was there. The last one takes its place. */
  delete(member: Member): boolean {
    const { place } = member;
    const last = this.#members.at(-1);
    if (place < 0 || last === undefined) return false;
    this.#members[place] = last;
    last.place = place;
    this.#members.pop();
    member.place = -1;
    return true;
  }

  /** All of them, as they are now. */
  all(): Member[] {
    return [...this.#members];
  }
}
