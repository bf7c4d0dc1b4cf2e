// What all loaders share: from whatever a host has of a module to the compiled module.

/**
 * @param {import("./engine.d.ts").ModuleSource | Promise<import("./engine.d.ts").ModuleSource>} source
 * @returns {Promise<WebAssembly.Module>}
 */
export async function moduleOf(source) {
  const given = await source;
  if (given instanceof WebAssembly.Module) return given;
  if (!(given instanceof Response)) return WebAssembly.compile(given);
  if (!given.ok) throw new Error(`cf-forms: the response to the module's request has status ${given.status}`);
  return WebAssembly.compile(await given.arrayBuffer());
}
