import type { Case } from "./case.ts";
import { expectEqual, expectRejection, expectTrue } from "./expect.ts";
import type { Workspace } from "./workspace.ts";

const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index);

/** Creates two accounts with 1,000 each. Transfers between them must keep the sum of 2,000. */
async function twoAccounts(workspace: Workspace): Promise<string> {
  const table = await workspace.table("id BIGINT PRIMARY KEY, amount BIGINT NOT NULL");
  await workspace.run(`INSERT INTO ${table} (id, amount) VALUES (1, 1000), (2, 1000)`);
  return table;
}

export const concurrencyCases: readonly Case<Workspace>[] = [
  {
    name: "200 concurrent batches lose nothing",
    run: async (workspace) => {
      const table = await workspace.table("id BIGINT PRIMARY KEY, counter BIGINT");
      const log = await workspace.table("id BIGINT PRIMARY KEY");
      await workspace.run(`INSERT INTO ${table} (id, counter) VALUES (1, 0)`);
      const results = await Promise.all(
        numbers(200).map((id) =>
          workspace.batch(
            workspace.statement(`INSERT INTO ${log} (id) VALUES (?1)`, id),
            workspace.statement(`UPDATE ${table} SET counter = counter + 1 WHERE id = 1 RETURNING counter`),
          ),
        ),
      );
      const counted = results.map(([, update]) => Number(update?.rows[0]?.[0])).sort((a, b) => a - b);
      expectEqual(
        counted,
        numbers(200).map((n) => n + 1),
        "the counter's values as the batches saw them",
      );
      expectEqual(await workspace.rows(`SELECT counter FROM ${table}`), [[200]], "the counter");
      expectEqual(await workspace.rows(`SELECT COUNT(*) FROM ${log}`), [[200]], "the rows inserted");
    },
  },
  {
    name: "a failing batch among concurrent ones affects no other",
    run: async (workspace) => {
      const table = await workspace.table("id BIGINT PRIMARY KEY, value TEXT NOT NULL");
      const outcomes = await Promise.allSettled(
        numbers(60).map((id) =>
          workspace.batch(
            workspace.statement(`INSERT INTO ${table} (id, value) VALUES (?1, ?2)`, 2 * id, "first"),
            workspace.statement(
              `INSERT INTO ${table} (id, value) VALUES (?1, ?2)`,
              2 * id + 1,
              id % 5 === 0 ? null : "second",
            ),
          ),
        ),
      );
      const failed = numbers(60).filter((id) => outcomes[id]?.status === "rejected");
      expectEqual(
        failed,
        numbers(60).filter((id) => id % 5 === 0),
        "the batches that failed",
      );
      const ids = (await workspace.rows(`SELECT id FROM ${table} ORDER BY id`)).map(([id]) => id);
      expectEqual(
        ids,
        numbers(120).filter((id) => Math.floor(id / 2) % 5 !== 0),
        "the rows stored",
      );
    },
  },
  {
    name: "the next batch sees the writes of a resolved one",
    run: async (workspace) => {
      const table = await workspace.table("id BIGINT PRIMARY KEY, value BIGINT");
      await Promise.all(
        numbers(10).map(async (id) => {
          await workspace.run(`INSERT INTO ${table} (id, value) VALUES (?1, 0)`, id);
          for (let value = 1; value <= 10; value += 1) {
            await workspace.run(`UPDATE ${table} SET value = ?1 WHERE id = ?2`, value, id);
            const rows = await workspace.rows(`SELECT value FROM ${table} WHERE id = ?1`, id);
            expectEqual(rows, [[value]], "the value just written");
          }
        }),
      );
    },
  },
  {
    name: "no batch sees half of another",
    run: async (workspace) => {
      const table = await twoAccounts(workspace);
      const move = `UPDATE ${table} SET amount = amount + ?1 WHERE id = ?2`;
      const amountOf = `SELECT amount FROM ${table} WHERE id = ?1`;
      // Statements between the two halves of a transfer, so that a torn batch is visible for longer.
      const pause = numbers(3).map(() => workspace.statement("SELECT 1"));
      let moving = true;
      const writing = Promise.all(
        numbers(5).map(async (writer) => {
          for (let round = 1; round <= 20; round += 1) {
            const amount = writer * 20 + round;
            await workspace.batch(
              workspace.statement(move, -amount, 1),
              ...pause,
              workspace.statement(move, amount, 2),
            );
          }
        }),
      ).finally(() => {
        moving = false;
      });
      const reading = numbers(4).map(async () => {
        while (moving) {
          const total = await workspace.rows(`SELECT SUM(amount) FROM ${table}`);
          expectEqual(total, [[2000]], "the sum in one statement");
          const results = await workspace.batch(
            workspace.statement(amountOf, 1),
            ...pause,
            workspace.statement(amountOf, 2),
          );
          const [first, second] = [results.at(0), results.at(-1)].map((result) => Number(result?.rows[0]?.[0]));
          expectEqual((first ?? NaN) + (second ?? NaN), 2000, "the sum over two statements of a batch");
        }
      });
      await Promise.all([writing, ...reading]);
    },
  },
  {
    name: "a batch that is rolled back was never seen",
    run: async (workspace) => {
      const table = await workspace.table("id BIGINT PRIMARY KEY, value TEXT NOT NULL");
      const insert = `INSERT INTO ${table} (id, value) VALUES (?1, ?2)`;
      let failing = true;
      const writing = Promise.allSettled(
        numbers(30).map((id) =>
          workspace.batch(workspace.statement(insert, id, "a"), workspace.statement(insert, id, null)),
        ),
      ).finally(() => {
        failing = false;
      });
      do expectEqual(await workspace.rows(`SELECT COUNT(*) FROM ${table}`), [[0]], "the rows seen");
      while (failing);
      const outcomes = await writing;
      expectTrue(
        outcomes.every(({ status }) => status === "rejected"),
        "a failing batch was not rejected",
      );
    },
  },
  {
    name: "of many concurrent inserts of one key exactly one counts",
    run: async (workspace) => {
      const table = await workspace.table("id TEXT PRIMARY KEY, winner BIGINT");
      const sql = `INSERT INTO ${table} (id, winner) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING`;
      const results = await Promise.all(numbers(30).map((n) => workspace.run(sql, "key", n)));
      const winners = numbers(30).filter((n) => results[n]?.changes === 1);
      expectEqual(winners.length, 1, "the inserts that count");
      expectEqual(await workspace.rows(`SELECT winner FROM ${table}`), [winners], "the stored winner");
    },
  },
  {
    name: "batches that write the same rows in opposite order all succeed",
    run: async (workspace) => {
      const table = await twoAccounts(workspace);
      const move = `UPDATE ${table} SET amount = amount + ?1 WHERE id = ?2`;
      await Promise.all(
        numbers(10).map((n) => {
          const [from, to] = n % 2 === 0 ? [1, 2] : [2, 1];
          return workspace.batch(workspace.statement(move, -1, from), workspace.statement(move, 1, to));
        }),
      );
      expectEqual(await workspace.rows(`SELECT amount FROM ${table} ORDER BY id`), [[1000], [1000]], "the amounts");
    },
  },
  {
    name: "a failure is rejected among successes without an unhandled rejection",
    run: async (workspace) => {
      const table = await workspace.table("id BIGINT PRIMARY KEY");
      const insert = workspace.statement(`INSERT INTO ${table} (id) VALUES (?1)`, 1);
      await workspace.batch(insert);
      const others = numbers(5).map(() => workspace.run("SELECT 1"));
      await expectRejection(() => workspace.batch(insert), "the second insert of a key");
      expectEqual((await Promise.all(others)).length, 5, "the reads beside it");
    },
  },
];
