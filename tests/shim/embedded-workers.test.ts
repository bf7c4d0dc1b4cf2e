/** `WORKERS=2`: several processes on one port and one database, one of which is killed. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { after, describe, test, type TestContext } from "node:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { startWorkers } from "../../host-shim/hosts/embedded/workers.ts";
import { APP_PASSWORD, BARE_ENVIRONMENT, basic, postJson, temporaryDirectory } from "./embedded-fixture.ts";
import { postgresForTests } from "./postgres-server.ts";

const CLI = fileURLToPath(new URL("../../host-shim/hosts/embedded/cli.ts", import.meta.url));
const SUBMITS = 120;

type Environment = Readonly<Record<string, string>>;

function run(parameters: readonly string[], environment: Environment) {
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", CLI, ...parameters], {
    env: { ...BARE_ENVIRONMENT, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function start(t: TestContext, environment: Environment) {
  const child = run(["start"], environment);
  t.after(() => child.kill("SIGKILL"));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^cf-forms listening on (.*)$/.exec(line)?.[1];
    if (url !== undefined) return { child, url };
  }
  throw new Error("the host did not start");
}

function workersOf(pid: number | undefined): number[] {
  return execFileSync("pgrep", ["-P", String(pid)])
    .toString()
    .trim()
    .split("\n")
    .map(Number);
}

/** Returns the number of sockets that listen on a port. */
function listeners(port: number): number {
  const lines = readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return lines.filter(([, local = "", , state]) => local.endsWith(end) && state === "0A").length;
}

/** Repeats a request until there is a response, because connections of a dying worker break. */
async function respond(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) });
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}

async function submit(url: string, number: number): Promise<number> {
  const body = new URLSearchParams({ name: `visitor ${number}` });
  const headers = { accept: "application/json", "idempotency-key": `key ${number}` };
  const response = await respond(`${url}/forms/shared`, { method: "POST", headers, body });
  assert.equal(response.status, 200);
  return ((await response.json()) as { submission_id: number }).submission_id;
}

