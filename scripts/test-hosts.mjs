/**
 * `npm run test:hosts`: tests cf-forms from its tarball in real platforms (tests/hosts), whose packages are installed there
 * once. The last line is the sum, as in `npm test`.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "./build.mjs";
import { fail, root } from "./commands.mjs";
import { runNpm } from "./npm.mjs";
import { add, printSum, runNodeTests, testFiles } from "./node-tests.mjs";
import { node24 } from "./prerequisites.mjs";

const folder = join(root, "tests/hosts");
const TEST_TIMEOUT_MS = 180_000;

/** @param {string[]} parameters @param {string} cwd */
function npm(parameters, cwd) {
  // Install scripts are not needed, and the platforms' packages require the project's Node.
  return runNpm(parameters, cwd, { ...process.env, PATH: `${dirname(node24())}:${process.env["PATH"]}` });
}

function installPlatforms() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  const stamp = join(folder, "node_modules/.installed-from");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  // `ci` would fail, because the lock file omits packages of other systems.
  npm(["install", "--ignore-scripts", "--no-save"], folder);
  writeFileSync(stamp, wanted);
}

/** Installs the tarball as from the registry, so that unpacked files are missing. */
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
  execFileSync(node24(), ["--disable-warning=ExperimentalWarning", join(folder, "install-sites.ts")], {
    stdio: "inherit",
  });
  const counts = await runNodeTests(testFiles("tests/hosts"), {
    concurrency: availableParallelism(),
    timeoutMs: TEST_TIMEOUT_MS,
  });
  printSum(add(Object.values(counts)));
}

main().catch(fail);
