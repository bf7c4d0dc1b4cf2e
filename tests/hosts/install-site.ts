/** A platform's site with our tarball, installed from npm in a folder that the next run reuses. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runNpm } from "../../scripts/npm.mjs";

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/** Packs the package and installs missing parts: first the platform, then forms into it, like users. */
export function installSite(folder: string, manifest: Manifest): void {
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` };
  const npm = (...parameters: string[]) => runNpm(parameters, folder, env);
  const [{ filename, shasum }]: [{ filename: string; shasum: string }] = JSON.parse(
    npm("pack", fileURLToPath(new URL("../../pkg", import.meta.url)), "--json"),
  );
  const text = JSON.stringify(manifest);
  const wanted = createHash("sha256").update(text).update(shasum).digest("hex");
  const stamp = join(folder, ".installed-from");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  writeFileSync(join(folder, "package.json"), text);
  rmSync(join(folder, "node_modules/cf-forms"), { recursive: true, force: true });
  npm("install", "--ignore-scripts", "--no-package-lock");
  npm("install", "--ignore-scripts", "--no-package-lock", `./${filename}`);
  writeFileSync(stamp, wanted);
}
