/** The commands of operators. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { describe, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { APP_PASSWORD, BARE_ENVIRONMENT, basic, postJson, temporaryDirectory } from "./embedded-fixture.ts";

const CLI = fileURLToPath(new URL("../../host-shim/hosts/embedded/cli.ts", import.meta.url));

function spawnCommand(parameters: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", CLI, ...parameters], {
    env: { ...BARE_ENVIRONMENT, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

async function runCommand(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const child = spawnCommand(parameters, environment);
  const [output, errors] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, "close")]);
  return { code: child.exitCode, output, errors };
}

interface Running {
  readonly url: string;
  /** Output up to and including the line with the address. */
  readonly lines: readonly string[];
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
}

async function start(
  t: TestContext,
  environment: Readonly<Record<string, string>>,
  ...parameters: readonly string[]
): Promise<Running> {
  const child = spawnCommand(["start", ...parameters], { PORT: "0", ...environment });
  t.after(() => child.kill("SIGKILL"));
  child.stderr?.resume();
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line);
    const url = /^cf-forms listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    return {
      url,
      lines,
      async stop() {
        const exit = once(child, "exit");
        child.kill("SIGTERM");
        await exit;
        return child.exitCode;
      },
    };
  }
  throw new Error(`the host did not start: ${lines.join("\n")}`);
}

