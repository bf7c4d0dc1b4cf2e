// The module as base64: for bundlers, which leave a WebAssembly file behind. It is compiled at once,
// since workerd compiles from bytes at no other time.
import { base64 } from "../wasm/cf_forms_inline.js";

/** @type {WebAssembly.Module} */
export const module = new WebAssembly.Module(bytesOf(base64));

/** @param {string} text */
function bytesOf(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
