/**
 * No statement of a request scans a whole table, or exceeds the limits of a narrow database such as D1. The database
 * explains every statement of the REST scenarios, a visitor, the queue and the analytics.
 */

import assert from "node:assert/strict";
import type { Database, Statement, StatementResult } from "../../host-shim/src/index.ts";
import { items, member, startSite, type Site } from "./site.ts";

export type ClosableDatabase = Database & { close(): Promise<void> };

/** Statements that may scan a table, with the reason. */
const ALLOWED: readonly { readonly sql: RegExp; readonly why: string }[] = [
  {
    sql: /FROM cf_forms f WHERE (1 = 1|true)/i,
    why: "GET /forms without per_page is every form, as the contract has it",
  },
  {
    sql: /SELECT slug FROM cf_forms WHERE SUBSTR/,
    why: "a free slug is looked for when a form is made, among the forms",
  },
  {
    sql: /FROM cf_forms f JOIN cf_form_meta m .* WHERE m\.value IN/s,
    why: "what was imported before is looked for at an import, among the forms",
  },
  { sql: /INSERT INTO cf_answer_names .*\sGROUP BY/s, why: "a migration, which runs once" },
  { sql: /SET attempts = attempts - abandoned WHERE/, why: "a migration, which runs once" },
  { sql: /SET settings = CASE settings .*hide_after_success/s, why: "a migration, which runs once" },
  { sql: /SET settings = CASE settings .*prefill/s, why: "a migration, which runs once" },
  { sql: /INSERT INTO cf_stats .*'completed'/s, why: "a migration, which runs once" },
  { sql: /'starred', '', '', 0, COUNT.*\sGROUP BY/s, why: "a migration, which runs once" },
  { sql: /INSERT INTO cf_upload_totals .*\sGROUP BY/s, why: "a migration, which runs once" },
  { sql: /FROM cf_form_meta WHERE name = '_cf_form_draft'/, why: "a migration, which runs once" },
  { sql: /i\.abandoned >= 4/, why: "entries that lost five leases are few, and have a separate index" },
  { sql: /FROM cf_erasures WHERE 1 = 1 LIMIT/, why: "receipts are counted up to a thousand" },
  { sql: /cf_migrations|^\s*(SELECT \S+( AS BIGINT\))? FROM|INSERT INTO) cf_settings/, why: "tables of a few rows" },
];

/** Statements by their text, with the values of the first use. */
export type Seen = Map<string, Statement>;

/** A database that remembers each statement. */
export function recording(database: ClosableDatabase, seen: Seen): ClosableDatabase {
  const remember = (statements: readonly Statement[]) => {
    for (const statement of statements) {
      if (/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(statement.sql) && !seen.has(statement.sql)) {
        seen.set(statement.sql, statement);
      }
    }
  };
  const { readNow } = database;
  return {
    dialect: database.dialect,
    batch(statements, options) {
      remember(statements);
      return database.batch(statements, options);
    },
    ...(readNow === undefined
      ? {}
      : {
          readNow(statements: readonly Statement[]): StatementResult[] | null {
            remember(statements);
            return readNow.call(database, statements);
          },
        }),
    close: () => database.close(),
  };
}

/** The second pages of the queue and its log by cursor, in each order and with each filter. */
async function walkByCursor(site: Site, formId: number): Promise<void> {
  for (const [list, ended] of [
    ["action-logs", "success"],
    ["action-queue", "completed"],
  ]) {
    for (const filter of ["", `&form_id=${formId}`, `&status=${ended}`, `&form_id=${formId}&status=${ended}`]) {
      for (const order of [
        "",
        "&order=asc",
        "&orderby=id",
        "&orderby=id&order=asc",
        "&orderby=id&after=2020-01-01&before=2030-01-01",
      ]) {
        const path = `/${list}?per_page=1${filter}${order}`;
        const cursor = (await site.api("GET", path)).headers.get("x-cf-next-cursor");
        assert.ok(cursor, `${path}: a second page`);
        assert.equal((await site.api("GET", `${path}&cursor=${cursor}`)).status, 200, path);
      }
    }
  }
}

