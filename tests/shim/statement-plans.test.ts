/**
 * No statement of a request walks through a whole table: every statement that the REST scenarios, a
 * visitor, the queue and the analytics send is explained by both databases. None is too wide for a
 * database with narrow limits.
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import type { Database, Statement } from "../../host-shim/src/index.ts";
import { postgresForTests } from "./postgres-server.ts";
import { runScenario, scenarioFiles } from "./scenarios.ts";
import { items, member, startSite, type Site } from "./site.ts";

type ClosableDatabase = Database & { close(): Promise<void> };

/** What may walk, and why. */
const ALLOWED: readonly { readonly sql: RegExp; readonly why: string }[] = [
  { sql: /FROM cf_forms f WHERE (1 = 1|true)/i, why: "GET /forms without per_page is every form, as the contract has it" },
  { sql: /SELECT slug FROM cf_forms WHERE SUBSTR/, why: "a free slug is looked for when a form is made, among the forms" },
  { sql: /INSERT INTO cf_answer_names .*\sGROUP BY/s, why: "a migration, which runs once" },
  { sql: /SET attempts = attempts - abandoned WHERE/, why: "a migration, which runs once" },
  { sql: /SET settings = CASE settings .*hide_after_success/s, why: "a migration, which runs once" },
  { sql: /INSERT INTO cf_upload_totals .*\sGROUP BY/s, why: "a migration, which runs once" },
  { sql: /i\.abandoned >= 4/, why: "entries that lost five leases are few, and have an index of their own" },
  { sql: /FROM cf_erasures WHERE 1 = 1 LIMIT/, why: "receipts are counted up to a thousand" },
  { sql: /cf_migrations|^\s*(SELECT \S+( AS BIGINT\))? FROM|INSERT INTO) cf_settings/, why: "tables of a few rows" },
];

/** A database that remembers each statement, with the values that it had first. */
function recording(database: ClosableDatabase, seen: Map<string, Statement>): ClosableDatabase {
  return {
    dialect: database.dialect,
    batch(statements) {
      for (const statement of statements) {
        if (/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(statement.sql) && !seen.has(statement.sql)) {
          seen.set(statement.sql, statement);
        }
      }
      return database.batch(statements);
    },
    close: () => database.close(),
  };
}

/** The second pages of the queue and its log by cursor, in each order and with each filter. */
async function walkByCursor(site: Site, formId: number): Promise<void> {
  for (const [list, ended] of [["action-logs", "success"], ["action-queue", "completed"]]) {
    for (const filter of ["", `&form_id=${formId}`, `&status=${ended}`, `&form_id=${formId}&status=${ended}`]) {
      for (const order of ["", "&order=asc", "&orderby=id", "&orderby=id&order=asc", "&orderby=id&after=2020-01-01&before=2030-01-01"]) {
        const path = `/${list}?per_page=1${filter}${order}`;
        const cursor = (await site.api("GET", path)).headers.get("x-cf-next-cursor");
        assert.ok(cursor, `${path}: a second page`);
        assert.equal((await site.api("GET", `${path}&cursor=${cursor}`)).status, 200, path);
      }
    }
  }
}

