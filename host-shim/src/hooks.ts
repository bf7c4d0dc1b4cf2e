/**
 * `forms.hooks`: the interface of `createHooks()` of `@wordpress/hooks`, over the engine's registry. The registry stores
 * the hooks and their order; the shim stores the callbacks and calls them.
 *
 * A run that JavaScript starts behaves as in the package: a throw ends the run and reaches the caller. A run that the
 * engine starts calls the callbacks with JSON arguments. There a callback that throws, rejects or times out is logged and
 * skipped.
 */

import type { Engine } from "#load-engine";

/** Any function. The hook's documentation describes its arguments. */
export type HookCallback = (...args: never[]) => unknown;

/** A registered callback. */
export interface StoredHandler {
  readonly callback: HookCallback;
  readonly namespace: string;
  readonly priority: number;
}

/** A hook as `actions` and `filters` show it. */
export interface StoredHook {
  readonly handlers: readonly StoredHandler[];
  readonly runs: number;
}

/** Hooks of the engine, with the names and arguments of `@wordpress/hooks`. */
export interface Hooks {
  /** Registers a callback of an action. Lower priorities run first; the default is 10. */
  addAction(hookName: string, namespace: string, callback: HookCallback, priority?: number): void;
  /** Registers a callback of a filter, which returns the changed value. */
  addFilter(hookName: string, namespace: string, callback: HookCallback, priority?: number): void;
  /** Removes a namespace's callbacks of an action, and returns their number. */
  removeAction(hookName: string, namespace: string): number | undefined;
  /** Removes a namespace's callbacks of a filter, and returns their number. */
  removeFilter(hookName: string, namespace: string): number | undefined;
  /** Removes all callbacks of an action, and returns their number. */
  removeAllActions(hookName: string): number | undefined;
  /** Removes all callbacks of a filter, and returns their number. */
  removeAllFilters(hookName: string): number | undefined;
  /** Whether an action has callbacks, of any namespace or of this one. */
  hasAction(hookName: string, namespace?: string): boolean;
  /** Whether a filter has callbacks, of any namespace or of this one. */
  hasFilter(hookName: string, namespace?: string): boolean;
  /** Calls an action's callbacks. */
  doAction(hookName: string, ...args: unknown[]): void;
  /** Returns undefined instead of a promise when there are no callbacks, so `await` the result. */
  doActionAsync(hookName: string, ...args: unknown[]): Promise<void> | undefined;
  /** Passes a value through a filter's callbacks, and returns the result. */
  applyFilters(hookName: string, ...args: unknown[]): unknown;
  /** Returns the value instead of a promise when there are no callbacks, so `await` the result. */
  applyFiltersAsync(hookName: string, ...args: unknown[]): unknown;
  /** Name of the innermost running action; null when none runs. */
  currentAction(): string | null;
  /** Name of the innermost running filter; null when none runs. */
  currentFilter(): string | null;
  /** Whether this action runs, or any. */
  doingAction(hookName?: string): boolean;
  /** Whether this filter runs, or any. */
  doingFilter(hookName?: string): boolean;
  /** Number of an action's runs; undefined for an invalid name. */
  didAction(hookName: string): number | undefined;
  /** Number of a filter's runs; undefined for an invalid name. */
  didFilter(hookName: string): number | undefined;
  readonly actions: Readonly<Record<string, StoredHook>>;
  readonly filters: Readonly<Record<string, StoredHook>>;
}

type UseEngine = <T>(use: (engine: Engine) => T) => T;

interface Registration extends StoredHandler {
  readonly isFilter: boolean;
  readonly hookName: string;
}

const DEFAULT_PRIORITY = 10;

/** Limit for the JSON that a callback returns to the engine. */
const MAX_RETURNED_CHARACTERS = 1 << 20;

/** Stores the callbacks by number, and calls the engine's registry. */
export class HookRegistry {
  readonly #engine: UseEngine;
  readonly #report: (message: string) => void;
  /** Registrations by number, in the order in which they were added. */
  readonly #registrations = new Map<number, Registration>();
  /** Registrations that were removed during a run, which may still call them. */
  readonly #retired = new Map<number, Registration>();
  #next = 1;
  /** Run counts of the hooks, in the engine's format. */
  #runs: string | null = null;
  #isSaveScheduled = false;

  constructor(engine: UseEngine, report: (message: string) => void) {
    this.#engine = engine;
    this.#report = report;
  }

  /** Saves the run counts for the instance that may replace this one. */
  saveRuns(engine: Engine): void {
    this.#runs = engine.hookRuns() ?? this.#runs;
  }

