// Cloudflare's workerd compiles nothing from bytes: importing a .wasm file gives the module.
import compiled from "../wasm/cf_forms_bg.wasm";
import importers from "../wasm/importers_bg.wasm";
import { createEngine as createImporters } from "../wasm/importers.js";
import { engineOf } from "./create-engine.js";

/** @type {typeof import("./engine.d.ts").loadEngine} */
export async function loadEngine(module) {
  return engineOf(module ?? compiled);
}

/** @type {typeof import("./engine.d.ts").loadImporters} */
export async function loadImporters() {
  return createImporters(importers);
}
