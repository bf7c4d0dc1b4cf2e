/**
 * Database adapters that are wrong in one way each, based on a correct SQLite one, and the cases of the published suite
 * that must fail on them.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Statement, StatementResult } from "../../host-shim/src/ports.ts";
import { CHANGES, VALUES } from "./broken-values.ts";
import { type Batch, type BrokenAdapter, withResults, withStatements, withParams } from "./broken-adapter.ts";

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

const isRead = ({ sql }: Statement): boolean => /^\s*(SELECT|WITH)/.test(sql) && !/INSERT/.test(sql);

const ATOMICITY: readonly BrokenAdapter[] = [
  {
    fault: "is not atomic: each statement commits by itself",
    batch: (sound) => (statements) => oneByOne(sound, statements),
    caughtBy: [
      "a batch whose last statement fails leaves nothing",
      "a failing batch takes its tables and indexes with it, as a migration needs",
      "a batch of 500 statements runs, and is still one transaction",
      "a failing batch among concurrent ones affects no other",
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
    caughtBy: ["a failing batch among concurrent ones affects no other"],
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
    caughtBy: ["after a failure the next batch works, even with the same statements"],
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
    fault: "returns before it has written",
    batch: (sound) => async (statements) => {
      if (statements.every(isRead) || statements.some(({ sql }) => /CREATE|ALTER|RETURNING/.test(sql)))
        return sound(statements);
      void new Promise((resolve) => setTimeout(resolve, 20)).then(() => sound(statements)).catch(() => {});
      return statements.map(() => ({ rows: [], changes: 1 }));
    },
    caughtBy: [
      "the next batch sees the writes of a resolved one",
      "every kind of failure is a rejected promise with a message",
    ],
  },
  {
    fault: "returns reads from a cache",
    batch: (sound) => {
      const cache = new Map<string, StatementResult[]>();
      return async (statements) => {
        const key = JSON.stringify(statements);
        const results = cache.get(key) ?? (await sound(statements));
        if (statements.every(isRead)) cache.set(key, results);
        return results;
      };
    },
    caughtBy: ["the next batch sees the writes of a resolved one", "a known SQL text follows its table's columns"],
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
    fault: "never returns when a statement fails",
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
    caughtBy: ["one text contains one statement: a second is rejected, not dropped"],
  },
  {
    fault: "runs a second statement of one text",
    batch: withStatements(({ sql, params }) =>
      params.length > 0 ? { sql, params } : sql.split(/;(?= INSERT)/).map((part) => ({ sql: part, params })),
    ),
    caughtBy: ["one text contains one statement: a second is rejected, not dropped"],
  },
  {
    fault: "binds NULL for a missing parameter and ignores one too many",
    batch: withParams((params, sql) => {
      const wanted = Math.max(0, ...Array.from(sql.matchAll(/\?(\d+)/g), ([, number]) => Number(number)));
      return Array.from({ length: wanted }, (_, index) => params[index] ?? null);
    }),
    caughtBy: ["a missing or extra parameter is an error"],
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
