/**
 * What database adapters over somebody else's client share: the checks of statements and values, and
 * group commit. An adapter of your own brings a {@link Client}, some thirty lines. And for mailers over
 * somebody else's: an attachment's bytes.
 */
import type { Database, SqlValue, Statement, StatementResult } from "../src/ports.ts";
import { checkParams, checkValue, isExact, statementError, statementFacts, withoutQuoted, type StatementFacts } from "./statement.ts";

export { readAttachment, type ReadAttachment } from "./read-attachment.ts";

export interface PlannedStatement extends Statement {
  readonly facts: StatementFacts;
}

export interface Client {
  readonly dialect: Database["dialect"];
  /**
   * Runs the statements in order in one transaction. A statement that fails undoes all and is thrown as a
   * {@link StatementFailure}; what else is thrown leaves it open whether the transaction took effect.
   */
  transact(statements: readonly PlannedStatement[], isRead: boolean): Promise<StatementResult[]>;
  /** Whether batches of several callers may share a transaction; not where a request must not wait for another's work. */
  readonly gathers: boolean;
}

/** A statement failed, and its transaction was undone. */
export class StatementFailure extends Error {}

/** The failure of the statement with this index. */
export function failureOf(cause: unknown, index: number, statements: readonly Statement[]): StatementFailure {
  return new StatementFailure(statementError(cause, index, statements).message, { cause });
}

/** How many statements a shared transaction takes at most, so that other work gets its turn. */
const MOST_STATEMENTS = 500;

/** After this time of reads other work gets its turn. */
const HOLD_MS = 15;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Write {
  readonly statements: readonly PlannedStatement[];
  readonly resolve: (results: StatementResult[]) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * The database port over a client. Writing batches that come while a transaction runs share the next one,
 * and so one fsync; when a statement of it fails, each batch gets a transaction of its own.
 */
export function databaseOf(client: Client): Database {
  const waiting: Write[] = [];
  /** When the first read of this turn of the event loop began. */
  let readingSince: number | null = null;
  let isDraining = false;

  /** Clients in this process may answer within the turn: a caller that goes on reading must not keep all others waiting. */
  async function turnToRead(): Promise<void> {
    while (readingSince !== null && performance.now() - readingSince > HOLD_MS) await nextTurn();
    if (readingSince !== null) return;
    readingSince = performance.now();
    setImmediate(() => (readingSince = null));
  }

  async function drain(): Promise<void> {
    isDraining = true;
    while (waiting.length > 0) {
      await nextTurn();
      await commit(nextGroup());
    }
    isDraining = false;
  }

  /** The batches at the head that fit into one transaction; one at least. */
  function nextGroup(): Write[] {
    let statements = 0;
    const beyond = waiting.findIndex((write, at) => (statements += write.statements.length) > MOST_STATEMENTS && at > 0);
    return waiting.splice(0, beyond === -1 ? waiting.length : beyond);
  }

  async function commit(group: readonly Write[]): Promise<void> {
    try {
      const results = await client.transact(group.flatMap(({ statements }) => statements), false);
      let from = 0;
      for (const { statements, resolve } of group) resolve(results.slice(from, (from += statements.length)));
    } catch (error) {
      if (group.length === 1 || !(error instanceof StatementFailure)) for (const { reject } of group) reject(error);
      else for (const write of group) await commit([write]);
    }
  }

  return {
    dialect: client.dialect,
    async batch(statements) {
      if (statements.length === 0) return [];
      const planned = statements.map((statement, index) => plan(statement, index, statements));
      const isRead = planned.every(({ facts }) => facts.kind === "reads");
      if (!client.gathers) return client.transact(planned, isRead);
      if (isRead) {
        await turnToRead();
        return client.transact(planned, true);
      }
      return new Promise((resolve, reject) => {
        waiting.push({ statements: planned, resolve, reject });
        if (!isDraining) void drain();
      });
    },
  };
}

function plan(statement: Statement, index: number, statements: readonly Statement[]): PlannedStatement {
  try {
    const facts = statementFacts(statement.sql);
    checkParams(statement, facts);
    // Some clients run a second statement, others drop it in silence.
    if (/;\s*\S/.test(withoutQuoted(statement.sql))) throw new SyntaxError("the SQL holds more than one statement");
    return { ...statement, facts };
  } catch (cause) {
    throw statementError(cause, index, statements);
  }
}

/** The result of a statement as the port has it; `changes` is what the client counted. */
export function resultOf({ facts }: PlannedStatement, rows: readonly (readonly unknown[])[], changes: number): StatementResult {
  const values = rows.map((row) => row.map(valueOf));
  if (facts.kind !== "writes") return { rows: values, changes: 0 };
  return { rows: values, changes: facts.returning ? values.length : changes };
}

/** A value that a client gave: integers may come as BigInt. */
function valueOf(value: unknown): SqlValue {
  if (typeof value !== "bigint") {
    if (typeof value === "number" && !isExact(value)) throw new RangeError(`the number ${value} is beyond what JavaScript holds exactly`);
    return checkValue(value);
  }
  const number = Number(value);
  if (!isExact(number)) throw new RangeError(`the number ${value} is beyond what JavaScript holds exactly`);
  return number;
}

/** A row that a client gives as an object, as the list of its values. Objects move names that are numbers to the front. */
export function rowOf(row: Readonly<Record<string, unknown>>): unknown[] {
  const names = Object.keys(row);
  if (names.length > 1 && names.some((name) => /^\d+$/.test(name))) {
    throw new RangeError("a column whose name is a number has no sure place: name it with AS");
  }
  return Object.values(row);
}

/** Integers as BigInt, for clients that bind numbers as REAL. */
export function integersAsBigInt(params: readonly SqlValue[]): (SqlValue | bigint)[] {
  return params.map((value) => (typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value));
}