  /** Whether there are no callbacks at all. */
  get isEmpty(): boolean {
    return this.#registrations.size === 0;
  }

  /** Saves the run counts once for all tasks that end in this turn, before their answers are delivered. */
  scheduleSave(engine: Engine): void {
    if (this.#isSaveScheduled) return;
    this.#isSaveScheduled = true;
    queueMicrotask(() => {
      this.#isSaveScheduled = false;
      this.saveRuns(engine);
    });
  }

  /** Registers every callback with a new instance, and restores the run counts. */
  restore(engine: Engine): void {
    if (this.#runs !== null) engine.hookRestore(this.#runs);
    for (const [number, { isFilter, hookName, namespace, priority }] of this.#registrations) {
      engine.hookAdd(isFilter, hookName, namespace, priority, number);
    }
  }

  /** Calls a callback for the engine. */
  async callBack(number: number, args: readonly unknown[]): Promise<unknown> {
    const registration = this.#registrations.get(number) ?? this.#retired.get(number);
    if (registration === undefined) throw new Error("the callback was removed");
    const value: unknown = await Reflect.apply(registration.callback, null, args);
    const json = JSON.stringify(value) ?? "null";
    if (json.length > MAX_RETURNED_CHARACTERS) throw new Error("the callback returned too much");
    return value;
  }

  add(isFilter: boolean, hookName: string, namespace: string, callback: HookCallback, priority: number): void {
    if (!this.#areTexts(hookName, namespace)) return;
    if (typeof callback !== "function") return this.#report("The hook callback must be a function.");
    if (typeof priority !== "number") return this.#report("If specified, the hook priority must be a number.");
    const number = this.#next;
    const added = this.#checked((engine) => {
      engine.hookAdd(isFilter, hookName, namespace, priority, number);
      return true;
    });
    if (added === undefined) return;
    this.#next += 1;
    this.#registrations.set(number, { isFilter, hookName, namespace, callback, priority });
    if (hookName !== "hookAdded") this.run(false, "hookAdded", [hookName, namespace, callback, priority]);
  }

  remove(isFilter: boolean, hookName: string, namespace: string): number | undefined {
    if (!this.#areTexts(hookName, namespace)) return undefined;
    return this.#removed(hookName, namespace, (engine) => engine.hookRemove(isFilter, hookName, namespace));
  }

  removeAll(isFilter: boolean, hookName: string): number | undefined {
    if (!this.#areTexts(hookName)) return undefined;
    return this.#removed(hookName, undefined, (engine) => engine.hookRemoveAll(isFilter, hookName));
  }

  has(isFilter: boolean, hookName: string, namespace?: string): boolean {
    return this.#engine((engine) => engine.hookHas(isFilter, hookName, namespace));
  }

  did(isFilter: boolean, hookName: string): number | undefined {
    if (!this.#areTexts(hookName)) return undefined;
    return this.#checked((engine) => engine.hookDid(isFilter, hookName));
  }

  doing(isFilter: boolean, hookName?: string): boolean {
    return this.#engine((engine) => engine.hookDoing(isFilter, hookName));
  }

  current(isFilter: boolean): string | null {
    return this.#engine((engine) => engine.hookCurrent(isFilter)) ?? null;
  }

  /** Runs a hook; returns the value of a filter. */
  run(isFilter: boolean, hookName: string, args: readonly unknown[]): unknown {
    const run = this.#begin(isFilter, hookName);
    const passed = [...args];
    try {
      for (let callback = this.#nextOf(run); callback !== undefined; callback = this.#nextOf(run)) {
        const returned: unknown = Reflect.apply(callback, null, passed);
        if (isFilter) passed[0] = returned;
      }
      return isFilter ? passed[0] : undefined;
    } finally {
      this.#end(run);
    }
  }

  /** Runs a hook and awaits each callback before the next. Without callbacks it returns at once. */
  runAsync(isFilter: boolean, hookName: string, args: readonly unknown[]): unknown {
    const run = this.#begin(isFilter, hookName);
    const first = this.#nextOf(run);
    if (first !== undefined) return this.#runOn(run, first, isFilter, [...args]);
    this.#end(run);
    return isFilter ? args[0] : undefined;
  }

  stored(isFilter: boolean): Readonly<Record<string, StoredHook>> {
    const hooks: Record<string, { handlers: StoredHandler[]; runs: number }> = {};
    for (const { hookName, callback, namespace, priority, ...registration } of this.#registrations.values()) {
      if (registration.isFilter !== isFilter) continue;
      hooks[hookName] ??= { handlers: [], runs: this.did(isFilter, hookName) ?? 0 };
      hooks[hookName].handlers.push({ callback, namespace, priority });
    }
    for (const { handlers } of Object.values(hooks)) handlers.sort((one, other) => one.priority - other.priority);
    return hooks;
  }

  async #runOn(run: number, first: HookCallback, isFilter: boolean, passed: unknown[]): Promise<unknown> {
    try {
      for (let callback: HookCallback | undefined = first; callback !== undefined; callback = this.#nextOf(run)) {
        const returned: unknown = await Reflect.apply(callback, null, passed);
        if (isFilter) passed[0] = returned;
      }
      return isFilter ? passed[0] : undefined;
    } finally {
      this.#end(run);
    }
  }

  #begin(isFilter: boolean, hookName: string): number {
    return this.#engine((engine) => engine.hookBegin(isFilter, hookName));
  }

  #nextOf(run: number): HookCallback | undefined {
    const number = this.#engine((engine) => engine.hookNext(run));
    if (number === undefined) return undefined;
    return (this.#registrations.get(number) ?? this.#retired.get(number))?.callback;
  }

  #end(run: number): void {
    this.#engine((engine) => {
      engine.hookEnd(run);
      this.saveRuns(engine);
    });
    this.#forgetRetired();
  }

  #removed(
    hookName: string,
    namespace: string | undefined,
    remove: (engine: Engine) => Uint32Array | undefined,
  ): number | undefined {
    // Undefined: the name is invalid. Null: the hook is unknown, and `hookRemoved` does not run.
    const numbers = this.#checked((engine) => remove(engine) ?? null);
    if (numbers === undefined) return undefined;
    if (numbers === null) return 0;
    for (const number of numbers) {
      const registration = this.#registrations.get(number);
      if (registration !== undefined) this.#retired.set(number, registration);
      this.#registrations.delete(number);
    }
    this.#forgetRetired();
    if (hookName !== "hookRemoved") this.run(false, "hookRemoved", [hookName, namespace]);
    return numbers.length;
  }

  #forgetRetired(): void {
    if (this.#retired.size > 0 && !this.doing(false) && !this.doing(true)) this.#retired.clear();
  }

  #areTexts(hookName: unknown, namespace: unknown = "none"): boolean {
    if (typeof namespace !== "string") this.#report("The namespace must be a non-empty string.");
    else if (typeof hookName !== "string") this.#report("The hook name must be a non-empty string.");
    else return true;
    return false;
  }

  /** Calls the registry; logs and returns undefined for a name that it rejects. */
  #checked<T>(use: (engine: Engine) => T): T | undefined {
    try {
      return this.#engine(use);
    } catch (error) {
      this.#report(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }
}

