/** The action queue on real databases, with several workers at once. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { createForms, type Database, type Forms, type SqlValue } from "../../host-shim/src/index.ts";
import { postgresForTests } from "./postgres-server.ts";

type Opened = Database & { close(): Promise<void> };

const ENTRIES = 120;

const folder = mkdtempSync(join(tmpdir(), "cf-forms-queue-"));
const postgres = await postgresForTests();

after(async () => {
  if ("server" in postgres) await postgres.server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const databases: readonly [string, { skip?: string }, () => Opened][] = [
  ["SQLite", {}, () => openSqlite({ path: join(folder, "forms.sqlite") })],
  [
    "PostgreSQL",
    "skip" in postgres ? { skip: postgres.skip } : {},
    () => openPostgres({ url: "server" in postgres ? postgres.server.url : "" }),
  ],
];

/** Runs a statement that has `?` for each parameter. */
async function execute(database: Database, sql: string, params: readonly SqlValue[] = []) {
  let place = 0;
  const mark = database.dialect === "postgres" ? "$" : "?";
  const [result] = await database.batch([{ sql: sql.replace(/\?/g, () => `${mark}${++place}`), params }]);
  return result?.rows ?? [];
}

/** Stores submissions with one entry each, in three lanes, so that the limits allow concurrent runs. */
async function fill(database: Database): Promise<void> {
  await execute(
    database,
    `INSERT INTO cf_forms (title, slug, markup, settings, messages, source, has_schema, revision, created_at, updated_at, change_token)
     VALUES ('Contact', 'contact', '', '{}', '{}', 'markup', 0, 1, 0, 0, '')`,
  );
  const [form] = await execute(database, "SELECT id FROM cf_forms");
  const formId = form?.[0] ?? null;
  for (let n = 0; n < ENTRIES; n += 1) {
    await execute(
      database,
      `INSERT INTO cf_submissions (uuid, form_id, status, change_token, is_spam, spam_score, spam_reasons, actions_withheld, data,
         files, ip_address, user_agent, referer_url, page_url, schema_revision, submitted_at, modified_at)
       VALUES (?, ?, 'new', '', 0, 0, '[]', 0, '{"name":"Ann"}', '[]', '', '', '', '', 1, 0, 0)`,
      [`s${n}`, formId],
    );
    await execute(
      database,
      `INSERT INTO cf_action_queue (form_id, submission_id, action_type, action_index, settings, status, priority, attempts,
         abandoned, max_retries, last_error, idempotency_key, lane, lease, due_at, scheduled_at, created_at)
       SELECT form_id, id, 'note', ${n % 3}, '{"type":"note"}', 'pending', 10, 0, 0, 3, '', uuid, '1:${n % 3}', '', 0, 0, 0
       FROM cf_submissions WHERE uuid = ?`,
      [`s${n}`],
    );
  }
  for (const scope of [0, formId]) {
    await execute(database, `INSERT INTO cf_stats VALUES (?, 'action_queue', '', 'pending', 0, ${ENTRIES})`, [scope]);
  }
}

