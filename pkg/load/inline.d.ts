/** The engine's module, for `createForms({ module })`. */
export const module: WebAssembly.Module;
