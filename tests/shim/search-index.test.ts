/**
 * The word index on both databases: the results and cost of searches among dense and sparse ids. Also, nothing is lost
 * while an older index is rebuilt.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import type { Database, SqlValue, Statement } from "../../host-shim/src/index.ts";
import { postgresForTests } from "./postgres-server.ts";
import { items, member, startSite, type JsonValue, type Site } from "./site.ts";

type ClosableDatabase = Database & { close(): Promise<void> };

const postgres = await postgresForTests();
const folder = mkdtempSync(join(tmpdir(), "cf-forms-search-"));
let opened = 0;
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  if ("server" in postgres) await postgres.server.stop();
});

const schemaUrl = (schema: string): string =>
  "server" in postgres ? `${postgres.server.url}?options=-csearch_path%3D${schema}` : "";

async function onPostgres(): Promise<{ database: ClosableDatabase; url: string }> {
  assert.ok("server" in postgres);
  const schema = `search_${(opened += 1)}`;
  const administration = openPostgres({ url: postgres.server.url, max: 1 });
  await administration.batch([{ sql: `CREATE SCHEMA ${schema}`, params: [] }]);
  await administration.close();
  return { database: openPostgres({ url: schemaUrl(schema) }), url: schemaUrl(schema) };
}

const DATABASES: readonly { name: string; open: () => Promise<ClosableDatabase>; skip: string | false }[] = [
  { name: "SQLite", open: async () => openSqlite({ path: join(folder, `${(opened += 1)}.sqlite`) }), skip: false },
  {
    name: "PostgreSQL",
    open: async () => (await onPostgres()).database,
    skip: "skip" in postgres ? postgres.skip : false,
  },
];

async function run(database: Database, sql: string, ...params: SqlValue[]): Promise<readonly (readonly SqlValue[])[]> {
  const text = database.dialect === "postgres" ? sql.replaceAll("?", "$") : sql;
  const [result] = await database.batch([{ sql: text, params }]);
  return result?.rows ?? [];
}

/** Stores submissions under these ids, each with its text, and lets the engine index them. */
async function store(site: Site, submissions: readonly (readonly [id: number, text: string])[]): Promise<void> {
  const { database } = site;
  assert.equal((await site.api("POST", "/forms", { title: "Form" })).status, 201);
  const columns = `id, uuid, form_id, status, change_token, is_spam, spam_score, spam_reasons, actions_withheld, data, files, ip_address,
    user_agent, referer_url, page_url, schema_revision, submitted_at, modified_at`;
  const overriding = database.dialect === "postgres" ? "OVERRIDING SYSTEM VALUE" : "";
  for (let at = 0; at < submissions.length; at += 100) {
    const rows = submissions
      .slice(at, at + 100)
      .map(
        ([id, text]) =>
          `(${id}, 'u${id}', 1, 'new', 't', 0, 0, '[]', 0, '{"a":"${text}"}', '[]', '', '', '', '', 1, ${id * 1_000}, ${id * 1_000})`,
      );
    await run(database, `INSERT INTO cf_submissions (${columns}) ${overriding} VALUES ${rows.join(", ")}`);
  }
  await run(database, "DELETE FROM cf_settings WHERE name LIKE 'search_indexed_%'");
  await site.forms.migrate();
}

const ids = (body: JsonValue): JsonValue[] => items(body).map((submission) => member(submission, "id"));

