/** Runs npm, for the scripts and tests that install packages. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Number of lines of npm's log in an error, because npm's output omits the cause, such as a full disk. */
const LOG_LINES = 40;

/**
 * Runs npm and returns its output. Throws with the end of npm's log when it fails.
 *
 * @param {readonly string[]} parameters
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {string}
 */
export function runNpm(parameters, cwd, env) {
  const logs = mkdtempSync(join(tmpdir(), "cf-forms-npm-"));
  try {
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error", `--logs-dir=${logs}`];
    const { status, error, stdout, stderr } = spawnSync("npm", [...parameters, ...quiet], {
      cwd,
      encoding: "utf8",
      env,
    });
    if (status === 0) return stdout;
    const log = readdirSync(logs)
      .map((name) => readFileSync(join(logs, name), "utf8"))
      .join("");
    const end = log.trimEnd().split("\n").slice(-LOG_LINES).join("\n");
    throw new Error(
      `npm ${parameters.join(" ")} failed in ${cwd}: ${error?.message ?? `exit code ${status}`}\n${stderr}\n${end}`,
    );
  } finally {
    rmSync(logs, { recursive: true, force: true });
  }
}
