import type { Case } from "./case.ts";
import { expectEqual } from "./expect.ts";
import type { Workspace } from "./workspace.ts";

/** Creates a table of three rows: (1, 'a'), (2, 'b'), (3, 'c'). */
async function threeRows(workspace: Workspace): Promise<string> {
  const table = await workspace.table("id BIGINT PRIMARY KEY, value TEXT");
  await workspace.run(`INSERT INTO ${table} (id, value) VALUES (1, 'a'), (2, 'b'), (3, 'c')`);
  return table;
}

export const changesCases: readonly Case<Workspace>[] = [
  {
    name: "`changes` counts the rows that INSERT, UPDATE and DELETE touch",
    run: async (workspace) => {
      const table = await workspace.table("id BIGINT PRIMARY KEY, value TEXT");
      const results = await workspace.batch(
        workspace.statement(`INSERT INTO ${table} (id, value) VALUES (1, 'a'), (2, 'b'), (3, 'c')`),
        workspace.statement(`UPDATE ${table} SET value = ?1 WHERE id > ?2`, "x", 1),
        workspace.statement(`UPDATE ${table} SET value = ?1 WHERE id > ?2`, "x", 100),
        workspace.statement(`DELETE FROM ${table} WHERE id = ?1`, 1),
      );
      expectEqual(
        results,
        [3, 2, 0, 1].map((changes) => ({ rows: [], changes })),
        "the results",
      );
    },
  },
  {
    name: "`changes` is 0 for SELECT and CREATE TABLE, also after an UPDATE in the same batch",
    run: async (workspace) => {
      const table = await threeRows(workspace);
      const results = await workspace.batch(
        workspace.statement(`UPDATE ${table} SET value = 'x'`),
        workspace.statement(`SELECT id FROM ${table} ORDER BY id`),
        workspace.statement(`WITH few AS (SELECT id FROM ${table} WHERE id < 3) SELECT COUNT(*) FROM few`),
        workspace.statement(`CREATE TABLE ${workspace.tableName()} (id BIGINT)`),
      );
      const expected = [
        { rows: [], changes: 3 },
        { rows: [[1], [2], [3]], changes: 0 },
        { rows: [[2]], changes: 0 },
        { rows: [], changes: 0 },
      ];
      expectEqual(results, expected, "the results");
      expectEqual(await workspace.run(`SELECT 1`), { rows: [[1]], changes: 0 }, "a SELECT alone");
    },
  },
  {
    name: "RETURNING gives both the rows and their number",
    run: async (workspace) => {
      const table = await threeRows(workspace);
      const insert = await workspace.run(
        `INSERT INTO ${table} (id, value) VALUES (?1, ?2) RETURNING id, value`,
        4,
        "d",
      );
      expectEqual(insert, { rows: [[4, "d"]], changes: 1 }, "INSERT … RETURNING");
      const update = await workspace.run(`UPDATE ${table} SET value = 'x' WHERE id = ?1 RETURNING value`, 4);
      expectEqual(update, { rows: [["x"]], changes: 1 }, "UPDATE … RETURNING");
      const nothing = await workspace.run(`UPDATE ${table} SET value = 'x' WHERE id = ?1 RETURNING value`, 100);
      expectEqual(nothing, { rows: [], changes: 0 }, "UPDATE … RETURNING of no row");
      const deleted = await workspace.run(`DELETE FROM ${table} WHERE id <= ?1 RETURNING id`, 2);
      const ids = deleted.rows.map(([id]) => Number(id)).sort();
      expectEqual([ids, deleted.changes], [[1, 2], 2], "DELETE … RETURNING");
    },
  },
  {
    name: "ON CONFLICT counts no row for DO NOTHING, and one for an insert or an update",
    run: async (workspace) => {
      const table = await threeRows(workspace);
      const ignored = await workspace.run(
        `INSERT INTO ${table} (id, value) VALUES (?1, 'z') ON CONFLICT (id) DO NOTHING`,
        1,
      );
      expectEqual(ignored, { rows: [], changes: 0 }, "DO NOTHING");
      const upsert = `INSERT INTO ${table} (id, value) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET value = excluded.value`;
      expectEqual(await workspace.run(upsert, 1, "y"), { rows: [], changes: 1 }, "DO UPDATE of an existing row");
      expectEqual(await workspace.run(upsert, 9, "y"), { rows: [], changes: 1 }, "DO UPDATE of a missing row");
      const returned = await workspace.run(`${upsert} RETURNING value`, 1, "w");
      expectEqual(returned, { rows: [["w"]], changes: 1 }, "DO UPDATE … RETURNING");
    },
  },
  {
    name: "INSERT … SELECT counts the copied rows, also after a WITH clause",
    run: async (workspace) => {
      const table = await threeRows(workspace);
      const copied = await workspace.run(
        `INSERT INTO ${table} (id, value) SELECT id + 10, value FROM ${table} WHERE id >= ?1`,
        2,
      );
      expectEqual(copied, { rows: [], changes: 2 }, "INSERT … SELECT");
      const sql = `WITH source AS (SELECT id, value FROM ${table} WHERE id < 10)
        INSERT INTO ${table} (id, value) SELECT id + 100, value FROM source`;
      expectEqual(await workspace.run(sql), { rows: [], changes: 3 }, "WITH … INSERT … SELECT");
      expectEqual(await workspace.rows(`SELECT COUNT(*) FROM ${table}`), [[8]], "the rows in the end");
    },
  },
  {
    name: "a keyword inside a text or a name is not a keyword",
    run: async (workspace) => {
      const table = await threeRows(workspace);
      const sql = `SELECT value AS "insert into returning" FROM ${table} WHERE value <> 'DELETE; RETURNING' AND id = 1`;
      expectEqual(await workspace.run(sql), { rows: [["a"]], changes: 0 }, "the result");
    },
  },
];
