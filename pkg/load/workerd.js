// Cloudflare's workerd compiles nothing from bytes: importing a .wasm file gives the module.
import compiled from "../wasm/cf_forms_bg.wasm";
import * as glue from "../wasm/cf_forms.js";

let loaded = false;

/** @type {typeof import("./engine.d.ts").loadEngine} */
export async function loadEngine() {
  if (loaded) throw new Error("cf-forms: one engine for each isolate");
  loaded = true;
  glue.initSync({ module: compiled });
  return glue;
}
