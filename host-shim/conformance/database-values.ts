import type { SqlValue } from "../src/ports.ts";
import type { Case } from "./case.ts";
import { expectEqual, expectRejection, expectTrue } from "./expect.ts";
import type { Workspace } from "./workspace.ts";

const LARGEST = Number.MAX_SAFE_INTEGER;

const TEXTS = [
  "",
  " leading and trailing ",
  "line\nfeed\r\ncarriage\ttab\u0001control",
  `'single' "double" \`back\` \\ -- /* */ ;`,
  "?1 $1 :name @name %s {}",
  "'); DROP TABLE forms; --",
  "äöü ß ñ 中文 עברית العربية",
  "😀 👩‍👩‍👧‍👦 𝒳 \u{10FFFF}",
  "e\u0301 stays decomposed, \u00e9 composed",
  "\uFEFF\u200B\u2028\u2029",
  "5.0",
  "null",
];

async function roundTrip(workspace: Workspace, type: string, values: readonly SqlValue[]): Promise<void> {
  const table = await workspace.table(`id BIGINT PRIMARY KEY, value ${type}`);
  for (const [id, value] of values.entries()) {
    await workspace.run(`INSERT INTO ${table} (id, value) VALUES (?1, ?2)`, id, value);
  }
  const rows = await workspace.rows(`SELECT value FROM ${table} ORDER BY id`);
  for (const [index, value] of values.entries()) {
    expectEqual(rows[index]?.[0], value, `the stored ${JSON.stringify(value)?.slice(0, 60)}`);
  }
}

