/**
 * The stacks of what callbacks threw. The engine knows only the message of a thrown error, and logs it. The shim adds the
 * stack to this log entry, so that visitors and the API never get it.
 */

import { reasonOf, stackOf } from "./reason.ts";

/** Limit on the number of stacks, in case that the engine does not log some of the errors. */
const MAX_STACKS = 100;

type Fields = Readonly<Record<string, unknown>>;

export class ThrownStacks {
  readonly #stacks = new Map<string, string>();

  /** Remembers the stack of an error that a callback threw. */
  remember(call: { readonly hook: string; readonly namespace: string }, error: unknown): void {
    const stack = stackOf(error);
    if (stack === undefined) return;
    const key = keyOf({ ...call, error: reasonOf(error) });
    this.#stacks.delete(key);
    this.#stacks.set(key, stack);
    const [oldest] = this.#stacks.keys();
    if (this.#stacks.size > MAX_STACKS && oldest !== undefined) this.#stacks.delete(oldest);
  }

  /** Adds the stack to the fields of a log entry about an error of a callback. */
  addTo(fields: Fields): Fields {
    const stack = this.#stacks.get(keyOf(fields));
    return stack === undefined ? fields : { ...fields, stack };
  }
}

function keyOf({ hook, namespace, error }: Fields): string {
  return JSON.stringify([hook, namespace, error]);
}