describe("cf-forms start", () => {
  test("prints the address, the generated password only once, and ends cleanly on SIGTERM", async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t) };
    const first = await start(t, environment);
    const password = /^Administrator "[^"]+", password (\w{24})$/.exec(first.lines[0] ?? "")?.[1];
    assert.equal((await postJson(`${first.url}/sign-in`, { login: "admin", password })).status, 200);
    assert.equal(await first.stop(), 0);
    const second = await start(t, environment);
    assert.deepEqual(second.lines, [`cf-forms listening on ${second.url}`]);
    assert.equal(await second.stop(), 0);
  });

  for (const workers of ["1", "2"]) {
    test(`adds plugins before the first request, with ${workers} workers`, async (t) => {
      const directory = await temporaryDirectory(t);
      const plugin = join(directory, "acme.mjs");
      writeFileSync(
        plugin,
        `export default async (forms) => {
          await new Promise((resolve) => setTimeout(resolve, 200));
          forms.registerAction({ type: "acme", label: "Acme", process: () => true });
        };`,
      );
      const environment = { DATA_DIR: join(directory, "data"), CF_ADMIN_APP_PASSWORD: APP_PASSWORD, WORKERS: workers };
      const running = await start(t, environment, "--plugin", plugin);
      for (let times = 0; times < 8; times += 1) {
        const response = await fetch(`${running.url}/api/cf/v1/actions`, { headers: basic("admin", APP_PASSWORD) });
        const types = (await response.json()) as { type: string }[];
        assert.ok(types.some(({ type }) => type === "acme"));
      }
      assert.equal(await running.stop(), 0);
    });
  }

  test("names a plugin that cannot be added, and does not start", async (t) => {
    const directory = await temporaryDirectory(t);
    for (const [program, message] of [
      [null, /^cf-forms: the plugin \S+wrong\.mjs cannot be loaded: /],
      ["export const add = 5;", /^cf-forms: the plugin \S+wrong\.mjs needs a function as its default export\n$/],
      [
        "export default () => { throw new Error('no ink'); };",
        /^cf-forms: the plugin \S+wrong\.mjs failed: no ink\nError: no ink\n {4}at \S+ \(file:\S+wrong\.mjs:1:30\)\n/,
      ],
    ] as const) {
      const plugin = join(directory, "wrong.mjs");
      if (program !== null) writeFileSync(plugin, program);
      const environment = { PORT: "0", DATA_DIR: join(directory, "data"), CF_SECRET: "of the test", TRUST_PROXY: "1" };
      const { code, errors } = await runCommand(["start", "--plugin", plugin], environment);
      assert.equal(code, 1);
      assert.match(errors, message);
    }
    assert.equal(
      (await runCommand(["add-user", "ada", "--plugin", "x.mjs"])).errors,
      "cf-forms: --plugin is an option of start\n",
    );
  });

  test("names every wrong variable and does not start", async () => {
    const { code, errors } = await runCommand(["start"], { PORT: "eighty", TRUST_PROXY: "all" });
    assert.equal(code, 1);
    assert.match(errors, /PORT must be .*\n.*TRUST_PROXY must be /);
    assert.doesNotMatch(errors, /\n\s+at /);
  });

  test("does not treat an empty database as a new site if files of an old site exist", async (t) => {
    const left: readonly (readonly [path: string, named: RegExp])[] = [
      ["uploads/12/ab/photo.png", /holds uploads: the site's database was lost/],
      ["cf-forms.sqlite-wal", /the log cf-forms\.sqlite-wal/],
      ["cf-forms.sqlite.bak", /the backup cf-forms\.sqlite\.bak/],
      ["backups/2026-11-26.sqlite", /the backup backups/],
      ["backup.tar.gz", /the backup backup\.tar\.gz/],
    ];
    for (const [path, named] of left) {
      const directory = await temporaryDirectory(t);
      const file = join(directory, "cf-forms.sqlite");
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), "what is left");
      writeFileSync(file, "");
      for (const parameters of [["start"], ["add-user", "eve"]]) {
        const { code, output, errors } = await runCommand(parameters, { DATA_DIR: directory, PORT: "0" });
        assert.deepEqual([code, output], [1, ""], path);
        assert.match(errors, /^cf-forms: \S+cf-forms\.sqlite has 0 bytes, but [^\n]+\n$/);
        assert.match(errors, named);
        assert.match(errors, /Restore a backup/);
      }
      assert.equal(readFileSync(join(directory, path), "utf8"), "what is left");
      assert.equal(statSync(file).size, 0);
    }
  });

  test("treats an empty database as a new site if the data folder is empty or was emptied", async (t) => {
    const directory = await temporaryDirectory(t);
    const file = join(directory, "cf-forms.sqlite");
    mkdirSync(join(directory, "uploads/12"), { recursive: true });
    writeFileSync(file, "");
    assert.equal(await (await start(t, { DATA_DIR: directory })).stop(), 0);
    writeFileSync(join(directory, "uploads/12/photo.png"), "a photo");
    for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
    assert.equal(await (await start(t, { DATA_DIR: directory })).stop(), 0);
    assert.equal(await (await start(t, { DATA_DIR: directory })).stop(), 0);
  });

  test("reports a port that is in use", async (t) => {
    const running = await start(t, { DATA_DIR: await temporaryDirectory(t) });
    const environment = { DATA_DIR: await temporaryDirectory(t), PORT: new URL(running.url).port };
    const { code, errors } = await runCommand(["start"], environment);
    assert.equal(code, 1);
    assert.match(errors, /another program listens there\. Set PORT to a free one\.\n$/);
  });
});

describe("cf-forms rebuild-counters", () => {
  test("counts the submissions of a site again, beside a running host", async (t) => {
    const environment = {
      DATA_DIR: await temporaryDirectory(t),
      CF_ADMIN_APP_PASSWORD: "abcd EFGH 1234 ijkl MNOP 5678",
    };
    const { url } = await start(t, environment);
    const headers = { ...basic("admin", environment.CF_ADMIN_APP_PASSWORD), "content-type": "application/json" };
    const body = JSON.stringify({ title: "Contact", markup: "<input name=a>" });
    assert.equal((await fetch(`${url}/api/cf/v1/forms`, { method: "POST", headers, body })).status, 201);
    assert.equal(
      (
        await fetch(`${url}/forms/contact`, {
          method: "POST",
          headers: { accept: "application/json" },
          body: new URLSearchParams({ a: "1" }),
        })
      ).status,
      200,
    );
    const right = await runCommand(["rebuild-counters"], environment);
    assert.deepEqual([right.code, right.output], [0, "0 corrected, 0 left\n"]);
    const database = openSqlite({ path: join(environment.DATA_DIR, "cf-forms.sqlite") });
    await database.batch([
      { sql: "UPDATE cf_stats SET count = 0 WHERE metric = 'submit' AND form_id = 1", params: [] },
    ]);
    await database.close();
    const wrong = await runCommand(["rebuild-counters"], environment);
    assert.match(wrong.output, /^form 1 submit \d{4}-\d\d-\d\d: corrected by 1\n/);
    assert.equal((await runCommand(["rebuild-counters", "1"], environment)).code, 1);
  });
});

