/**
 * The database port on a Kysely instance over SQLite (better-sqlite3), for platforms that own one. For
 * PostgreSQL there is `cf-forms/adapters/postgres`, which takes the platform's address.
 */
import type { Database, StatementResult } from "../src/ports.ts";
import { databaseOf, failureOf, integersAsBigInt, resultOf, rowOf, type Client, type PlannedStatement } from "./adapter-kit.ts";
import { replacePlaceholders } from "./statement.ts";

/** What is needed of Kysely (0.28 or later). */
export interface KyselyLike extends KyselyExecutor {
  transaction(): { execute<T>(work: (transaction: KyselyExecutor) => Promise<T>): Promise<T> };
}

export interface KyselyExecutor {
  executeQuery(query: never): Promise<{ readonly rows: readonly unknown[]; readonly numAffectedRows?: bigint | undefined }>;
}

/** Rows come as objects: two columns of one name, or a name that is a number, cannot be told apart. */
export function kyselySqlite(kysely: KyselyLike): Database {
  const client: Client = {
    dialect: "sqlite",
    gathers: true,
    transact: (statements, isRead) =>
      // Nothing but statements is awaited inside: the platform's own queries wait behind them.
      isRead && statements.length === 1
        ? executeAll(kysely, statements)
        : kysely.transaction().execute((transaction) => executeAll(transaction, statements)),
  };
  return databaseOf(client);
}

async function executeAll(executor: KyselyExecutor, statements: readonly PlannedStatement[]): Promise<StatementResult[]> {
  const results: StatementResult[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      results.push(await execute(executor, statement));
    } catch (cause) {
      throw failureOf(cause, index, statements);
    }
  }
  return results;
}

async function execute(executor: KyselyExecutor, statement: PlannedStatement): Promise<StatementResult> {
  // better-sqlite3 binds by place alone, and numbers as REAL.
  const params: unknown[] = [];
  const values = integersAsBigInt(statement.params);
  const sql = replacePlaceholders(statement.sql, (number) => {
    params.push(values[number - 1]);
    return "?";
  });
  const query = { kind: "RawNode", sqlFragments: [sql], parameters: [] };
  const compiled = { sql, parameters: params, query, queryId: { queryId: "cf-forms" } };
  const { rows, numAffectedRows } = await executor.executeQuery(compiled as never);
  return resultOf(statement, rows.map((row) => rowOf(row as Readonly<Record<string, unknown>>)), Number(numAffectedRows ?? 0));
}
