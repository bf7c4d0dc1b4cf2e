/** A process's cache of forms and responses is never stale, even when another process changes the database. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { items, member, startSite, type Site } from "./site.ts";

async function submit(site: Site, answers: Readonly<Record<string, string>>): Promise<number> {
  const body = new URLSearchParams(answers);
  return (await fetch(`${site.url}/forms/held`, { method: "POST", body, headers: { accept: "application/json" } }))
    .status;
}

it("a submit and a GET use the current form, also after another process changed it", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "cf-forms-held-"));
  const open = () =>
    startSite({ database: openSqlite({ path: join(folder, "site.sqlite") }), forms: { queueConcurrency: 0 } });
  const [one, other] = [await open(), await open()];
  t.after(async () => {
    await Promise.all([one.close(), other.close()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const messages = async () => {
    const { headers, body } = await one.api("GET", "/forms/1");
    return [member(body, "title"), member(body, "submission_count"), headers.get("etag")];
  };
  await one.api("POST", "/forms", { title: "Held", slug: "held", markup: "<input name=a>" });
  const first = await messages();
  assert.deepEqual(await messages(), first);
  assert.equal(await submit(one, { a: "1" }), 200);
  assert.equal(await submit(one, { a: "2" }), 200);
  assert.equal(await submit(other, { a: "3" }), 200);
  assert.deepEqual((await messages()).slice(0, 2), ["Held", 3]);

  // The changed form rejects answers that were valid before, and accepts answers that were invalid.
  await other.api("PATCH", "/forms/1", { title: "Changed", markup: "<input name=a><input name=b required>" });
  assert.deepEqual((await messages()).slice(0, 2), ["Changed", 3]);
  assert.equal(await submit(one, { a: "4" }), 400);
  assert.equal(await submit(one, { a: "4", b: "4" }), 200);
  await other.api("PATCH", "/forms/1", { title: "Changed", markup: "<input name=a>" });
  assert.equal(await submit(one, { a: "5" }), 200);
  await other.api("PATCH", "/forms/1", { status: "closed" });
  assert.equal(await submit(one, { a: "6" }), 403);
  await other.api("PATCH", "/forms/1", { status: "published" });
  assert.equal(await submit(one, { a: "6" }), 200);
  await other.api("DELETE", "/forms/1");
  assert.equal(await submit(one, { a: "7" }), 404);
  assert.equal((await one.api("GET", "/forms/1")).status, 404);
  assert.deepEqual([...one.faults, ...other.faults], []);
});

it("each submit of a shared transaction can be found, is counted, and has its queue entry", async (t) => {
  const site = await startSite({ database: openSqlite({ path: ":memory:" }), forms: { queueConcurrency: 0 } });
  t.after(() => site.close());
  const settings = { actions: [{ type: "email", to: "a@example.org", subject: "s", message: "m" }] };
  await site.api("POST", "/forms", { title: "Held", slug: "held", markup: "<input name=a>", settings });
  await submit(site, { a: "word0" });
  const statuses = await Promise.all(Array.from({ length: 40 }, (_, n) => submit(site, { a: `word${n + 1}` })));
  assert.deepEqual(new Set(statuses), new Set([200]));
  for (const word of ["word0", "word1", "word40"]) {
    const found = items((await site.api("GET", `/submissions?search=${word}`)).body);
    assert.ok(
      found.some((submission) => member(member(submission, "data"), "a") === word),
      word,
    );
  }
  assert.equal(member((await site.api("GET", "/analytics/1/funnel")).body, "submissions"), 41);
  assert.equal(member((await site.api("GET", "/action-queue/stats")).body, "pending"), 41);
  const differences: unknown[] = [];
  await site.forms.rebuildCounters((difference) => differences.push(difference));
  assert.deepEqual(differences, []);
});

it("gathered statements run once for all batches of a transaction, and a failing batch does not affect others", async () => {
  const database = openSqlite({ path: ":memory:" });
  await database.batch([
    { sql: "CREATE TABLE t (n INTEGER UNIQUE)", params: [] },
    { sql: "CREATE TABLE runs (rows INTEGER)", params: [] },
  ]);
  const add = (...numbers: number[]) => ({
    sql: "INSERT INTO t SELECT value FROM json_each(?1)",
    params: [JSON.stringify(numbers)],
    gathered: 1,
  });
  const insert = { sql: "INSERT INTO runs VALUES (1)", params: [] };
  const look = { sql: "INSERT INTO runs SELECT COUNT(*) FROM t", params: [] };
  const outcomes = await Promise.allSettled([
    database.batch([insert, add(1, 2)]),
    database.batch([insert, add(3)]),
    database.batch([look]),
    database.batch([insert, add(1)]),
    database.batch([add(4)]),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["fulfilled", "fulfilled", "fulfilled", "rejected", "fulfilled"],
  );
  const [rows, runs] = await database.batch([
    { sql: "SELECT n FROM t ORDER BY n", params: [] },
    { sql: "SELECT rows FROM runs", params: [] },
  ]);
  assert.deepEqual(rows?.rows, [[1], [2], [3], [4]]);
  assert.deepEqual(runs?.rows, [[1], [1], [3]]);
  await database.close();
});
