// Node, Deno (with --allow-read) and Bun: the modules are read from the package's folder.
import { readFile } from "node:fs/promises";
import { engineOf } from "./create-engine.js";
import { importersFrom } from "./create-importers.js";

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

/** @type {typeof import("./engine.d.ts").loadEngine} */
export async function loadEngine(module) {
  return engineOf(module ?? (compiled ??= readModule()));
}

/** @type {typeof import("./engine.d.ts").loadImporters} */
export async function loadImporters() {
  return importersFrom(() => readFile(new URL("../wasm/importers_bg.wasm", import.meta.url)));
}

async function readModule() {
  let bytes;
  try {
    bytes = await readFile(new URL("../wasm/cf_forms_bg.wasm", import.meta.url));
  } catch (error) {
    // A bundler has moved this file, and not the module beside it.
    compiled = undefined;
    const help = 'give createForms the module: import { module } from "cf-forms/inline"';
    throw new Error(`cf-forms: the WebAssembly module is not where the package has it; ${help}`, { cause: error });
  }
  return WebAssembly.compile(bytes);
}
