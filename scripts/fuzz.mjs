/**
 * `npm run fuzz -- --seconds N`: runs every fuzz target with mutated inputs for N seconds each (default 60), and runs
 * the tests of laws, such as tests/rust/markup_laws.rs, with generated cases. Each run uses new inputs and prints their
 * seed; `CF_SEED=7 npm run fuzz` repeats the inputs of seed 7.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CommandError, fail, root, runReported } from "./commands.mjs";
import { runNodeTests } from "./node-tests.mjs";
import { ensurePackages, ensureRust } from "./prerequisites.mjs";

/** Extra time for a target's start and its last input. */
const MARGIN_MS = 120_000;

function requestedSeconds() {
  const { values } = parseArgs({ options: { seconds: { type: "string", default: "60" } } });
  const seconds = Number(values.seconds);
  if (!Number.isSafeInteger(seconds) || seconds < 1) throw new CommandError("usage: npm run fuzz -- --seconds N");
  return seconds;
}

/**
 * Returns the stored inputs that failed checks with this seed.
 *
 * @param {string} seed
 */
function artifacts(seed) {
  const folder = join(root, "fuzz/artifacts");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith(`-${seed}`)).map((name) => `fuzz/artifacts/${name}`);
}

async function main() {
  const seconds = requestedSeconds();
  const seed = (process.env["CF_SEED"] ??= String(Date.now() % 2 ** 31));
  process.env["PROPTEST_RNG_SEED"] = seed;
  process.env["CF_FUZZ_SECONDS"] = String(seconds);
  ensurePackages();
  ensureRust();
  console.log(`CF_SEED=${seed}, ${seconds} s for each target`);
  const rust = await runReported("cargo", ["test", "--test", "rust", "fuzzed::", "--", "--nocapture"]);
  const laws = await runReported("cargo", [
    "test",
    "--test",
    "rust",
    "--",
    "_laws::",
    "logic_",
    "entities::",
    "markup_sanitize::",
  ]);
  const files = await runNodeTests(["tests/shim/multipart-fuzz.test.ts"], {
    concurrency: 1,
    timeoutMs: seconds * 1_000 + MARGIN_MS,
  });
  const hasNodeFailed = Object.values(files).some(({ failed }) => failed > 0);
  if (!rust.succeeded || !laws.succeeded || hasNodeFailed) {
    console.error(`\nCF_SEED=${seed} failed. Inputs that failed: ${artifacts(seed).join(", ") || "none was kept"}`);
    process.exitCode = 1;
  }
}

main().catch(fail);
