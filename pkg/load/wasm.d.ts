/** Type of an imported WebAssembly file in workerd. */
declare module "*.wasm" {
  const compiled: WebAssembly.Module;
  export default compiled;
}
