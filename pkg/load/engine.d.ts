import type { Engine } from "../wasm/cf_forms.js";
import type { Importers } from "../wasm/importers.js";

export type * from "../wasm/cf_forms.js";

/** The module: compiled, as its bytes, or as the response to a request for them. */
export type ModuleSource = WebAssembly.Module | BufferSource | Response;

/**
 * Creates an engine; each call returns a new one. Without `module` it is loaded as the runtime does: from the package's
 * folder (Node, Deno, Bun), by import (workerd), or by URL (browsers).
 */
export function loadEngine(module?: ModuleSource | Promise<ModuleSource>): Promise<Engine>;

/** Makes an instance of the module that reads other systems' files; it is loaded at the first call. */
export function loadImporters(): Promise<Importers>;
