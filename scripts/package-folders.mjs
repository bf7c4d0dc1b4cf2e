/**
 * Manages the built folders of `pkg/`: each is built beside the old one, and replaces it when complete. Also manages
 * the copies that `npm start` runs from, so that a build never changes files that a server reads.
 */
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./commands.mjs";

const packageFolder = join(root, "pkg");
const lockFile = join(packageFolder, ".build-lock");
const copies = join(packageFolder, ".running");

/** Parts of the package that a server reads while it runs. */
const READ_BY_SERVERS = ["package.json", "LICENSE", "load", "wasm", "host-shim", "client", "visitor", "admin"];

/** Limit for unused copies that are kept for the next start. */
const MAX_UNUSED_COPIES = 2;

const LOCK_CHECK_MS = 200;
/** Time in which a process must write its id into its lock. */
const LOCK_WRITTEN_MS = 10_000;

/**
 * Runs work under a lock, because builds of one clone must not run at the same time.
 *
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
export function alone(work) {
  for (let hasWarned = false; !takeLock(); hasWarned = true) {
    if (!hasWarned) console.log("waiting for another build of this clone");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_CHECK_MS);
  }
  try {
    return work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

function takeLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  // A killed process leaves its lock. Only one process can rename an abandoned lock; that process checks it again, then
  // removes it or puts it back.
  if (!isAbandoned(lockFile)) return false;
  const taken = `${lockFile}-${process.pid}`;
  try {
    renameSync(lockFile, taken);
  } catch {
    return false;
  }
  if (isAbandoned(taken)) rmSync(taken, { force: true });
  else renameSync(taken, lockFile);
  return false;
}

/** @param {string} lock */
function isAbandoned(lock) {
  try {
    const owner = readFileSync(lock, "utf8");
    return owner === "" ? Date.now() - statSync(lock).mtimeMs > LOCK_WRITTEN_MS : !isAlive(Number(owner));
  } catch {
    return false;
  }
}

/**
 * Creates an empty folder to build parts of the package in. The existing parts stay until `swap()`.
 *
 * @param {string} purpose such as `admin`
 */
export function stage(purpose) {
  removeLeftovers(packageFolder, `.${purpose}-`);
  const folder = join(packageFolder, `.${purpose}-${process.pid}`);
  const old = `${folder}.old`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return {
    folder,
    /** Replaces `pkg/<name>` by a folder inside this one. @param {string} inner @param {string} name */
    swap(inner, name) {
      const target = join(packageFolder, name);
      if (existsSync(target)) renameSync(target, old);
      renameSync(join(folder, inner), target);
      rmSync(old, { recursive: true, force: true });
    },
    /** Removes the rest of the folder. */
    remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Removes folders of killed processes. @param {string} folder @param {string} beginning */
function removeLeftovers(folder, beginning) {
  for (const name of readdirSync(folder)) {
    const owner = name.startsWith(beginning) ? /^(\d+)(?:\.old)?$/.exec(name.slice(beginning.length))?.[1] : undefined;
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * Creates an immutable copy of the files that servers read, named by its content. The copy stays as long as a process of
 * {@link keepFor} lives.
 *
 * @returns {string}
 */
export function copyToRun() {
  mkdirSync(copies, { recursive: true });
  removeLeftovers(copies, ".new-");
  const files = READ_BY_SERVERS.flatMap((name) => filesOf(name));
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(packageFolder, file)))
      .update("\0");
  const copy = join(copies, hash.digest("hex").slice(0, 16));
  if (!existsSync(copy)) {
    const staged = join(copies, `.new-${process.pid}`);
    for (const file of files) {
      mkdirSync(dirname(join(staged, file)), { recursive: true });
      copyFileSync(join(packageFolder, file), join(staged, file));
    }
    renameSync(staged, copy);
  }
  keepFor(copy, process.pid);
  removeUnused(copy);
  return copy;
}

/** Returns the files of the package below a name, without hidden ones. @param {string} name @returns {string[]} */
function filesOf(name) {
  const path = join(packageFolder, name);
  if (!statSync(path).isDirectory()) return [name];
  return readdirSync(path)
    .filter((entry) => !entry.startsWith("."))
    .sort()
    .flatMap((entry) => filesOf(join(name, entry)));
}

/**
 * Keeps a copy while the process lives.
 *
 * @param {string} copy
 * @param {number} pid
 */
export function keepFor(copy, pid) {
  writeFileSync(join(copy, `.kept-for-${pid}`), "");
}

/** Deletes copies that no living process needs, except the youngest. @param {string} current */
function removeUnused(current) {
  const unused = readdirSync(copies)
    .map((name) => join(copies, name))
    .filter((copy) => copy !== current && !isKept(copy))
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  for (const copy of unused.slice(MAX_UNUSED_COPIES)) rmSync(copy, { recursive: true, force: true });
}

/** @param {string} copy */
function isKept(copy) {
  return readdirSync(copy).some((name) => {
    const pid = /^\.kept-for-(\d+)$/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) return pid !== undefined;
    rmSync(join(copy, name), { force: true });
    return false;
  });
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
