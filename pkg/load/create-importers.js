// What the loaders share for the module that reads other systems' files: it is compiled at the first import.
import { createEngine } from "../wasm/importers.js";
import { moduleOf } from "./module-of.js";
import { unpacked } from "./unpacked.js";

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

/**
 * @param {() => import("./engine.d.ts").ModuleSource | Promise<import("./engine.d.ts").ModuleSource>} source
 * @returns {Promise<import("../wasm/importers.js").Importers>}
 */
export async function importersFrom(source) {
  return createEngine(await (compiled ??= load(source)));
}

/** @param {Parameters<typeof importersFrom>[0]} source */
async function load(source) {
  try {
    return await moduleOf(source());
  } catch {
    // A bundler has moved the loader, and taken the module along as code.
    return unpacked((await import("../wasm/importers_inline.js")).base64);
  }
}