/** What visitors, the queue and the analytics do; the scenarios do the rest. */
async function visit(site: Site): Promise<void> {
  const settings = { rate_limit: 100, prevent_duplicates: true, submission_limit: 100, retention_days: 30, actions: [{ type: "email", to: "a@example.org", subject: "s", message: "m" }] };
  const { body: form } = await site.api("POST", "/forms", { title: "Plans", slug: "plans", markup: "<input name=answer>", settings });
  const id = Number(member(form, "id"));
  await (await fetch(`${site.url}/forms/plans`)).text();
  for (const answer of ["one", "two", "three"]) {
    const headers = { accept: "application/json", "idempotency-key": answer };
    const body = new URLSearchParams({ answer, ...(answer === "three" ? { [`_cf_h${id}`]: "robot" } : {}) });
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const sent = await fetch(`${site.url}/forms/plans`, { method: "POST", body, headers });
      assert.equal(sent.status, 200, await sent.text());
    }
  }
  await site.api("POST", "/forms", { title: "Unsaved", slug: "unsaved", markup: "<input name=a><input type=file name=f>", settings: { save_submissions: false, actions: settings.actions } });
  const withFile = new FormData();
  withFile.append("f", new File(["content"], "f.txt"));
  await fetch(`${site.url}/forms/unsaved`, { method: "POST", body: withFile, headers: { accept: "application/json" } });
  await site.forms.runQueue();
  await site.settled();
  await walkByCursor(site, id);
  // What is over is purged: the entries and logs of now, half a year later.
  site.clock.ahead += 200 * 24 * 3_600_000;
  await site.forms.runQueue();
  await site.settled();
  assert.equal(member((await site.api("GET", "/action-queue/stats")).body, "completed"), 0);
  site.clock.ahead = 0;
  const events = [{ event_type: "view" }, { event_type: "start" }, { event_type: "field_interaction", field_name: "answer" }, { event_type: "abandon" }];
  await fetch(`${site.url}/forms/-/events`, { method: "POST", body: JSON.stringify({ form_id: id, events }) });
  const days = "date_from=2026-01-01&date_to=2026-12-31";
  const lists = ["submissions", `forms/${id}/submissions`].flatMap((list) =>
    ["", "status=any", "status=spam", "search=one", "search=one&status=new", "after=2020-01-01", "order=asc", "orderby=id", "orderby=id&status=new",
      "orderby=id&after=2020-01-01&before=2030-01-01", "search=one&after=2020-01-01&before=2030-01-01", "search=one two", "per_page=1&page=2"].map(
      (query) => `/${list}?${query}`,
    ),
  );
  const analytics = ["funnel", "daily", "field-dropoff", "attribution", "spam-trends", "recommendations"].flatMap((name) => [
    `/analytics/${id}/${name}?${days}`, `/analytics/${id}/${name}`,
  ]);
  const logs = ["action-logs", `action-logs?form_id=${id}`, "action-logs?status=success", "action-logs?submission_id=1", "action-logs/stats",
    `action-logs/stats?form_id=${id}`, "action-logs/failures", "action-queue", `action-queue?form_id=${id}&status=completed`, "action-queue/stats",
    ...["action-logs", "action-queue"].flatMap((list) =>
      ["", `&form_id=${id}`, "&status=failed", `&form_id=${id}&status=failed`].flatMap((filter) =>
        ["after=2020-01-01", "before=2030-01-01&order=asc", "orderby=id"].map((query) => `${list}?${query}${filter}`),
      ),
    ),
    `action-logs?submission_id=1&after=2020-01-01`];
  for (const path of [...lists, ...analytics, "/analytics/overview", ...logs.map((log) => `/${log}`)]) {
    const { status, body } = await site.api("GET", path);
    assert.ok(status === 200 || (status === 400 && path.includes("/daily")), `${path}: ${status} ${JSON.stringify(body)}`);
  }
  const { body: found } = await site.api("GET", "/submissions?status=any");
  const ids = items(found).map((submission) => member(submission, "id"));
  await site.api("POST", "/submissions/bulk", { ids, action: "set_status", status: "read" });
  await site.api("POST", "/submissions/bulk", { ids: ids.slice(1), action: "delete" });
  await site.api("DELETE", `/forms/${id}`);
}

async function collect(open: () => Promise<ClosableDatabase>): Promise<Map<string, Statement>> {
  const seen = new Map<string, Statement>();
  const kept = new Map<string, string>();
  const meta = {
    get: async (formId: number, key: string) => kept.get(`${formId} ${key}`) ?? null,
    set: async (formId: number, key: string, value: string) => void kept.set(`${formId} ${key}`, value),
    delete: async (formId: number, key: string) => void kept.delete(`${formId} ${key}`),
  };
  // Hosts with a meta store of their own ask other things.
  for (const host of [{}, { meta }]) {
    const site = await startSite({ database: recording(await open(), seen), host });
    await visit(site);
    await site.close();
  }
  for (const { scenarios } of scenarioFiles()) {
    for (const scenario of scenarios) await runScenario(scenario, { database: recording(await open(), seen) });
  }
  return seen;
}

/** No request sends it: that it is found shows that others would be. */
const WALKS: Statement = { sql: "SELECT id FROM cf_submissions WHERE page_url = 'x'", params: [] };

/** What a narrow database, such as D1, does not take: more than 100 values, columns that an object cannot tell apart. */
function tooWide({ sql, params }: Statement, columns: readonly string[]): string[] {
  const isAlike = columns.some((name, place) => columns.indexOf(name) !== place || /^\d*$/.test(name));
  return [
    ...(params.length > 100 ? [`${params.length} parameters: ${sql}`] : []),
    ...(isAlike ? [`columns ${columns.join(", ")}: ${sql}`] : []),
  ];
}

/** No request sends them: that they are found shows that others would be. */
const TOO_WIDE: readonly Statement[] = [
  { sql: "SELECT 1", params: [] },
  { sql: "SELECT 1 AS one, 2 AS one", params: [] },
  { sql: `SELECT id FROM cf_forms WHERE id IN (${Array.from({ length: 101 }, (_, n) => `?${n + 1}`).join(", ")})`, params: Array(101).fill(1) },
];

/** What of these, and of those that are too wide, a narrow database does not take. */
async function findTooWide(
  statements: Iterable<Statement>,
  columnsOf: (statement: Statement) => Promise<readonly string[]> | readonly string[],
): Promise<string[]> {
  const found = [];
  for (const statement of statements) found.push(...tooWide(statement, await columnsOf(statement)));
  return found;
}

