/**
 * State that the plugin and the routes share, one for the process even if their modules are loaded several times. This
 * module imports only types, because EmDash creates the plugin while the engine's imports are still loading.
 */
import type { Forms } from "../../src/index.ts";
import type { EmDashOptions } from "./options.ts";

/** The engine of an EmDash site. */
export interface Opened {
  readonly forms: Forms;
  /** Key of the sessions' nonces. */
  readonly nonceKey: string;
}

interface Shared {
  options?: EmDashOptions;
  nonceKey?: string;
  opened?: Promise<Opened>;
}

const KEY = Symbol.for("cf-forms.emdash");
export const shared: Shared = ((globalThis as { [KEY]?: Shared })[KEY] ??= {});

/** Stores the options. EmDash calls it when it creates the plugin, before it serves. */
export function keepOptions(options: EmDashOptions): void {
  shared.options = options;
}

/** Stores the key of nonces. The plugin's route `boot` calls it. */
export function keepNonceKey(key: string): void {
  shared.nonceKey = key;
}
