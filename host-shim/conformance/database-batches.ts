import type { Case } from "./case.ts";
import { expectEqual, expectRejection, expectTrue } from "./expect.ts";
import type { Workspace } from "./workspace.ts";

const insertInto = (table: string): string => `INSERT INTO ${table} (id, value) VALUES (?1, ?2)`;
const COLUMNS = "id BIGINT PRIMARY KEY, value TEXT NOT NULL";

async function expectRows(workspace: Workspace, table: string, expected: number, what: string): Promise<void> {
  expectEqual(await workspace.rows(`SELECT COUNT(*) FROM ${table}`), [[expected]], what);
}

export const batchCases: readonly Case<Workspace>[] = [
  {
    name: "an empty batch gives an empty list",
    run: async (workspace) => expectEqual(await workspace.batch(), [], "the results"),
  },
  {
    name: "results come in the order of the statements, one for each",
    run: async (workspace) => {
      const table = await workspace.table(COLUMNS);
      const results = await workspace.batch(
        workspace.statement("SELECT 'first'"),
        workspace.statement(insertInto(table), 1, "a"),
        workspace.statement("SELECT 'third'"),
        workspace.statement("SELECT 'fourth'"),
      );
      expectEqual(
        results.map(({ rows }) => rows),
        [[["first"]], [], [["third"]], [["fourth"]]],
        "the rows",
      );
      const reads = await workspace.batch(...Array.from({ length: 20 }, (_, n) => workspace.statement(`SELECT ${n}`)));
      expectEqual(
        reads.map(({ rows }) => rows[0]?.[0]),
        Array.from({ length: 20 }, (_, n) => n),
        "the reads",
      );
    },
  },
  {
    name: "statements run in order: a later one sees what an earlier one did",
    run: async (workspace) => {
      const table = await workspace.table("id BIGINT PRIMARY KEY, value BIGINT");
      const results = await workspace.batch(
        workspace.statement(`INSERT INTO ${table} (id, value) VALUES (1, 1)`),
        workspace.statement(`SELECT value FROM ${table}`),
        workspace.statement(`UPDATE ${table} SET value = value + 1`),
        workspace.statement(`UPDATE ${table} SET value = value * 10`),
        workspace.statement(`SELECT value FROM ${table}`),
        workspace.statement(`DELETE FROM ${table}`),
        workspace.statement(`SELECT COUNT(*) FROM ${table}`),
      );
      expectEqual(
        [1, 4, 6].map((index) => results[index]?.rows),
        [[[1]], [[20]], [[0]]],
        "what the reads saw",
      );
    },
  },
  {
    name: "a batch whose last statement fails leaves nothing",
    run: async (workspace) => {
      const table = await workspace.table(COLUMNS);
      await workspace.run(insertInto(table), 1, "kept");
      const failing = [
        workspace.statement(insertInto(table), 2, "new"),
        workspace.statement(`UPDATE ${table} SET value = 'changed' WHERE id = 1`),
        workspace.statement(insertInto(table), 1, "a second with this key"),
      ];
      await expectRejection(() => workspace.batch(...failing), "the batch");
      expectEqual(await workspace.rows(`SELECT id, value FROM ${table}`), [[1, "kept"]], "the rows left");
    },
  },
  {
    name: "a batch whose first statement fails runs none of the others",
    run: async (workspace) => {
      const table = await workspace.table(COLUMNS);
      const failing = [workspace.statement(insertInto(table), 1, null), workspace.statement(insertInto(table), 2, "b")];
      await expectRejection(() => workspace.batch(...failing), "the batch");
      await expectRows(workspace, table, 0, "the rows left");
    },
  },
  {
    name: "a failing batch takes its tables and indexes with it, as a migration needs",
    run: async (workspace) => {
      const table = workspace.tableName();
      const migration = [`CREATE TABLE ${table} (id BIGINT)`, `CREATE INDEX ${table}_index ON ${table} (id)`];
      const failing = [...migration, `INSERT INTO ${table} (nonsense) VALUES (1)`].map((sql) =>
        workspace.statement(sql),
      );
      await expectRejection(() => workspace.batch(...failing), "the failing migration");
      await workspace.batch(...migration.map((sql) => workspace.statement(sql)));
      await expectRows(workspace, table, 0, "the rows of the second attempt");
    },
  },
  {
    name: "every kind of failure is a rejected promise with a message",
    run: async (workspace) => {
      const table = await workspace.table(COLUMNS);
      const failures = {
        "a syntax error": workspace.statement("SELEKT 1"),
        "an empty statement": workspace.statement(""),
        "a missing table": workspace.statement(`SELECT * FROM ${workspace.tableName()}`),
        "a missing column": workspace.statement(`SELECT nonsense FROM ${table}`),
        "a NOT NULL violation": workspace.statement(insertInto(table), 1, null),
      };
      for (const [what, statement] of Object.entries(failures)) {
        await expectRejection(() => workspace.batch(statement), `${what} alone`);
        await expectRejection(() => workspace.batch(workspace.statement("SELECT 1"), statement), `${what} in a batch`);
      }
    },
  },
  {
    name: "after a failure the next batch works, even with the same statements",
    run: async (workspace) => {
      const table = await workspace.table(COLUMNS);
      for (let round = 0; round < 20; round += 1) {
        const failing = [
          workspace.statement(insertInto(table), round, "a"),
          workspace.statement(insertInto(table), round, "a"),
        ];
        await expectRejection(() => workspace.batch(...failing), "the failing batch");
        await workspace.run(insertInto(table), round, "a");
      }
      await expectRows(workspace, table, 20, "the rows");
    },
  },
  {
    name: "one text contains one statement: a second is rejected, not dropped",
    run: async (workspace) => {
      const table = await workspace.table(COLUMNS);
      const two = `INSERT INTO ${table} (id, value) VALUES (1, 'a'); INSERT INTO ${table} (id, value) VALUES (2, 'b')`;
      await expectRejection(() => workspace.run(two), "two statements in one text");
      await expectRows(workspace, table, 0, "the rows left");
      await workspace.run(`INSERT INTO ${table} (id, value) VALUES (3, 'c'); -- a comment is no statement`);
      await expectRows(workspace, table, 1, "the rows of a statement that ends in a semicolon");
    },
  },
  {
    name: "a statement cannot end the batch's transaction",
    run: async (workspace) => {
      const table = await workspace.table(COLUMNS);
      for (const sql of ["COMMIT", "ROLLBACK", "BEGIN", "/* a comment */ END"]) {
        const batch = [workspace.statement(insertInto(table), 1, "a"), workspace.statement(sql)];
        await expectRejection(() => workspace.batch(...batch), sql);
        await expectRows(workspace, table, 0, `the rows after ${sql}`);
      }
    },
  },
  {
    name: "a batch of 500 statements runs, and is still one transaction",
    run: async (workspace) => {
      const table = await workspace.table(COLUMNS);
      const many = Array.from({ length: 500 }, (_, id) => workspace.statement(insertInto(table), id, `row ${id}`));
      const results = await workspace.batch(...many);
      expectTrue(
        results.length === 500 && results.every(({ changes }) => changes === 1),
        "a result of the 500 is wrong",
      );
      const again = many.map(({ sql }, id) => workspace.statement(sql, id + 1_000, "b"));
      await expectRejection(() => workspace.batch(...again, ...many.slice(-1)), "500 statements and one that fails");
      await expectRows(workspace, table, 500, "the rows");
    },
  },
  {
    name: "one SQL text 1,000 times, and 1,000 texts once",
    run: async (workspace) => {
      const table = await workspace.table("id BIGINT PRIMARY KEY, value BIGINT");
      const insert = `INSERT INTO ${table} (id, value) VALUES (?1, ?2)`;
      for (let first = 0; first < 1_000; first += 50) {
        const ids = Array.from({ length: 50 }, (_, index) => first + index);
        await workspace.batch(...ids.map((id) => workspace.statement(insert, id, id * 2)));
      }
      for (let id = 0; id < 1_000; id += 1) {
        const rows = await workspace.rows(`SELECT value + ${id} FROM ${table} WHERE id = ?1`, id);
        expectEqual(rows, [[id * 3]], `text ${id}`);
      }
    },
  },
  {
    name: "a known SQL text follows its table's columns",
    run: async (workspace) => {
      const table = await workspace.table("id BIGINT");
      await workspace.run(`INSERT INTO ${table} (id) VALUES (1)`);
      const read = (): Promise<unknown> => workspace.rows(`SELECT * FROM ${table}`);
      for (let round = 0; round < 3; round += 1) expectEqual(await read(), [[1]], "the row before");
      await workspace.run(`ALTER TABLE ${table} ADD COLUMN value TEXT`);
      expectEqual(await read(), [[1, null]], "the row after");
    },
  },
];
