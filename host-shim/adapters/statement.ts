/**
 * Analyses statements before they run, and reports failed ones, for all SQL adapters.
 */
import type { SqlValue, Statement } from "../src/ports.ts";

/**
 * - `reads`: changes nothing, so it needs no write lock and counts no changes.
 * - `writes`: inserts, updates or deletes rows, which are counted.
 * - `other`: DDL, PRAGMA, `SELECT … FOR UPDATE`: treated as a write, counts no changes.
 */
export type StatementKind = "reads" | "writes" | "other";

/** Statements that would end, or nest into, the transaction that makes a batch atomic. */
const TRANSACTION_CONTROL =
  /^(?:BEGIN|START\s+TRANSACTION|COMMIT|END|ROLLBACK|ABORT|SAVEPOINT|RELEASE|PREPARE\s+TRANSACTION)\b/i;

/** Literals, quoted names and comments, in which a keyword has no meaning. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g;
const ROW_CHANGE = /\b(?:INSERT|UPDATE|DELETE|REPLACE\s+INTO)\b/i;
const ROW_LOCK = /\bFOR\s+(?:NO\s+KEY\s+UPDATE|UPDATE|KEY\s+SHARE|SHARE)\b/i;

/** Facts about a statement, found by reading its SQL. */
export interface StatementFacts {
  readonly kind: StatementKind;
  /** Whether a `writes` statement returns rows. */
  readonly returning: boolean;
  /** The highest number among the placeholders `?1` or `$1`; 0 without any. */
  readonly parameters: number;
}

/** Analyses a statement. Throws a `SyntaxError` for an empty one, a NUL character, and transaction control. */
export function statementFacts(sql: string): StatementFacts {
  if (sql.includes("\0")) throw new SyntaxError("the SQL holds a NUL character");
  const bare = withoutQuoted(sql);
  if (!/[^\s;]/.test(bare)) throw new SyntaxError("the SQL holds no statement");
  if (TRANSACTION_CONTROL.test(bare)) throw new SyntaxError("a batch is one transaction and cannot control it");
  const numbers = Array.from(bare.matchAll(/[?$](\d+)/g), (match) => Number(match[1]));
  return {
    kind: kindOf(bare),
    returning: /\bRETURNING\b/i.test(bare),
    parameters: Math.max(0, ...numbers),
  };
}

/** Returns the SQL with empty literals and without comments. */
export function withoutQuoted(sql: string): string {
  return sql.replace(QUOTED, (quoted) => (/^['"]/.test(quoted) ? "''" : " ")).trim();
}

/** Returns the SQL without comments and without a final semicolon, which some clients treat as another statement. */
export function withoutComments(sql: string): string {
  return sql
    .replace(QUOTED, (quoted) => (/^['"]/.test(quoted) ? quoted : " "))
    .trim()
    .replace(/;$/, "");
}

/** Replaces each placeholder `?1` by the result of `replace` for its number. */
export function replacePlaceholders(sql: string, replace: (number: number) => string): string {
  const parts = new RegExp(`${QUOTED.source}|\\?(\\d+)`, "g");
  return sql.replace(parts, (found, number?: string) => (number === undefined ? found : replace(Number(number))));
}

function kindOf(bare: string): StatementKind {
  if (/^(?:INSERT|UPDATE|DELETE|REPLACE)\b/i.test(bare)) return "writes";
  if (/^(?:SELECT|VALUES)\b/i.test(bare)) return ROW_LOCK.test(bare) ? "other" : "reads";
  if (!/^WITH\b/i.test(bare)) return "other";
  if (ROW_LOCK.test(bare)) return "other";
  return ROW_CHANGE.test(bare) ? "writes" : "reads";
}

/**
 * Rejects parameters that a database would silently change: a missing parameter (SQLite binds NULL), an integer beyond
 * ±(2^53 − 1), NaN and infinities (SQLite stores NULL), and a text with a NUL character. Older versions of Node cut such
 * a text off with SQLite; PostgreSQL cannot store it.
 */
export function checkParams(statement: Statement, facts: StatementFacts): void {
  if (statement.params.length !== facts.parameters) {
    throw new RangeError(`the statement has ${facts.parameters} parameters, ${statement.params.length} were given`);
  }
  for (const [index, value] of statement.params.entries()) {
    if (typeof value === "string") {
      if (value.includes("\0")) throw new RangeError(`parameter ${index + 1} holds a NUL character`);
    } else if (value !== null && !(typeof value === "number" && isExact(value))) {
      throw new RangeError(`parameter ${index + 1} cannot be bound exactly: ${typeof value} ${String(value)}`);
    }
  }
}

/** Whether the database keeps a number exactly: a safe integer, or any finite fraction. */
export function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/**
 * Builds the error of a failed statement: the database's message, then the statement. Parameters are left out, because
 * messages go to logs and parameters are visitors' data.
 */
export function statementError(cause: unknown, index: number, statements: readonly Statement[]): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  const sql = (statements[index]?.sql ?? "").replace(/\s+/g, " ").slice(0, 200);
  return new Error(`${message} (statement ${index + 1} of ${statements.length}: ${sql})`, { cause });
}

/** Whether the statement may run once for several batches. */
export function isGathered({ gathered = 0 }: Statement): boolean {
  return gathered !== 0;
}

/**
 * Whether the statement may run after its batch. A statement with a negative number takes locks, so it runs before all
 * batches, or at its place in its batch if the database has a single writer.
 */
export function isGatheredAfter({ gathered = 0 }: Statement): boolean {
  return gathered > 0;
}

/**
 * The gathered statements of batches that share a transaction: for each text and number one statement, with the lists
 * of all batches.
 */
export class GatheredStatements<Gathered extends Statement> {
  #known: { readonly statement: Gathered; readonly lists: string[] }[] = [];

  add(statement: Gathered): void {
    const list = String(statement.params[0]).slice(1, -1);
    // There are few statements, and comparing identical strings is faster than hashing a key.
    const known = this.#known.find(
      ({ statement: { sql, gathered } }) => sql === statement.sql && gathered === statement.gathered,
    );
    if (known === undefined) this.#known.push({ statement, lists: [list] });
    else known.lists.push(list);
  }

  /** Removes and returns the statements, in the order of their first use. */
  take(): Gathered[] {
    const all = this.#known.map(({ statement, lists }) => ({ ...statement, params: [`[${lists.join(",")}]`] }));
    this.#known = [];
    return all;
  }
}

/** Rejects a value that is not a `SqlValue`, such as a blob or an infinity. The SQL must cast such a value. */
export function checkValue(value: unknown): SqlValue {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new RangeError(`the statement returned a value that is neither text, a finite number nor null`);
}
