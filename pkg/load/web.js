// Browsers, and what else has fetch: bundlers know this form of URL and ship the module with it.
import * as glue from "../wasm/cf_forms.js";

let loaded = false;

/** @type {typeof import("./engine.d.ts").loadEngine} */
export async function loadEngine() {
  if (loaded) throw new Error("cf-forms: one engine for each page");
  loaded = true;
  await glue.default({ module_or_path: new URL("../wasm/cf_forms_bg.wasm", import.meta.url) });
  return glue;
}
