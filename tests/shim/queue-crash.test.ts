/**
 * Crashes lose no submission, none of its indexed words or counts, and no action. Two host processes share a database.
 * One is killed repeatedly while visitors submit and a webhook receiver fails a third of the time. CF_CRASH_SUBMISSIONS
 * sets the number of submissions.
 */
import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { createForms, type CounterDifference } from "../../host-shim/src/index.ts";
import { postgresForTests } from "./postgres-server.ts";

const SUBMISSIONS = Number(process.env["CF_CRASH_SUBMISSIONS"] ?? 120);
const KILLS = Math.max(3, Math.trunc(SUBMISSIONS / 40));
/** Longer than a lease and than the longest delay between attempts. */
const JUMP_MS = 10 * 60_000;

const folder = mkdtempSync(join(tmpdir(), "cf-forms-crash-"));
const postgres = await postgresForTests();

after(async () => {
  if ("server" in postgres) await postgres.server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const databases: readonly [string, { skip?: string }, string][] = [
  ["SQLite", {}, join(folder, "forms.sqlite")],
  ["PostgreSQL", "skip" in postgres ? { skip: postgres.skip } : {}, "server" in postgres ? postgres.server.url : ""],
];

/** Fails a third of the deliveries, but none a third time, so that no action fails permanently. */
class Receiver {
  readonly accepted = new Map<string, number>();
  readonly overlaps: string[] = [];
  failures = 0;
  readonly #open = new Set<string>();
  readonly #failed = new Map<string, number>();
  #deliveries = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const id = String(request.headers["webhook-id"]);
      if (this.#open.has(id)) this.overlaps.push(id);
      this.#open.add(id);
      // A delivery also ends when its sender dies.
      request.socket.once("close", () => this.#open.delete(id));
      request.resume().once(
        "end",
        () =>
          void this.#respond(id).then((status) => {
            this.#open.delete(id);
            response.writeHead(status, { connection: "close" }).end();
          }),
      );
    });
  }

  async #respond(id: string): Promise<number> {
    this.#deliveries += 1;
    const failed = this.#failed.get(id) ?? 0;
    const fails = this.#deliveries % 3 === 0 && failed < 2;
    await wait(this.#deliveries % 7);
    if (fails) {
      this.failures += 1;
      this.#failed.set(id, failed + 1);
      return 500;
    }
    this.accepted.set(id, (this.accepted.get(id) ?? 0) + 1);
    return 200;
  }

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** A word that only one visitor sends, and that is not a prefix of another word. */
const wordOf = (visitor: number): string => `visitor${String(visitor).padStart(6, "0")}`;

/** The differences between the counters and the stored rows. */
async function countAgain(place: string): Promise<CounterDifference[]> {
  const database = place.startsWith("postgres:") ? openPostgres({ url: place }) : openSqlite({ path: place });
  const differences: CounterDifference[] = [];
  try {
    const forms = await createForms({ host: { database }, baseUrl: "http://localhost" });
    await forms.rebuildCounters((difference) => differences.push(difference));
    await forms.close();
  } finally {
    await database.close();
  }
  return differences;
}

interface HostProcess {
  readonly child: ChildProcess;
  readonly url: string;
}

