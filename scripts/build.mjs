/**
 * `npm run build`: everything that is made from source, into `pkg/` (and the visitor's script and
 * style as a module). Steps whose inputs are unchanged are skipped or take about a second. Each step replaces what was
 * there once it has all of it.
 */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fail, isMain, root, run } from "./commands.mjs";
import { alone, beside, copyToRun } from "./package-folders.mjs";
import { ensurePackages, ensureRust, node24 } from "./prerequisites.mjs";

export function build() {
  alone(buildAll);
}

/** Builds, and returns a copy of the package for a server to run from, which later builds leave alone. */
export function buildToRun() {
  return alone(() => {
    buildAll();
    return copyToRun();
  });
}

function buildAll() {
  ensurePackages();
  ensureRust();
  run("cargo", ["xtask", "build"]);
  run(node24(), ["--disable-warning=ExperimentalWarning", "scripts/front-assets.mjs"]);
  run(node24(), ["--disable-warning=ExperimentalWarning", "scripts/editor-build.mjs"]);
  compilePackage();
}

/** Compiles the shim's TypeScript to `pkg/host-shim`, JavaScript with declarations beside it. */
function compilePackage() {
  // An empty folder, since a file that was renamed must not live on in the package.
  const { folder, swap } = beside("host-shim");
  run(node24(), [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.package.json", "--outDir", folder]);
  swap("host-shim");
  copyFileSync(join(root, "LICENSE"), join(root, "pkg/LICENSE"));
}

if (isMain(import.meta.url)) {
  try {
    build();
  } catch (error) {
    fail(error);
  }
}
