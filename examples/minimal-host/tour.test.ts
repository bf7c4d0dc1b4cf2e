/** Runs the tour against the host in one file and against the embedded host, with real SMTP. */

import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../../tests/free-port.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const embedded = fileURLToPath(new URL("../../host-shim/hosts/embedded/main.ts", import.meta.url));
const PASSWORD = "abcd EFGH 1234 ijkl MNOP 5678";

let folder: string;
let children: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cf-forms-tour-"));
  children = [];
});

afterEach(async () => {
  // The host stops first, because the mail server would wait for the host's idle connection.
  for (const child of children.toReversed()) {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null && child.kill("SIGTERM")) await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a Node program and waits for the line that matches. */
function start(program: string, args: readonly string[], env: Record<string, string>, line: RegExp): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      const found = line.exec(output)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`${program} ended with ${code}: ${output}`)));
  });
}

async function tour(baseUrl: string): Promise<string> {
  const env = { ...process.env, BASE_URL: baseUrl, LOGIN: `admin:${PASSWORD}`, MAIL_DIR: join(folder, "received") };
  const { stdout } = await promisify(execFile)("bash", [join(here, "tour")], { env, timeout: 60_000 });
  return stdout;
}

interface Environment extends Record<string, string> {
  readonly PORT: string;
}

async function environment(): Promise<Environment> {
  const sink = join(here, "mail-sink.ts");
  const SMTP_URL = await start(sink, [join(folder, "received")], {}, /smtp:\/\/[\d.:]+/);
  return { SMTP_URL, DATA_DIR: join(folder, "data"), PORT: String(await freePort()) };
}

it("the tour is complete on the host in one file", { timeout: 90_000 }, async () => {
  const env: Environment = { ...(await environment()), ADMIN_PASSWORD: PASSWORD };
  await start(join(here, "host.ts"), [], env, /listening on/);
  assert.match(await tour(`http://127.0.0.1:${env.PORT}`), /The tour is complete/);
});

it("the tour is complete on the embedded host", { timeout: 90_000 }, async () => {
  const passwords = { CF_ADMIN_PASSWORD: "a long password", CF_ADMIN_APP_PASSWORD: PASSWORD };
  const env: Environment = { ...(await environment()), ...passwords };
  await start(embedded, [], env, /listening on/);
  const output = await tour(`http://127.0.0.1:${env.PORT}`);
  console.log(output);
  assert.match(output, /The tour is complete/);
});
