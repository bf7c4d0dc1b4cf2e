import type { BrowserModule } from "../wasm/browser.js";
import type { ModuleSource } from "./engine.d.ts";

export type * from "../wasm/browser.js";
export type { Fault as SchemaFault, UploadedFile as SentFile } from "../wasm/browser.js";
export type { ModuleSource };

/**
 * Loads the calls that need no server: reading and writing markup, validating answers, evaluating
 * conditions, as the server does. Without `module` the module is loaded from the package's folder (Node)
 * or by URL (browsers, and bundlers for them).
 */
export function loadBrowserModule(module?: ModuleSource | Promise<ModuleSource>): Promise<BrowserModule>;
