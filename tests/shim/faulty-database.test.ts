/**
 * Submits, the queue and the purge stay correct when a batch fails. Nothing is lost or duplicated, and actions run at
 * least once under one key. Each batch in the life of a submission gets each fault in turn. By default, every fifth
 * batch is tested; CF_FAULT_STEP=1 tests all.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import type { CounterDifference, Files } from "../../host-shim/src/index.ts";
import { FAULTS, FaultyDatabase, type Fault } from "./faulty-database.ts";
import { postgresForTests } from "./postgres-server.ts";
import { isUpload, items, member, startSite, type Site } from "./site.ts";

const STEP = Number(process.env["CF_FAULT_STEP"] ?? 5);
/** Timeout of a batch; long enough for a correct batch on a busy machine. Faults that return nothing last as long. */
const PORT_TIMEOUT_MS = 1_500;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Limits for the visitor's retries, and for the host's runs of the queue. */
const MAX_ATTEMPTS = 8;

const folder = mkdtempSync(join(tmpdir(), "cf-forms-faulty-"));
const postgres = await postgresForTests();
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const databases: readonly [string, { skip?: string }, () => FaultyDatabase][] = [
  ["SQLite", {}, () => new FaultyDatabase(openSqlite({ path: join(folder, "forms.sqlite") }))],
  [
    "PostgreSQL",
    "skip" in postgres ? { skip: postgres.skip } : {},
    () => new FaultyDatabase(openPostgres({ url: "server" in postgres ? postgres.server.url : "", max: 4 })),
  ],
];

