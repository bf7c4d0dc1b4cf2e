/** Fills a site with a form and the number of events and submissions that a benchmark needs. */

import { deepEqual } from "node:assert/strict";
import { createForms, type Database, type Forms, type SqlValue, type Statement } from "../host-shim/src/index.ts";
import type { BenchDatabase } from "./databases.ts";

export interface Size {
  readonly events: number;
  readonly submissions: number;
}

/** Number of days over which events and submissions are spread, up to now. */
export const DAYS = 365;
export const DAY_MS = 86_400_000;
export const baseUrl = "http://bench.test";
const principal = { id: "1", login: "bench", capabilities: ["edit_forms"] };
const FIELDS = ["email", "topic", "message", "budget"];
/** Share of each event in percent. */
const MIX = [
  ["view", 45],
  ["start", 20],
  ["field_interaction", 20],
  ["abandon", 8],
  ["submit", 5],
  ["spam", 2],
] as const;

export interface FilledSite {
  readonly forms: Forms;
  readonly submissions: number;
  close(): Promise<void>;
}

type Counters = Map<string, number>;

/** Returns the counters for a number of events: of each day, in total, and of the site. */
function counters(events: number): Counters {
  const counts: Counters = new Map();
  // Beyond this number, each draw stands for several events, because all rows exist by then.
  const draws = Math.min(events, 200_000);
  const today = Math.floor(Date.now() / DAY_MS);
  let state = 1;
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const count = (metric: string, date: string, label: string): void => {
    for (const [form, day] of [
      [1, date],
      [1, ""],
      [0, ""],
    ] as const) {
      if (form === 0 && label !== "") continue;
      const key = JSON.stringify([form, metric, day, label]);
      counts.set(key, (counts.get(key) ?? 0) + events / draws);
    }
  };
  for (let draw = 0; draw < draws; draw += 1) {
    const date = new Date((today - random(DAYS)) * DAY_MS).toISOString().slice(0, 10);
    let left = random(100);
    const [metric] = MIX.find(([, share]) => (left -= share) < 0) ?? MIX[0];
    const field = FIELDS[random(FIELDS.length)] ?? "";
    if (metric === "field_interaction") count(metric, date, field);
    else count(metric, date, "");
    if (metric === "abandon") count("field_abandon", date, field);
    if (metric === "spam") count("spam_reason", date, "honeypot");
    if (metric === "submit") {
      count("campaign", date, JSON.stringify([`source${random(30)}`, "mail", ""]));
      count("referrer", date, `site${random(30)}.example`);
    }
  }
  return counts;
}

/** Returns the prefixes of words from two characters on for PostgreSQL's index; SQLite's has only the words. */
function terms(words: readonly string[]): string {
  return [...new Set(words.flatMap((word) => Array.from(word, (_, at) => word.slice(0, at + 1)).slice(1)))].join(" ");
}

/** Submissions per hour, at a million per year. */
const OF_AN_HOUR = 114;
const HOUR_MS = 3_600_000;

/** Prefix of index words that do not come from answers (crates/model/src/words.rs). */
const MARK = "\u{e000}";

/** First characters of the words of answers and of addresses. */
const [ANSWERS, ADDRESSES] = [0xf0000, 0x100000];
const HASH_HEAD = "\u0080".repeat(10);