export const valueCases: readonly Case<Workspace>[] = [
  {
    name: "numbers are numbers: columns, counts, sums, averages and expressions",
    run: async (workspace) => {
      const table = await workspace.table("n BIGINT, f DOUBLE PRECISION");
      await workspace.run(`INSERT INTO ${table} (n, f) VALUES (1, 0.5), (2, 1.5), (4, 2.5)`);
      const rows = await workspace.rows(
        `SELECT COUNT(*), SUM(n), MAX(n), SUM(f), AVG(f), 7 AS seven, 1.25 FROM ${table}`,
      );
      expectEqual(rows, [[3, 7, 4, 4.5, 1.5, 7, 1.25]], "the row of numbers");
      expectEqual(
        await workspace.rows(`SELECT n, f FROM ${table} WHERE n = ?1`, 2),
        [[2, 1.5]],
        "the row found by a number",
      );
    },
  },
  {
    name: "integers are exact from -(2^53 - 1) to 2^53 - 1",
    run: (workspace) => roundTrip(workspace, "BIGINT", [0, 1, -1, 2 ** 31, -(2 ** 31) - 1, LARGEST, -LARGEST]),
  },
  {
    name: "fractions are exact",
    run: (workspace) =>
      roundTrip(workspace, "DOUBLE PRECISION", [0.1, 0.1 + 0.2, -1.5e-7, 1e-300, 12345.678901234567, 3]),
  },
  {
    name: "a number that cannot be read exactly is an error, not a rounded number",
    run: async (workspace) => {
      const table = await workspace.table("n BIGINT");
      await workspace.run(`INSERT INTO ${table} (n) VALUES (?1)`, LARGEST);
      await expectRejection(() => workspace.run(`SELECT n + 2 FROM ${table}`), "an expression of 2^53 + 1");
    },
  },
  {
    name: "a writing batch that returns a number which cannot be read exactly is undone",
    optional: "undoing what cannot be read",
    run: async (workspace) => {
      const table = await workspace.table("n BIGINT");
      await workspace.run(`INSERT INTO ${table} (n) VALUES (?1)`, LARGEST);
      await expectRejection(
        () => workspace.run(`UPDATE ${table} SET n = n + 2 RETURNING n`),
        "a RETURNING of 2^53 + 1",
      );
      expectEqual(await workspace.rows(`SELECT n FROM ${table}`), [[LARGEST]], "what the rejected batch left");
    },
  },
  {
    name: "a number that cannot be bound exactly is an error",
    run: async (workspace) => {
      const table = await workspace.table("n DOUBLE PRECISION");
      for (const value of [LARGEST + 1, NaN, Infinity, -Infinity]) {
        await expectRejection(() => workspace.run(`INSERT INTO ${table} (n) VALUES (?1)`, value), `binding ${value}`);
      }
      expectEqual(await workspace.rows(`SELECT COUNT(*) FROM ${table}`), [[0]], "the rows stored");
    },
  },
  {
    name: "an integer becomes text without a decimal point",
    run: async (workspace) => {
      const table = await workspace.table("value TEXT");
      await workspace.run(`INSERT INTO ${table} (value) VALUES (?1)`, 5);
      expectEqual(await workspace.rows(`SELECT value, CAST(?1 AS TEXT) FROM ${table}`, 7), [["5", "7"]], "the texts");
    },
  },
  {
    name: "comparisons are 1 and 0",
    run: async (workspace) => expectEqual(await workspace.rows("SELECT 1 < 2, 1 > 2"), [[1, 0]], "the comparisons"),
  },
  {
    name: "null, the empty text, 0 and '0' are four values",
    run: async (workspace) => {
      await roundTrip(workspace, "TEXT", [null, "", "0", null]);
      await roundTrip(workspace, "BIGINT", [null, 0]);
    },
  },
  { name: "text comes back as it was", run: (workspace) => roundTrip(workspace, "TEXT", TEXTS) },
  {
    name: "1 MB of text comes back as it was",
    run: (workspace) => roundTrip(workspace, "TEXT", ["0123456789abcdé\n".repeat(65_536), "😀".repeat(250_000)]),
  },
  {
    name: "a NUL character is stored exactly or rejected, never cut off",
    run: async (workspace) => {
      const table = await workspace.table("value TEXT");
      const stored = await workspace.run(`INSERT INTO ${table} (value) VALUES (?1)`, "before\0after").then(
        () => true,
        () => false,
      );
      const rows = await workspace.rows(`SELECT value FROM ${table}`);
      expectEqual(rows, stored ? [["before\0after"]] : [], "the stored text");
    },
  },
  {
    name: "placeholders go by number: one may occur twice, and in any order",
    run: async (workspace) => {
      const table = await workspace.table("a TEXT, b TEXT, c TEXT");
      await workspace.run(`INSERT INTO ${table} (a, b, c) VALUES (?2, ?1, ?2)`, "first", "second");
      expectEqual(await workspace.rows(`SELECT a, b, c FROM ${table}`), [["second", "first", "second"]], "the row");
      const found = await workspace.rows(`SELECT a FROM ${table} WHERE a = ?1 AND c = ?1`, "second");
      expectEqual(found, [["second"]], "the row found by one parameter used twice");
    },
  },
  {
    name: "a missing or extra parameter is an error",
    run: async (workspace) => {
      const table = await workspace.table("a TEXT, b TEXT");
      const insert = `INSERT INTO ${table} (a, b) VALUES (?1, ?2)`;
      await expectRejection(() => workspace.run(insert, "a"), "one parameter for two placeholders");
      await expectRejection(() => workspace.run(insert, "a", "b", "c"), "three parameters for two placeholders");
      expectEqual(await workspace.rows(`SELECT COUNT(*) FROM ${table}`), [[0]], "the rows stored");
    },
  },
  {
    name: "a row is an array in the order of its columns",
    run: async (workspace) => {
      const rows = await workspace.rows("SELECT 3 AS n, 1 AS a, 2 AS m");
      expectTrue(Array.isArray(rows[0]), "a row is not an array");
      expectEqual(rows, [[3, 1, 2]], "the row");
    },
  },
  {
    name: "a row has all of its columns, whatever their names",
    optional: "columns of one name",
    run: async (workspace) => {
      expectEqual(await workspace.rows("SELECT 3 AS n, 1 AS a, 2 AS n"), [[3, 1, 2]], "the row");
      expectEqual(await workspace.rows("SELECT 'b', 7, 'a', 1"), [["b", 7, "a", 1]], "the row without names");
    },
  },
];
