// The small module for browsers, in Node: for tests, and for pages that are made ahead of time.
import { readFile } from "node:fs/promises";
import { createEngine } from "../wasm/browser.js";
import { moduleOf } from "./module-of.js";

/** @type {typeof import("./browser.d.ts").loadBrowserModule} */
export async function loadBrowserModule(module) {
  return createEngine(await moduleOf(module ?? (await readFile(new URL("../wasm/browser_bg.wasm", import.meta.url)))));
}