/** Builds a statement that indexes submissions between two ids as the engine does; {@link checkIndex} compares the results. */
function indexStatement(isPostgres: boolean, first: number, last: number): Statement {
  const plain = isPostgres ? terms : (words: readonly string[]) => words.join(" ");
  // The prefixes of a number from `digits` digits on, each after the text `before`.
  const number = (before: string, digits: number) =>
    isPostgres
      ? `COALESCE((SELECT string_agg(' ${before}' || left(CAST(id AS TEXT), n), '') FROM generate_series(${digits}, length(CAST(id AS TEXT))) n), '')`
      : `' ${before}' || id`;
  const character = isPostgres ? "chr" : "char";
  // A word of four characters that differs for each number. On SQLite, ten equal characters precede each hash.
  const head = isPostgres ? "" : `'${HASH_HEAD}' || `;
  const hash = (plane: number, number: string) =>
    head +
    [0, 8, 16, 24]
      .map((bits) => `${character}(CAST(${plane} + (${number} * 2654435761 >> ${bits}) % 65536 AS INTEGER))`)
      .join(" || ");
  const words = `'${plain(["example", "org", "visitor"])}' || ${number("visitor", 1)} ||
    ${isPostgres ? `CASE WHEN id < 10 THEN ' ' || id ELSE '' END || ` : ""}${number("", 2)} ||
    CASE WHEN id % 49 = 0 THEN ' ${plain(["seldom"])} ' ELSE ' ${plain(["often"])} ' END ||
    CASE WHEN id % 2 = 0 THEN '${plain(["even"])} ' ELSE '${plain(["odd"])} ' END || CASE WHEN data LIKE '% early"}' THEN '${plain(["early"])} ' ELSE '' END ||
    '${MARK}f1 ${MARK}s' || status || CASE WHEN status = 'spam' THEN ' ' ELSE ' ${MARK}l ' END ||
    '${MARK}k0 ' || ${hash(ANSWERS, "id")} || ' ' || ${hash(ANSWERS, "(id % 98)")} || ' ' || ${hash(ADDRESSES, "id")}`;
  const value = isPostgres
    ? `array_to_tsvector(string_to_array(${words}, ' '))`
    : words.replace("org visitor'", "org'");
  return {
    sql: `INSERT INTO cf_submission_search (rowid, words) SELECT id, ${value} FROM cf_submissions WHERE id BETWEEN ?1 AND ?2`,
    params: [first, last],
  };
}

/** Returns the number of indexed submissions of each word. */
async function indexed(database: Database): Promise<Map<SqlValue, SqlValue>> {
  const words =
    database.dialect === "postgres"
      ? "SELECT word, ndoc FROM ts_stat('SELECT words FROM cf_submission_search')"
      : "SELECT term, doc FROM bench_words";
  if (database.dialect === "sqlite") {
    await database.batch([
      {
        sql: "CREATE VIRTUAL TABLE IF NOT EXISTS bench_words USING fts5vocab('cf_submission_search', 'row')",
        params: [],
      },
    ]);
  }
  const [found] = await database.batch([{ sql: `${words} ORDER BY 1`, params: [] }]);
  return new Map(
    found?.rows.flatMap(([word, count]) =>
      word === undefined || /^\u{80}*[\u{f0000}-\u{10ffff}]/u.test(String(word)) ? [] : [[word, Number(count)]],
    ),
  );
}

/** Fails unless the engine's job produces the same index as the statements. */
async function checkIndex(database: Database, forms: Forms): Promise<void> {
  const filled = await indexed(database);
  await database.batch(
    ["DELETE FROM cf_settings WHERE name LIKE 'search_indexed_%'", "DELETE FROM cf_submission_search"].map((sql) => ({
      sql,
      params: [],
    })),
  );
  await forms.migrate();
  deepEqual(filled, await indexed(database));
}

type Send = (statements: readonly Statement[]) => ReturnType<Database["batch"]>;

/**
 * Fills the tables of a site with one form. On SQLite the index is filled hour by hour, and `hourly` runs after each.
 */
export async function fill(
  database: Database,
  size: Size,
  hourly: () => Promise<unknown> = async () => {},
): Promise<void> {
  const isPostgres = database.dialect === "postgres";
  const send: Send = (statements) =>
    database.batch(statements.map(({ sql, params }) => ({ sql: isPostgres ? sql.replaceAll("?", "$") : sql, params })));
  await insertCounters(send, size);
  await insertSubmissions(send, size);
  if (isPostgres) await indexAtOnce(send, size);
  else await indexByHours(send, size, hourly);
}

async function insertCounters(send: Send, size: Size): Promise<void> {
  const rows = [...counters(size.events)].map(([key, count]) => [...JSON.parse(key), Math.ceil(count)]);
  for (let at = 0; at < rows.length; at += 500) {
    await send(
      rows
        .slice(at, at + 500)
        .map((params) => ({ sql: "INSERT INTO cf_stats VALUES (?1, ?2, ?3, ?4, 0, ?5)", params })),
    );
  }
}

