/**
 * Runs other programs for the scripts of this folder. Scripts such as start.mjs begin before `npm ci`, on the system's
 * Node (20 or later), so this module is plain JavaScript without dependencies.
 */
import { spawn, spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { constants } from "node:os";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The clone's root folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const PARENT_CHECK_MS = 500;

/** Error that is reported to the user in one line, without a stack. */
export class CommandError extends Error {}

/**
 * Runs a program in the clone's root and shows its output.
 *
 * @param {string} program
 * @param {readonly string[]} parameters
 */
export function run(program, parameters) {
  const { status, signal, error } = spawnSync(program, parameters, { cwd: root, stdio: "inherit" });
  if (error !== undefined) throw new CommandError(`cannot run ${program}: ${error.message}`);
  if (status !== 0) {
    const outcome = status === null ? `was ended by ${signal}` : `failed with exit code ${status}`;
    throw new CommandError(`\`${[program, ...parameters].join(" ")}\` ${outcome}`);
  }
}

/**
 * Runs a program and returns its output, or undefined when it is missing or fails.
 *
 * @param {string} program
 * @param {readonly string[]} parameters
 * @returns {string | undefined}
 */
export function outputOf(program, parameters) {
  const { status, stdout } = spawnSync(program, parameters, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}

/**
 * Runs a program, shows its output, and returns the output and the outcome. Never throws.
 *
 * @param {string} program
 * @param {readonly string[]} parameters
 * @param {(line: string) => boolean} [isShown] which lines of the standard output are shown
 * @returns {Promise<{ succeeded: boolean, output: string }>}
 */
export function runReported(program, parameters, isShown = () => true) {
  const child = spawn(program, parameters, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  /** @type {string[]} */
  const lines = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    if (isShown(line)) console.log(line);
  });
  return new Promise((resolve) => {
    child.on("error", (error) => {
      console.error(`cannot run ${program}: ${error.message}`);
      resolve({ succeeded: false, output: "" });
    });
    child.on("close", (code) => resolve({ succeeded: code === 0, output: lines.join("\n") }));
  });
}

/**
 * Replaces this process by a program: shows the program's output, passes signals to it, and exits with its exit code.
 *
 * @param {string} program
 * @param {readonly string[]} parameters
 * @returns {import("node:child_process").ChildProcess} the program's process
 */
export function become(program, parameters) {
  const child = spawn(program, parameters, { stdio: "inherit" });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => child.kill(signal));
  }
  // npm does not pass signals on, so this process checks whether npm has ended.
  const parent = process.ppid;
  if (process.env["npm_lifecycle_event"] !== undefined) {
    setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), PARENT_CHECK_MS).unref();
  }
  child.on("error", (error) => fail(new CommandError(`cannot run ${program}: ${error.message}`)));
  child.on("exit", (code, signal) => {
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
  });
  return child;
}

/**
 * Prints the error and ends this process.
 *
 * @param {unknown} error
 * @returns {never}
 */
export function fail(error) {
  console.error(error instanceof CommandError ? `error: ${error.message}` : error);
  process.exit(1);
}

/**
 * Whether the module with this `import.meta.url` is the program that was started.
 *
 * @param {string} moduleUrl
 */
export function isMain(moduleUrl) {
  const started = process.argv[1];
  return started !== undefined && fileURLToPath(moduleUrl) === realpathSync(started);
}