/** Explains each statement; answers those that walk, with their plan. */
async function walking(
  database: ClosableDatabase,
  statements: Iterable<Statement>,
  explain: (statement: Statement) => Statement[],
  walks: (plan: readonly string[], sql: string) => boolean,
): Promise<string[]> {
  const site = await startSite({ database });
  const found = [];
  for (const statement of statements) {
    if (ALLOWED.some(({ sql }) => sql.test(statement.sql))) continue;
    const results = await database.batch(explain(statement));
    const plan = (results.at(-1)?.rows ?? []).map((row) => String(row.at(-1)));
    if (walks(plan, statement.sql)) found.push(`${statement.sql}\n    ${plan.join("\n    ")}`);
  }
  await site.close();
  return found;
}

/**
 * Whether SQLite walks. What the statement itself brings or made before has no index and needs none;
 * a list that is read in the order of an index ends at its limit.
 */
function walksOnSqlite(plan: readonly string[], sql: string): boolean {
  const made = plan.flatMap((line) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(line)?.[1] ?? []);
  const isPage = /LIMIT \?\d+( OFFSET \?\d+)?$/.test(sql) && !plan.some((line) => /TEMP B-TREE FOR ORDER BY/.test(line));
  return plan.some((line) => {
    const [, table = ""] = /^SCAN (\S+)/.exec(line) ?? [];
    if (table === "" || made.includes(table) || /CONSTANT ROW|VIRTUAL TABLE/.test(line)) return false;
    return !isPage;
  });
}

describe("no statement of a request walks through a table or is too wide for a narrow database", () => {
  const folder = mkdtempSync(join(tmpdir(), "cf-forms-plans-"));
  let files = 0;
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("on SQLite", async () => {
    const open = async () => openSqlite({ path: join(folder, `${(files += 1)}.sqlite`) });
    const seen = await collect(open);
    assert.ok(seen.size > 60, `${seen.size} statements`);
    const explain = ({ sql, params }: Statement) => [{ sql: `EXPLAIN QUERY PLAN ${sql}`, params }];
    const found = await walking(await open(), [WALKS, ...seen.values()], explain, walksOnSqlite);
    assert.equal(found.shift()?.split("\n")[0], WALKS.sql);
    assert.deepEqual(found, [], found.join("\n\n"));

    const file = new DatabaseSync(join(folder, `${files}.sqlite`));
    const columnsOf = ({ sql }: Statement) => file.prepare(sql).columns().map(({ name }) => name);
    assert.equal((await findTooWide(TOO_WIDE, columnsOf)).length, TOO_WIDE.length);
    const wide = await findTooWide(seen.values(), columnsOf);
    file.close();
    assert.deepEqual(wide, [], wide.join("\n\n"));
  });

  it("on PostgreSQL", async (t) => {
    const postgres = await postgresForTests();
    if ("skip" in postgres) return t.skip(postgres.skip);
    const { url } = postgres.server;
    const administration = openPostgres({ url, max: 1 });
    let schemas = 0;
    const open = async () => {
      const schema = `plans_${(schemas += 1)}`;
      await administration.batch([{ sql: `CREATE SCHEMA ${schema}`, params: [] }]);
      return openPostgres({ url: `${url}?options=-csearch_path%3D${schema}`, max: 2 });
    };
    try {
      const seen = await collect(open);
      assert.ok(seen.size > 60, `${seen.size} statements`);
      const explain = ({ sql, params }: Statement) => [
        { sql: "SET LOCAL enable_seqscan = off", params: [] },
        { sql: `EXPLAIN ${sql}`, params },
      ];
      const found = await walking(await open(), [WALKS, ...seen.values()], explain, (plan) =>
        plan.some((line) => line.includes("Seq Scan on cf_")),
      );
      assert.equal(found.shift()?.split("\n")[0], WALKS.sql);
      assert.deepEqual(found, [], found.join("\n\n"));

      const client = new pg.Client({ connectionString: `${url}?options=-csearch_path%3Dplans_${schemas}` });
      await client.connect();
      const columnsOf = async ({ sql, params }: Statement) => {
        if (!/^\s*(SELECT|WITH)|\bRETURNING\b/i.test(sql)) return [];
        await client.query("BEGIN");
        try {
          return (await client.query({ text: sql, values: [...params] })).fields.map(({ name }) => name);
        } finally {
          await client.query("ROLLBACK");
        }
      };
      const alike = await columnsOf({ sql: "SELECT 1, 2", params: [] });
      assert.deepEqual(alike, ["?column?", "?column?"]);
      const wide = await findTooWide(seen.values(), columnsOf).finally(() => client.end());
      assert.deepEqual(wide, [], wide.join("\n\n"));
    } finally {
      await administration.close();
      await postgres.server.stop();
    }
  });
});