for (const [name, options, open] of databases) {
  describe(`on ${name}, a batch that`, options, () => {
    const stored = new Map<string, Uint8Array>();
    const files: Files = {
      put: async (key, bytes) => void stored.set(key, bytes),
      get: async (key) => stored.get(key) ?? null,
      delete: async (key) => void stored.delete(key),
    };
    let database: FaultyDatabase;
    let site: Site;
    let count = 0;
    after(() => site?.close());

    async function start(): Promise<void> {
      database = open();
      site = await startSite({
        database,
        host: { files },
        forms: { portTimeoutMs: PORT_TIMEOUT_MS, automaticRuns: false },
      });
      await site.api("POST", "/forms", { title: "Kept", slug: "kept", markup: "<input name=a>" });
      assert.equal(
        (
          await fetch(`${site.url}/forms/kept`, {
            method: "POST",
            body: new URLSearchParams({ a: "stays" }),
            headers: { accept: "application/json" },
          })
        ).status,
        200,
      );
    }

    const rows = async (sql: string): Promise<number> =>
      Number((await database.sound.batch([{ sql: `SELECT COUNT(*) FROM ${sql}`, params: [] }]))[0]?.rows[0]?.[0]);

    /** Repeats a submit under one key until there is a response, like the visitor's script when the network fails. */
    async function submit(slug: string, key: string): Promise<number> {
      const statuses: number[] = [];
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const body = new FormData();
        for (const [field, value] of [
          ["_submission_key", `s-${key}`],
          ["name", key],
        ] as const)
          body.append(field, value);
        body.append("cv", new Blob(["%PDF-1.4"]), "cv.pdf");
        const response = await fetch(`${site.url}/forms/${slug}`, {
          method: "POST",
          body,
          headers: { accept: "application/json" },
        });
        const text = await response.text();
        if (response.status === 200) return Number(member(JSON.parse(text), "submission_id"));
        statuses.push(response.status);
        assert.ok(response.status >= 500, `${response.status} ${text}`);
      }
      return assert.fail(`no response: ${statuses.join()}`);
    }

    /** Runs the queue and the purge like hosts do, and advances the clock, until a condition holds. */
    async function run(ahead: number, isDone: () => Promise<boolean>): Promise<void> {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        await site.forms.runQueue().catch(() => undefined);
        await site.settled();
        if (await isDone()) return;
        site.clock.ahead += ahead;
      }
      assert.fail(`not done after ${MAX_ATTEMPTS} runs: ${site.faults.slice(-5).join("\n")}`);
    }

    /**
     * Runs the life of one submission with a fault in the n-th batch: of the submit and its actions, or of the purge.
     * Returns whether there were that many batches.
     */
    async function course(fault: Fault, n: number, isPurge: boolean): Promise<boolean> {
      count += 1;
      const key = `visitor${count}x`;
      const actions = [
        { type: "email", to: "desk@example.org", subject: key, message: "[all]" },
        { type: "email", to: "boss@example.org", subject: key, message: "x" },
      ];
      const made = await site.api("POST", "/forms", {
        title: key,
        slug: key,
        markup: "<input name=name><input type=file name=cv>",
        settings: { actions, retention_days: 1 },
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const form = Number(member(made.body, "id"));
      if (!isPurge) database.arm(n, fault);
      const id = await submit(key, key);
      await run(
        11 * MINUTE,
        async () => (await rows(`cf_action_queue WHERE form_id = ${form} AND status <> 'completed'`)) === 0,
      );
      let isMet = !isPurge && !database.disarm();

      const found = items((await site.api("GET", `/submissions?search=${key}`)).body);
      assert.deepEqual(
        found.map((one) => member(one, "id")),
        [id],
        `batch ${n}: stored once, and found`,
      );
      const download = await fetch(`${site.url}/api/cf/v1/submissions/${id}/files/1`, {
        headers: { "x-test-caller": "administrator" },
      });
      assert.equal(await download.text(), "%PDF-1.4", `batch ${n}`);
      assert.equal(await rows(`cf_submissions WHERE form_id = ${form}`), 1, `batch ${n}`);
      assert.equal(await rows(`cf_action_queue WHERE form_id = ${form}`), 2, `batch ${n}: two actions, queued once`);
      const mails = site.mails.filter(({ subject }) => subject === key);
      for (const to of ["desk@example.org", "boss@example.org"]) {
        const ids = mails.filter((mail) => mail.to[0] === to).map(({ message_id }) => message_id);
        assert.ok(ids.length >= 1, `batch ${n}: ${to} got no mail`);
        assert.equal(new Set(ids).size, 1, `batch ${n}: ${to} got mails under several keys`);
      }

      site.clock.ahead += 2 * DAY;
      if (isPurge) database.arm(n, fault);
      await run(
        61 * MINUTE,
        async () =>
          (await rows(`cf_submissions WHERE form_id = ${form}`)) === 0 &&
          (await rows(`cf_uploads WHERE form_id = ${form}`)) === 0,
      );
      if (isPurge) isMet = !database.disarm();
      const uploads = [...stored.keys()].filter(isUpload);
      assert.deepEqual(uploads, [], `batch ${n}: no file remains`);
      assert.equal(await rows("cf_submissions"), 1, `batch ${n}: the other form's submission is kept`);
      assert.equal((await site.api("DELETE", `/forms/${form}?force=true`)).status, 200);
      return isMet;
    }

    for (const [index, fault] of (Object.keys(FAULTS) as Fault[]).entries()) {
      for (const isPurge of [false, true]) {
        it(`${fault}: ${isPurge ? "the purge" : "the submit and its actions"}`, async (t) => {
          if (site === undefined) await start();
          const mailsBefore = site.mails.length;
          // Each fault begins at another batch, so that the faults together cover nearly all batches.
          let n = 1 + (index % STEP);
          let met = 0;
          for (; await course(fault, n, isPurge); n += STEP, met += 1)
            assert.ok(n < 200, "a submission needs fewer batches");
          assert.ok(met > 0);
          const differences: CounterDifference[] = [];
          await site.forms.rebuildCounters((difference) => differences.push(difference));
          assert.deepEqual(differences, [], "the counters equal the sums of the rows");
          t.diagnostic(
            `${met} faults, ${met + 1} submissions, 0 lost, 0 doubled, ${site.mails.length - mailsBefore} mails for ${2 * (met + 1)} actions`,
          );
        });
      }
    }
  });
}