/** Returns the functions of a registry. Each works when it is detached from the object. */
export function createHooks(registry: HookRegistry): Hooks {
  return {
    addAction: (hookName, namespace, callback, priority = DEFAULT_PRIORITY) =>
      registry.add(false, hookName, namespace, callback, priority),
    addFilter: (hookName, namespace, callback, priority = DEFAULT_PRIORITY) =>
      registry.add(true, hookName, namespace, callback, priority),
    removeAction: (hookName, namespace) => registry.remove(false, hookName, namespace),
    removeFilter: (hookName, namespace) => registry.remove(true, hookName, namespace),
    removeAllActions: (hookName) => registry.removeAll(false, hookName),
    removeAllFilters: (hookName) => registry.removeAll(true, hookName),
    hasAction: (hookName, namespace) => registry.has(false, hookName, namespace),
    hasFilter: (hookName, namespace) => registry.has(true, hookName, namespace),
    doAction: (hookName, ...args) => void registry.run(false, hookName, args),
    doActionAsync: (hookName, ...args) => registry.runAsync(false, hookName, args) as Promise<void> | undefined,
    applyFilters: (hookName, ...args) => registry.run(true, hookName, args),
    applyFiltersAsync: (hookName, ...args) => registry.runAsync(true, hookName, args),
    currentAction: () => registry.current(false),
    currentFilter: () => registry.current(true),
    doingAction: (hookName) => registry.doing(false, hookName),
    doingFilter: (hookName) => registry.doing(true, hookName),
    didAction: (hookName) => registry.did(false, hookName),
    didFilter: (hookName) => registry.did(true, hookName),
    get actions() {
      return registry.stored(false);
    },
    get filters() {
      return registry.stored(true);
    },
  };
}
