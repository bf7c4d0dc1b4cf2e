/** Adapters that lose or change values or counts of changes, which the conformance suite must catch. */
import type { SqlValue } from "../../host-shim/src/ports.ts";
import {
  type BrokenAdapter,
  withResults,
  withValues,
  withStatements,
  withParams,
  onText,
  onNumber,
} from "./broken-adapter.ts";

export const VALUES: readonly BrokenAdapter[] = [
  {
    fault: "gives numbers as strings",
    batch: withValues(onNumber(String)),
    caughtBy: ["numbers are numbers: columns, counts, sums, averages and expressions"],
  },
  {
    fault: "gives integers as bigints",
    batch: withValues(onNumber((n) => (Number.isInteger(n) ? BigInt(n) : n))),
    caughtBy: ["numbers are numbers: columns, counts, sums, averages and expressions"],
  },
  {
    fault: "cuts integers to 32 bits",
    batch: withValues(onNumber((n) => (Number.isInteger(n) ? n | 0 : n))),
    caughtBy: ["integers are exact from -(2^53 - 1) to 2^53 - 1"],
  },
  {
    fault: "keeps fractions in single precision",
    batch: withValues(onNumber(Math.fround)),
    caughtBy: ["fractions are exact", "integers are exact from -(2^53 - 1) to 2^53 - 1"],
  },
  {
    fault: "reads numeric text as a number",
    batch: withValues(onText((text) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : text))),
    caughtBy: ["null, the empty text, 0 and '0' are four values", "text comes back as it was"],
  },
  {
    fault: "reads the empty text as null",
    batch: withValues(onText((text) => (text === "" ? null : text))),
    caughtBy: ["null, the empty text, 0 and '0' are four values", "text comes back as it was"],
  },
  {
    fault: "reads null as undefined",
    batch: withValues((value) => value ?? undefined),
    caughtBy: ["null, the empty text, 0 and '0' are four values"],
  },
  { fault: "trims text", batch: withValues(onText((text) => text.trim())), caughtBy: ["text comes back as it was"] },
  {
    fault: "loses characters beyond the basic plane",
    batch: withValues(onText((text) => text.replace(/[\u{10000}-\u{10FFFF}]/gu, "?"))),
    caughtBy: ["text comes back as it was", "1 MB of text comes back as it was"],
  },
  {
    fault: "composes characters",
    batch: withParams((params) => params.map((value) => (typeof value === "string" ? value.normalize("NFC") : value))),
    caughtBy: ["text comes back as it was"],
  },
  {
    fault: "cuts text at 64 KB",
    batch: withParams((params) => params.map((value) => (typeof value === "string" ? value.slice(0, 65_535) : value))),
    caughtBy: ["1 MB of text comes back as it was"],
  },
  {
    fault: "cuts text at a NUL",
    batch: withParams((params) =>
      params.map((value) => (typeof value === "string" ? (value.split("\0")[0] ?? "") : value)),
    ),
    caughtBy: ["a NUL character is stored exactly or rejected, never cut off"],
  },
  {
    fault: "rounds numbers it cannot hold",
    batch: withParams((params) =>
      params.map((value) =>
        typeof value === "number" && !Number.isSafeInteger(value) && !(Math.abs(value) < 2 ** 53) ? 0 : value,
      ),
    ),
    caughtBy: ["a number that cannot be bound exactly is an error"],
  },
  {
    fault: "binds integers as floating point",
    batch: withStatements(({ sql, params }) => ({
      sql: params.some((value) => typeof value === "number")
        ? sql.replace(/CAST\(\?1 AS TEXT\)/, "CAST(?1 * 1.0 AS TEXT)")
        : sql,
      params,
    })),
    caughtBy: ["an integer becomes text without a decimal point"],
  },
  {
    fault: "gives comparisons as booleans",
    batch: withResults((results, [statement]) =>
      statement?.sql.startsWith("SELECT 1 <")
        ? [{ rows: [[true, false] as unknown as SqlValue[]], changes: 0 }]
        : results,
    ),
    caughtBy: ["comparisons are 1 and 0"],
  },
  {
    fault: "binds parameters in the order of the placeholders",
    batch: withStatements(({ sql, params }) => ({ sql: sql.replace(/\?\d+/g, "?"), params })),
    caughtBy: ["placeholders go by number: one may occur twice, and in any order"],
  },
  {
    fault: "gives rows as objects",
    batch: withResults((results) =>
      results.map(({ rows, changes }) => ({ rows: rows.map((row) => ({ ...row }) as unknown as SqlValue[]), changes })),
    ),
    caughtBy: ["a row has all of its columns, whatever their names"],
  },
  {
    fault: "drops columns whose name came before",
    batch: withResults((results, [statement]) =>
      /AS n.*AS n/.test(statement?.sql ?? "") ? [{ rows: [[2, 1]], changes: 0 }] : results,
    ),
    caughtBy: ["a row has all of its columns, whatever their names"],
  },
];

export const CHANGES: readonly BrokenAdapter[] = [
  {
    fault: "does not count changes",
    batch: withResults((results) => results.map(({ rows }) => ({ rows, changes: 0 }))),
    caughtBy: [
      "`changes` counts the rows that INSERT, UPDATE and DELETE touch",
      "of many concurrent inserts of one key exactly one counts",
    ],
  },
  {
    fault: "counts the rows of a SELECT as changes",
    batch: withResults((results) => results.map(({ rows, changes }) => ({ rows, changes: changes || rows.length }))),
    caughtBy: ["`changes` is 0 for SELECT and CREATE TABLE, also after an UPDATE in the same batch"],
  },
  {
    fault: "repeats the changes of the statement before",
    batch: withResults((results) => {
      let last = 0;
      return results.map(({ rows, changes }) => ({ rows, changes: (last = changes || last) }));
    }),
    caughtBy: ["`changes` is 0 for SELECT and CREATE TABLE, also after an UPDATE in the same batch"],
  },
  {
    fault: "counts no changes beside RETURNING",
    batch: withResults((results) =>
      results.map(({ rows, changes }) => ({ rows, changes: rows.length > 0 ? 0 : changes })),
    ),
    caughtBy: ["RETURNING gives both the rows and their number"],
  },
  {
    fault: "gives no rows for RETURNING",
    batch: withResults((results) => results.map(({ rows, changes }) => ({ rows: changes > 0 ? [] : rows, changes }))),
    caughtBy: ["RETURNING gives both the rows and their number", "200 concurrent batches lose nothing"],
  },
  {
    fault: "counts an insert that ON CONFLICT ignored",
    batch: withResults((results, statements) =>
      results.map((result, index) =>
        /DO NOTHING/.test(statements[index]?.sql ?? "") ? { rows: [], changes: 1 } : result,
      ),
    ),
    caughtBy: [
      "ON CONFLICT counts no row for DO NOTHING, and one for an insert or an update",
      "of many concurrent inserts of one key exactly one counts",
    ],
  },
  {
    fault: "finds keywords inside texts",
    batch: withResults((results, statements) =>
      results.map((result, index) =>
        /INSERT|DELETE/i.test(statements[index]?.sql ?? "")
          ? { ...result, changes: result.changes || result.rows.length }
          : result,
      ),
    ),
    caughtBy: ["a keyword inside a text or a name is not a keyword"],
  },
];
