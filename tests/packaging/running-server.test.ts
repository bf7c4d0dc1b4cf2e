/**
 * A server of `npm start` while its clone is rebuilt. In a copy of the clone, a fake cargo overwrites the modules, like
 * a build that is killed halfway.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { test, type TestContext } from "node:test";
import { APP_PASSWORD, basic, cookiesOf } from "../shim/embedded-fixture.ts";
import { root } from "./consumer.ts";

const COPIED = [
  "LICENSE",
  "admin",
  "client",
  "crates/model/src/phones.txt",
  "host-shim",
  "package.json",
  "package-lock.json",
  "pkg",
  "scripts",
  "src/spam",
  "tsconfig.json",
  "tsconfig.package.json",
  "visitor",
];
const ADMIN = { login: "admin", password: "a password of the test" };

interface Clone {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

function makeClone(t: TestContext): Clone {
  const folder = mkdtempSync(join(tmpdir(), "cf-forms-clone-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const isLeftOut = (path: string): boolean => /\/pkg\/\.[^/]*$/.test(path);
  for (const name of COPIED)
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: (path) => !isLeftOut(path) });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const programs = join(folder, "programs");
  mkdirSync(programs);
  const program = (name: string, script: string): void => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  program("rustup", "echo rust-std-wasm32-unknown-unknown");
  program("rustc", "echo rustc 1.99.0");
  program(
    "cargo",
    'if [ -n "$CF_TORN_BUILD" ]; then for file in pkg/wasm/importers*.wasm; do echo torn > "$file"; done; fi',
  );
  return {
    folder,
    environment: { ...process.env, PATH: [programs, process.env["PATH"]].join(delimiter), NODE_TEST_CONTEXT: "" },
  };
}

async function start(t: TestContext, { folder, environment }: Clone, data: string, workers: number) {
  const settings = {
    DATA_DIR: join(folder, data),
    PORT: "0",
    WORKERS: String(workers),
    CF_SECRET: "of the test",
    CF_ADMIN_PASSWORD: ADMIN.password,
    CF_ADMIN_APP_PASSWORD: APP_PASSWORD,
  };
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    cwd: folder,
    env: { ...environment, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (text) => (errors += text));
  async function stop(): Promise<void> {
    if (child.exitCode !== null) return;
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    await exit;
  }
  t.after(stop);
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^cf-forms listening on (.*)$/.exec(line)?.[1];
    if (url !== undefined) return { url, child, stop };
  }
  throw new Error(`the server did not start: ${errors}`);
}

/** The files that the admin's page names. */
async function adminFiles(url: string): Promise<readonly string[]> {
  const signIn = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(ADMIN) };
  const { cookie } = await receive(`${url}/sign-in`, signIn);
  const { text } = await receive(`${url}/admin`, { headers: { cookie } });
  return Array.from(text.matchAll(/(?:href|src)="(\/admin\/-\/[^"]+)"/g), ([, path = ""]) => path);
}

interface Received {
  readonly status: number;
  readonly text: string;
  readonly cookie: string;
}

/** Sends a request on a new connection to any worker, and retries it when that worker was killed. */
async function receive(url: string, init: RequestInit = {}): Promise<Received> {
  const headers = { ...(init.headers as Record<string, string>), connection: "close" };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await fetch(url, { ...init, headers });
      return { status: response.status, text: await response.text(), cookie: cookiesOf(response) };
    } catch (error) {
      if (attempt === 10) throw error;
    }
  }
}

function children(pid: number | undefined): number[] {
  return execFileSync("pgrep", ["-P", String(pid)])
    .toString()
    .trim()
    .split("\n")
    .map(Number);
}

