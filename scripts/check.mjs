/**
 * `npm run check`: formatting, lints, types, unused files and exports, and the words and sizes of the code. `npm test`
 * runs it after the build, which the types need.
 */
import { join } from "node:path";
import { fail, isMain, root, runReported } from "./commands.mjs";
import { ensurePackages, ensureRust, node24, rustMinor } from "./prerequisites.mjs";

/** @typedef {import("./node-tests.mjs").Counts} Counts */

/** The release of Rust, 1.x, whose lints fail the check: a newer compiler may know others. */
const LINTED_RUST_MINOR = 95;

const WASM_CRATES = ["cf-forms", "browser", "importers"];

/** The checks, each as a program and its parameters. @returns {readonly (readonly [string, readonly string[]])[]} */
function commands() {
  const warnings = rustMinor() === LINTED_RUST_MINOR ? ["--", "-D", "warnings"] : [];
  const installed = (/** @type {string} */ path) => join(root, "node_modules", path);
  const wasm = ["--lib", ...WASM_CRATES.flatMap((name) => ["-p", name]), "--target", "wasm32-unknown-unknown"];
  return [
    ["cargo", ["fmt", "--all", "--check"]],
    ["cargo", ["clippy", "--quiet", "--workspace", "--all-targets", ...warnings]],
    ["cargo", ["clippy", "--quiet", ...wasm, ...warnings]],
    [node24(), [installed("typescript/bin/tsc"), "-p", "tsconfig.json"]],
    [node24(), [installed("@biomejs/biome/bin/biome"), "ci", "--error-on-warnings", root]],
    [node24(), [installed("knip/bin/knip.js"), "--include", "files,exports,types,duplicates"]],
    [node24(), [join(root, "scripts/check-words.mjs")]],
    [node24(), [join(root, "scripts/check-sizes.mjs")]],
  ];
}

/** Runs each check, which counts as one test. @returns {Promise<Counts>} */
export async function checks() {
  /** @type {Counts} */
  const counts = { passed: 0, failed: 0, skipped: [] };
  for (const [program, parameters] of commands()) {
    const { succeeded } = await runReported(program, [...parameters]);
    if (succeeded) counts.passed += 1;
    else counts.failed += 1;
    const shown = parameters.join(" ").replaceAll(`${root}/`, "");
    console.log(`${succeeded ? "ok" : "FAILED"}: ${program === "cargo" ? "cargo" : "node"} ${shown}`);
  }
  return counts;
}

async function main() {
  ensurePackages();
  ensureRust({ components: ["clippy", "rustfmt"] });
  const { failed } = await checks();
  if (failed > 0) process.exitCode = 1;
}

if (isMain(import.meta.url)) main().catch(fail);
