/** A platform's site with our tarball, installed from npm in a folder that the next run reuses. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runNpm } from "../../scripts/npm.mjs";

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` };
const hashOf = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");
const repository = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Returns an empty folder's path outside the repository. The repository's `node_modules` would hide a package that a
 * recipe forgets.
 */
export function siteFolder(name: string): string {
  return join(tmpdir(), `cf-forms-hosts-${hashOf(repository).slice(0, 8)}`, name);
}

/** Path of our tarball. `npm run test:hosts` packs it once; a test that runs alone packs it for its first site. */
let packed = process.env["CF_FORMS_TARBALL"];

function tarball(): string {
  if (packed === undefined) {
    const scratch = mkdtempSync(join(tmpdir(), "cf-forms-pack-"));
    const [{ filename }] = JSON.parse(runNpm(["pack", join(repository, "pkg"), "--json"], scratch, env));
    packed = join(scratch, filename);
  }
  return packed;
}

/** Installs missing parts: first the platform, then our tarball, in the order of a user. */
export function installSite(folder: string, manifest: Manifest): void {
  mkdirSync(folder, { recursive: true });
  const npm = (...parameters: string[]) => runNpm(parameters, folder, env);
  const text = JSON.stringify(manifest);
  const wanted = [text, tarball()].map((part, at) => hashOf(at === 0 ? part : readFileSync(part)));
  const stamp = join(folder, ".installed-from");
  const found = existsSync(stamp) ? readFileSync(stamp, "utf8").split("\n") : [];
  if (found.join() === wanted.join()) return;
  rmSync(join(folder, "node_modules/cf-forms"), { recursive: true, force: true });
  if (found[0] !== wanted[0]) {
    writeFileSync(join(folder, "package.json"), text);
    npm("install", "--ignore-scripts", "--no-package-lock");
  }
  npm("install", "--ignore-scripts", "--no-package-lock", tarball());
  writeFileSync(stamp, wanted.join("\n"));
}
