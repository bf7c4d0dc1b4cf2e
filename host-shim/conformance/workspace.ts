import type { Database, SqlValue, Statement, StatementResult } from "../src/ports.ts";

/** What a case of the database suite works with: short calls, portable SQL, tables of its own. */
export class Workspace {
  readonly database: Database;
  readonly #tables: string[] = [];

  constructor(database: Database) {
    this.database = database;
  }

  /** A statement from portable SQL, whose placeholders are written `?1`, `?2` …. */
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

  /** The rows of one statement. */
  async rows(sql: string, ...params: SqlValue[]): Promise<readonly (readonly SqlValue[])[]> {
    return (await this.run(sql, ...params)).rows;
  }

  /** A name no other case uses. The table is dropped at the end, if it was made. */
  tableName(): string {
    const random = crypto.getRandomValues(new Uint32Array(2));
    const name = `conformance_${Array.from(random, (part) => part.toString(36)).join("_")}`;
    this.#tables.push(name);
    return name;
  }

  /** Makes a table; the columns are written as in CREATE TABLE, with BIGINT, DOUBLE PRECISION and TEXT. */
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
