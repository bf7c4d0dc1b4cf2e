/** Runs test files in Node's test runner and counts the results. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, runReported } from "./commands.mjs";
import { node24 } from "./prerequisites.mjs";

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} skipped one line for each: the test's name and the reason
 */

/**
 * Returns the test files of a folder and its subfolders.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function testFiles(folder) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.(ts|mjs)$/.test(name) && !name.includes("node_modules"))
    .sort()
    .map((name) => join(folder, name));
}

/**
 * Runs test files and returns the counts of each. A run that fails without a failed test counts as one failure.
 *
 * @param {readonly string[]} files
 * @param {{ concurrency: number, timeoutMs: number, setup?: string }} options with a module that sets up and tears down what the files share
 * @returns {Promise<Record<string, Counts>>}
 */
export async function runNodeTests(files, { concurrency, timeoutMs, setup }) {
  // Tests that measure times read the number of test files that run at once.
  process.env["CF_TEST_FILES_AT_ONCE"] = String(concurrency);
  const scratch = mkdtempSync(join(tmpdir(), "cf-forms-test-"));
  const report = join(scratch, "counts.json");
  const { succeeded } = await runReported(node24(), [
    "--disable-warning=ExperimentalWarning",
    "--test",
    ...(setup === undefined ? [] : [`--test-global-setup=${setup}`]),
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${timeoutMs}`,
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=./scripts/count-reporter.mjs",
    `--test-reporter-destination=${report}`,
    ...files,
  ]);
  /** @type {Record<string, Counts>} */
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {};
  rmSync(scratch, { recursive: true });
  const noneFailed = Object.values(counts).every(({ failed }) => failed === 0);
  if (!succeeded && noneFailed) counts["test runner"] = { passed: 0, failed: 1, skipped: [] };
  return counts;
}

/**
 * @param {readonly Counts[]} all
 * @returns {Counts}
 */
export function add(all) {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    skipped: all.flatMap(({ skipped }) => skipped),
  };
}

/** @param {Counts} counts */
export function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped.length} skipped`;
}

/**
 * Prints the skipped tests and, as the last line, the sum. Any failure makes the process fail, and so does a run
 * without tests.
 *
 * @param {Counts} total
 */
export function printSum(total) {
  for (const skip of total.skipped) console.log(`skipped: ${skip}`);
  console.log(inWords(total));
  if (total.failed > 0 || total.passed === 0) process.exitCode = 1;
}
