/**
 * Database adapters that are wrong in one way each, made from a sound SQLite one, and the cases of
 * the published suite that must fail on them.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database, SqlValue, Statement, StatementResult } from "../../host-shim/src/ports.ts";

export type Batch = Database["batch"];

export interface BrokenAdapter {
  readonly fault: string;
  /** The faulty `batch`, made of a sound one. */
  readonly batch: (sound: Batch) => Batch;
  readonly caughtBy: readonly string[];
}

const FAILING: Statement = { sql: "INSERT INTO no_such_table VALUES (1)", params: [] };

/** Runs each statement in a separate transaction, and yields to others in between. */
async function oneByOne(sound: Batch, statements: readonly Statement[]): Promise<StatementResult[]> {
  const results: StatementResult[] = [];
  for (const statement of statements) {
    results.push(...(await sound([statement])));
    await nextTurn();
  }
  return results;
}

function withResults(change: (results: StatementResult[], statements: readonly Statement[]) => StatementResult[]) {
  return (sound: Batch): Batch =>
    async (statements) =>
      change(await sound(statements), statements);
}

function withValues(change: (value: SqlValue) => unknown) {
  return withResults((results) =>
    results.map(({ rows, changes }) => ({
      rows: rows.map((row) => row.map((value) => change(value) as SqlValue)),
      changes,
    })),
  );
}

function withStatements(change: (statement: Statement) => Statement | readonly Statement[]) {
  return (sound: Batch): Batch =>
    (statements) =>
      sound(statements.flatMap(change));
}

function withParams(change: (params: readonly SqlValue[], sql: string) => readonly SqlValue[]) {
  return withStatements(({ sql, params }) => ({ sql, params: change(params, sql) }));
}

const onText = (change: (text: string) => unknown) => (value: SqlValue) =>
  typeof value === "string" ? change(value) : value;
const onNumber = (change: (number: number) => unknown) => (value: SqlValue) =>
  typeof value === "number" ? change(value) : value;
const isRead = ({ sql }: Statement): boolean => /^\s*(SELECT|WITH)/.test(sql) && !/INSERT/.test(sql);

const ATOMICITY: readonly BrokenAdapter[] = [
  {
    fault: "is not atomic: each statement commits by itself",
    batch: (sound) => (statements) => oneByOne(sound, statements),
    caughtBy: [
      "a batch whose last statement fails leaves nothing",
      "a failing batch takes its tables and indexes with it, as a migration needs",
      "a batch of 500 statements runs, and is still one transaction",
      "a failing batch among concurrent ones harms no other",
      "a batch that is rolled back was never seen",
      "no batch sees half of another",
    ],
  },
  {
    fault: "checks a batch first, then lets others see half of it",
    batch: (sound) => async (statements) => {
      if (statements.every(isRead)) return sound(statements);
      const dryRun: unknown = await sound([...statements, FAILING]).catch((error: unknown) => error);
      if (dryRun instanceof Error && !dryRun.message.includes("no_such_table")) throw dryRun;
      return oneByOne(sound, statements);
    },
    caughtBy: ["no batch sees half of another"],
  },
  {
    fault: "runs the reads of one batch in different states of the data",
    batch: (sound) => (statements) => (statements.every(isRead) ? oneByOne(sound, statements) : sound(statements)),
    caughtBy: ["no batch sees half of another"],
  },
  {
    fault: "fails all batches of a turn when one of them fails",
    batch: (sound) => {
      const gathered: Statement[] = [];
      let running: Promise<StatementResult[]> | null = null;
      return async (statements) => {
        const start = gathered.length;
        gathered.push(...statements);
        running ??= nextTurn().then(() => {
          running = null;
          return sound(gathered.splice(0));
        });
        return (await running).slice(start, start + statements.length);
      };
    },
    caughtBy: ["a failing batch among concurrent ones harms no other"],
  },
  {
    fault: "lets a statement end the transaction",
    batch: (sound) => async (statements) => {
      const control = statements.findIndex(({ sql }) => /COMMIT|END/.test(sql));
      if (control === -1) return sound(statements);
      await sound(statements.slice(0, control));
      return sound(statements);
    },
    caughtBy: ["a statement cannot end the batch's transaction"],
  },
  {
    fault: "stays in the failed transaction",
    batch: (sound) => {
      let failed = false;
      return async (statements) => {
        if (failed) throw new Error("current transaction is aborted");
        return sound(statements).catch((error: unknown) => {
          failed = true;
          throw error;
        });
      };
    },
    caughtBy: ["after a failure the next batch works, with the same statements too"],
  },
];

const ORDER: readonly BrokenAdapter[] = [
  {
    fault: "gives the results in another order",
    batch: withResults((results) => results.reverse()),
    caughtBy: ["results come in the order of the statements, one for each"],
  },
  {
    fault: "runs reads after writes, and sorts the results back",
    batch: (sound) => async (statements) => {
      const order = [...statements.keys()].sort(
        (a, b) => Number(isRead(statements[a] ?? FAILING)) - Number(isRead(statements[b] ?? FAILING)),
      );
      const results = await sound(order.map((index) => statements[index] ?? FAILING));
      return statements.map((_, index) => results[order.indexOf(index)] ?? { rows: [], changes: 0 });
    },
    caughtBy: ["statements run in order: a later one sees what an earlier one did"],
  },
  {
    fault: "leaves out the results of statements without rows",
    batch: withResults((results) => results.filter(({ rows }) => rows.length > 0)),
    caughtBy: [
      "results come in the order of the statements, one for each",
      "a batch of 500 statements runs, and is still one transaction",
    ],
  },
];

