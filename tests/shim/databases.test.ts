/** Both database adapters against the published suite, and the specific behaviour of each. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import pg from "pg";
import { openSqlite, type SqliteDatabase } from "../../host-shim/adapters/node-sqlite.ts";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { SqliteThread } from "../../host-shim/adapters/sqlite-thread.ts";
import { SharedTransactions } from "../../host-shim/adapters/shared-transactions.ts";
import { databaseConformance } from "../../host-shim/conformance/database.ts";
import type { Database, SqlValue, Statement } from "../../host-shim/src/ports.ts";
import { postgresForTests } from "./postgres-server.ts";

const statement = (sql: string, ...params: SqlValue[]): Statement => ({ sql, params });

async function temporaryFile(): Promise<{ path: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), "cf-forms-sqlite-"));
  return { path: join(directory, "data.db"), remove: () => rm(directory, { recursive: true }) };
}

async function openTemporary(t: TestContext, ...schema: string[]): Promise<{ database: SqliteDatabase; path: string }> {
  const { path, remove } = await temporaryFile();
  const database = openSqlite({ path });
  t.after(async () => {
    await database.close();
    await remove();
  });
  await database.batch(schema.map((sql) => statement(sql)));
  return { database, path };
}

function secondProcess(path: string, work: number | "hold") {
  const program = join(import.meta.dirname, "sqlite-writer.ts");
  return spawn(process.execPath, [program, path, String(work)], { stdio: ["pipe", "pipe", "inherit"] });
}

/** Locks the file in another process until it is released. */
async function lockedElsewhere(path: string): Promise<{ letGo(): Promise<void> }> {
  const other = secondProcess(path, "hold");
  const exited = once(other, "exit");
  await once(other.stdout, "data");
  return {
    async letGo() {
      other.stdin.end();
      assert.deepEqual(await exited, [0, null]);
    },
  };
}

async function readNumber(database: Database, sql: string): Promise<SqlValue | undefined> {
  const [result] = await database.batch([statement(sql)]);
  return result?.rows[0]?.[0];
}

