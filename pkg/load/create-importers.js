// What the loaders share for the module that reads other systems' files: it is compiled at the first import.
import { createEngine } from "../wasm/importers.js";
import { moduleOf } from "./module-of.js";
import { unpacked } from "./unpacked.js";

/** @type {WebAssembly.Module | undefined} */
let compiled;

/**
 * @param {() => import("./engine.d.ts").ModuleSource | Promise<import("./engine.d.ts").ModuleSource>} source
 * @returns {Promise<import("../wasm/importers.js").Importers>}
 */
export async function importersFrom(source) {
  return createEngine((compiled ??= await load(source)));
}

/** @param {Parameters<typeof importersFrom>[0]} source */
async function load(source) {
  try {
    return await moduleOf(source());
  } catch (cause) {
    // A bundler has moved the loader, and taken the module along as code.
    const packed = await import("../wasm/importers_inline.js").catch(() => null);
    if (packed === null) throw new Error("cf-forms: the module of the importers could not be loaded", { cause });
    return unpacked(packed.base64);
  }
}