async function found(
  site: Site,
  query: string,
): Promise<{ ids: JsonValue[]; total: string | null; cursor: string | null }> {
  const { status, headers, body } = await site.api("GET", `/submissions?search=${query}`);
  assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`);
  return { ids: ids(body), total: headers.get("x-wp-total"), cursor: headers.get("x-cf-next-cursor") };
}

for (const { name, open, skip } of DATABASES) {
  describe(`the index of words on ${name}`, { skip }, () => {
    it("finds nothing on an empty site at once, for any range", async (t) => {
      const site = await startSite({ database: await open() });
      t.after(() => site.close());
      const edges = [
        "after=2020-01-01T00:00:00Z&before=2099-01-01T00:00:00Z",
        "after=2020-01-01T00:00:00Z",
        "before=2099-01-01T00:00:00Z",
      ];
      for (const range of edges) {
        for (const order of ["order=desc", "order=asc", "orderby=date", "orderby=id"]) {
          let took = Infinity;
          // A busy machine may pause for seconds, but not in each attempt.
          for (let attempts = 0; took > 4_000 && attempts < 3; attempts += 1) {
            const started = performance.now();
            assert.deepEqual(await found(site, `one&${range}&${order}`), { ids: [], total: "0", cursor: null });
            took = performance.now() - started;
          }
          assert.ok(took < 4_000, `${range} ${order} took ${took} ms`);
        }
      }
    });

    it("finds the words among dense and sparse ids, in both orders, page by page", async (t) => {
      const site = await startSite({ database: await open() });
      t.after(() => site.close());
      const all: [number, string][] = [];
      const add = (id: number, text: string) => all.push([id, `common ${id % 3 === 0 ? "third " : ""}${text}`]);
      for (let n = 0; n < 600; n += 1) add(3 + n, "first registration");
      for (let n = 0; n < 300; n += 1) add(70_000 + 37 * n, "second");
      for (let n = 0; n < 600; n += 1) add(2_999_800 + n, "cluster");
      for (let n = 0; n < 200; n += 1) add(3_100_000 + 80_021 * n, "last");
      await store(site, all);
      const wanted = (...words: string[]) =>
        all.filter(([, text]) => words.every((word) => ` ${text}`.includes(` ${word}`))).map(([id]) => id);
      for (const words of [
        ["common"],
        ["third"],
        ["first"],
        ["regi", "third"],
        ["second"],
        ["clus"],
        ["cluster", "third"],
        ["last"],
        ["common", "la"],
        ["first", "last"],
      ]) {
        const expected = wanted(...words);
        const search = words.join("+");
        for (const order of ["desc", "asc"]) {
          const inOrder: JsonValue[] = order === "asc" ? expected : expected.toReversed();
          const page = await found(site, `${search}&order=${order}&per_page=100`);
          assert.deepEqual(page.ids, inOrder.slice(0, 100), `${search} ${order}`);
          const limit = Math.floor((site.database.dialect === "postgres" ? 100 : 300) / words.length);
          assert.equal(Number(page.total), Math.min(expected.length, limit), `${search} ${order}`);
          if (expected.length > 130) {
            const { ids } = await found(site, `${search}&order=${order}&offset=130&per_page=10`);
            assert.deepEqual(ids, inOrder.slice(130, 140), `${search} ${order} from 130 on`);
          }
          const walked = page.ids;
          for (let cursor = page.cursor; cursor !== null; ) {
            const next = await found(site, `${search}&order=${order}&per_page=100&cursor=${cursor}`);
            walked.push(...next.ids);
            cursor = next.cursor;
          }
          assert.deepEqual(walked, inOrder, `${search} ${order} by cursor`);
        }
        const range = `after=${new Date(90_000_000).toISOString()}&before=${new Date(3_000_000_000).toISOString()}`;
        const within = expected.filter((id) => id > 90_000 && id < 3_000_000).toReversed();
        assert.deepEqual(
          (await found(site, `${search}&${range}&per_page=100`)).ids,
          within.slice(0, 100),
          `${search} ${range}`,
        );
      }
    });

    it("indexes a submission of two thousand long words", async (t) => {
      const site = await startSite({ database: await open() });
      t.after(() => site.close());
      // Letters of one byte and of four bytes, the maximum in UTF-8. No two words have a common prefix.
      const letters = ["x", "𐐨"];
      const words = (letter: string) =>
        Array.from({ length: 2_100 }, (_, n) => n.toString(36).padStart(3, "0") + letter.repeat(61)).join(" ");
      await store(
        site,
        letters.map((letter, at) => [at + 1, words(letter)]),
      );
      for (const letter of letters) {
        for (const length of [0, 4, 5, 6, 21, 22, 61]) {
          const { ids } = await found(site, encodeURIComponent(`00z${letter.repeat(length)}`));
          assert.deepEqual(ids, length === 0 ? [2, 1] : [letters.indexOf(letter) + 1], `${length} of ${letter}`);
        }
      }
    });

    it("loses nothing during a rebuild, not even concurrent changes", async (t) => {
      const site = await startSite({ database: await open() });
      t.after(() => site.close());
      await store(
        site,
        Array.from({ length: 450 }, (_, n) => [n + 1, `visitor${n + 1} example registration`]),
      );
      const { database } = site;
      // The index of older versions, which had no prefixes.
      const words = "'visitor' || id || ' example registration ' || id || ' \u{e000}f1 \u{e000}snew \u{e000}l'";
      await run(
        database,
        database.dialect === "postgres"
          ? `UPDATE cf_submission_search f SET words = (SELECT array_to_tsvector(string_to_array(${words}, ' ')) FROM cf_submissions WHERE id = f.rowid)`
          : `INSERT OR REPLACE INTO cf_submission_search (rowid, words) SELECT id, ${words} FROM cf_submissions`,
      );
      await run(database, "DELETE FROM cf_settings WHERE name LIKE 'search_indexed_%'");
      const search = async () => {
        for (const [query, expected] of [
          ["visitor77", 1],
          ["visit&per_page=100", 100],
          ["registr&form_id=1&status=new", 20],
          ["visitor450+exam", 1],
        ] as const) {
          assert.equal((await found(site, query)).ids.length, expected, query);
        }
      };
      await search();
      const migrated = site.forms.migrate();
      for (let id = 1; id <= 450; id += 30) {
        await search();
        assert.equal((await site.api("PATCH", `/submissions/${id}`, { status: "read" })).status, 200);
        assert.deepEqual((await found(site, `visitor${id}&status=read&per_page=1&order=asc`)).ids, [id]);
      }
      await migrated;
      assert.equal((await found(site, "visit&status=read")).total, "15");
      const least = database.dialect === "postgres" ? "100" : "300";
      assert.equal((await found(site, "visit&status=new&per_page=1")).total, least);
    });

    it("is rebuilt beside the queue after an upgrade, while searches use the old index", async (t) => {
      const database = await open();
      const first = await startSite({
        database: {
          dialect: database.dialect,
          batch: (statements) => database.batch(statements),
          close: async () => {},
        },
      });
      const size = 450;
      await store(
        first,
        Array.from({ length: size }, (_, n) => [n + 1, n % 2 === 0 ? "even" : "odd"]),
      );
      await first.close();
      // The previous version had the hash of an answer in hexadecimal on PostgreSQL, and without a head on SQLite.
      const hash = createHash("sha256").update("a\0odd").digest();
      const [former, other] =
        database.dialect === "postgres"
          ? [`\u{e000}v${hash.toString("hex", 0, 8)}`, "\u{e000}v0"]
          : [String.fromCodePoint(...[0, 2, 4, 6].map((at) => 0xf0000 + hash.readUInt16BE(at))), "\u{f0000}"];
      const words = `'odd ' || id || ' \u{e000}f1 \u{e000}snew \u{e000}l ' || CASE WHEN id % 2 = 0 THEN '${former}' ELSE '${other}' END`;
      const place = "search_indexed_4";
      await run(
        database,
        database.dialect === "postgres"
          ? `UPDATE cf_submission_search f SET words = (SELECT array_to_tsvector(string_to_array(${words}, ' ')) FROM cf_submissions WHERE id = f.rowid)`
          : `INSERT OR REPLACE INTO cf_submission_search (rowid, words) SELECT id, ${words} FROM cf_submissions`,
      );
      await run(database, "DELETE FROM cf_settings WHERE name LIKE 'search_%'");
      await run(database, `INSERT INTO cf_settings (name, value) VALUES ('${place}', '9007199254740991')`);
      const site = await startSite({ database });
      t.after(() => site.close());
      const search = async (id: number, when: string) => {
        const { ids } = await found(site, `${id}&field[a]=odd&order=asc&per_page=1`);
        assert.equal(ids[0] === id, id % 2 === 0, `${id} ${when}`);
      };
      await search(77, "before the job began");
      await search(78, "before the job began");
      await site.forms.runQueue();
      for (let id = 1; id <= size; id += 15) await search(id, "between the steps of the job");
      await site.settled();
      for (let id = 1; id <= size; id += 15) await search(id, "after the job");
      const [done] = await run(
        database,
        `SELECT COUNT(*) FROM cf_settings WHERE name LIKE 'search_indexed_%' AND name <> '${place}' AND value = '9007199254740991'`,
      );
      assert.equal(Number(done?.[0]), 1, "all is indexed");
    });
  });
}

const options = "skip" in postgres ? { skip: postgres.skip } : {};

describe("the index of words on PostgreSQL", options, () => {
  it("a rebuild waits for an uncommitted change, and keeps its words", async (t) => {
    const { database, url } = await onPostgres();
    const site = await startSite({ database });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    t.after(async () => {
      await client.end();
      await site.close();
    });
    await store(site, [[1, "apple"]]);
    await run(database, "DELETE FROM cf_settings WHERE name LIKE 'search_indexed_%'");
    // A change has written its rows and waits for the test's permission to commit.
    await client.query(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER waits AFTER UPDATE ON cf_submissions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait();
      SELECT pg_advisory_lock(4711)`);
    const waiting = async (count: number) => {
      for (let n = 0; n < 3_000; n += 1) {
        const { rows } = await client.query(
          "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        if (rows.length >= count) return;
        await delay(10);
      }
      assert.fail(`${count} are not waiting`);
    };
    const changed = site.api("PATCH", "/submissions/1", { status: "read" });
    await waiting(1);
    const migrated = site.forms.migrate();
    await waiting(2);
    await client.query("SELECT pg_advisory_unlock(4711)");
    assert.equal((await changed).status, 200);
    await migrated;
    assert.deepEqual((await found(site, "apple&status=read")).ids, [1]);
    assert.deepEqual((await found(site, "apple&status=new")).ids, []);
  });

  it("reads few rows for a page, for rare and for frequent words", async (t) => {
    const { database } = await onPostgres();
    const sent: Statement[] = [];
    const recording: ClosableDatabase = {
      dialect: "postgres",
      batch: (statements) => (sent.push(...statements), database.batch(statements)),
      close: () => database.close(),
    };
    const site = await startSite({ database: recording });
    t.after(() => site.close());
    const size = 30_000;
    await run(
      database,
      `INSERT INTO cf_submissions (uuid, form_id, status, change_token, is_spam, spam_score, spam_reasons, actions_withheld, data,
        files, ip_address, user_agent, referer_url, page_url, schema_revision, submitted_at, modified_at)
      SELECT 'u' || n, 1, 'new', 't', 0, 0, '[]', 0, '{}', '[]', '', '', '', '', 1, n * 60000, n * 60000 FROM generate_series(1, ${size}) n`,
    );
    await run(
      database,
      `INSERT INTO cf_submission_search (rowid, words) SELECT id, array_to_tsvector(string_to_array(
        'often' || CASE WHEN id % 10000 = 77 THEN ' seldom' ELSE '' END || CASE WHEN id <= ${size / 2} THEN ' early' ELSE '' END || ' \u{e000}snew \u{e000}l', ' '))
      FROM cf_submissions`,
    );
    await run(database, "ANALYZE");
    for (const query of [
      "seldom",
      "seldom&orderby=date",
      "seldom&after=1970-01-01T01:00:00Z",
      "seldom&order=asc",
      "often",
      "often&order=asc",
      "often&orderby=date",
      "early",
      "often+seldom",
      "often&after=1970-01-05T00:00:00Z&before=1970-01-15T00:00:00Z",
    ]) {
      sent.length = 0;
      assert.ok((await found(site, query)).ids.length >= 3, query);
      const searches = sent.filter(({ sql }) => sql.includes("cf_submission_search"));
      assert.ok(searches.length > 0, query);
      for (const { sql, params } of searches) {
        const [explained] = await database.batch([{ sql: `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, params }]);
        const plan: JsonValue = JSON.parse(String(explained?.rows[0]?.[0]));
        const rows = rowsRead(items(plan)[0]);
        assert.ok(rows < 3_500, `${query}: ${rows} rows are read\n${JSON.stringify(plan, null, 1)}`);
      }
    }
  });
});

/** The number of table rows and index entries that a plan has read. */
function rowsRead(node: JsonValue | undefined): number {
  const plan = member(node, "Plan") ?? node;
  const number = (name: string): number => Number(member(plan, name) ?? 0);
  const scanned =
    String(member(plan, "Node Type")).includes("Scan") && member(plan, "CTE Name") === null
      ? number("Actual Rows") + number("Rows Removed by Filter")
      : 0;
  return items(member(plan, "Plans")).reduce<number>(
    (sum, child) => sum + rowsRead(child),
    scanned * number("Actual Loops"),
  );
}
