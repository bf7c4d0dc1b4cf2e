/**
 * The SQLite adapter and the adapter's writer thread: the published suite for both, further tests, and transactions
 * that several batches share.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { SqliteThread } from "../../host-shim/adapters/sqlite-thread.ts";
import { SharedTransactions } from "../../host-shim/adapters/shared-transactions.ts";
import { databaseConformance } from "../../host-shim/conformance/database.ts";
import type { Database, SqlValue, Statement } from "../../host-shim/src/ports.ts";
import {
  statement,
  temporaryFile,
  openTemporary,
  secondProcess,
  lockedElsewhere,
  readNumber,
} from "./database-fixture.ts";

describe("the SQLite adapter", () => {
  databaseConformance({
    test,
    open: async () => {
      const { path, remove } = await temporaryFile();
      const database = openSqlite({ path });
      return { database, close: async () => (await database.close(), await remove()) };
    },
  });

  test("the database has a WAL, synced commits, checked foreign keys, and files that only the owner can read", async (t) => {
    const { database, path } = await openTemporary(t, "CREATE TABLE t (id INTEGER)");
    assert.equal(await readNumber(database, "PRAGMA journal_mode"), "wal");
    assert.equal(await readNumber(database, "PRAGMA synchronous"), 2);
    assert.equal(await readNumber(database, "PRAGMA foreign_keys"), 1);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) assert.equal((await stat(file)).mode & 0o777, 0o600, file);
  });

  test("if a deferred constraint makes the shared COMMIT fail, only the batch that violates the constraint is rejected", async (t) => {
    const { database } = await openTemporary(
      t,
      "CREATE TABLE parent (id INTEGER PRIMARY KEY)",
      "CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)",
    );
    const outcomes = await Promise.allSettled(
      [null, 77, null].map((parent, id) =>
        database.batch([statement("INSERT INTO child VALUES (?1, ?2)", id, parent)]),
      ),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.equal(await readNumber(database, "SELECT COUNT(*) FROM child"), 2);
  });

  test("if a statement rolls back the shared transaction, the other batches still succeed", async (t) => {
    const { database } = await openTemporary(
      t,
      "CREATE TABLE t (id INTEGER PRIMARY KEY)",
      "CREATE TRIGGER refuse BEFORE INSERT ON t WHEN new.id = 2 BEGIN SELECT RAISE(ROLLBACK, 'refused'); END",
    );
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map((id) => database.batch([statement("INSERT INTO t VALUES (?1)", id)])),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.equal(await readNumber(database, "SELECT COUNT(*) FROM t"), 2);
  });

  test("two processes that write to one file lose no write", async (t) => {
    const { database, path } = await openTemporary(
      t,
      "CREATE TABLE counter (value INTEGER)",
      "INSERT INTO counter VALUES (0)",
    );
    const other = secondProcess(path, 300);
    const exited = once(other, "exit");
    await Promise.all(
      Array.from({ length: 3 }, async () => {
        for (let done = 0; done < 100; done += 1)
          await database.batch([statement("UPDATE counter SET value = value + 1")]);
      }),
    );
    assert.deepEqual(await exited, [0, null]);
    assert.equal(await readNumber(database, "SELECT value FROM counter"), 600);
  });

  test("the write-ahead log is reset before it grows large", async (t) => {
    const { database, path } = await openTemporary(
      t,
      "CREATE TABLE counter (value INTEGER)",
      "INSERT INTO counter VALUES (0)",
    );
    for (let done = 0; done < 200; done += 1) await database.batch([statement("UPDATE counter SET value = value + 1")]);
    // Without a reset, the log has at least one page of 4 KB for each transaction, 800 KB in total.
    const { size } = await stat(`${path}-wal`);
    assert.ok(size < 200_000, `${size} bytes`);
    // A reader of an older state prevents the reset. Writes still succeed.
    const reader = new DatabaseSync(path);
    reader.exec("BEGIN; SELECT * FROM counter");
    for (let done = 0; done < 40; done += 1) await database.batch([statement("UPDATE counter SET value = value + 1")]);
    reader.close();
    assert.equal(await readNumber(database, "SELECT value FROM counter"), 240);
  });

  test("while another process holds the lock, writes wait, reads work, and the event loop is free", async (t) => {
    const { database, path } = await openTemporary(
      t,
      "CREATE TABLE counter (value INTEGER)",
      "INSERT INTO counter VALUES (0)",
    );
    const lock = await lockedElsewhere(path);
    let isWritten = false;
    const write = database.batch([statement("UPDATE counter SET value = value + 1")]).then(() => (isWritten = true));
    // If the write blocked the event loop, this test could not release the lock.
    for (let reads = 0; reads < 100; reads += 1) {
      assert.equal(await readNumber(database, "SELECT value FROM counter"), 0);
      await delay(1);
    }
    assert.ok(!isWritten, "the write waits for the lock");
    await lock.release();
    await write;
    assert.equal(await readNumber(database, "SELECT value FROM counter"), 1);
  });

  test("a batch that waits for a lock longer than `busy_ms` is rejected; a patient batch is not", async (t) => {
    const { database, path } = await openTemporary(
      t,
      "CREATE TABLE counter (value INTEGER)",
      "INSERT INTO counter VALUES (0)",
    );
    const impatient = openSqlite({ path, busy_ms: 100 });
    const lock = await lockedElsewhere(path);
    await assert.rejects(impatient.batch([statement("UPDATE counter SET value = 5")]), /locked/);
    // A patient batch waits longer. Migrations are patient, because another process may hold the lock to migrate.
    const patient = impatient.batch([statement("UPDATE counter SET value = value + 1")], { patient: true });
    await delay(500);
    await lock.release();
    assert.equal((await patient)[0]?.changes, 1);
    await impatient.batch([statement("UPDATE counter SET value = 7")]);
    await impatient.close();
    assert.equal(await readNumber(database, "SELECT value FROM counter"), 7);
  });

  test("concurrent writes share transactions", async (t) => {
    const { database, path } = await openTemporary(t, "CREATE TABLE t (id INTEGER PRIMARY KEY)");
    const walBytes = async (): Promise<number> => (await stat(`${path}-wal`)).size;
    const before = await walBytes();
    await Promise.all(
      Array.from({ length: 100 }, (_, id) => database.batch([statement("INSERT INTO t VALUES (?1)", id)])),
    );
    const pages = ((await walBytes()) - before) / 4_096;
    assert.ok(pages < 50, `100 batches wrote ${pages} pages; without sharing, each batch writes at least one`);
  });

  test("`close` lets running batches finish, and rejects later batches", async (t) => {
    const { database, path } = await openTemporary(t, "CREATE TABLE t (id INTEGER PRIMARY KEY)");
    const writes = [1, 2, 3].map((id) => database.batch([statement("INSERT INTO t VALUES (?1)", id)]));
    await database.close();
    assert.equal((await Promise.all(writes)).length, 3);
    await assert.rejects(database.batch([statement("SELECT 1")]), /closed/);
    const again = openSqlite({ path });
    assert.equal(await readNumber(again, "SELECT COUNT(*) FROM t"), 3);
    await again.close();
  });
});

async function startThread(path: string, busy_ms = 10_000): Promise<SqliteThread> {
  const thread = new SqliteThread({ path, busy_ms });
  while (!thread.isReady) await delay(5);
  return thread;
}

describe("the thread that writes to SQLite", () => {
  databaseConformance({
    test,
    open: async () => {
      const { path, remove } = await temporaryFile();
      const thread = await startThread(path);
      const database: Database = {
        dialect: "sqlite",
        batch: (statements, options) => thread.write(statements, options?.patient ?? false),
      };
      return { database, close: async () => (await thread.close(), await remove()) };
    },
  });

  test("the thread accepts parameters as JSON that the engine wrote", async (t) => {
    const { path, remove } = await temporaryFile();
    const thread = await startThread(path);
    t.after(async () => (await thread.close(), await remove()));
    await thread.write([statement("CREATE TABLE t (text TEXT, number INTEGER)")], false);
    const written = (json: string, sql: string, gathered: number): Statement[] => {
      const bytes = new TextEncoder().encode(json);
      const params = [null]; // Ignored, because the statement has encoded parameters.
      return Object.assign([{ sql, params, gathered }], { encoded: { bytes, lengths: [bytes.length] } });
    };
    const listed = "INSERT INTO t SELECT value ->> 0, value ->> 1 FROM json_each(?1)";
    await Promise.all([
      thread.write(written('["é\\n\\"",7]', "INSERT INTO t VALUES (?1, ?2)", 0), false),
      thread.write(written('[["ü",8]]', listed, 1), false),
      thread.write(written('[["ß",9],["",null]]', listed, 1), false),
    ]);
    const [all] = await thread.write([statement("SELECT text, number FROM t ORDER BY number")], false);
    assert.deepEqual(all?.rows, [
      ["", null],
      ['é\n"', 7],
      ["ü", 8],
      ["ß", 9],
    ]);
  });

  test("a batch with parameters that cannot be transferred to the thread is rejected", async (t) => {
    const { path, remove } = await temporaryFile();
    const thread = await startThread(path);
    t.after(async () => (await thread.close(), await remove()));
    const wrong = (() => 1) as unknown as SqlValue;
    const outcomes = await Promise.allSettled([
      thread.write([statement("CREATE TABLE t (id INTEGER)")], false),
      thread.write([statement("INSERT INTO t VALUES (?1)", wrong)], false),
      thread.write([statement("INSERT INTO t VALUES (?1)", 1)], false),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
  });

  test("a batch that waits too long for a lock is rejected with SQLite's error code", async (t) => {
    const { path, remove } = await temporaryFile();
    const thread = await startThread(path, 50);
    t.after(async () => (await thread.close(), await remove()));
    await thread.write([statement("CREATE TABLE t (id INTEGER)")], false);
    const lock = await lockedElsewhere(path);
    await assert.rejects(thread.write([statement("INSERT INTO t VALUES (1)")], false), { errcode: 5 });
    await lock.release();
    await thread.write([statement("INSERT INTO t VALUES (2)")], false);
  });

  test("if the process may not start threads, the adapter writes on the main thread", async (t) => {
    const { path, remove } = await temporaryFile();
    t.after(remove);
    const program = `
      import { openSqlite } from ${JSON.stringify(new URL("../../host-shim/adapters/node-sqlite.ts", import.meta.url).href)};
      const database = openSqlite({ path: ${JSON.stringify(path)} });
      await database.batch([{ sql: "CREATE TABLE t (id INTEGER)", params: [] }]);
      for (let turn = 0; turn < 3; turn += 1)
        await Promise.all([1, 2, 3].map((id) => database.batch([{ sql: "INSERT INTO t VALUES (?1)", params: [id] }])));
      await database.close();`;
    const flags = ["--permission", "--allow-fs-read=*", "--allow-fs-write=*", "--input-type=module", "--eval", program];
    const child = spawn(process.execPath, flags, { stdio: ["ignore", "inherit", "inherit"] });
    assert.deepEqual(await once(child, "exit"), [0, null]);
    const again = openSqlite({ path });
    assert.equal(await readNumber(again, "SELECT COUNT(*) FROM t"), 9);
    await again.close();
  });

  test("when the thread ends, running batches are rejected, and the adapter writes on the main thread", async (t) => {
    const { database, path } = await openTemporary(
      t,
      "CREATE TABLE counter (value INTEGER)",
      "INSERT INTO counter VALUES (0)",
    );
    const add = () => database.batch([statement("UPDATE counter SET value = value + 1")]);
    const started = once(process, "worker") as Promise<[Worker]>;
    await Promise.all(Array.from({ length: 10 }, add));
    const [worker] = await started;
    await once(worker, "message");
    await Promise.all(Array.from({ length: 10 }, add));
    const lock = await lockedElsewhere(path);
    const rejected = assert.rejects(add(), /has ended/);
    await delay(50);
    await worker.terminate();
    await rejected;
    await lock.release();
    await add();
    assert.equal(await readNumber(database, "SELECT value FROM counter"), 21);
  });
});

test("a batch that waits too long for a shared transaction is rejected and never runs", async () => {
  const begun: string[] = [];
  const { promise: hangs, resolve: release } = Promise.withResolvers<[]>();
  const run = (statements: readonly Statement[]) => {
    begun.push(...statements.map(({ sql }) => sql));
    return hangs;
  };
  const never = () => false;
  const shared = new SharedTransactions(
    { runShared: run, runAlone: run, isRolledBack: never, isConflict: never },
    { wait_ms: 20, max_alone: 1 },
  );
  const under: Promise<unknown>[] = [];
  for (const sql of ["one", "two"]) {
    under.push(shared.run([statement(sql)]));
    while (!begun.includes(sql)) await delay(1);
  }
  await assert.rejects(shared.run([statement("three")]), /busy: the batch waited 20 ms/);
  release([]);
  await Promise.all(under);
  await shared.settled();
  assert.deepEqual(begun, ["one", "two"]);
});