async function insertSubmissions(send: Send, size: Size): Promise<void> {
  const spread = Math.floor((DAYS * DAY_MS) / size.submissions);
  await send([
    {
      sql: `INSERT INTO cf_submissions (uuid, form_id, status, change_token, is_spam, spam_score, spam_reasons, actions_withheld,
              data, files, ip_address, user_agent, referer_url, page_url, schema_revision, submitted_at, modified_at)
            WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
            SELECT 'u' || i, 1, CASE WHEN i % 10 = 0 THEN 'spam' WHEN i % 3 = 0 THEN 'read' ELSE 'new' END, '',
              CASE WHEN i % 10 = 0 THEN 1 ELSE 0 END, 0, '[]', 0,
              '{"email":"visitor' || i || '@example.org","topic":"' || CASE WHEN i % 49 = 0 THEN 'seldom' ELSE 'often' END ||
              ' ' || CASE WHEN i % 2 = 0 THEN 'even' ELSE 'odd' END || CASE WHEN i % 2 = 0 AND i <= ?1 / 2 THEN ' early' ELSE '' END || '"}',
              '[]', '', '', '', '', 1, ?2 + i * ?3, ?2 + i * ?3 FROM n`,
      params: [size.submissions, Date.now() - DAYS * DAY_MS, spread],
    },
    {
      sql: `INSERT INTO cf_stats SELECT form.id, 'status', '', s.status, 0, COUNT(*) FROM cf_submissions s
            CROSS JOIN (SELECT 0 AS id UNION ALL SELECT 1) form GROUP BY form.id, s.status`,
      params: [],
    },
  ]);
}

async function indexByHours(send: Send, size: Size, hourly: () => Promise<unknown>): Promise<void> {
  for (let id = 1; id <= size.submissions; ) {
    // Submissions of the last hour are added one by one, because the hour has not ended.
    const isOver = id + OF_AN_HOUR <= size.submissions;
    const last = isOver ? id + OF_AN_HOUR - 1 : id;
    await send([indexStatement(false, id, last)]);
    if (isOver) await hourly();
    id = last + 1;
  }
}

async function indexAtOnce(send: Send, size: Size): Promise<void> {
  // Indexing all rows at once is about twenty times faster than one by one.
  const [index] = await send([
    {
      sql: "SELECT indexdef FROM pg_indexes WHERE indexname = 'cf_submission_search_words' AND schemaname = current_schema()",
      params: [],
    },
  ]);
  const made = String(index?.rows[0]?.[0]);
  await send([
    { sql: "DROP INDEX cf_submission_search_words", params: [] },
    indexStatement(true, 1, size.submissions),
    { sql: made, params: [] },
  ]);
  // A server's autovacuum would do this later.
  await send([{ sql: "ANALYZE", params: [] }]);
}

/** Opens the site; closing it closes the database too. */
export async function filledSite(database: BenchDatabase, size: Size): Promise<FilledSite> {
  const deferred: Promise<unknown>[] = [];
  const defer = (work: Promise<unknown>): unknown => deferred.push(work);
  let ago = Math.ceil(size.submissions / OF_AN_HOUR) * HOUR_MS;
  const now = (): number => Date.now() - ago;
  const forms = await createForms({
    host: { database, authenticate: async () => ({ principal }), defer },
    baseUrl,
    now,
  });
  await forms.migrate();
  const fields = FIELDS.map((name) => ({ name, type: "text" }));
  for (const [method, address, body] of [
    ["POST", "", { title: "Bench" }],
    ["PUT", "/1/schema", { fields }],
  ] as const) {
    const made = await forms.fetch(
      new Request(`${baseUrl}/api/cf/v1/forms${address}`, { method, body: JSON.stringify(body) }),
    );
    if (made?.ok !== true) throw new Error(`the form could not be made: ${await made?.text()}`);
  }
  const hourly = async (): Promise<void> => {
    ago -= HOUR_MS;
    await forms.runQueue();
    await Promise.all(deferred.splice(0));
  };
  await fill(database, size, hourly);
  if (size.submissions <= 1_000) {
    await checkIndex(database, forms);
    await hourly();
  }
  ago = 0;
  return { forms, submissions: size.submissions, close: async () => (await forms.close(), await database.close()) };
}
