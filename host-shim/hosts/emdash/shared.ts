/**
 * What the plugin and the routes share, one for the process however often their modules are loaded. It
 * imports nothing that runs: EmDash makes the plugin while the engine's own imports are still being loaded.
 */
import type { Forms } from "../../src/index.ts";
import type { StoredOptions } from "./options.ts";

export interface Opened {
  readonly forms: Forms;
  /** The key of the sessions' nonces. */
  readonly nonceKey: string;
}

interface Shared {
  options?: StoredOptions;
  nonceKey?: string;
  opened?: Promise<Opened>;
}

const KEY = Symbol.for("cf-forms.emdash");
export const shared: Shared = ((globalThis as { [KEY]?: Shared })[KEY] ??= {});

/** Called when EmDash makes the plugin, before anything is served. */
export function keepOptions(options: StoredOptions): void {
  shared.options = options;
}

/** Called by the plugin's route `boot`. */
export function keepNonceKey(key: string): void {
  shared.nonceKey = key;
}
