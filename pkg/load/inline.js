// The module as code, packed: for bundlers, which leave a WebAssembly file behind. It is compiled once.
import { base64 } from "../wasm/cf_forms_inline.js";

/** @type {Promise<WebAssembly.Module>} */
export const module = compile();
// Whoever uses it is told.
module.catch(() => {});

async function compile() {
  const unpacked = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
}

/** @param {string} text */
function bytesOf(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
