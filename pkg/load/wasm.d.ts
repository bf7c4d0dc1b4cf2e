/** What importing a WebAssembly file gives in workerd. */
declare module "*.wasm" {
  const compiled: WebAssembly.Module;
  export default compiled;
}
