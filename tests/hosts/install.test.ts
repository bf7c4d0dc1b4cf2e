/** An empty folder, an empty npm cache, one import, on each supported version of Node from npm. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const hostsPath = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
const folder = mkdtempSync(join(tmpdir(), "cf-forms-install-"));
after(() => rmSync(folder, { recursive: true }));

/** A Node of this major version from npm's package `node`; the next run reuses it. */
function nodeOf(major: number): string {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const prefix = hostsPath(`node_modules/.node-${major}`);
  const path = join(prefix, "node_modules", name, "bin/node");
  mkdirSync(prefix, { recursive: true });
  if (!existsSync(path)) execFileSync("npm", ["install", "--prefix", prefix, `${name}@${major}`, ...quiet]);
  return path;
}

const bytesIn = (path: string): number =>
  readdirSync(path, { recursive: true, encoding: "utf8" }).reduce(
    (sum, name) => sum + statSync(join(path, name)).size,
    0,
  );

/** The guide's first program, which creates and reads a form, and the suite of the database port. */
const PROGRAM = `
import { createForms } from "cf-forms";
import { databaseConformance } from "cf-forms/conformance";
import { openSqlite } from "cf-forms/adapters/node-sqlite";
const host = { database: openSqlite({ path: "forms.db" }), authenticate: async () => ({ principal: { id: "1", login: "a", capabilities: ["edit_forms"] } }) };
const forms = await createForms({ baseUrl: "http://site.test", host });
await forms.migrate();
const headers = { "content-type": "application/json" };
const made = await forms.fetch(new Request("http://site.test/api/cf/v1/forms", { method: "POST", headers, body: '{"title":"Contact"}' }));
await forms.close();
let cases = 0;
const running = [];
databaseConformance({
  test: (name, run) => void running.push([name, run]),
  open: async () => { const database = openSqlite({ path: ":memory:" }); return { database, close: () => database.close() }; },
});
for (const [, run] of running) { await run(); cases += 1; }
console.log(made.status, cases > 30);
`;

for (const major of [22, 24]) {
  describe(`Node ${major}`, () => {
    const site = join(folder, String(major));
    let node: string;
    before(() => {
      node = nodeOf(major);
      mkdirSync(site);
      writeFileSync(join(site, "package.json"), '{"private":true,"type":"module"}');
    });

    test("installs the tarball into an empty folder", (t) => {
      const env = { ...process.env, PATH: `${dirname(node)}:${process.env["PATH"]}` };
      const [{ filename, size }] = JSON.parse(
        execFileSync("npm", ["pack", hostsPath("../../pkg"), "--json", ...quiet], { cwd: site, encoding: "utf8", env }),
      );
      const started = performance.now();
      execFileSync("npm", ["install", `./${filename}`, "--cache", join(site, "cache"), ...quiet], { cwd: site, env });
      t.diagnostic(
        `${Math.round(performance.now() - started)} ms; tarball ${size} bytes, installed ${bytesIn(join(site, "node_modules"))}`,
      );
    });

    test("imports it, creates a form in SQLite and passes the database suite", () => {
      writeFileSync(join(site, "site.mjs"), PROGRAM);
      const { stdout, stderr } = spawnSync(node, ["--disable-warning=ExperimentalWarning", "site.mjs"], {
        cwd: site,
        encoding: "utf8",
      });
      assert.deepEqual([stdout, stderr], ["201 true\n", ""]);
    });
  });
}
