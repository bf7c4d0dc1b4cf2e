/** The adapter kit: the statements of shared transactions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { databaseOf, StatementFailure, type Client } from "../../host-shim/adapters/adapter-kit.ts";
import type { SqlValue, Statement } from "../../host-shim/src/index.ts";

const insert = (value: SqlValue): Statement => ({ sql: "INSERT INTO t VALUES (?1)", params: [value] });
const count = (list: string, gathered = 1): Statement => ({
  sql: "INSERT INTO counts SELECT value FROM json_each(?1)",
  params: [list],
  gathered,
});

/** A client that records the statements of each transaction, and rejects the value 13. */
function recorder() {
  const transactions: SqlValue[][] = [];
  const client: Client = {
    dialect: "sqlite",
    gathers: true,
    async transact(statements) {
      const values = statements.map(({ params }) => params[0] ?? null);
      transactions.push(values);
      if (values.includes(13)) throw new StatementFailure("13");
      return values.map(() => ({ rows: [], changes: 1 }));
    },
  };
  return { transactions, database: databaseOf(client) };
}

const SHARED: readonly {
  name: string;
  batches: readonly (readonly Statement[])[];
  transactions: readonly (readonly SqlValue[])[];
}[] = [
  {
    name: "the gathered statements of several batches are merged and run after these batches",
    batches: [
      [insert(1), count("[1]")],
      [insert(2), count("[2,3]")],
    ],
    transactions: [[1, 2, "[1,2,3]"]],
  },
  {
    name: "gathered statements run before the next batch that has none",
    batches: [[insert(1), count("[1]")], [insert(2)], [insert(3), count("[3]")]],
    transactions: [[1, "[1]", 2, 3, "[3]"]],
  },
  {
    name: "statements with a negative `gathered` stay in place and are not merged",
    batches: [
      [count("[1]", -1), insert(1)],
      [count("[2]", -1), insert(2)],
    ],
    transactions: [["[1]", 1, "[2]", 2]],
  },
  {
    name: "after a failure, each batch is repeated alone, with its gathered statements",
    batches: [
      [insert(1), count("[1]")],
      [insert(13), count("[2]")],
    ],
    transactions: [
      [1, 13, "[1,2]"],
      [1, "[1]"],
      [13, "[2]"],
    ],
  },
];

for (const { name, batches, transactions } of SHARED) {
  test(name, async () => {
    const made = recorder();
    const settled = await Promise.allSettled(batches.map((batch) => made.database.batch(batch)));
    assert.deepEqual(made.transactions, transactions);
    const fails = (batch: readonly Statement[]) => batch.some(({ params }) => params[0] === 13);
    assert.deepEqual(
      settled.map(({ status }) => status === "rejected"),
      batches.map(fails),
    );
  });
}

test("a batch gets the results of its own statements, and an empty result for each gathered statement", async () => {
  const { database } = recorder();
  const [first, second] = await Promise.all([database.batch([count("[1]"), insert(1)]), database.batch([insert(2)])]);
  assert.deepEqual([first.map(({ changes }) => changes), second.map(({ changes }) => changes)], [[0, 1], [1]]);
});
