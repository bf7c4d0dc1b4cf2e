/** The PostgreSQL adapter. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { databaseConformance } from "../../host-shim/conformance/database.ts";
import type { Database, Statement } from "../../host-shim/src/ports.ts";
import { postgresForTests } from "./postgres-server.ts";
import { statement, readNumber } from "./database-fixture.ts";

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

  test("deadlocked batches are retried until all succeed", () =>
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

  test("the error for a missing server gives the reason", async () => {
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

  test("batches with gathered statements share a transaction, lock in one order across hosts, and fail alone", () =>
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
          "CREATE TABLE gathered (n INT)",
        ].map((sql) => statement(sql)),
      );
      const holder = new pg.Client(server.url);
      await holder.connect();
      await holder.query("BEGIN; UPDATE held SET n = n WHERE id = 1");
      const batch = (id: number) =>
        database.batch([statement("UPDATE held SET n = n + 1 WHERE id = $1", id), gather("gathered", `[${id}]`)]);
      let isFree = false;
      const locked = [1, 1].map(async (id) => {
        await batch(id);
        assert.ok(isFree);
      });
      // The others share a transaction with the locked batches, then a later one, then run while the locked batches wait.
      await Promise.all([2, 3].map(batch));
      await Promise.all([4, 5].map(batch));
      await batch(2);
      isFree = true;
      await holder.query("ROLLBACK");
      await Promise.all(locked);
      await holder.end();
      const results = await database.batch([
        statement("SELECT n FROM held ORDER BY id"),
        statement("SELECT COUNT(*) FROM gathered"),
      ]);
      assert.deepEqual(
        results.map(({ rows }) => rows.flat()),
        [[2, 2, 1, 1, 1], [7]],
      );
    }));

  test("a server with errors in another language fails only the batch at fault", async (t) => {
    const { hostname, port } = new URL(server.url);
    let translated = 0;
    // The driver reads only the severity of an error. The translated severity has the same length, so that the lengths
    // of messages stay correct.
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
      statement("CREATE TABLE foreign_gathered (n INT)"),
    ]);
    const batch = (n: number | null) =>
      database.batch([statement("INSERT INTO foreign_words VALUES ($1)", n), gather("foreign_gathered", "[1]")]);
    // The second batch fails at its statement, the duplicate one at COMMIT.
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
    assert.equal(await readNumber(database, "SELECT COUNT(*) FROM foreign_gathered"), 4);
  });

  test("a shared transaction whose connection is lost rejects its batches with the reason, and the next ones work", () =>
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

  test("more SQL texts than the cache of prepared statements holds work too", async () => {
    const database = openPostgres({ url: server.url, prepared: 5 });
    for (let n = 0; n < 20; n += 1) assert.equal(await readNumber(database, `SELECT ${n}`), n);
    assert.equal(await readNumber(database, "SELECT COUNT(*) FROM pg_prepared_statements WHERE name LIKE 'cf%'"), 5);
    await database.close();
  });
});
