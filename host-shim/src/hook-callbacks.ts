/** The callbacks of hooks, by the numbers that the engine uses for them. */

import type { HookCallback, StoredHandler, StoredHook } from "./stored-hooks.ts";

/** A callback with the hook that it belongs to. */
interface Registration extends StoredHandler {
  readonly isFilter: boolean;
  readonly hookName: string;
}

export class HookCallbacks {
  /** Registrations by number, in the order in which they were added. */
  readonly #registrations = new Map<number, Registration>();
  /** Registrations that were removed during a run, which may still call them. */
  readonly #retired = new Map<number, Registration>();
  #next = 1;

  /** Number of the next callback to be added. */
  get next(): number {
    return this.#next;
  }

  get isEmpty(): boolean {
    return this.#registrations.size === 0;
  }

  get hasRetired(): boolean {
    return this.#retired.size > 0;
  }

  /** Adds a callback under the number {@link next}. */
  add(registration: Registration): void {
    this.#registrations.set(this.#next, registration);
    this.#next += 1;
  }

  /** Removes callbacks; a run that has begun may still call them. */
  retire(numbers: Iterable<number>): void {
    for (const number of numbers) {
      const registration = this.#registrations.get(number);
      if (registration !== undefined) this.#retired.set(number, registration);
      this.#registrations.delete(number);
    }
  }

  forgetRetired(): void {
    this.#retired.clear();
  }

  find(number: number): HookCallback | undefined {
    return (this.#registrations.get(number) ?? this.#retired.get(number))?.callback;
  }

  numbered(): Iterable<readonly [number, Registration]> {
    return this.#registrations;
  }

  /** The hooks that have callbacks, with their run counts. */
  stored(isFilter: boolean, runsOf: (hookName: string) => number): Readonly<Record<string, StoredHook>> {
    const hooks: Record<string, { handlers: StoredHandler[]; runs: number }> = {};
    for (const { hookName, callback, namespace, priority, ...registration } of this.#registrations.values()) {
      if (registration.isFilter !== isFilter) continue;
      hooks[hookName] ??= { handlers: [], runs: runsOf(hookName) };
      hooks[hookName].handlers.push({ callback, namespace, priority });
    }
    for (const { handlers } of Object.values(hooks)) handlers.sort((one, other) => one.priority - other.priority);
    return hooks;
  }
}
