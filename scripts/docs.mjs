/**
 * `npm run docs`: generates the API documentation of the package's entries (`target/docs`) and of the crates
 * (`target/doc`). Fails on any warning, such as an exported item without a sentence. `--built` skips the build.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "./build.mjs";
import { fail, root, run } from "./commands.mjs";
import { runNpm } from "./npm.mjs";
import { ensurePackages, ensureRust, node24 } from "./prerequisites.mjs";

/** The folder of typedoc, which needs an older TypeScript than the project. */
const folder = join(root, "scripts/docs");

/** Crates with parts that only exist for WebAssembly. */
const WASM_CRATES = ["cf-forms", "browser", "importers"];

function installTypedoc() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  const stamp = join(folder, "node_modules/.installed-from");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  runNpm(["ci", "--ignore-scripts"], folder, {
    ...process.env,
    PATH: `${dirname(node24())}:${process.env["PATH"]}`,
  });
  writeFileSync(stamp, wanted);
}

function documentCrates() {
  process.env["RUSTDOCFLAGS"] = "-D warnings";
  run("cargo", ["doc", "--quiet", "--no-deps", "--workspace"]);
  const crates = WASM_CRATES.flatMap((name) => ["-p", name]);
  run("cargo", ["doc", "--quiet", "--no-deps", "--lib", ...crates, "--target", "wasm32-unknown-unknown"]);
}

try {
  ensurePackages();
  ensureRust();
  if (!process.argv.includes("--built")) build();
  installTypedoc();
  run(node24(), [join(folder, "typedoc.mjs"), join(root, "target/docs")]);
  documentCrates();
} catch (error) {
  fail(error);
}
