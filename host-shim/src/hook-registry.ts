/**
 * The registry of hooks: the engine stores the hooks and their order, the shim stores the callbacks and calls them.
 */

import type { Engine } from "#load-engine";
import { HookCallbacks } from "./hook-callbacks.ts";
import { hookNameFault } from "./hook-name-fault.ts";
import { describe } from "./hook-results.ts";
import type { LogLevel } from "./ports.ts";
import type { HookCallback, StoredHook } from "./stored-hooks.ts";

type UseEngine = <T>(use: (engine: Engine) => T) => T;

/** Writes a fault of a plugin to the log; the fields name its hook and namespace. */
type Report = (message: string, fields: Readonly<Record<string, unknown>>, level: LogLevel) => void;

/** Limit for the JSON that a callback returns to the engine. */
const MAX_RETURNED_CHARACTERS = 1 << 20;

/** The hooks as the engine's registry orders them, with the callbacks that the shim stores. */
export class HookRegistry {
  readonly #engine: UseEngine;
  readonly #report: Report;
  readonly #callbacks = new HookCallbacks();
  /** Run counts of the hooks, in the engine's format. */
  #runs: string | null = null;
  #isSaveScheduled = false;

  constructor(engine: UseEngine, report: Report) {
    this.#engine = engine;
    this.#report = report;
  }

  /** Saves the run counts for the instance that may replace this one. */
  saveRuns(engine: Engine): void {
    this.#runs = engine.hookRuns() ?? this.#runs;
  }

  /** Whether there are no callbacks at all. */
  get isEmpty(): boolean {
    return this.#callbacks.isEmpty;
  }

  /** Saves the run counts once for all tasks that end in this turn, before their responses are delivered. */
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
    for (const [number, { isFilter, hookName, namespace, priority }] of this.#callbacks.numbered())
      engine.hookAdd(isFilter, hookName, namespace, priority, number);
  }

  /** Calls a callback for the engine. */
  async callBack(number: number, args: readonly unknown[]): Promise<unknown> {
    const callback = this.#callbacks.find(number);
    if (callback === undefined) throw new Error("the callback was removed");
    const value: unknown = await Reflect.apply(callback, null, args);
    const json = JSON.stringify(value) ?? "null";
    if (json.length > MAX_RETURNED_CHARACTERS) throw new Error("the callback returned too much");
    return value;
  }

  add(isFilter: boolean, hookName: string, namespace: string, callback: HookCallback, priority: number): void {
    if (!this.#areTexts(hookName, namespace)) return;
    const reject = (message: string): void => this.#reject(message, hookName, namespace);
    if (typeof callback !== "function") return reject("The hook callback must be a function.");
    if (typeof priority !== "number") return reject("If specified, the hook priority must be a number.");
    const number = this.#callbacks.next;
    const added = this.#checked(hookName, namespace, (engine) => {
      engine.hookAdd(isFilter, hookName, namespace, priority, number);
      return true;
    });
    if (added === undefined) return;
    this.#callbacks.add({ isFilter, hookName, namespace, callback, priority });
    const fault = hookNameFault(isFilter, hookName);
    if (fault !== null) this.#reject(`a callback of ${namespace} never runs: ${fault}`, hookName, namespace, "warn");
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
    return this.#checked(hookName, undefined, (engine) => engine.hookDid(isFilter, hookName));
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
    return this.#callbacks.stored(isFilter, (hookName) => this.did(isFilter, hookName) ?? 0);
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
    return number === undefined ? undefined : this.#callbacks.find(number);
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
    const numbers = this.#checked(hookName, namespace, (engine) => remove(engine) ?? null);
    if (numbers === undefined) return undefined;
    if (numbers === null) return 0;
    this.#callbacks.retire(numbers);
    this.#forgetRetired();
    if (hookName !== "hookRemoved") this.run(false, "hookRemoved", [hookName, namespace]);
    return numbers.length;
  }

  #forgetRetired(): void {
    if (this.#callbacks.hasRetired && !this.doing(false) && !this.doing(true)) this.#callbacks.forgetRetired();
  }

  #areTexts(...[hookName, ...namespaces]: readonly [unknown, unknown?]): boolean {
    const [namespace] = namespaces;
    if (namespaces.length > 0 && typeof namespace !== "string")
      this.#reject("The namespace must be a non-empty string.", hookName, namespace ?? null);
    else if (typeof hookName !== "string")
      this.#reject("The hook name must be a non-empty string.", hookName, namespace);
    else return true;
    return false;
  }

  /** Reports a fault with its hook and, unless it is undefined, its namespace. */
  #reject(message: string, hookName: unknown, namespace: unknown, level: LogLevel = "error"): void {
    const named = (name: unknown): string => (typeof name === "string" ? name : describe(name));
    const hook = named(hookName);
    this.#report(message, namespace === undefined ? { hook } : { hook, namespace: named(namespace) }, level);
  }

  /** Calls the registry; logs and returns undefined for a name that it rejects. */
  #checked<T>(hookName: string, namespace: string | undefined, use: (engine: Engine) => T): T | undefined {
    try {
      return this.#engine(use);
    } catch (error) {
      this.#reject(error instanceof Error ? error.message : String(error), hookName, namespace);
      return undefined;
    }
  }
}