const DURABILITY: readonly BrokenAdapter[] = [
  {
    fault: "loses a write now and then, without a word",
    batch: (sound) => {
      let count = 0;
      return async (statements) => {
        count += 1;
        if (count % 50 !== 0) return sound(statements);
        await sound([...statements, FAILING]).catch(() => {});
        return statements.map(() => ({ rows: [[count]], changes: 1 }));
      };
    },
    caughtBy: ["200 concurrent batches lose nothing", "one SQL text 1,000 times, and 1,000 texts once"],
  },
  {
    fault: "answers before it has written",
    batch: (sound) => async (statements) => {
      if (statements.every(isRead) || statements.some(({ sql }) => /CREATE|ALTER|RETURNING/.test(sql)))
        return sound(statements);
      void new Promise((resolve) => setTimeout(resolve, 20)).then(() => sound(statements)).catch(() => {});
      return statements.map(() => ({ rows: [], changes: 1 }));
    },
    caughtBy: [
      "what a resolved batch wrote is there for the next one",
      "every kind of failure is a rejected promise with a message",
    ],
  },
  {
    fault: "answers reads from a cache",
    batch: (sound) => {
      const cache = new Map<string, StatementResult[]>();
      return async (statements) => {
        const key = JSON.stringify(statements);
        const results = cache.get(key) ?? (await sound(statements));
        if (statements.every(isRead)) cache.set(key, results);
        return results;
      };
    },
    caughtBy: ["what a resolved batch wrote is there for the next one", "a known SQL text follows its table's columns"],
  },
];

const FAILURES: readonly BrokenAdapter[] = [
  {
    fault: "throws synchronously",
    batch: (sound) => (statements) => {
      if (statements.some(({ sql }) => !/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|DROP|ALTER)\b/.test(sql)))
        throw new Error("bad SQL");
      return sound(statements);
    },
    caughtBy: ["every kind of failure is a rejected promise with a message"],
  },
  {
    fault: "swallows errors",
    batch: (sound) => (statements) => sound(statements).catch(() => statements.map(() => ({ rows: [], changes: 0 }))),
    caughtBy: [
      "every kind of failure is a rejected promise with a message",
      "a batch whose last statement fails leaves nothing",
    ],
  },
  {
    fault: "rejects without a reason",
    batch: (sound) => (statements) => sound(statements).catch(() => Promise.reject(undefined)),
    caughtBy: ["every kind of failure is a rejected promise with a message"],
  },
  {
    fault: "never answers when a statement fails",
    batch: (sound) => (statements) => sound(statements).catch(() => new Promise(() => {})),
    caughtBy: ["every kind of failure is a rejected promise with a message"],
  },
  {
    fault: "rejects an empty batch",
    batch: (sound) => async (statements) => {
      if (statements.length === 0) throw new Error("nothing to do");
      return sound(statements);
    },
    caughtBy: ["an empty batch gives an empty list"],
  },
  {
    fault: "drops a second statement of one text",
    batch: withStatements(({ sql, params }) => ({ sql: sql.split(";")[0] ?? "", params })),
    caughtBy: ["one text holds one statement: a second is refused, not dropped"],
  },
  {
    fault: "runs a second statement of one text",
    batch: withStatements(({ sql, params }) =>
      params.length > 0 ? { sql, params } : sql.split(/;(?= INSERT)/).map((part) => ({ sql: part, params })),
    ),
    caughtBy: ["one text holds one statement: a second is refused, not dropped"],
  },
  {
    fault: "binds NULL for a missing parameter and ignores one too many",
    batch: withParams((params, sql) => {
      const wanted = Math.max(0, ...Array.from(sql.matchAll(/\?(\d+)/g), ([, number]) => Number(number)));
      return Array.from({ length: wanted }, (_, index) => params[index] ?? null);
    }),
    caughtBy: ["a parameter too few or too many is an error"],
  },
];

const VALUES: readonly BrokenAdapter[] = [
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
    caughtBy: ["a NUL character is stored exactly or refused, never cut off"],
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

const CHANGES: readonly BrokenAdapter[] = [
  {
    fault: "does not count changes",
    batch: withResults((results) => results.map(({ rows }) => ({ rows, changes: 0 }))),
    caughtBy: [
      "changes counts the rows that INSERT, UPDATE and DELETE touch",
      "of many concurrent inserts of one key exactly one counts",
    ],
  },
  {
    fault: "counts the rows of a SELECT as changes",
    batch: withResults((results) => results.map(({ rows, changes }) => ({ rows, changes: changes || rows.length }))),
    caughtBy: ["a SELECT and a CREATE TABLE change nothing, also after statements that did"],
  },
  {
    fault: "repeats the changes of the statement before",
    batch: withResults((results) => {
      let last = 0;
      return results.map(({ rows, changes }) => ({ rows, changes: (last = changes || last) }));
    }),
    caughtBy: ["a SELECT and a CREATE TABLE change nothing, also after statements that did"],
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
      "ON CONFLICT counts what it did: nothing, or an update",
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
    caughtBy: ["a keyword inside a text or a name is no keyword"],
  },
];

export const BROKEN_ADAPTERS: readonly BrokenAdapter[] = [
  ...ATOMICITY,
  ...ORDER,
  ...DURABILITY,
  ...FAILURES,
  ...VALUES,
  ...CHANGES,
];