describe("the SQLite adapter", () => {
  databaseConformance({
    test,
    open: async () => {
      const { path, remove } = await temporaryFile();
      const database = openSqlite({ path });
      return { database, close: async () => (await database.close(), await remove()) };
    },
  });

  test("the database is in WAL mode, synced at every commit, with foreign keys, readable by its owner alone", async (t) => {
    const { database, path } = await openTemporary(t, "CREATE TABLE t (id INTEGER)");
    assert.equal(await readNumber(database, "PRAGMA journal_mode"), "wal");
    assert.equal(await readNumber(database, "PRAGMA synchronous"), 2);
    assert.equal(await readNumber(database, "PRAGMA foreign_keys"), 1);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) assert.equal((await stat(file)).mode & 0o777, 0o600, file);
  });

  test("a deferred constraint that fails the shared COMMIT fails only its own batch", async (t) => {
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

  test("a statement that rolls the whole transaction back fails only its own batch", async (t) => {
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

  test("two processes on one file lose nothing", async (t) => {
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

  test("the log begins anew after a few transactions", async (t) => {
    const { database, path } = await openTemporary(
      t,
      "CREATE TABLE counter (value INTEGER)",
      "INSERT INTO counter VALUES (0)",
    );
    for (let done = 0; done < 200; done += 1) await database.batch([statement("UPDATE counter SET value = value + 1")]);
    // Each writes a page of 4 KB.
    const { size } = await stat(`${path}-wal`);
    assert.ok(size < 200_000, `${size} bytes`);
    // While somebody reads an older state it cannot, and goes on.
    const reader = new DatabaseSync(path);
    reader.exec("BEGIN; SELECT * FROM counter");
    for (let done = 0; done < 40; done += 1) await database.batch([statement("UPDATE counter SET value = value + 1")]);
    reader.close();
    assert.equal(await readNumber(database, "SELECT value FROM counter"), 240);
  });

  test("while another process holds the lock, writes wait, reads answer and the event loop is free", async (t) => {
    const { database, path } = await openTemporary(
      t,
      "CREATE TABLE counter (value INTEGER)",
      "INSERT INTO counter VALUES (0)",
    );
    const lock = await lockedElsewhere(path);
    let isWritten = false;
    const write = database.batch([statement("UPDATE counter SET value = value + 1")]).then(() => (isWritten = true));
    // A write that stood still for the lock would let nobody come to let it go.
    for (let reads = 0; reads < 100; reads += 1) {
      assert.equal(await readNumber(database, "SELECT value FROM counter"), 0);
      await delay(1);
    }
    assert.ok(!isWritten, "the write waits for the lock");
    await lock.letGo();
    await write;
    assert.equal(await readNumber(database, "SELECT value FROM counter"), 1);
  });

  test("a lock that is never released rejects the batch after busy_ms, and a later one works", async (t) => {
    const { database, path } = await openTemporary(
      t,
      "CREATE TABLE counter (value INTEGER)",
      "INSERT INTO counter VALUES (0)",
    );
    const impatient = openSqlite({ path, busy_ms: 100 });
    const lock = await lockedElsewhere(path);
    await assert.rejects(impatient.batch([statement("UPDATE counter SET value = 5")]), /locked/);
    // A migration waits for as long as another process takes for its own.
    const patient = impatient.batch([statement("UPDATE counter SET value = value + 1")], { patient: true });
    await delay(500);
    await lock.letGo();
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
    assert.ok(pages < 50, `100 batches wrote ${pages} pages: each commit of its own writes at least one`);
  });

  test("close lets the batches under way finish and rejects later ones", async (t) => {
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

  test("takes parameters as the engine wrote them", async (t) => {
    const { path, remove } = await temporaryFile();
    const thread = await startThread(path);
    t.after(async () => (await thread.close(), await remove()));
    await thread.write([statement("CREATE TABLE t (text TEXT, number INTEGER)")], false);
    const written = (json: string, sql: string, gathered: number): Statement[] => {
      const bytes = new TextEncoder().encode(json);
      const params = [null]; // Not looked at.
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

  test("parameters that cannot travel reject their own batch", async (t) => {
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

  test("a batch that waits for a lock too long is rejected with the database's code", async (t) => {
    const { path, remove } = await temporaryFile();
    const thread = await startThread(path, 50);
    t.after(async () => (await thread.close(), await remove()));
    await thread.write([statement("CREATE TABLE t (id INTEGER)")], false);
    const lock = await lockedElsewhere(path);
    await assert.rejects(thread.write([statement("INSERT INTO t VALUES (1)")], false), { errcode: 5 });
    await lock.letGo();
    await thread.write([statement("INSERT INTO t VALUES (2)")], false);
  });

  test("where no thread may be started, the adapter writes without it", async (t) => {
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

  test("a thread that ends rejects what is under way, and the adapter writes without it", async (t) => {
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
    await lock.letGo();
    await add();
    assert.equal(await readNumber(database, "SELECT value FROM counter"), 21);
  });
});

test("what waits too long for a shared transaction is rejected and never run", async () => {
  const begun: string[] = [];
  const { promise: hangs, resolve: letGo } = Promise.withResolvers<[]>();
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
  letGo([]);
  await Promise.all(under);
  await shared.settled();
  assert.deepEqual(begun, ["one", "two"]);
});

const postgres = await postgresForTests();

describe("the PostgreSQL adapter", "skip" in postgres ? { skip: postgres.skip } : {}, () => {
  if ("skip" in postgres) return;
  const { server } = postgres;
  test.after(() => server.stop());

  async function withDatabase(
    options: { statement_ms?: number },
    use: (database: Database) => Promise<void>,
  ): Promise<void> {
    const database = openPostgres({ url: server.url, ...options });
    try {
      await use(database);
    } finally {
      await database.close();
    }
  }

  databaseConformance({
    test,
    open: async () => {
      const database = openPostgres({ url: server.url });
      return { database, close: () => database.close() };
    },
  });

  test("batches that deadlock are tried again until all succeed", () =>
    withDatabase({}, async (database) => {
      await database.batch([
        statement("CREATE TABLE deadlock (id INT, value INT)"),
        statement("INSERT INTO deadlock VALUES (1, 0), (2, 0)"),
      ]);
      const update = "UPDATE deadlock SET value = value + 1 WHERE id = $1";
      await Promise.all(
        [
          [1, 2],
          [2, 1],
        ].map(([first = 0, second = 0]) =>
          database.batch([
            statement(update, first),
            statement("SELECT pg_sleep(0.2)::text"),
            statement(update, second),
          ]),
        ),
      );
      assert.equal(await readNumber(database, "SELECT SUM(value) FROM deadlock"), 4);
    }));

  test("a connection that the server ends rejects its batch with the reason; the next batch gets another", () =>
    withDatabase({}, async (database) => {
      const sleeping = assert.rejects(
        database.batch([statement("SELECT pg_sleep(20)::text"), statement("SELECT 1")]),
        /terminat/,
      );
      const asleep =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";
      while ((await readNumber(database, asleep)) === 0) await delay(10);
      await database.batch([
        statement(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()",
        ),
      ]);
      await sleeping;
      assert.equal(await readNumber(database, "SELECT 1"), 1);
    }));

  test("a statement that takes too long is ended, and its batch leaves nothing", () =>
    withDatabase({}, async (database) => {
      await database.batch([statement("CREATE TABLE slow (id INT)")]);
      const batch = [statement("INSERT INTO slow VALUES (1)"), statement("SELECT pg_sleep(20)::text")];
      await withDatabase({ statement_ms: 200 }, (hasty) => assert.rejects(hasty.batch(batch), /statement timeout/));
      assert.equal(await readNumber(database, "SELECT COUNT(*) FROM slow"), 0);
    }));

  test("a server that is not there is named as the reason", async () => {
    const database = openPostgres({ url: "postgres://nobody:secret@127.0.0.1:1/none", connect_ms: 1_000 });
    await assert.rejects(database.batch([statement("SELECT 1")]), (error: Error) => {
      assert.match(error.message, /no connection to PostgreSQL: .*ECONNREFUSED/);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
    await database.close();
  });

  test("a deferred constraint that fails at COMMIT rejects the batch", () =>
    withDatabase({}, async (database) => {
      await database.batch([statement("CREATE TABLE deferred (id INT UNIQUE DEFERRABLE INITIALLY DEFERRED)")]);
      const insert = statement("INSERT INTO deferred VALUES (1)");
      await assert.rejects(database.batch([insert, insert]), /duplicate key/);
      assert.equal(await readNumber(database, "SELECT COUNT(*) FROM deferred"), 0);
    }));

  test("batches that gather share a transaction, lock in one order across hosts, and fail alone", () =>
    withDatabase({}, (one) =>
      withDatabase({}, async (other) => {
        await one.batch(
          [
            "CREATE TABLE gathered_a (id INT PRIMARY KEY, n INT)",
            "CREATE TABLE gathered_b (id INT PRIMARY KEY, n INT)",
            "CREATE TABLE own (n INT NOT NULL)",
          ].map((sql) => statement(sql)),
        );
        const count = (table: string, gathered: number) => ({
          sql: `INSERT INTO ${table} SELECT CAST(value AS INT), COUNT(*) FROM json_array_elements_text(CAST($1 AS json)) GROUP BY 1 ORDER BY 1
          ON CONFLICT (id) DO UPDATE SET n = ${table}.n + excluded.n`,
          params: ["[1, 2]"],
          gathered,
        });
        const insert = (n: number | null) =>
          statement(
            "INSERT INTO own SELECT CAST($1 AS INT) FROM pg_sleep(0.005) RETURNING pg_current_xact_id()::text",
            n,
          );
        const [first, last] = [
          (n: number | null) => [count("gathered_a", -1), insert(n)],
          (n: number | null) => [count("gathered_b", -1), insert(n), count("gathered_a", 1)],
        ];
        const run = (database: Database, batches: (readonly Statement[])[]) =>
          Promise.allSettled(batches.map((batch) => database.batch(batch)));
        const numbers = Array.from({ length: 20 }, (_, n) => n);
        const outcomes = await Promise.all([
          run(
            one,
            numbers.flatMap((n) => [first(n), last(n)]),
          ),
          run(
            other,
            numbers.flatMap((n) => [last(n), first(n)]),
          ),
        ]);
        const transactions = outcomes.map(
          (group) =>
            new Set(
              group.map((outcome) =>
                outcome.status === "fulfilled" ? outcome.value[1]?.rows[0]?.[0] : outcome.reason,
              ),
            ),
        );
        assert.deepEqual(
          transactions.map(({ size }) => size),
          [1, 1],
        );
        const failing = await run(one, [first(1), last(null), first(2), last(3)]);
        assert.deepEqual(
          failing.map(({ status }) => status),
          ["fulfilled", "rejected", "fulfilled", "fulfilled"],
        );
        const counts = await one.batch([
          statement("SELECT n FROM gathered_a"),
          statement("SELECT n FROM gathered_b"),
          statement("SELECT COUNT(*) FROM own"),
        ]);
        assert.deepEqual(
          counts.map(({ rows }) => rows),
          [[[83], [83]], [[41], [41]], [[83]]],
        );
      }),
    ));

  const gather = (table: string, list: string) => ({
    sql: `INSERT INTO ${table} SELECT CAST(value AS INT) FROM json_array_elements_text(CAST($1 AS json))`,
    params: [list],
    gathered: 1,
  });

  test("a locked row keeps only its own batches waiting", () =>
    withDatabase({}, async (database) => {
      await database.batch(
        [
          "CREATE TABLE held (id INT, n INT)",
          "INSERT INTO held SELECT n, 0 FROM generate_series(1, 5) n",
          "CREATE TABLE told (n INT)",
        ].map((sql) => statement(sql)),
      );
      const holder = new pg.Client(server.url);
      await holder.connect();
      await holder.query("BEGIN; UPDATE held SET n = n WHERE id = 1");
      const batch = (id: number) =>
        database.batch([statement("UPDATE held SET n = n + 1 WHERE id = $1", id), gather("told", `[${id}]`)]);
      let isFree = false;
      const locked = [1, 1].map(async (id) => {
        await batch(id);
        assert.ok(isFree);
      });
      // In one transaction with those, in one after them, and while they wait.
      await Promise.all([2, 3].map(batch));
      await Promise.all([4, 5].map(batch));
      await batch(2);
      isFree = true;
      await holder.query("ROLLBACK");
      await Promise.all(locked);
      await holder.end();
      const results = await database.batch([
        statement("SELECT n FROM held ORDER BY id"),
        statement("SELECT COUNT(*) FROM told"),
      ]);
      assert.deepEqual(
        results.map(({ rows }) => rows.flat()),
        [[2, 2, 1, 1, 1], [7]],
      );
    }));

  test("a server that tells errors in another language fails only the batch at fault", async (t) => {
    const { hostname, port } = new URL(server.url);
    let translated = 0;
    // The severity is the only word of an error that pg reads; as long in this language, so that lengths stay right.
    const proxy = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      client.pipe(upstream);
      upstream.on("data", (data) => {
        const text = data.toString("latin1");
        translated += text.split("SERROR\0").length - 1;
        client.write(Buffer.from(text.replaceAll("SERROR\0", "SFALLO\0"), "latin1"));
      });
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const)
        one.on("error", () => {}).on("close", () => other.destroy());
    }).listen(0, "127.0.0.1");
    t.after(() => proxy.close());
    await once(proxy, "listening");
    const url = new URL(server.url);
    url.port = String((proxy.address() as AddressInfo).port);
    const database = openPostgres({ url: url.href });
    t.after(() => database.close());
    await database.batch([
      statement("CREATE TABLE foreign_words (n INT NOT NULL UNIQUE DEFERRABLE INITIALLY DEFERRED)"),
      statement("CREATE TABLE foreign_told (n INT)"),
    ]);
    const batch = (n: number | null) =>
      database.batch([statement("INSERT INTO foreign_words VALUES ($1)", n), gather("foreign_told", "[1]")]);
    // The second fails at its statement, the one that is there already at COMMIT.
    for (const numbers of [
      [1, null, 2],
      [3, 1, 4],
    ]) {
      const outcomes = await Promise.allSettled(numbers.map(batch));
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ["fulfilled", "rejected", "fulfilled"],
        `${numbers}`,
      );
    }
    assert.ok(translated >= 4, `${translated} errors were translated`);
    assert.equal(await readNumber(database, "SELECT COUNT(*) FROM foreign_told"), 4);
  });

  test("a shared transaction whose connection is lost rejects its batches with the reason, and the next ones go on", () =>
    withDatabase({}, async (database) => {
      await database.batch([statement("CREATE TABLE lost (n INT)")]);
      const batch = (sleep: number) => [statement("SELECT pg_sleep($1)::text", sleep), gather("lost", "[1]")];
      const lost = [20, 0, 0].map((sleep) => assert.rejects(database.batch(batch(sleep)), /terminat/));
      const asleep = "FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";
      while ((await readNumber(database, `SELECT COUNT(*) ${asleep}`)) === 0) await delay(10);
      await database.batch([statement(`SELECT pg_terminate_backend(pid) ${asleep}`)]);
      await Promise.all(lost);
      await Promise.all([0, 0].map((sleep) => database.batch(batch(sleep))));
      assert.equal(await readNumber(database, "SELECT COUNT(*) FROM lost"), 2);
    }));

  test("more SQL texts than stay prepared work as well", async () => {
    const database = openPostgres({ url: server.url, prepared: 5 });
    for (let n = 0; n < 20; n += 1) assert.equal(await readNumber(database, `SELECT ${n}`), n);
    assert.equal(await readNumber(database, "SELECT COUNT(*) FROM pg_prepared_statements WHERE name LIKE 'cf%'"), 5);
    await database.close();
  });
});
