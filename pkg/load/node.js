// Node, Deno (with --allow-read) and Bun: the module is read from the package's folder.
import { readFile } from "node:fs/promises";

const moduleUrl = new URL("../wasm/cf_forms_bg.wasm", import.meta.url);
const glueUrl = new URL("../wasm/cf_forms.js", import.meta.url);

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;
let loaded = 0;

/** @type {typeof import("./engine.d.ts").loadEngine} */
export async function loadEngine() {
  compiled ??= readFile(moduleUrl).then((bytes) => WebAssembly.compile(bytes));
  loaded += 1;
  // Under an address of its own the glue is a module of its own, with its own instance.
  const glue = await import(`${glueUrl.href}?engine=${loaded}`);
  glue.initSync({ module: await compiled });
  return glue;
}
