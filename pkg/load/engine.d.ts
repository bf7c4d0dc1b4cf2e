/**
 * The engine's glue module, initialised: its exports, typed by `cargo xtask build`.
 *
 * One glue module holds one instance: it keeps the instance and the views of its memory in module
 * variables. After a trap, `__wbg_reset_state()` puts a new instance of the same compiled module
 * in its place.
 */
export type Engine = typeof import("../wasm/cf_forms.js");

/**
 * Loads the engine. On Node, Deno and Bun each call gives an engine of its own; runtimes that can
 * load a module only once answer a second call with an error.
 */
export function loadEngine(): Promise<Engine>;
