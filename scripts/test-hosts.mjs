/**
 * `npm run test:hosts`: cf-forms from its tarball in real platforms (tests/hosts), whose packages it
 * installs there once. The last line is the sum, as that of `npm test`.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "./build.mjs";
import { fail, root, runTold } from "./commands.mjs";
import { node24 } from "./prerequisites.mjs";

const folder = join(root, "tests/hosts");
const TEST_TIMEOUT_MS = 180_000;

/** @param {string[]} parameters @param {string} cwd */
function npm(parameters, cwd) {
  // The scripts of packages are not needed, and the platforms' packages want the project's Node.
  const PATH = `${dirname(node24())}:${process.env["PATH"]}`;
  return execFileSync("npm", [...parameters, "--no-audit", "--no-fund", "--loglevel=error"], { cwd, encoding: "utf8", env: { ...process.env, PATH } });
}

function installPlatforms() {
  const wanted = createHash("sha256").update(readFileSync(join(folder, "package-lock.json"))).digest("hex");
  const stamp = join(folder, "node_modules/.installed-from");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  npm(["ci", "--ignore-scripts"], folder);
  writeFileSync(stamp, wanted);
}

/** As from the registry: what is not packed is not there. */
function installTarball() {
  const scratch = mkdtempSync(join(tmpdir(), "cf-forms-pack-"));
  const [tarball] = JSON.parse(npm(["pack", join(root, "pkg"), "--json"], scratch));
  const target = join(folder, "node_modules/cf-forms");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["-xzf", join(scratch, tarball.filename), "--strip-components=1", "-C", target]);
  rmSync(scratch, { recursive: true });
}

async function main() {
  if (!process.argv.includes("--built")) build();
  installPlatforms();
  installTarball();
  const report = join(mkdtempSync(join(tmpdir(), "cf-forms-hosts-")), "counts.json");
  const tests = readdirSync(folder).filter((name) => name.endsWith(".test.ts")).map((name) => join("tests/hosts", name));
  const { succeeded } = await runTold(node24(), [
    "--disable-warning=ExperimentalWarning", "--test", `--test-timeout=${TEST_TIMEOUT_MS}`,
    "--test-reporter=spec", "--test-reporter-destination=stdout",
    "--test-reporter=./scripts/count-reporter.mjs", `--test-reporter-destination=${report}`,
    ...tests,
  ]);
  /** @type {{ passed: number, failed: number, skipped: string[] }[]} */
  const counts = existsSync(report) ? Object.values(JSON.parse(readFileSync(report, "utf8"))) : [];
  rmSync(dirname(report), { recursive: true });
  const passed = counts.reduce((sum, own) => sum + own.passed, 0);
  const failed = counts.reduce((sum, own) => sum + own.failed, 0) || (succeeded ? 0 : 1);
  const skipped = counts.flatMap((own) => own.skipped);
  for (const skip of skipped) console.log(`skipped: ${skip}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
  if (failed > 0 || passed === 0) process.exitCode = 1;
}

main().catch(fail);
