// Cloudflare's workerd compiles nothing from bytes; its bundlers ship a .wasm file that is imported.
import compiled from "../wasm/cf_forms_bg.wasm";

/** @type {Promise<WebAssembly.Module>} */
export const module = Promise.resolve(compiled);
