/**
 * The database port on a Kysely instance over SQLite (better-sqlite3), for platforms that have one. For PostgreSQL, pass
 * the address of the platform's database to `cf-forms/adapters/postgres`.
 */
import type { Database, StatementResult } from "../src/ports.ts";
import {
  databaseOf,
  failureOf,
  integersAsBigInt,
  resultOf,
  rowOf,
  type Client,
  type PlannedStatement,
} from "./adapter-kit.ts";
import { replacePlaceholders } from "./statement.ts";

/** The part of Kysely (0.28 or later) that the adapter needs. */
export interface KyselyLike extends KyselyExecutor {
  /** Prepares a transaction. */
  transaction(): KyselyTransactionLike;
}

/** A transaction that has not begun. */
export interface KyselyTransactionLike {
  /** Begins the transaction, runs the work in it, and commits; rolls back when the work rejects. */
  execute<T>(work: (transaction: KyselyExecutor) => Promise<T>): Promise<T>;
}

/** The part of Kysely, or of its transaction, that runs statements. */
export interface KyselyExecutor {
  /** Runs a compiled statement. */
  executeQuery(
    query: never,
  ): Promise<{ readonly rows: readonly unknown[]; readonly numAffectedRows?: bigint | undefined }>;
}

/** Opens the database. Kysely returns rows as objects, so column names must be unique and must not be numbers. */
export function kyselySqlite(kysely: KyselyLike): Database {
  const client: Client = {
    dialect: "sqlite",
    gathers: true,
    transact: (statements, isRead) =>
      // Only statements are awaited inside, because the platform's queries wait behind the transaction.
      isRead && statements.length === 1
        ? executeAll(kysely, statements)
        : kysely.transaction().execute((transaction) => executeAll(transaction, statements)),
  };
  return databaseOf(client);
}

async function executeAll(
  executor: KyselyExecutor,
  statements: readonly PlannedStatement[],
): Promise<StatementResult[]> {
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
  // better-sqlite3 binds only by position, and numbers as REAL.
  const params: unknown[] = [];
  const values = integersAsBigInt(statement.params);
  const sql = replacePlaceholders(statement.sql, (number) => {
    params.push(values[number - 1]);
    return "?";
  });
  const query = { kind: "RawNode", sqlFragments: [sql], parameters: [] };
  const compiled = { sql, parameters: params, query, queryId: { queryId: "cf-forms" } };
  const { rows, numAffectedRows } = await executor.executeQuery(compiled as never);
  return resultOf(
    statement,
    rows.map((row) => rowOf(row as Readonly<Record<string, unknown>>)),
    Number(numAffectedRows ?? 0),
  );
}