for (const [name, options, place] of databases) {
  describe(`two processes on one ${name}, one killed again and again`, options, () => {
    const receiver = new Receiver();
    const hosts: HostProcess[] = [];
    /** The id of each visitor's submission, by visitor. */
    const acknowledged = new Map<number, number>();
    let unacknowledged = 0;
    let ahead = 0;

    async function start(): Promise<HostProcess> {
      const script = fileURLToPath(new URL("queue-crash-host.ts", import.meta.url));
      const child = fork(script, [place, String(ahead)], { execArgv: ["--disable-warning=ExperimentalWarning"] });
      const [port] = await once(child, "message");
      return { child, url: `http://127.0.0.1:${port}` };
    }

    async function killAndRestart(): Promise<void> {
      hosts[1]?.child.kill("SIGKILL");
      hosts[1] = await start();
    }

    async function api(method: string, path: string, body?: unknown) {
      const response = await fetch(`${hosts[0]?.url}/api/cf/v1${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      });
      return response.json();
    }

    /** Retries a submit until there is a response, like a visitor whose first request reached a dead process. */
    async function submit(n: number): Promise<void> {
      for (let attempt = 0; attempt < 10; attempt += 1) {
        try {
          const response = await fetch(`${hosts[(n + attempt) % 2]?.url}/forms/contact`, {
            method: "POST",
            headers: {
              "content-type": "application/json",
              accept: "application/json",
              "idempotency-key": `visitor-${n}`,
            },
            body: JSON.stringify({ name: wordOf(n) }),
          });
          const body = await response.json();
          assert.equal(response.status, 200, JSON.stringify(body));
          acknowledged.set(n, body.submission_id);
          return;
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error;
          unacknowledged += 1;
        }
      }
      assert.fail(`visitor ${n} got no response`);
    }

    /** Sends a message to all hosts, and waits for this response from each. */
    async function send(message: string | number, response: string): Promise<void> {
      await Promise.all(
        hosts.map(async ({ child }) => {
          const replied = once(child, "message");
          child.send(message);
          assert.deepEqual((await replied)[0], response);
        }),
      );
    }

    /** Runs due entries, and waits until nothing runs. */
    const settled = (): Promise<void> => send("settle", "settled");

    /** Advances every clock while nothing runs: leases expire, retries become due. */
    async function jump(): Promise<void> {
      ahead += JUMP_MS;
      await send(ahead, "moved");
      await settled();
    }

    before(async () => {
      const url = await receiver.listen();
      hosts.push(await start(), await start());
      const actions = ["a", "b"].map((path) => ({ type: "webhook", url: `${url}/${path}` }));
      await api("POST", "/forms", {
        title: "Contact",
        slug: "contact",
        markup: '<input name="name"><button>Send</button>',
        settings: { actions },
      });
    });

    after(() => {
      for (const { child } of hosts) child.kill("SIGKILL");
      receiver.close();
    });

    it("stores every confirmed submission with its words and counts, and delivers every action, never two attempts at once", async () => {
      const killing = (async () => {
        for (let kills = 0; kills < KILLS; kills += 1) {
          await wait(60 + kills * 20);
          await killAndRestart();
        }
      })();
      for (let n = 0; n < SUBMISSIONS; n += 4) {
        await Promise.all([n, n + 1, n + 2, n + 3].map((m) => submit(m)));
        await wait(10);
      }
      await killing;

      const isOpen = (stats: { pending: number; processing: number; retrying: number }) =>
        stats.pending + stats.processing + stats.retrying > 0;
      await settled();
      let stats = await api("GET", "/action-queue/stats");
      for (let jumps = 0; isOpen(stats) && jumps < 20; jumps += 1) {
        await jump();
        stats = await api("GET", "/action-queue/stats");
      }

      const stored = new Set<number>();
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const response = await fetch(`${hosts[0]?.url}/api/cf/v1/submissions?per_page=100&page=${page}`);
        pages = Number(response.headers.get("x-wp-totalpages"));
        for (const { id } of (await response.json()) as { id: number }[]) stored.add(id);
      }
      assert.deepEqual(
        [...acknowledged.values()].filter((id) => !stored.has(id)),
        [],
        "no confirmed submission is missing",
      );
      assert.equal(new Set(acknowledged.values()).size, SUBMISSIONS, "each visitor has one submission");
      assert.equal(stored.size, SUBMISSIONS, "an attempt without a response and its repeat are one submission");
      for (const [visitor, id] of acknowledged) {
        const found = (await api("GET", `/submissions?search=${wordOf(visitor)}`)) as { id: number }[];
        assert.deepEqual(
          found.map((submission) => submission.id),
          [id],
          `found by ${wordOf(visitor)}`,
        );
      }
      const funnel = (await api("GET", "/analytics/1/funnel")) as { submissions: number };
      assert.equal(funnel.submissions, SUBMISSIONS, "each is counted once");
      assert.deepEqual(await countAgain(place), [], "the counters equal the sums of the rows");
      assert.deepEqual(
        [stats.pending, stats.processing, stats.retrying, stats.failed],
        [0, 0, 0, 0],
        JSON.stringify(stats),
      );
      assert.equal(stats.completed, stored.size * 2, "exactly two entries for each submission");
      assert.equal(receiver.accepted.size, stored.size * 2, "each action was delivered");
      assert.deepEqual(receiver.overlaps, [], "no action was delivered twice at the same time");
      assert.ok(receiver.failures > 0, "the receiver failed sometimes");
      const repeated = [...receiver.accepted.values()].filter((times) => times > 1).length;
      console.log(
        `${name}: ${stored.size} submissions, ${KILLS} kills, ${unacknowledged} attempts without a response, ${receiver.failures} failures, ${repeated} repeats`,
      );
    });
  });
}
