/**
 * `forms.hooks`: the interface of `createHooks()` of `@wordpress/hooks`, over the engine's registry. The registry stores
 * the hooks and their order; the shim stores the callbacks and calls them.
 *
 * A run that JavaScript starts behaves as in the package: a throw ends the run and reaches the caller. A run that the
 * engine starts calls the callbacks with JSON arguments. There a callback that throws, rejects or times out is logged and
 * skipped.
 */

import type {
  ActionCallback,
  ActionHooks,
  AnyName,
  FilterCallback,
  FilterHooks,
  HookArguments,
  HookName,
  HookResult,
} from "./hook-types.ts";
import type { HookRegistry } from "./hook-registry.ts";
import type { HookCallback, StoredHook } from "./stored-hooks.ts";

/** Hooks of the engine, with the names and arguments of `@wordpress/hooks`. */
export interface Hooks {
  /**
   * Registers a callback of an action: one of the engine, one that a plugin declares in {@link ActionHooks}, or any other
   * of a plugin, `hookAdded`, `hookRemoved` or `all`. Lower priorities run first; the default is 10.
   */
  addAction<Name extends AnyName<keyof ActionHooks>>(
    hookName: HookName<Name, ActionHooks>,
    namespace: string,
    callback: Name extends keyof ActionHooks ? ActionCallback<ActionHooks[Name]> : HookCallback,
    priority?: number,
  ): void;
  /**
   * Registers a callback of a filter, which returns the changed value: of the engine, of a plugin that declares it in
   * {@link FilterHooks}, or of any other plugin. Lower priorities run first; the default is 10.
   */
  addFilter<Name extends AnyName<keyof FilterHooks>>(
    hookName: HookName<Name, FilterHooks>,
    namespace: string,
    callback: Name extends keyof FilterHooks ? FilterCallback<FilterHooks[Name]> : HookCallback,
    priority?: number,
  ): void;
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
  doAction<Name extends AnyName<keyof ActionHooks>>(
    hookName: HookName<Name, ActionHooks>,
    ...args: HookArguments<Name, ActionHooks>
  ): void;
  /** Returns undefined instead of a promise when there are no callbacks, so `await` the result. */
  doActionAsync<Name extends AnyName<keyof ActionHooks>>(
    hookName: HookName<Name, ActionHooks>,
    ...args: HookArguments<Name, ActionHooks>
  ): Promise<void> | undefined;
  /** Passes a value through a filter's callbacks, and returns the result; unknown for a filter that is not declared. */
  applyFilters<Name extends AnyName<keyof FilterHooks>>(
    hookName: HookName<Name, FilterHooks>,
    ...args: HookArguments<Name, FilterHooks>
  ): HookResult<Name, FilterHooks>;
  /** Returns the value instead of a promise when there are no callbacks, so `await` the result. */
  applyFiltersAsync<Name extends AnyName<keyof FilterHooks>>(
    hookName: HookName<Name, FilterHooks>,
    ...args: HookArguments<Name, FilterHooks>
  ): HookResult<Name, FilterHooks> | Promise<HookResult<Name, FilterHooks>>;
  /** Name of the innermost running action; null when none runs. */
  currentAction(): string | null;
  /** Name of the innermost running filter; null when none runs. */
  currentFilter(): string | null;
  /** Whether this action is running; without a name, whether any action is. */
  doingAction(hookName?: string): boolean;
  /** Whether this filter is running; without a name, whether any filter is. */
  doingFilter(hookName?: string): boolean;
  /** Number of an action's runs; undefined for an invalid name. */
  didAction(hookName: string): number | undefined;
  /** Number of a filter's runs; undefined for an invalid name. */
  didFilter(hookName: string): number | undefined;
  readonly actions: Readonly<Record<string, StoredHook>>;
  readonly filters: Readonly<Record<string, StoredHook>>;
}

const DEFAULT_PRIORITY = 10;

/** Returns the functions of a registry. Each works when it is detached from the object. */
export function createHooks(registry: HookRegistry): Hooks {
  return {
    addAction: (hookName: string, namespace: string, callback: HookCallback, priority = DEFAULT_PRIORITY) =>
      registry.add(false, hookName, namespace, callback, priority),
    addFilter: (hookName: string, namespace: string, callback: HookCallback, priority = DEFAULT_PRIORITY) =>
      registry.add(true, hookName, namespace, callback, priority),
    removeAction: (hookName, namespace) => registry.remove(false, hookName, namespace),
    removeFilter: (hookName, namespace) => registry.remove(true, hookName, namespace),
    removeAllActions: (hookName) => registry.removeAll(false, hookName),
    removeAllFilters: (hookName) => registry.removeAll(true, hookName),
    hasAction: (hookName, namespace) => registry.has(false, hookName, namespace),
    hasFilter: (hookName, namespace) => registry.has(true, hookName, namespace),
    doAction: (hookName, ...args) => void registry.run(false, hookName, args),
    doActionAsync: (hookName, ...args) => registry.runAsync(false, hookName, args) as Promise<void> | undefined,
    // The callbacks decide the type of the result.
    applyFilters: (hookName, ...args) => registry.run(true, hookName, args) as never,
    applyFiltersAsync: (hookName, ...args) => registry.runAsync(true, hookName, args) as never,
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
