/**
 * `npm run build`: everything that is made from source, into `pkg/` (and the visitor's script and
 * style as a module). Steps whose inputs are unchanged are skipped or take about a second.
 */
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fail, isMain, root, run } from "./commands.mjs";
import { ensurePackages, ensureRust, node24 } from "./prerequisites.mjs";

export function build() {
  ensurePackages();
  ensureRust();
  run("cargo", ["xtask", "build"]);
  run(node24(), ["--disable-warning=ExperimentalWarning", "scripts/front-assets.mjs"]);
  run(node24(), ["--disable-warning=ExperimentalWarning", "scripts/editor-build.mjs"]);
  compilePackage();
}

/** Compiles the shim's TypeScript to `pkg/host-shim`, JavaScript with declarations beside it. */
function compilePackage() {
  const output = join(root, "pkg/host-shim");
  // A file that was renamed must not live on in the package.
  rmSync(output, { recursive: true, force: true });
  run(node24(), [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.package.json"]);
  copyFileSync(join(root, "LICENSE"), join(root, "pkg/LICENSE"));
}

if (isMain(import.meta.url)) {
  try {
    build();
  } catch (error) {
    fail(error);
  }
}