describe("the commands for users", () => {
  test("an application password created beside a running host works there", async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t) };
    const { url } = await start(t, environment);
    const { code, output } = await runCommand(["app-password", "admin", "deploy script"], environment);
    assert.equal(code, 0);
    assert.match(output, /^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}\n$/);
    const response = await fetch(`${url}/api/cf/v1/forms`, { headers: basic("admin", output.trim()) });
    assert.equal(response.status, 200);
  });

  test("users are added, and get new passwords", async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t) };
    const { url } = await start(t, environment);
    const added = await runCommand(["add-user", "editor"], environment);
    const signIn = (password: string) => postJson(`${url}/sign-in`, { login: "editor", password: password.trim() });
    assert.equal((await signIn(added.output)).status, 200);
    const reset = await runCommand(["reset-password", "editor"], environment);
    assert.equal((await signIn(added.output)).status, 401);
    assert.equal((await signIn(reset.output)).status, 200);
    assert.equal(reset.errors, "Sessions ended: 1. Application passwords revoked: 0.\n");
    const environmentOf = (output: string) => basic("editor", output.trim());
    const program = environmentOf((await runCommand(["app-password", "editor", "x"], environment)).output);
    const kept = await runCommand(["reset-password", "editor", "--keep-application-passwords"], environment);
    assert.equal(kept.errors, "Sessions ended: 1. Application passwords revoked: 0.\n");
    assert.equal((await fetch(`${url}/api/cf/v1/forms`, { headers: program })).status, 200);
    assert.equal(
      (await runCommand(["reset-password", "editor"], environment)).errors,
      "Sessions ended: 0. Application passwords revoked: 1.\n",
    );
    assert.equal((await runCommand(["add-user", "x", "--keep-application-passwords"], environment)).code, 1);
  });

  test("an impossible command is reported in one line", async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t) };
    const cases: readonly [readonly string[], RegExp][] = [
      [["app-password", "nobody", "x"], /^cf-forms: there is no user nobody\n$/],
      [["reset-password", "nobody"], /^cf-forms: there is no user nobody\n$/],
      [["add-user", "a:b"], /^cf-forms: a user name is /],
      [
        ["add-user", "editor", "king"],
        /^cf-forms: the role must be administrator or editor or reader or subscriber\n$/,
      ],
      [["app-password", "admin"], /^cf-forms: Usage: /],
      [["fly"], /^cf-forms: there is no command "fly"\n/],
      [["start", "--fast"], /^cf-forms: Unknown option '--fast'/],
      [[], /^cf-forms: Usage: /],
    ];
    for (const [parameters, expected] of cases) {
      const { code, errors, output } = await runCommand(parameters, environment);
      assert.deepEqual([code, output], [1, ""], parameters.join(" "));
      assert.match(errors, expected);
      assert.doesNotMatch(errors, /\n\s+at /);
    }
  });

  test("help is printed", async (t) => {
    const directory = `${await temporaryDirectory(t)}/none`;
    const { code, output } = await runCommand(["--help"], { DATA_DIR: directory });
    assert.equal(code, 0);
    assert.match(output, /^Usage: cf-forms <command>/);
    assert.equal(existsSync(directory), false);
  });

  test("prints the version of the package", async () => {
    const manifest = readFileSync(new URL("../../pkg/package.json", import.meta.url), "utf8");
    const { code, output } = await runCommand(["--version"]);
    assert.deepEqual([code, output], [0, `cf-forms ${JSON.parse(manifest).version}\n`]);
  });
});
