/** Callbacks of hooks as plugins register them, and as `hooks.actions` and `hooks.filters` list them. */

/** Any function. The hook's documentation describes its arguments. */
export type HookCallback = (...args: never[]) => unknown;

/** A registered callback. */
export interface StoredHandler {
  readonly callback: HookCallback;
  readonly namespace: string;
  readonly priority: number;
}

/** A hook as `hooks.actions` and `hooks.filters` list it. */
export interface StoredHook {
  readonly handlers: readonly StoredHandler[];
  readonly runs: number;
}
