/**
 * A database of an older version of the engine is migrated to the newest schema, including its rows, on both databases.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, describe, it, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import type { Database } from "../../host-shim/src/ports.ts";
import { postgresForTests } from "./postgres-server.ts";
import { items, member, startSite, type Site } from "./site.ts";

type Closable = Database & { close(): Promise<void> };

const SUBMISSIONS = 450;
/** The lock of migrating processes (src/store/migrate.rs). */
const MIGRATION_LOCK = 7215301;
const NUMBERS = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${SUBMISSIONS})`;

function migration(name: string, { dialect }: Database): string[] {
  const identity =
    dialect === "sqlite" ? "INTEGER PRIMARY KEY AUTOINCREMENT" : "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
  const text = readFileSync(new URL(`../../src/store/migrations/${name}.sql`, import.meta.url), "utf8");
  const [shared = "", ...parts] = text.split(/^-- (?=(?:sqlite|postgres)$)/mu);
  const all = [
    shared,
    ...parts.filter((part) => part.startsWith(`${dialect}\n`)).map((part) => part.slice(dialect.length)),
  ].join("\n");
  const code = all
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("--"))
    .join("\n");
  const statements = code
    .split(";\n")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
  return statements.map((statement) => statement.replaceAll("{identity}", identity));
}

/**
 * Statements that create a database as after the second migration: a form, submissions of all statuses in the old
 * search index, and a queue.
 */
function oldSite(database: Database): string[] {
  const words = "'cfform1 example org person' || (id % 9) || ' ' || id";
  const search =
    database.dialect === "sqlite"
      ? `INSERT INTO cf_submission_search (rowid, words) SELECT id, ${words} FROM cf_submissions`
      : `INSERT INTO cf_submission_search (rowid, words) SELECT id, array_to_tsvector(string_to_array(${words}, ' ')) FROM cf_submissions`;
  const states =
    "CASE i % 5 WHEN 0 THEN 'pending' WHEN 1 THEN 'processing' WHEN 2 THEN 'retrying' WHEN 3 THEN 'completed' ELSE 'failed' END";
  return [
    ...migration("0001_foundation", database),
    ...migration("0002_analytics", database),
    "CREATE TABLE cf_migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)",
    "INSERT INTO cf_migrations VALUES (1, 'foundation', 0), (2, 'analytics', 0)",
    `INSERT INTO cf_forms (change_token, title, slug, markup, settings, messages, source, has_schema, revision, created_at, updated_at)
       VALUES ('t', 'Old', 'old', '', '{}', '{}', 'markup', 0, 1, 0, 0)`,
    `INSERT INTO cf_submissions (uuid, form_id, status, change_token, is_spam, spam_score, spam_reasons, actions_withheld, data,
         files, ip_address, user_agent, referer_url, page_url, schema_revision, submitted_at, modified_at)
       ${NUMBERS} SELECT 'u' || i, 1, CASE WHEN i % 10 = 0 THEN 'spam' WHEN i % 3 = 0 THEN 'read' ELSE 'new' END, '',
         CASE WHEN i % 10 = 0 THEN 1 ELSE 0 END, 0, '[]', 0, '{"mail":"Person' || (i % 9) || '@example.org"}', '[]', '', '', '', '',
         1, i * 1000, i * 1000 FROM n ORDER BY i`,
    search,
    `INSERT INTO cf_stats SELECT form.id, 'status', '', s.status, 0, COUNT(*) FROM cf_submissions s
       CROSS JOIN (SELECT 0 AS id UNION ALL SELECT 1) form GROUP BY form.id, s.status`,
    // A worker of every fourth entry had died, and half of the entries with a pending retry had never failed.
    `INSERT INTO cf_action_queue (form_id, submission_id, action_type, action_index, settings, status, priority, attempts, abandoned,
         max_retries, last_error, idempotency_key, lane, lease, due_at, scheduled_at, completed_at, created_at)
       ${NUMBERS} SELECT 1, i, 'email', 0, '{}', ${states}, 10, CASE i % 5 WHEN 0 THEN 0 ELSE 1 + i % 2 END, CASE WHEN i % 4 = 0 AND i % 5 > 0 THEN 1 ELSE 0 END,
         3, '', 'k' || i, '1:0', 'l', NULL, i, i, i FROM n`,
    `INSERT INTO cf_stats SELECT form.id, 'action_queue', '', q.status, 0, COUNT(*) FROM cf_action_queue q
       CROSS JOIN (SELECT 0 AS id UNION ALL SELECT 1) form WHERE q.status IN ('completed', 'failed') GROUP BY form.id, q.status`,
  ];
}

async function count(database: Database, condition: string, table = "cf_submissions"): Promise<number> {
  const [result] = await database.batch([{ sql: `SELECT COUNT(*) FROM ${table} WHERE ${condition}`, params: [] }]);
  return Number(result?.rows[0]?.[0]);
}

async function total(site: Site, path: string): Promise<number> {
  const { status, headers, body } = await site.api("GET", path);
  assert.equal(status, 200, JSON.stringify(body));
  return Number(headers.get("x-wp-total"));
}

async function isUpgraded(database: Closable): Promise<void> {
  await database.batch(oldSite(database).map((sql) => ({ sql, params: [] })));
  const site = await startSite({ database, forms: { queueConcurrency: 0 } });
  try {
    for (const [query, condition] of [
      ["search=person4", "status <> 'spam'"],
      ["search=person4&status=any", "1 = 1"],
      ["search=person4&status=spam", "status = 'spam'"],
      ["search=person4&form_id=1&status=read", "status = 'read'"],
      ["search=person4&form_id=2", "1 = 0"],
    ] as const) {
      const wanted = await count(database, `id % 9 = 4 AND ${condition}`);
      assert.equal(await total(site, `/submissions?${query}`), wanted, query);
    }
    assert.equal(await total(site, "/submissions?status=any"), SUBMISSIONS);
    const { body: newest } = await site.api("GET", "/submissions?per_page=2&orderby=id");
    assert.deepEqual(
      items(newest).map((item) => member(item, "id")),
      [449, 448],
    );
    assert.equal(await count(database, "form_id = 1 AND name = 'mail' AND first_seen = 1000", "cf_answer_names"), 1);
    assert.equal(await count(database, "1 = 1", "cf_answer_names"), 1);

    const { body: stats } = await site.api("GET", "/action-queue/stats");
    for (const state of ["pending", "processing", "completed", "retrying", "failed"]) {
      const wanted = await count(database, `status = '${state}'`, "cf_action_queue");
      assert.ok(wanted > 0, state);
      assert.equal(member(stats, state), wanted, state);
      assert.equal(await total(site, `/action-queue?form_id=1&status=${state}`), wanted, state);
    }
    const differences: unknown[] = [];
    await site.forms.rebuildCounters((difference) => differences.push(difference));
    const ofEntries = differences.filter((difference) => JSON.stringify(difference).includes("action_queue"));
    assert.deepEqual(ofEntries, []);

    const { body: receipt } = await site.api("POST", "/privacy/erase", { email: "person4@EXAMPLE.org" });
    assert.equal(member(receipt, "submissions"), 50);
    assert.equal(await total(site, "/submissions?status=any"), SUBMISSIONS - 50);
    assert.equal(await total(site, "/action-queue"), SUBMISSIONS - 50);
    assert.deepEqual(site.faults, []);
  } finally {
    await site.close();
  }
}

const postgres = await postgresForTests();
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
});

describe("an old database is upgraded with its search, its names of answers and its counters", () => {
  it("on SQLite", () => isUpgraded(openSqlite({ path: ":memory:" })));
  it("on PostgreSQL", "skip" in postgres ? { skip: postgres.skip } : {}, async () => {
    if ("skip" in postgres) return;
    await isUpgraded(openPostgres({ url: postgres.server.url }));
  });
});

test(
  "a migration that takes longer than the timeout for statements is not cut off",
  "skip" in postgres ? { skip: postgres.skip } : {},
  async () => {
    if ("skip" in postgres) return;
    const other = openPostgres({ url: postgres.server.url });
    const lock = [`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})::text`, "SELECT pg_sleep(9)::text"];
    const migrates = other.batch(lock.map((sql) => ({ sql, params: [] })));
    while (
      (await count(
        other,
        "locktype = 'advisory' AND granted AND datname = current_database()",
        "pg_locks JOIN pg_database ON database = pg_database.oid",
      )) === 0
    )
      await delay(20);
    const site = await startSite({
      database: openPostgres({ url: postgres.server.url, statement_ms: 4_000 }),
      forms: { portTimeoutMs: 5_000 },
    });
    await site.close();
    await migrates;
    await other.close();
  },
);
