/**
 * Exports over HTTP on both databases: complete, with constant memory, and aborted when the client disconnects.
 * `CF_EXPORT_ROWS` sets the number of submissions; default: 20,000.
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import type { Database, Statement } from "../../host-shim/src/index.ts";
import { postgresForTests } from "./postgres-server.ts";
import { member, startSite, type Site } from "./site.ts";

const ROWS = Number(process.env["CF_EXPORT_ROWS"] ?? 20_000);
/** Limit for the growth of memory while a long export is read. A late garbage collection may account for much of it. */
const FLAT_BYTES = 128 << 20;

type ClosableDatabase = Database & { close(): Promise<void> };

const memories: WebAssembly.Memory[] = [];
// The glue code does not expose the engine's memory, so this proxy records it.
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(target, args, newTarget) {
    const instance: WebAssembly.Instance = Reflect.construct(target, args, newTarget);
    const { memory } = instance.exports;
    if (memory instanceof WebAssembly.Memory) memories.push(memory);
    return instance;
  },
});

interface Used {
  readonly rss: number;
  readonly wasm: number;
}

function used(): Used {
  return { rss: process.memoryUsage.rss(), wasm: Math.max(...memories.map((memory) => memory.buffer.byteLength)) };
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** A database that counts its batches, and rejects all of them once it is broken. */
class Watched implements ClosableDatabase {
  readonly dialect: Database["dialect"];
  batches = 0;
  broken = false;
  readonly #database: ClosableDatabase;

  constructor(database: ClosableDatabase) {
    this.#database = database;
    this.dialect = database.dialect;
  }

  async batch(statements: readonly Statement[]) {
    this.batches += 1;
    if (this.broken) throw new Error("the disk is gone");
    return this.#database.batch(statements);
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

async function formWith(site: Site, rows: number): Promise<number> {
  const { body } = await site.api("POST", "/forms", {
    title: "Many",
    slug: "many",
    markup: "<textarea name=answer></textarea>",
  });
  const id = Number(member(body, "id"));
  for (let from = 0; from < rows; from += 50_000) {
    const sql = `WITH RECURSIVE numbers (n) AS (SELECT ${from + 1} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${Math.min(from + 50_000, rows)})
      INSERT INTO cf_submissions (uuid, form_id, status, change_token, is_spam, spam_score, spam_reasons, actions_withheld,
        data, files, ip_address, user_agent, referer_url, page_url, schema_revision, submitted_at, modified_at)
      SELECT 'row ' || n, ${id}, 'new', '', 0, 0, '[]', 0, '{"answer":"=answer ' || n || ', long enough to be one"}', '[]',
        '192.0.2.1', 'Browser/1', '', 'https://example.org/', 1, 1700000000000 + n / 3, 1700000000000 FROM numbers`;
    await site.database.batch([{ sql, params: [] }]);
  }
  return id;
}

function ask(site: Site, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${site.url}/api/cf/v1${path}`, { ...init, headers: { "x-test-caller": "administrator" } });
}

/** Reads a CSV export to its end; returns the number of lines and the peak memory. */
async function readTable(site: Site, form: number): Promise<{ lines: number; bytes: number; most: Used }> {
  const response = await ask(site, `/forms/${form}/submissions/export`);
  assert.equal(response.status, 200);
  assert.ok(response.body !== null);
  let [lines, bytes, most] = [0, 0, used()];
  for await (const piece of response.body) {
    bytes += piece.length;
    for (const byte of piece) if (byte === 10) lines += 1;
    const now = used();
    most = { rss: Math.max(most.rss, now.rss), wasm: Math.max(most.wasm, now.wasm) };
  }
  return { lines, bytes, most };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    assert.ok(Date.now() < end, "waited for 60 s");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function exportsWell(open: () => Promise<ClosableDatabase>): void {
  let database: Watched;
  let site: Site;
  let form: number;
  before(async () => {
    database = new Watched(await open());
    site = await startSite({ database });
    form = await formWith(site, ROWS);
  });
  after(() => site.close());

  it(`exports ${ROWS} submissions with constant memory`, async (t) => {
    await readTable(site, form);
    const at = used();
    const [batches, started] = [database.batches, performance.now()];
    const { lines, bytes, most } = await readTable(site, form);
    const [rss, wasm] = [most.rss - at.rss, most.wasm - at.wasm];
    t.diagnostic(
      `${ROWS} rows, ${megabytes(bytes)}, ${database.batches - batches} batches, ${Math.round(performance.now() - started)} ms: ` +
        `RSS ${megabytes(at.rss)} + ${megabytes(rss)}, wasm memory ${megabytes(at.wasm)} + ${megabytes(wasm)}`,
    );
    assert.equal(lines, ROWS + 1);
    assert.ok(rss < FLAT_BYTES, `RSS grew by ${megabytes(rss)}`);
    assert.equal(wasm, 0);
  });

  it("supports HEAD, but never responds 304, because a streamed file has no tag", async () => {
    const head = await ask(site, `/forms/${form}/submissions/export`, { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), "");
    assert.match(head.headers.get("content-disposition") ?? "", /^attachment; filename="many-\d{4}-\d\d-\d\d\.csv"$/);
    assert.equal(head.headers.get("etag"), null);
  });

  it("ends when the client disconnects", async () => {
    const started = database.batches;
    const leaving = new AbortController();
    const response = await ask(site, `/forms/${form}/submissions/export?format=ndjson`, { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    let seen = -1;
    await until(async () => {
      const unchanged = seen === database.batches;
      seen = database.batches;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return unchanged;
    });
    assert.ok(seen - started < ROWS / 250, `${seen - started} batches`);
    assert.equal((await ask(site, `/forms/${form}`)).status, 200);
  });

  it("aborts when the database fails, so that a partial file is not mistaken for a complete one", async () => {
    const response = await ask(site, `/forms/${form}/submissions/export?format=json`);
    const reader = response.body?.getReader();
    await reader?.read();
    database.broken = true;
    try {
      await assert.rejects(async () => {
        while ((await reader?.read())?.done === false);
      });
    } finally {
      database.broken = false;
    }
    assert.ok(
      site.faults.some((fault) => fault.includes("a response broke off") && fault.includes("the disk is gone")),
    );
    assert.equal((await ask(site, `/forms/${form}`)).status, 200);
  });
}

describe("on SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "cf-forms-export-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  exportsWell(async () => openSqlite({ path: join(folder, "forms.sqlite") }));
});

const postgres = await postgresForTests();
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
});

describe("on PostgreSQL", "skip" in postgres ? { skip: postgres.skip } : {}, () => {
  if ("skip" in postgres) return;
  exportsWell(async () => openPostgres({ url: postgres.server.url, max: 2 }));
});
