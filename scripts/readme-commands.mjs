/**
 * Runs the commands of README.md, so that they stay correct: every line of its `sh` blocks, from top to bottom, in the
 * clone's root. `npm start` runs in the background until the next `npm start` or the end. A command outside the blocks
 * must be covered by a test, or by `--covered <command>`, which names a command that the caller has run.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, fail, root } from "./commands.mjs";

/** Timeout of `npm start`, which builds before it serves. */
const START_TIMEOUT_MS = 480_000;

/** Commands that a clone has already run. */
const DONE_BY_CLONING = /^(git clone|cd) /;

/** Commands that tests run, with the test. */
const TESTED = new Map([
  ["npx cf-forms app-password <user> <name>", "tests/shim"],
  ["npm install ./pkg", "tests/packaging"],
  ["npx cf-forms --help", "tests/packaging"],
]);

/** A command that starts the host, with or without variables before it. */
const STARTS_HOST = /^(?:[A-Z_]+=(?:"[^"]*"|\S+) +)*npm start\b/;

/**
 * Returns the commands, one for each line; a backslash at the end of a line continues it.
 *
 * @param {string} markdown
 * @returns {string[]}
 */
function commandsOf(markdown) {
  const blocks = [...markdown.matchAll(/^```sh\n(.*?)^```/gms)].map((match) => match[1] ?? "");
  return blocks
    .flatMap((block) => block.replaceAll("\\\n", " ").split("\n"))
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/**
 * Returns the commands within the text.
 *
 * @param {string} markdown
 * @returns {string[]}
 */
function inlineCommandsOf(markdown) {
  const text = markdown.replace(/^```.*?^```/gms, "");
  return [...text.matchAll(/`((?:npm|npx|cargo) [^`]+)`/g)].map((match) => match[1] ?? "");
}

/** @param {string} url */
async function isReady(url) {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}

/**
 * Starts the host and waits until it serves.
 *
 * @param {string} command
 * @param {NodeJS.ProcessEnv} env
 */
async function startHost(command, env) {
  const port = /\bPORT=(\d+)/.exec(command)?.[1] ?? "3000";
  const readyUrl = `http://127.0.0.1:${port}/readyz`;
  if (await isReady(readyUrl)) throw new CommandError(`port ${port} is taken by another host`);
  // A separate process group, so that npm's shell and the host end together.
  const child = spawn("bash", ["-c", command], { cwd: root, env, stdio: "inherit", detached: true });
  let hasEnded = false;
  const ended = new Promise((resolve) => child.once("exit", resolve)).then(() => (hasEnded = true));
  const stop = async () => {
    if (!hasEnded && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await ended;
  };
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady(readyUrl))) {
    if (hasEnded) throw new CommandError(`\`${command}\` ended unexpectedly`);
    if (Date.now() > deadline) {
      await stop();
      throw new CommandError(`\`${command}\` did not serve ${readyUrl} in time`);
    }
    await sleep(250);
  }
  return stop;
}

async function main() {
  const covered = process.argv.flatMap((word, at, all) => (all[at - 1] === "--covered" ? [word] : []));
  const data = mkdtempSync(join(tmpdir(), "cf-forms-readme-"));
  const env = { ...process.env, DATA_DIR: data };
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const commands = commandsOf(readme);
  const known = [...commands, ...covered, ...TESTED.keys()];
  const unknown = inlineCommandsOf(readme).filter((command) => !known.includes(command));
  if (unknown.length > 0) throw new CommandError(`README.md has commands that nothing runs: ${unknown.join("; ")}`);
  let ran = 0;
  let stop = async () => {};
  try {
    for (const command of commands) {
      const isElsewhere = covered.includes(command) || DONE_BY_CLONING.test(command);
      console.log(`${isElsewhere ? "covered" : "running"}: ${command}`);
      if (isElsewhere) continue;
      if (STARTS_HOST.test(command)) {
        await stop();
        stop = await startHost(command, env);
      } else {
        const { status } = spawnSync("bash", ["-euo", "pipefail", "-c", command], { cwd: root, env, stdio: "inherit" });
        if (status !== 0) throw new CommandError(`README.md: \`${command}\` failed (${status})`);
      }
      ran += 1;
    }
  } finally {
    await stop();
    rmSync(data, { recursive: true, force: true });
  }
  if (ran === 0) throw new CommandError("README.md has no command to run");
  console.log(`${ran} commands of README.md work`);
}

main().catch(fail);
