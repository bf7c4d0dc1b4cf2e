/** Workers for the tests of this folder. */
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { Miniflare } from "miniflare";

/** Marks Node's modules as external like wrangler does, also for `require` in CommonJS. */
const nodeModules: Plugin = {
  name: "node-modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === "require-call" ? { path, namespace: "required" } : { path, external: true },
    );
    onLoad({ filter: /.*/, namespace: "required" }, ({ path }) => ({
      contents: `import all from "${path}"; export * from "${path}"; export default all;`,
    }));
  },
};

/** Bundles the worker as a bundler for Workers would, with the WebAssembly module as a separate file. */
async function bundled(
  entry: string,
): Promise<{ type: "ESModule" | "CompiledWasm"; path: string; contents: string | Uint8Array }[]> {
  const made = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    format: "esm",
    write: false,
    outdir: "/",
    conditions: ["workerd"],
    loader: { ".wasm": "copy" },
    logLevel: "error",
    mainFields: ["module", "main"],
    plugins: [nodeModules],
  });
  return made.outputFiles.map(({ path, contents, text }) =>
    path.endsWith(".wasm")
      ? { type: "CompiledWasm", path: path.slice(1), contents }
      : { type: "ESModule", path: path.slice(1), contents: text },
  );
}

interface WorkerSetup {
  readonly d1Databases?: readonly string[];
  readonly bindings?: Record<string, string>;
  /** Folder of static assets. */
  readonly assets?: string;
}

/** Starts a worker of this folder in workerd, with a new D1 database, R2 bucket and KV namespace. */
export async function startWorker(
  entry: string,
  { d1Databases = ["DB"], bindings = {}, assets }: WorkerSetup = {},
): Promise<Miniflare> {
  const modules = (await bundled(entry)).sort(({ type }) => (type === "ESModule" ? -1 : 1));
  return new Miniflare({
    modules,
    modulesRoot: "/",
    compatibilityDate: "2025-09-01",
    compatibilityFlags: ["nodejs_compat"],
    bindings,
    ...(assets !== undefined && { assets: { directory: assets, routerConfig: { has_user_worker: true } } }),
    d1Databases: [...d1Databases],
    r2Buckets: ["FILES"],
    kvNamespaces: ["NOTES"],
  });
}
