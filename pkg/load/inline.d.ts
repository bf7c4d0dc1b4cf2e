/** The WebAssembly module of the engine, for `createForms({ module })`. */
export const module: Promise<WebAssembly.Module>;