/** Sends a file to a form that keeps no submissions. */
async function sendUnsaved(site: Site, actions: readonly object[]): Promise<void> {
  await site.api("POST", "/forms", {
    title: "Unsaved",
    slug: "unsaved",
    markup: "<input name=a><input type=file name=f>",
    settings: { save_submissions: false, actions },
  });
  const withFile = new FormData();
  withFile.append("f", new File(["content"], "f.txt"));
  await fetch(`${site.url}/forms/unsaved`, { method: "POST", body: withFile, headers: { accept: "application/json" } });
}

/** Reads every list of submissions, logs and queue entries by every filter, and the analytics. */
async function readLists(site: Site, id: number): Promise<void> {
  const days = "date_from=2026-01-01&date_to=2026-12-31";
  const lists = ["submissions", `forms/${id}/submissions`].flatMap((list) =>
    [
      "",
      "status=any",
      "status=spam",
      "search=one",
      "search=one&status=new",
      "after=2020-01-01",
      "order=asc",
      "orderby=id",
      "orderby=id&status=new",
      "orderby=id&after=2020-01-01&before=2030-01-01",
      ...["", "&status=new", "&status=new,read", "&status=any"].map(
        (status) => `orderby=modified_at&per_page=1${status}`,
      ),
      "search=one&after=2020-01-01&before=2030-01-01",
      "search=one two",
      "per_page=1&page=2",
    ].map((query) => `/${list}?${query}`),
  );
  const analytics = ["funnel", "daily", "field-dropoff", "attribution", "spam-trends", "recommendations"].flatMap(
    (name) => [`/analytics/${id}/${name}?${days}`, `/analytics/${id}/${name}`],
  );
  const logs = [
    "action-logs",
    `action-logs?form_id=${id}`,
    "action-logs?status=success",
    "action-logs?submission_id=1",
    "action-logs/stats",
    `action-logs/stats?form_id=${id}`,
    "action-logs/failures",
    "action-queue",
    `action-queue?form_id=${id}&status=completed`,
    "action-queue/stats",
    ...["action-logs", "action-queue"].flatMap((list) =>
      ["", `&form_id=${id}`, "&status=failed", `&form_id=${id}&status=failed`].flatMap((filter) =>
        ["after=2020-01-01", "before=2030-01-01&order=asc", "orderby=id"].map((query) => `${list}?${query}${filter}`),
      ),
    ),
    `action-logs?submission_id=1&after=2020-01-01`,
  ];
  for (const path of [...lists, ...analytics, "/analytics/overview", ...logs.map((log) => `/${log}`)]) {
    const { status, body } = await site.api("GET", path);
    assert.ok(
      status === 200 || (status === 400 && path.includes("/daily")),
      `${path}: ${status} ${JSON.stringify(body)}`,
    );
  }
}

/** Requests of visitors, the queue and the analytics; the scenarios have the rest. */
async function visit(site: Site): Promise<void> {
  const settings = {
    rate_limit: 100,
    prevent_duplicates: true,
    submission_limit: 100,
    retention_days: 30,
    actions: [{ type: "email", to: "a@example.org", subject: "s", message: "m" }],
  };
  const { body: form } = await site.api("POST", "/forms", {
    title: "Plans",
    slug: "plans",
    markup: "<input name=answer>",
    settings,
  });
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
  await sendUnsaved(site, settings.actions);
  await site.forms.runQueue();
  await site.settled();
  await walkByCursor(site, id);
  // The purge deletes expired rows: today's entries and logs, after 200 days.
  site.clock.ahead += 200 * 24 * 3_600_000;
  await site.forms.runQueue();
  await site.settled();
  assert.equal(member((await site.api("GET", "/action-queue/stats")).body, "completed"), 0);
  site.clock.ahead = 0;
  const events = [
    { event_type: "view" },
    { event_type: "start" },
    { event_type: "field_interaction", field_name: "answer" },
    { event_type: "abandon" },
  ];
  await fetch(`${site.url}/forms/-/events`, { method: "POST", body: JSON.stringify({ form_id: id, events }) });
  await readLists(site, id);
  const { body: found } = await site.api("GET", "/submissions?status=any");
  const ids = items(found).map((submission) => member(submission, "id"));
  await site.api("POST", "/submissions/bulk", { ids, action: "set_status", status: "read" });
  await site.api("POST", "/submissions/bulk", { ids: ids.slice(1), action: "delete" });
  await site.api("DELETE", `/forms/${id}`);
}

