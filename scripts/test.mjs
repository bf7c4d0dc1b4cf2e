/**
 * `npm test`: builds, then runs the checks and the tests. The last line is the sum:
 * `N passed, N failed, N skipped`. It fails on any failure, and when no test ran.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import { build } from "./build.mjs";
import { fail, outputOf, root, runReported } from "./commands.mjs";
import { add, inWords, printSum, runNodeTests, testFiles } from "./node-tests.mjs";
import { ensureRust, node24, rustMinor } from "./prerequisites.mjs";

/** @typedef {import("./node-tests.mjs").Counts} Counts */

/**
 * Folders of tests that Node runs. Tests that mostly wait come first, to fill the gaps. The admin and real platforms have
 * separate commands: `npm run test:admin` and `npm run test:hosts`.
 */
const NODE_SUITES = ["tests/browser", "tests/clients", "tests/shim", "tests/runtimes", "tests/packaging", "examples"];

/** Test files that run at once: many wait for a browser, a database or a clock. */
const CONCURRENCY = 2 * availableParallelism();

/** Timeout of a test file, longer than the slowest one, so that a hanging test ends the run. */
const TEST_TIMEOUT_MS = 300_000;

/**
 * Seed of generated documents and values, the same in each run, so that a failure comes from a change.
 * `CF_SEED=7 npm test` generates others.
 */
const SEED = process.env["CF_SEED"] ?? "20261121";

/** Checks formatting, lints and types; each counts as one test. */
async function checks() {
  // A newer compiler may have lints that did not exist when the code was written.
  const warnings = rustMinor() === 95 ? ["--", "-D", "warnings"] : [];
  const clippy = ["clippy", "--quiet"];
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  /** @type {[string, string[]][]} */
  const commands = [
    ["cargo", ["fmt", "--all", "--check"]],
    ["cargo", [...clippy, "--workspace", "--all-targets", ...warnings]],
    ["cargo", [...clippy, "--lib", "-p", "cf-forms", "-p", "browser", "-p", "importers", "--target", "wasm32-unknown-unknown", ...warnings]],
    [node24(), [tsc, "-p", "tsconfig.json"]],
  ];
  /** @type {Counts} */
  const counts = { passed: 0, failed: 0, skipped: [] };
  for (const [program, parameters] of commands) {
    const { succeeded } = await runReported(program, parameters);
    if (succeeded) counts.passed += 1;
    else counts.failed += 1;
    const shown = parameters.join(" ").replace(`${root}/`, "");
    console.log(`${succeeded ? "ok" : "FAILED"}: ${program === "cargo" ? "cargo" : "node"} ${shown}`);
  }
  return counts;
}

/**
 * What the outcome of the Rust tests follows from, as one hash: every file of the clone, the compiler, the
 * kind of machine and the seed. Null outside of git.
 */
function rustInputs() {
  const files = outputOf("git", ["-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  const compiler = outputOf("rustc", ["-vV"]);
  if (files === undefined || compiler === undefined) return null;
  const hash = createHash("sha256").update(compiler).update(SEED);
  for (const file of files.split("\0").filter(Boolean).sort()) {
    const path = join(root, file);
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) hash.update(file).update("\0").update(readFileSync(path));
  }
  return hash.digest("hex");
}

/** Runs the Rust tests unless they passed here with all as it is now; with CI set they always run. */
async function rustTestsIfChanged() {
  const stamp = join(root, "target/.rust-tests-passed");
  const inputs = process.env["CI"] === undefined ? rustInputs() : null;
  if (inputs !== null && existsSync(stamp)) {
    /** @type {{ inputs: string, counts: Counts }} */
    const passed = JSON.parse(readFileSync(stamp, "utf8"));
    if (passed.inputs === inputs) {
      console.log(`unchanged since they passed: ${inWords(passed.counts)}`);
      return passed.counts;
    }
  }
  const counts = await rustTests();
  if (inputs !== null && counts.failed === 0) writeFileSync(stamp, JSON.stringify({ inputs, counts }));
  return counts;
}

/** Every Rust test of the workspace; the output names those that did not pass. */
async function rustTests() {
  const passing = /^test .* \.\.\. ok$/;
  const { succeeded, output } = await runReported("cargo", ["test", "--workspace"], (line) => !passing.test(line));
  /** @type {Counts} */
  const counts = { passed: 0, failed: 0, skipped: [] };
  for (const result of output.matchAll(/^test result: .*?(\d+) passed; (\d+) failed;/gm)) {
    counts.passed += Number(result[1]);
    counts.failed += Number(result[2]);
  }
  for (const ignored of output.matchAll(/^test (.*) \.\.\. ignored(?:, (.*))?$/gm)) {
    counts.skipped.push(`${ignored[1]}: ${ignored[2] ?? "no reason given"}`);
  }
  if (!succeeded && counts.failed === 0) counts.failed = 1;
  return counts;
}

/**
 * The tests that Node's own runner runs, all at once, counted for each suite.
 *
 * @returns {Promise<[string, Counts][]>}
 */
async function nodeTests() {
  const testsToRun = NODE_SUITES.flatMap(testFiles).filter((file) => !file.startsWith("examples/admin-in-a-page/"));
  const files = await runNodeTests(testsToRun, { concurrency: CONCURRENCY, timeoutMs: TEST_TIMEOUT_MS, setup: "tests/shim/shared-postgres.ts" });
  // A test counts in the folder of its file. Tests of the conformance suites are in another folder.
  /** @param {string} file */
  const suiteOf = (file) => NODE_SUITES.find((suite) => file.startsWith(`${suite}/`)) ?? dirname(file);
  const suites = new Set([...NODE_SUITES, ...Object.keys(files).map((file) => suiteOf(relative(root, file)))]);
  return [...suites].map((suite) => {
    const inSuite = Object.entries(files).filter(([file]) => suiteOf(relative(root, file)) === suite);
    return [suite, add(inSuite.map(([, counts]) => counts))];
  });
}

async function main() {
  ensureRust({ components: ["clippy", "rustfmt"] });
  build();
  console.log(`\n== checks (generated cases from CF_SEED=${SEED})`);
  /** @type {[string, Counts][]} */
  const results = [["checks", await checks()]];
  console.log("\n== rust");
  results.push(["rust", await rustTestsIfChanged()]);
  console.log(`\n== ${NODE_SUITES.join(", ")}`);
  results.push(...(await nodeTests()));

  console.log();
  for (const [suite, counts] of results) console.log(`${suite.padEnd(22)} ${inWords(counts)}`);
  printSum(add(results.map(([, counts]) => counts)));
}

process.env["CF_SEED"] = SEED;
process.env["PROPTEST_RNG_SEED"] = SEED;
process.env["NODE_COMPILE_CACHE"] ??= join(root, "node_modules/.cache/compile");
main().catch(fail);
