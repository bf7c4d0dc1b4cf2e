/** Prepared statements of one `node:sqlite` connection: compiled once, bound and read exactly. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SqlValue, Statement, StatementResult } from "../src/ports.ts";
import { checkParams, checkValue, statementFacts, withoutQuoted, type StatementFacts } from "./statement.ts";

interface Prepared {
  readonly statement: StatementSync;
  readonly facts: StatementFacts;
}

export class SqliteStatements {
  readonly #connection: DatabaseSync;
  readonly #capacity: number;
  /** Prepared statements in order of last use, the least recent first. */
  readonly #prepared = new Map<string, Prepared>();
  /** Facts about texts, also about those that another connection runs and that are not prepared here. */
  readonly #facts = new Map<string, StatementFacts>();

  constructor(connection: DatabaseSync, capacity: number) {
    this.#connection = connection;
    this.#capacity = capacity;
  }

  onlyReads(sql: string): boolean {
    return this.#factsOf(sql).kind === "reads";
  }

  /** Runs one statement within the caller's transaction. Throws when a value would be silently lost. */
  execute(request: Statement): StatementResult {
    const { statement, facts } = this.#prepare(request.sql);
    checkParams(request, facts);
    const params = request.params.map(toSqlite);
    if (facts.kind === "writes" && !facts.returning) {
      return { rows: [], changes: Number(statement.run(...params).changes) };
    }
    // After any other statement, `changes` is the value of the last writing one.
    const rows = (statement.all(...params) as unknown as unknown[][]).map((row) => row.map(checkValue));
    // Some versions of Node keep a statement's columns from before a change of the schema.
    if (facts.kind === "other") this.#prepared.clear();
    return { rows, changes: facts.kind === "writes" ? rows.length : 0 };
  }

  #prepare(sql: string): Prepared {
    const prepared = this.#prepared.get(sql) ?? this.#compile(sql);
    this.#prepared.delete(sql);
    this.#prepared.set(sql, prepared);
    for (const leastRecent of this.#prepared.keys()) {
      if (this.#prepared.size <= this.#capacity) break;
      this.#prepared.delete(leastRecent);
    }
    return prepared;
  }

  #factsOf(sql: string): StatementFacts {
    const known = this.#facts.get(sql);
    if (known !== undefined) return known;
    const facts = statementFacts(sql);
    if (this.#facts.size >= this.#capacity) this.#facts.clear();
    this.#facts.set(sql, facts);
    return facts;
  }

  #compile(sql: string): Prepared {
    const facts = this.#factsOf(sql);
    const statement = this.#connection.prepare(sql);
    statement.setReturnArrays(true);
    // SQLite compiles the first statement of a text and ignores the rest.
    const rest = sql.slice(statement.sourceSQL.length);
    if (rest !== "" && /[^\s;]/.test(withoutQuoted(rest)))
      throw new SyntaxError("the SQL holds more than one statement");
    return { statement, facts };
  }
}

/** Converts integers to BigInt: `node:sqlite` binds every number as REAL, so 5 could become '5.0'. */
function toSqlite(value: SqlValue): SqlValue | bigint {
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value;
}
