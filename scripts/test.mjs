/**
 * `npm test`: builds, then runs every check and test there is. The last line is the sum:
 * `N passed, N failed, N skipped`. It fails on any failure, and when no test ran.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "./build.mjs";
import { fail, root, runTold } from "./commands.mjs";
import { ensureRust, node24, rustMinor } from "./prerequisites.mjs";

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} skipped one line for each: the test's name and the reason
 */

/** Where tests lie that Node runs; in the order of their cost. */
const NODE_SUITES = ["tests/shim", "tests/packaging", "tests/runtimes", "examples", "tests/browser"];

/** Longer than the slowest test, so that one that hangs ends the run. */
const TEST_TIMEOUT_MS = 300_000;

/** Formatting, lints and types: each counts as one test. */
async function checks() {
  // A newer compiler may know lints that were not there when the code was written.
  const warnings = rustMinor() === 95 ? ["--", "-D", "warnings"] : [];
  const clippy = ["clippy", "--quiet"];
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  /** @type {[string, string[]][]} */
  const commands = [
    ["cargo", ["fmt", "--all", "--check"]],
    ["cargo", [...clippy, "--workspace", "--all-targets", ...warnings]],
    ["cargo", [...clippy, "--lib", "--target", "wasm32-unknown-unknown", ...warnings]],
    [node24(), [tsc, "-p", "tsconfig.json"]],
  ];
  /** @type {Counts} */
  const counts = { passed: 0, failed: 0, skipped: [] };
  for (const [program, parameters] of commands) {
    const { succeeded } = await runTold(program, parameters);
    if (succeeded) counts.passed += 1;
    else counts.failed += 1;
    const shown = parameters.join(" ").replace(`${root}/`, "");
    console.log(`${succeeded ? "ok" : "FAILED"}: ${program === "cargo" ? "cargo" : "node"} ${shown}`);
  }
  return counts;
}

/** Every Rust test of the workspace; the output names those that did not pass. */
async function rustTests() {
  const passing = /^test .* \.\.\. ok$/;
  const { succeeded, output } = await runTold("cargo", ["test", "--workspace"], (line) => !passing.test(line));
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
 * The tests in one folder, run by Node's own runner.
 *
 * @param {string} folder
 */
async function nodeTests(folder) {
  const files = testFiles(folder);
  /** @type {Counts} */
  const none = { passed: 0, failed: 0, skipped: [] };
  if (files.length === 0) return none;
  const scratch = mkdtempSync(join(tmpdir(), "cf-forms-test-"));
  const report = join(scratch, "counts.json");
  const { succeeded } = await runTold(node24(), [
    "--disable-warning=ExperimentalWarning",
    "--test",
    "--test-concurrency=2",
    `--test-timeout=${TEST_TIMEOUT_MS}`,
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=./scripts/count-reporter.mjs",
    `--test-reporter-destination=${report}`,
    ...files,
  ]);
  const written = existsSync(report) ? readFileSync(report, "utf8") : "";
  rmSync(scratch, { recursive: true });
  /** @type {Counts} */
  const counts = written === "" ? none : JSON.parse(written);
  if (!succeeded && counts.failed === 0) counts.failed = 1;
  return counts;
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function testFiles(folder) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.(ts|mjs)$/.test(name) && !name.includes("node_modules"))
    .sort()
    .map((name) => join(folder, name));
}

/** @param {Counts} counts */
function sum({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped.length} skipped`;
}

async function main() {
  ensureRust({ components: ["clippy", "rustfmt"] });
  build();
  /** @type {[string, () => Promise<Counts>][]} */
  const suites = [["checks", checks], ["rust", rustTests]];
  for (const folder of NODE_SUITES) suites.push([folder, () => nodeTests(folder)]);

  /** @type {string[]} */
  const lines = [];
  /** @type {Counts} */
  const total = { passed: 0, failed: 0, skipped: [] };
  for (const [name, runSuite] of suites) {
    console.log(`\n== ${name}`);
    const started = Date.now();
    const counts = await runSuite();
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    lines.push(`${name.padEnd(16)} ${sum(counts)} (${seconds} s)`);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped.push(...counts.skipped);
  }
  console.log(`\n${lines.join("\n")}`);
  for (const skip of total.skipped) console.log(`skipped: ${skip}`);
  console.log(sum(total));
  if (total.failed > 0 || total.passed === 0) process.exitCode = 1;
}

main().catch(fail);
