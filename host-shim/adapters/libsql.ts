/** The database port on a libSQL client (`@libsql/client`): a file, a replica or a remote database. */
import type { Database } from "../src/ports.ts";
import { databaseOf, failureOf, integersAsBigInt, resultOf, StatementFailure, type Client } from "./adapter-kit.ts";

/** The part of the client that the adapter needs. */
export interface LibsqlLike {
  /** Runs statements in one transaction. */
  batch(
    statements: { sql: string; args: (string | number | bigint | null)[] }[],
    mode: "read" | "write",
  ): Promise<readonly { readonly rows: readonly ArrayLike<unknown>[]; readonly rowsAffected: number }[]>;
}

/** Opens the database of a client of `@libsql/client`. */
export function libsql(client: LibsqlLike): Database {
  const port: Client = {
    dialect: "sqlite",
    gathers: true,
    async transact(statements, isRead) {
      let results;
      try {
        const batch = statements.map(({ sql, params }) => ({ sql, args: integersAsBigInt(params) }));
        results = await client.batch(batch, isRead ? "read" : "write");
      } catch (cause) {
        // An error of SQLite rolls back the batch; after a lost connection the outcome is unknown.
        const isRolledBack = cause instanceof Error && "code" in cause && String(cause.code).startsWith("SQLITE_");
        const index = cause instanceof Error && "statementIndex" in cause ? Number(cause.statementIndex) : 0;
        throw isRolledBack ? failureOf(cause, index, statements) : cause;
      }
      return statements.map((statement, index) => {
        const result = results[index];
        if (result === undefined) throw new StatementFailure("libSQL returned no result for a statement");
        return resultOf(
          statement,
          result.rows.map((row) => Array.from(row)),
          result.rowsAffected,
        );
      });
    },
  };
  return databaseOf(port);
}
