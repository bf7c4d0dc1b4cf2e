/**
 * `npm run fuzz -- --seconds N`: gives mutated inputs to every fuzz target for N seconds each (default 60), then tries
 * the laws with generated cases. Each run takes new inputs and prints their seed; `CF_SEED=7 npm run fuzz` repeats
 * those of seed 7.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CommandError, fail, root, runReported } from "./commands.mjs";
import { runNodeTests } from "./node-tests.mjs";
import { ensurePackages, ensureRust } from "./prerequisites.mjs";

/** The time that a target may take beyond what was asked for: its last input and its start. */
const MARGIN_MS = 120_000;

function secondsAsked() {
  const { values } = parseArgs({ options: { seconds: { type: "string", default: "60" } } });
  const seconds = Number(values.seconds);
  if (!Number.isSafeInteger(seconds) || seconds < 1) throw new CommandError("usage: npm run fuzz -- --seconds N");
  return seconds;
}

/**
 * The inputs that failed checks of this seed left behind.
 *
 * @param {string} seed
 */
function artifacts(seed) {
  const folder = join(root, "fuzz/artifacts");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith(`-${seed}`)).map((name) => `fuzz/artifacts/${name}`);
}

async function main() {
  const seconds = secondsAsked();
  const seed = (process.env["CF_SEED"] ??= String(Date.now() % 2 ** 31));
  process.env["PROPTEST_RNG_SEED"] = seed;
  process.env["CF_FUZZ_SECONDS"] = String(seconds);
  ensurePackages();
  ensureRust();
  console.log(`CF_SEED=${seed}, ${seconds} s for each target`);
  const rust = await runReported("cargo", ["test", "--test", "rust", "fuzzed::", "--", "--nocapture"]);
  const laws = await runReported("cargo", ["test", "--test", "rust", "--", "_laws::", "logic_", "entities::", "markup_sanitize::"]);
  const files = await runNodeTests(["tests/shim/multipart-fuzz.test.ts"], { atOnce: 1, timeoutMs: seconds * 1_000 + MARGIN_MS });
  const hasNodeFailed = Object.values(files).some(({ failed }) => failed > 0);
  if (!rust.succeeded || !laws.succeeded || hasNodeFailed) {
    console.error(`\nCF_SEED=${seed} failed. Inputs that failed: ${artifacts(seed).join(", ") || "none was kept"}`);
    process.exitCode = 1;
  }
}

main().catch(fail);
