/** Sources of the engine's module, and several engines in one process. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions } from "esbuild";
import { loadEngine, type ModuleSource } from "#load-engine";
import { createForms, type Forms } from "../../host-shim/src/index.ts";

const bytes = readFileSync(new URL("../../pkg/wasm/cf_forms_bg.wasm", import.meta.url));
const empty = async (statements: readonly unknown[]) => statements.map(() => ({ rows: [], changes: 0 }));

function formsWith(module: ModuleSource | Promise<ModuleSource>, baseUrl = "http://one.test"): Promise<Forms> {
  return createForms({ module, baseUrl, host: { database: { dialect: "sqlite", batch: empty } } });
}

describe("createForms({ module }) takes the module", () => {
  const sources: Record<string, () => ModuleSource | Promise<ModuleSource>> = {
    compiled: () => new WebAssembly.Module(bytes),
    "as bytes": () => bytes,
    "as an ArrayBuffer": () => new Uint8Array(bytes).buffer,
    "as a Response": () => new Response(bytes),
    "as a promise": () => Promise.resolve(bytes),
    inline: async () => (await import("../../pkg/load/inline.js")).module,
  };
  for (const [how, source] of Object.entries(sources)) {
    it(how, async () => {
      const forms = await formsWith(source());
      assert.equal((await forms.fetch(new Request("http://one.test/api/cf/v1/forms")))?.status, 403);
    });
  }

  it("rejects a failed Response with its status", () =>
    assert.rejects(formsWith(new Response("gone", { status: 404 })), /has status 404/));
});

it("two engines of one module have separate configurations and hooks", async () => {
  const module = new WebAssembly.Module(bytes);
  const [one, two] = await Promise.all([formsWith(module), formsWith(module, "http://two.test/blog")]);
  one.hooks.addFilter("title", "test/one", (title: string) => `${title}!`);
  assert.deepEqual([one.hooks.applyFilters("title", "a"), two.hooks.applyFilters("title", "a")], ["a!", "a"]);
  const indexes = await Promise.all([one, two].map((forms) => forms.namespaceIndex()));
  const areOfTwo = indexes.map((index) => JSON.stringify(index).includes("http://two.test/blog"));
  assert.deepEqual(areOfTwo, [false, true]);
  assert.notEqual(await loadEngine(), await loadEngine());
});

describe("a bundle runs two engines", () => {
  const entry = `
    import { createForms } from "cf-forms";
    import { module } from "cf-forms/inline";
    const principal = { id: "1", login: "a", capabilities: ["edit_forms"] };
    const authenticate = async (request) => ({ principal: request.headers.has("authorization") ? principal : null });
    const host = { authenticate, database: { dialect: "sqlite", batch: async (list) => list.map(() => ({ rows: [], changes: 0 })) } };
    Promise.all(["http://one.test", "http://two.test"].map(async (baseUrl) => {
      const forms = await createForms({ module, baseUrl, host });
      const { status } = await forms.fetch(new Request(baseUrl + "/api/cf/v1/forms"));
      const headers = { "content-type": "application/json", authorization: "Basic YTpi" };
      const body = JSON.stringify({ content: "no file of forms" });
      const imported = await forms.fetch(new Request(baseUrl + "/api/cf/v1/forms/import", { method: "POST", headers, body }));
      const reference = await forms.fetch(new Request(baseUrl + "/api/cf/v1/openapi.json", { headers }));
      const { servers } = await reference.json();
      return [status, imported.status, (await imported.text()).includes("neither XML nor JSON"), servers[0].url].join(" ");
    })).then((seen) => console.log(seen.join(" ")));`;
  const bundles: Record<string, BuildOptions> = {
    "esbuild, as a module": { format: "esm", outfile: "bundle.mjs" },
    "esbuild, as CommonJS": { format: "cjs", outfile: "bundle.cjs" },
    // Bodies with files need a module of Node, which is loaded on demand.
    "esbuild for no platform": {
      format: "esm",
      outfile: "bundle.mjs",
      platform: "neutral",
      external: ["node:*", "@fastify/busboy"],
    },
  };
  for (const [how, options] of Object.entries(bundles)) {
    it(how, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), "cf-forms-bundle-"));
      t.after(() => rmSync(folder, { recursive: true }));
      const outfile = join(folder, options.outfile ?? "");
      const resolveDir = fileURLToPath(new URL("../../pkg/", import.meta.url));
      await build({
        platform: "node",
        ...options,
        outfile,
        stdin: { contents: entry, resolveDir },
        bundle: true,
        logLevel: "error",
        loader: { ".wasm": "file" },
        logOverride: { "empty-import-meta": "silent" },
      });
      // The folder has no other file of the package.
      assert.equal(
        execFileSync(process.execPath, [outfile], { cwd: folder, encoding: "utf8" }),
        "403 400 true http://one.test/api 403 400 true http://two.test/api\n",
      );
    });
  }

  it("without the module the error says what to do", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "cf-forms-bundle-"));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "package.json"), "{}");
    const outfile = join(folder, "bundle.mjs");
    const contents = `import { createForms } from "cf-forms"; createForms({ baseUrl: "http://a.test", host: { database: { batch() {} } } }).catch((error) => console.log(error.message));`;
    await build({
      platform: "node",
      format: "esm",
      outfile,
      bundle: true,
      logLevel: "error",
      stdin: { contents, resolveDir: fileURLToPath(new URL("../../pkg/", import.meta.url)) },
    });
    assert.match(
      execFileSync(process.execPath, [outfile], { cwd: folder, encoding: "utf8" }),
      /import \{ module \} from "cf-forms\/inline"/,
    );
  });
});
