/** Callbacks of hooks as plugins give them, and as `actions` and `filters` show them. */

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