/** Posts to either worker on a new connection, with or without a Content-Length; returns the status. */
async function postOnNewConnection(url: string, body: string, isAnnounced: boolean): Promise<number | undefined> {
  const length = isAnnounced
    ? { "content-length": String(Buffer.byteLength(body)) }
    : { "transfer-encoding": "chunked" };
  const posted = request(url, {
    method: "POST",
    agent: false,
    headers: { "content-type": "application/json", ...length },
  });
  posted.end(body);
  const [response] = (await once(posted, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

/** Waits until the next worker reports that it serves; returns the reported URL. */
async function nextServing(): Promise<string> {
  for (;;) {
    const [, message] = (await once(cluster, "message")) as [Worker, { cf?: string; serving?: { url: string } }];
    if (message.cf === "serving") return message.serving?.url ?? "";
  }
}

test("the first process survives a closed channel and a worker that cannot start; a joining worker delays requests", async (t) => {
  cluster.setupPrimary({ exec: fileURLToPath(new URL("bare-worker.ts", import.meta.url)), args: [], execArgv: [] });
  const workers = await startWorkers(1);
  t.after(() => workers.close());
  assert.equal(workers.url, "503");

  // The counter of failed sign-ins also sends messages to workers, whose channels may be closed.
  const [worker] = Object.values(cluster.workers ?? {});
  assert.ok(worker !== undefined);
  cluster.setupPrimary({ cwd: "/no/such/folder" });
  const error = once(worker, "error");
  worker.process.disconnect();
  worker.send("anything");
  assert.match(String(await error), /closed/i);
  const [unstarted] = (await once(cluster, "fork")) as [Worker];
  assert.equal(unstarted.process.pid, undefined);
  cluster.setupPrimary({ cwd: import.meta.dirname });
  assert.equal(await nextServing(), "held");
});

test("a worker that dies before it serves is restarted with increasing delays, and the others continue", async (t) => {
  const directory = await temporaryDirectory(t);
  const deaths = join(directory, "deaths");
  // Each worker except the first runs this code at its start, and the first three such starts fail.
  const preloaded = join(directory, "die.mjs");
  await writeFile(
    preloaded,
    `import { appendFileSync, readFileSync } from "node:fs";
    if (process.env.CF_WORKER === "further") {
      appendFileSync(${JSON.stringify(deaths)}, Date.now() + "\\n");
      if (readFileSync(${JSON.stringify(deaths)}, "utf8").trim().split("\\n").length <= 3) process.exit(7);
    }`,
  );
  const environment: Environment = {
    DATA_DIR: directory,
    CF_SECRET: "of the test",
    CF_ADMIN_PASSWORD: "a password of the test",
    PORT: "0",
    WORKERS: "2",
    NODE_OPTIONS: `--import=${pathToFileURL(preloaded)}`,
  };
  const { child, url } = await start(t, environment);
  const starts = async () => (await readFile(deaths, "utf8")).trim().split("\n").map(Number);
  while ((await starts()).length < 4 || workersOf(child.pid).length < 2) {
    assert.equal(child.exitCode, null);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    await delay(50);
  }
  const [first = 0, second = 0, third = 0, fourth = 0] = await starts();
  assert.ok(
    second - first >= 200 && third - second >= 400 && fourth - third >= 800,
    `${second - first}, ${third - second}, ${fourth - third}`,
  );
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
  assert.equal(child.exitCode, 0);
});

test("when the first worker dies before it serves, the host ends with an error", async (t) => {
  const directory = await temporaryDirectory(t);
  const preloaded = join(directory, "die.mjs");
  await writeFile(preloaded, 'if (process.env.CF_WORKER === "first") process.exit(7);');
  const child = run(["start"], {
    DATA_DIR: directory,
    PORT: "0",
    WORKERS: "2",
    NODE_OPTIONS: `--import=${pathToFileURL(preloaded)}`,
  });
  t.after(() => child.kill("SIGKILL"));
  await once(child, "exit");
  assert.equal(child.exitCode, 1);
});

const postgres = await postgresForTests();
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
});

const databases: readonly (readonly [string, Environment, { readonly skip?: string }])[] = [
  ["SQLite", {}, {}],
  "server" in postgres ? ["PostgreSQL", { DATABASE_URL: postgres.server.url }, {}] : ["PostgreSQL", {}, postgres],
];

describe("two workers", () => {
  for (const [name, database, options] of databases) {
    test(`lose nothing on ${name} when one is killed, and share the counters`, options, async (t) => {
      const environment: Environment = {
        DATA_DIR: await temporaryDirectory(t),
        CF_SECRET: "of the test",
        CF_ADMIN_PASSWORD: "a password of the test",
        CF_ADMIN_APP_PASSWORD: APP_PASSWORD,
        PORT: "0",
        WORKERS: "2",
        ...database,
      };
      const { child, url } = await start(t, environment);
      const headers = basic("admin", APP_PASSWORD);
      const api = `${url}/api/cf/v1`;
      const settings = { actions: [{ type: "email", to: "a@example.org" }] };
      const form = { title: "Shared", slug: "shared", markup: '<p><input name="name"></p>', settings };
      assert.equal((await postJson(`${api}/forms`, form, headers)).status, 201);
      const [first, second] = workersOf(child.pid);
      assert.ok(first !== undefined && second !== undefined);

      // Each worker listens with its socket, and another host cannot share the port by mistake.
      const { port } = new URL(url);
      if (process.platform === "linux") assert.equal(listeners(Number(port)), 2);
      const other = run(["start"], { ...environment, PORT: port });
      assert.deepEqual(await once(other, "exit"), [1, null]);

      const ids = Array.from({ length: SUBMITS }, async (_, number) => {
        const id = await submit(url, number);
        if (number === SUBMITS / 4) process.kill(first, "SIGKILL");
        return id;
      });
      assert.equal(new Set(await Promise.all(ids)).size, SUBMITS);
      // On a busy machine the worker may die after the last response. The requests below are not repeated.
      while (workersOf(child.pid).includes(first)) await delay(10);
      const list = await respond(`${api}/submissions?per_page=1`, { headers });
      assert.equal(list.headers.get("x-wp-total"), String(SUBMITS));

      // Each event id counts once, and failed sign-ins are summed over all workers.
      const event = { form_id: 1, events: [{ event_type: "view", event_id: "one" }] };
      const events = Array.from({ length: 60 }, (_, number) =>
        postOnNewConnection(`${url}/forms/-/events`, JSON.stringify(event), number % 2 === 0),
      );
      assert.deepEqual([...new Set(await Promise.all(events))], [204]);
      let failures = 0;
      while ((await postJson(`${url}/sign-in`, { login: "admin", password: "wrong" })).status === 401) failures += 1;
      assert.equal(failures, 10);

      const workers = workersOf(child.pid);
      assert.ok(workers.includes(second) && !workers.includes(first) && workers.length === 2, `${workers}`);
      const exit = once(child, "exit");
      child.kill("SIGTERM");
      await exit;
      assert.equal(child.exitCode, 0);

      const again = run(["rebuild-counters"], environment);
      assert.match(await text(again.stdout), /^0 corrected, 0 left\n$/);
      const { child: last, url: lastUrl } = await start(t, { ...environment, WORKERS: "1" });
      const funnel = await fetch(`${lastUrl}/api/cf/v1/analytics/1/funnel`, { headers });
      const { views, submissions } = (await funnel.json()) as { views: number; submissions: number };
      assert.deepEqual({ views, submissions }, { views: 1, submissions: SUBMITS });
      last.kill("SIGTERM");
      await once(last, "exit");
    });
  }
});