/**
 * Adds the statements of visitors, the queue and the analytics. A second run uses a meta store, which causes other
 * statements.
 */
async function visitAll(open: () => Promise<ClosableDatabase>, seen: Seen): Promise<void> {
  const kept = new Map<string, string>();
  const meta = {
    get: async (formId: number, key: string) => kept.get(`${formId} ${key}`) ?? null,
    set: async (formId: number, key: string, value: string) => void kept.set(`${formId} ${key}`, value),
    delete: async (formId: number, key: string) => void kept.delete(`${formId} ${key}`),
  };
  for (const host of [{}, { meta }]) {
    const site = await startSite({ database: recording(await open(), seen), host });
    await visit(site);
    await site.close();
  }
}

/** A statement that no request sends. The test must report it, which shows that the test works. */
const WALKS: Statement = { sql: "SELECT id FROM cf_submissions WHERE page_url = 'x'", params: [] };

/** Limits of a narrow database, such as D1: more than 100 values, or columns with equal names. */
function tooWide({ sql, params }: Statement, columns: readonly string[]): string[] {
  const isAlike = columns.some((name, place) => columns.indexOf(name) !== place || /^\d*$/.test(name));
  return [
    ...(params.length > 100 ? [`${params.length} parameters: ${sql}`] : []),
    ...(isAlike ? [`columns ${columns.join(", ")}: ${sql}`] : []),
  ];
}

/** Statements that no request sends. The test must report them, which shows that the test works. */
export const TOO_WIDE: readonly Statement[] = [
  { sql: "SELECT 1", params: [] },
  { sql: "SELECT 1 AS one, 2 AS one", params: [] },
  {
    sql: `SELECT id FROM cf_forms WHERE id IN (${Array.from({ length: 101 }, (_, n) => `?${n + 1}`).join(", ")})`,
    params: Array(101).fill(1),
  },
];

/** The statements that a narrow database rejects. */
export async function findTooWide(statements: Iterable<Statement>, columnsOf: Dialect["columnsOf"]): Promise<string[]> {
  const found = [];
  for (const statement of statements) found.push(...tooWide(statement, await columnsOf(statement)));
  return found;
}

/** Explains each statement; returns those that scan a table, with their plan. */
async function walking(
  database: ClosableDatabase,
  statements: Iterable<Statement>,
  explain: Dialect["explain"],
  walks: Dialect["walks"],
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

/** How a database explains statements. */
export interface Dialect {
  /** The statements that return the plan; the last result contains its lines. */
  readonly explain: (statement: Statement) => Statement[];
  readonly walks: (plan: readonly string[], sql: string) => boolean;
  /** The names of the columns that a statement returns. */
  readonly columnsOf: (statement: Statement) => Promise<readonly string[]> | readonly string[];
}

/** Asserts that no statement of the scenarios (`seen`) and of {@link visit} scans a table. */
export async function assertNoneWalks(
  open: () => Promise<ClosableDatabase>,
  seen: Seen,
  dialect: Dialect,
): Promise<void> {
  await visitAll(open, seen);
  assert.ok(seen.size > 60, `${seen.size} statements`);
  const found = await walking(await open(), [WALKS, ...seen.values()], dialect.explain, dialect.walks);
  assert.equal(found.shift()?.split("\n")[0], WALKS.sql);
  assert.deepEqual(found, [], found.join("\n\n"));
  const wide = await findTooWide(seen.values(), dialect.columnsOf);
  assert.deepEqual(wide, [], wide.join("\n\n"));
}