test("builds, starts and tests beside a running server do not affect it", {
  timeout: 240_000,
}, async (t) => {
  const clone = makeClone(t);
  const [alone, several] = [await start(t, clone, "one", 1), await start(t, clone, "two", 2)];
  const before = new Map<string, readonly string[]>();
  for (const { url } of [alone, several]) before.set(url, await adminFiles(url));
  // All chunks of the admin, including those that the page loads on demand.
  const chunks = readdirSync(join(clone.folder, "pkg/admin/app")).filter((name) => /-[\w-]{8}\.js$/.test(name));
  assert.ok(chunks.length > 5);

  const texts = join(clone.folder, "admin/locales/en/site.ts");
  writeFileSync(texts, readFileSync(texts, "utf8").replace('"users.add": "', '"users.add": "Now: '));
  execFileSync(process.execPath, ["scripts/build.mjs"], {
    cwd: clone.folder,
    env: { ...clone.environment, CF_TORN_BUILD: "1" },
    stdio: "pipe",
  });
  const after = readdirSync(join(clone.folder, "pkg/admin/app"));
  assert.ok(
    chunks.some((chunk) => !after.includes(chunk)),
    "the build created other chunks",
  );

  const headers = { ...basic(ADMIN.login, APP_PASSWORD), "content-type": "application/json" };
  for (const { url, child } of [alone, several]) {
    if (child === several.child) {
      // The first process is a child of start.mjs, and the workers are its children.
      const [first] = children(child.pid);
      const [worker = 0] = children(first);
      process.kill(worker, "SIGKILL");
      while (children(first).length < 2 || children(first).includes(worker))
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    for (let round = 0; round < 4; round += 1) {
      assert.deepEqual(await adminFiles(url), before.get(url));
      const responses = await Promise.all(chunks.map((chunk) => receive(`${url}/admin/-/${chunk}`)));
      assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200]);
    }
    const post = (path: string, body: BodyInit, more: Record<string, string> = {}) =>
      receive(url + path, { method: "POST", headers: { accept: "application/json", ...more }, body });
    const gravity = { "0": { title: "Imported", fields: [{ id: 1, type: "text", label: "Name" }] }, version: "2.9" };
    const imported = { format: "gravity-forms", content: JSON.stringify(gravity) };
    const made = await post("/api/cf/v1/forms/import", JSON.stringify(imported), headers);
    assert.ok(made.status < 300, made.text);
    assert.equal(
      (await post("/api/cf/v1/forms", JSON.stringify({ title: "A", slug: "a", markup: "<input name=a>" }), headers))
        .status,
      201,
    );
    // Many concurrent submits, so that SQLite's writes move to a thread.
    const submits = Array.from({ length: 40 }, (_, number) =>
      post("/forms/a", new URLSearchParams({ a: String(number) })),
    );
    assert.deepEqual([...new Set((await Promise.all(submits)).map(({ status }) => status))], [200]);
    const upload = new FormData();
    upload.set("a", "as multipart");
    assert.equal((await post("/forms/a", upload)).status, 200);
  }
  await several.stop();
});

test("a failed build keeps the previous one, and builds wait for each other", { timeout: 120_000 }, async (t) => {
  const { folder, environment } = makeClone(t);
  const build = () =>
    spawn(process.execPath, ["scripts/build.mjs"], { cwd: folder, env: environment, stdio: "ignore" });
  const compiled = join(folder, "pkg/host-shim/src/index.js");
  const source = join(folder, "host-shim/src/reason.ts");
  const text = readFileSync(source, "utf8");
  writeFileSync(source, `${text}\nexport const wrong: number = "text";\n`);
  const [failed] = await once(build(), "exit");
  assert.equal(failed, 1);
  assert.ok(existsSync(compiled));
  writeFileSync(source, text);
  // Simulates a process that was killed while it held the lock.
  writeFileSync(join(folder, "pkg/.build-lock"), "4194305");
  assert.deepEqual(
    (await Promise.all([build(), build()].map((child) => once(child, "exit")))).map(([code]) => code),
    [0, 0],
  );
  assert.ok(existsSync(compiled));
  assert.deepEqual(
    readdirSync(join(folder, "pkg")).filter((name) => name.startsWith(".")),
    [],
  );
});