for (const [name, options, open] of databases) {
  describe(`the action queue on ${name}`, options, () => {
    const workers: { forms: Forms; database: Opened }[] = [];
    const runs = new Map<string, number>();
    const underWay = new Set<string>();
    const overlaps: string[] = [];
    const faults: string[] = [];

    before(async () => {
      for (let n = 0; n < 3; n += 1) {
        const database = open();
        const log = (level: string, message: string, fields: unknown) => {
          if (level === "error") faults.push(`${message} ${JSON.stringify(fields)}`);
        };
        const forms = await createForms({ baseUrl: "http://localhost", host: { database, log } });
        forms.hooks.addAction(
          "cf_process_form_action_note",
          "test/note",
          async (settings: { idempotency_key: string }) => {
            const key = settings.idempotency_key;
            if (underWay.has(key)) overlaps.push(key);
            underWay.add(key);
            await new Promise((resolve) => setTimeout(resolve, 3));
            underWay.delete(key);
            runs.set(key, (runs.get(key) ?? 0) + 1);
            if (key === "s7") throw new Error("the note is lost");
            return key !== "s8";
          },
        );
        if (n === 0) await forms.migrate();
        workers.push({ forms, database });
      }
      await fill(workers[0]!.database);
    });

    after(async () => {
      for (const { forms, database } of workers) {
        await forms.close();
        await database.close();
      }
    });

    it("runs each entry once, with concurrent claims", async () => {
      let processed = 0;
      for (let rounds = 0; processed < ENTRIES && rounds < 50; rounds += 1) {
        const ran = await Promise.all(workers.map(({ forms }) => forms.runQueue()));
        processed += ran.reduce((sum, worker) => sum + worker.processed, 0);
      }
      assert.equal(processed, ENTRIES);
      assert.equal(runs.size, ENTRIES);
      assert.deepEqual(
        [...runs.values()].filter((times) => times !== 1),
        [],
      );
      assert.deepEqual(overlaps, []);
    });

    it("keeps its counts equal to its states", async () => {
      const { database } = workers[0]!;
      const states = await execute(
        database,
        "SELECT status, COUNT(*) FROM cf_action_queue GROUP BY status ORDER BY status",
      );
      assert.deepEqual(states, [
        ["completed", ENTRIES - 1],
        ["retrying", 1],
      ]);
      const logs = await execute(
        database,
        "SELECT label, CAST(SUM(count) AS BIGINT) FROM cf_stats WHERE metric = 'action_log' AND form_id = 0 GROUP BY label ORDER BY label",
      );
      assert.deepEqual(logs, [
        ["note:failed", 1],
        ["note:skipped", 1],
        ["note:success", ENTRIES - 2],
      ]);
      const counted = await execute(
        database,
        "SELECT label, CAST(SUM(count) AS BIGINT) FROM cf_stats WHERE metric = 'action_queue' AND form_id = 0 GROUP BY label ORDER BY label",
      );
      assert.deepEqual(counted, [
        ["completed", ENTRIES - 1],
        ["pending", 0],
        ["retrying", 1],
      ]);
      assert.equal(faults.filter((fault) => !fault.includes("the note is lost")).length, 0, faults.join("\n"));
    });

    it("serves every route of workflows", async () => {
      const { database } = workers[0]!;
      const principal = { id: "1", login: "admin", capabilities: ["edit_forms"] };
      const site = await createForms({
        baseUrl: "http://localhost",
        host: { database, authenticate: async () => ({ principal }) },
      });
      const read = async (path: string, method = "GET") => {
        const response = await site.fetch(new Request(`http://localhost/api/cf/v1${path}`, { method }));
        assert.ok(response !== null);
        return { status: response.status, total: response.headers.get("x-wp-total"), body: await response.json() };
      };
      assert.equal((await read("/action-logs?per_page=5&status=success")).total, String(ENTRIES - 2));
      assert.equal((await read("/action-logs?submission_id=1")).status, 200);
      assert.equal((await read("/action-logs/stats")).body.success_rate, 99.2);
      assert.equal((await read("/action-logs/stats?form_id=1")).body.total, ENTRIES);
      assert.equal((await read("/action-logs/failures")).body[0].queue_status, "retrying");
      assert.equal((await read("/action-queue?status=retrying")).total, "1");
      assert.equal((await read("/action-queue?form_id=1")).total, String(ENTRIES));
      assert.equal((await read("/action-queue/stats")).body.completed, ENTRIES - 1);
      assert.equal((await read("/action-queue/1/retry", "POST")).body.code, "retry_failed");
      await execute(database, "UPDATE cf_action_queue SET status = 'failed', due_at = NULL WHERE status = 'retrying'");
      const [[id]] = (await execute(database, "SELECT id FROM cf_action_queue WHERE status = 'failed'")) as [[number]];
      const retried = await read(`/action-queue/${id}/retry`, "POST");
      assert.deepEqual([retried.status, retried.body.status, retried.body.attempts], [200, "pending", 0]);
      await site.close();
    });
  });
}
