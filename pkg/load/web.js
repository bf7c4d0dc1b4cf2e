// Browsers, and what else has fetch: bundlers know this form of URL and ship the module with it.
import { engineOf } from "./create-engine.js";

/** @type {typeof import("./engine.d.ts").loadEngine} */
export async function loadEngine(module) {
  return engineOf(module ?? fetch(new URL("../wasm/cf_forms_bg.wasm", import.meta.url)));
}
