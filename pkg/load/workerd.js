// Cloudflare's workerd compiles nothing from bytes: importing a .wasm file gives the module.
import compiled from "../wasm/cf_forms_bg.wasm";
import { engineOf } from "./create-engine.js";

/** @type {typeof import("./engine.d.ts").loadEngine} */
export async function loadEngine(module) {
  return engineOf(module ?? compiled);
}
