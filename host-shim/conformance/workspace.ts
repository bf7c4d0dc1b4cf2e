import type { Database, SqlValue, Statement, StatementResult } from "../src/ports.ts";

/** Helper of a case in the database suite: short calls, portable SQL, and tables for the case. */
export class Workspace {
  readonly database: Database;
  readonly #tables: string[] = [];

  constructor(database: Database) {
    this.database = database;
  }

  /** Builds a statement from portable SQL with placeholders `?1`, `?2` …. */
  statement(sql: string, ...params: SqlValue[]): Statement {
    return { sql: this.database.dialect === "postgres" ? sql.replace(/\?(\d)/g, "$$$1") : sql, params };
  }

  batch(...statements: readonly Statement[]): Promise<StatementResult[]> {
    return this.database.batch(statements);
  }

  /** Runs one statement as a batch. */
  async run(sql: string, ...params: SqlValue[]): Promise<StatementResult> {
    const [result] = await this.batch(this.statement(sql, ...params));
    if (result === undefined) throw new Error(`a batch of one statement gave no result: ${sql}`);
    return result;
  }

  /** Runs one statement and returns its rows. */
  async rows(sql: string, ...params: SqlValue[]): Promise<readonly (readonly SqlValue[])[]> {
    return (await this.run(sql, ...params)).rows;
  }

  /** Returns a unique table name. The table is dropped at the end of the case. */
  tableName(): string {
    const random = crypto.getRandomValues(new Uint32Array(2));
    const name = `conformance_${Array.from(random, (part) => part.toString(36)).join("_")}`;
    this.#tables.push(name);
    return name;
  }

  /** Creates a table; the columns are written as in CREATE TABLE, with BIGINT, DOUBLE PRECISION and TEXT. */
  async table(columns: string): Promise<string> {
    const name = this.tableName();
    await this.run(`CREATE TABLE ${name} (${columns})`);
    return name;
  }

  async dropTables(): Promise<void> {
    const drops = this.#tables.splice(0).map((name) => this.statement(`DROP TABLE IF EXISTS ${name}`));
    await this.batch(...drops);
  }
}
