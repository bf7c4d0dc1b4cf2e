/**
 * `npm run build`: builds everything into `pkg/`, and the visitor's script and style as a module. Steps with unchanged
 * inputs are skipped or take about a second. Each step replaces the old output only when the new output is complete.
 */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fail, isMain, root, run } from "./commands.mjs";
import { alone, copyToRun, stage } from "./package-folders.mjs";
import { ensurePackages, ensureRust, node24 } from "./prerequisites.mjs";

export function build() {
  alone(buildAll);
}

/** Builds, and returns a copy of the package for a server, which later builds do not change. */
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
  run(node24(), ["--disable-warning=ExperimentalWarning", "scripts/visitor-assets.mjs"]);
  run(node24(), ["--disable-warning=ExperimentalWarning", "scripts/admin-build.mjs"]);
  compilePackage();
}

/** Folders of TypeScript that the package contains as JavaScript with declarations. */
const COMPILED = ["client", "visitor", "host-shim"];

/** Compiles the package's TypeScript into `pkg`. */
function compilePackage() {
  // An empty folder, so that renamed files do not stay in the package.
  const staged = stage("compiled");
  run(node24(), [
    join(root, "node_modules/typescript/bin/tsc"),
    "-p",
    "tsconfig.package.json",
    "--outDir",
    staged.folder,
  ]);
  copyFileSync(join(root, "client/components/CfForm.astro"), join(staged.folder, "client/components/CfForm.astro"));
  for (const name of COMPILED) staged.swap(name, name);
  staged.remove();
  copyFileSync(join(root, "LICENSE"), join(root, "pkg/LICENSE"));
}

if (isMain(import.meta.url)) {
  try {
    build();
  } catch (error) {
    fail(error);
  }
}
