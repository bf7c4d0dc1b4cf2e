// Browsers, and what else has fetch: bundlers know this form of URL and ship the modules with it.
import { engineOf } from "./create-engine.js";
import { importersFrom } from "./create-importers.js";

/** @type {typeof import("./engine.d.ts").loadEngine} */
export async function loadEngine(module) {
  return engineOf(module ?? fetch(new URL("../wasm/cf_forms_bg.wasm", import.meta.url)));
}

/** @type {typeof import("./engine.d.ts").loadImporters} */
export async function loadImporters() {
  return importersFrom(() => fetch(new URL("../wasm/importers_bg.wasm", import.meta.url)));
}
