/**
 * `npm run test:hosts`: tests cf-forms from its tarball in real platforms (tests/hosts), whose packages are installed
 * once, and prints a table of the hosts. `--all` adds the hosts of tests/hosts/all, and `--write` then writes the table
 * into docs/hosting.md. The last line is the sum, as in `npm test`.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "./build.mjs";
import { fail, root } from "./commands.mjs";
import { hostTable, withHostTable } from "./host-table.mjs";
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

/**
 * Installs the tarball as from the registry, so that tests notice files that the package lacks. Sites read its path
 * from `CF_FORMS_TARBALL`.
 *
 * @param {string} scratch
 */
function installTarball(scratch) {
  const [{ filename }] = JSON.parse(npm(["pack", join(root, "pkg"), "--json"], scratch));
  const target = join(folder, "node_modules/cf-forms");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  process.env["CF_FORMS_TARBALL"] = join(scratch, filename);
  execFileSync("tar", ["-xzf", join(scratch, filename), "--strip-components=1", "-C", target]);
}

/**
 * @param {string} path of the file that the tests append to
 * @param {boolean} isWritten whether the table goes into the docs too
 */
function printTable(path, isWritten) {
  if (!existsSync(path)) return;
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  const events = lines.map((line) => JSON.parse(line));
  console.log(`\n${hostTable(events).join("\n")}\n`);
  const page = join(root, "docs/hosting.md");
  if (isWritten) writeFileSync(page, withHostTable(readFileSync(page, "utf8"), events));
}

async function main() {
  const isAll = process.argv.includes("--all");
  if (!process.argv.includes("--built")) build();
  const scratch = mkdtempSync(join(tmpdir(), "cf-forms-hosts-run-"));
  try {
    installPlatforms();
    installTarball(scratch);
    const sites = ["--disable-warning=ExperimentalWarning", join(folder, "install-sites.ts")];
    execFileSync(node24(), [...sites, ...(isAll ? ["--all"] : [])], { stdio: "inherit" });
    const results = join(scratch, "results.jsonl");
    process.env["CF_HOSTS_RESULTS"] = results;
    const files = testFiles("tests/hosts").filter((file) => isAll || dirname(file) === "tests/hosts");
    const counts = await runNodeTests(files, { concurrency: availableParallelism(), timeoutMs: TEST_TIMEOUT_MS });
    printTable(results, isAll && process.argv.includes("--write"));
    printSum(add(Object.values(counts)));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

main().catch(fail);
