// The module as code: for bundlers, which leave a WebAssembly file behind. It is compiled once.
import { base64 } from "../wasm/cf_forms_inline.js";
import { unpacked } from "./unpacked.js";

/** @type {Promise<WebAssembly.Module>} */
export const module = unpacked(base64);
// Whoever uses it is told.
module.catch(() => {});
