/** Workers for the tests of this folder. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

/** The worker as a bundler for Workers makes it, its module beside it. */
async function bundled(entry: string): Promise<{ type: "ESModule" | "CompiledWasm"; path: string; contents: string | Uint8Array }[]> {
  const made = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true, format: "esm", write: false, outdir: "/", conditions: ["workerd"], loader: { ".wasm": "copy" }, logLevel: "error",
  });
  return made.outputFiles.map(({ path, contents, text }) =>
    path.endsWith(".wasm")
      ? { type: "CompiledWasm", path: path.slice(1), contents }
      : { type: "ESModule", path: path.slice(1), contents: text },
  );
}

/** Starts a worker of this folder in workerd, with a D1 database, an R2 bucket and a KV namespace of its own. */
export async function startWorker(entry: string): Promise<Miniflare> {
  const modules = (await bundled(entry)).sort(({ type }) => (type === "ESModule" ? -1 : 1));
  return new Miniflare({
    modules, modulesRoot: "/", compatibilityDate: "2025-09-01",
    d1Databases: ["DB"], r2Buckets: ["FILES"], kvNamespaces: ["TOLD"],
  });
}
