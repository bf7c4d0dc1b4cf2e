// What the loaders share: from whatever a host has of the module to an engine.
import { createEngine } from "../wasm/cf_forms.js";

/**
 * @param {import("./engine.d.ts").ModuleSource | Promise<import("./engine.d.ts").ModuleSource>} source
 * @returns {Promise<import("./engine.d.ts").Engine>}
 */
export async function engineOf(source) {
  const given = await source;
  if (given instanceof WebAssembly.Module) return createEngine(given);
  if (!(given instanceof Response)) return createEngine(await WebAssembly.compile(given));
  if (!given.ok) throw new Error(`cf-forms: the module was answered with status ${given.status}`);
  return createEngine(await WebAssembly.compile(await given.arrayBuffer()));
}
