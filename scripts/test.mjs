/**
 * `npm test`: builds, then runs the checks and the tests. The last line is the sum:
 * `N passed, N failed, N skipped`. It fails on any failure, and when no test ran.
 */
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import { checks } from "./check.mjs";
import { CommandError, fail, root, runReported } from "./commands.mjs";
import { add, inWords, printSum, runNodeTests, testFiles } from "./node-tests.mjs";
import { ensureRust } from "./prerequisites.mjs";

/** @typedef {import("./node-tests.mjs").Counts} Counts */

/**
 * Folders of tests that Node runs. Tests that mostly wait and long files come first, so that no long file runs alone at
 * the end. The admin and real platforms have separate commands: `npm run test:admin` and `npm run test:hosts`.
 */
const NODE_SUITES = ["tests/browser", "tests/packaging", "examples", "tests/clients", "tests/runtimes", "tests/shim"];

/** Test files that run at once: many wait for a browser, a database or a clock. */
const CONCURRENCY = 2 * availableParallelism();

/**
 * Timeout of a test file and of each test, so that a hanging test ends. The slowest file takes four minutes with two
 * cores; a machine at a third of that speed stays below the timeout.
 */
const TEST_TIMEOUT_MS = 900_000;

/**
 * Seed of generated documents and values, the same in each run, so that a failure comes from a change.
 * `CF_SEED=7 npm test` generates others.
 */
const SEED = process.env["CF_SEED"] ?? "20261121";

/**
 * Builds, and compiles the Rust tests at the same time: for minutes, the build uses one core only. Cargo locks the
 * artifacts for this machine, so the tests wait until the build tool is compiled.
 */
async function buildBesideRustTests() {
  /** @type {(value?: unknown) => void} */
  let beginTests = () => {};
  const isToolCompiled = new Promise((resolve) => {
    beginTests = resolve;
  });
  const build = runReported(process.execPath, [join(root, "scripts/build.mjs")], (line) => {
    if (line === "building wasm modules") beginTests();
    return true;
  }).finally(beginTests);
  await isToolCompiled;
  // A fault of the tests' code is reported later, when the tests run.
  const [{ succeeded }] = await Promise.all([
    build,
    runReported("cargo", ["test", "--quiet", "--workspace", "--no-run"]),
  ]);
  if (!succeeded) throw new CommandError("the build failed");
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
  const files = await runNodeTests(testsToRun, {
    concurrency: CONCURRENCY,
    timeoutMs: TEST_TIMEOUT_MS,
    setup: "tests/shim/shared-postgres.ts",
  });
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
  await buildBesideRustTests();
  console.log(`\n== checks (generated cases from CF_SEED=${SEED})`);
  /** @type {[string, Counts][]} */
  const results = [["checks", await checks()]];
  console.log("\n== rust");
  results.push(["rust", await rustTests()]);
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
