// The small module for browsers: bundlers know this form of URL and ship the module with it.
import { createEngine } from "../wasm/browser.js";
import { moduleOf } from "./module-of.js";

/** @type {typeof import("./browser.d.ts").loadBrowserModule} */
export async function loadBrowserModule(module) {
  return createEngine(await moduleOf(module ?? fetch(new URL("../wasm/browser_bg.wasm", import.meta.url))));
}
