/** The database port on Cloudflare D1. A batch of D1 is a transaction. Requests share no transaction. */
import type { Database } from "../src/ports.ts";
import { databaseOf, resultOf, rowOf, type Client } from "./adapter-kit.ts";
import { replacePlaceholders, statementError, withoutComments } from "./statement.ts";

/** The part of the binding that the adapter needs. */
export interface D1Like {
  /** Prepares a statement. */
  prepare(sql: string): D1StatementLike;
  /** Runs statements in one transaction. */
  batch(
    statements: D1StatementLike[],
  ): Promise<readonly { readonly results: readonly unknown[]; readonly meta: { readonly changes?: number } }[]>;
}

/** A prepared statement of the binding. */
export interface D1StatementLike {
  /** Returns the statement with its parameters. */
  bind(...params: unknown[]): D1StatementLike;
}

/** Opens the database. D1 returns rows as objects, so column names must be unique and must not be numbers. */
export function d1(binding: D1Like): Database {
  const client: Client = {
    dialect: "sqlite",
    gathers: false,
    async transact(statements) {
      const prepared = statements.map(({ sql, params }) => {
        // D1 binds every number as REAL: without the cast, 5 is stored in a text column as '5.0'.
        const exact = replacePlaceholders(withoutComments(sql), (number) => {
          const isInteger = Number.isInteger(params[number - 1]);
          return isInteger ? `CAST(?${number} AS INTEGER)` : `?${number}`;
        });
        const statement = binding.prepare(exact);
        return params.length === 0 ? statement : statement.bind(...params);
      });
      let results;
      try {
        results = await binding.batch(prepared);
      } catch (cause) {
        // D1 does not report which statement failed.
        throw statementError(cause, 0, statements);
      }
      return statements.map((statement, index) => {
        const result = results[index];
        if (result === undefined) throw new Error("D1 returned no result for a statement");
        const rows = result.results.map((row) => rowOf(row as Readonly<Record<string, unknown>>));
        return resultOf(statement, rows, result.meta.changes ?? 0);
      });
    },
  };
  return databaseOf(client);
}
