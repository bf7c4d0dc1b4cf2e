// What the loaders share: from whatever a host has of the module to an engine.
import { createEngine } from "../wasm/cf_forms.js";
import { moduleOf } from "./module-of.js";

/**
 * @param {import("./engine.d.ts").ModuleSource | Promise<import("./engine.d.ts").ModuleSource>} source
 * @returns {Promise<import("./engine.d.ts").Engine>}
 */
export async function engineOf(source) {
  return createEngine(await moduleOf(source));
}
