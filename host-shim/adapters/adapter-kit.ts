/**
 * What database adapters over somebody else's client share: the checks of statements and values, and
 * group commit. An adapter of your own brings a {@link Client}, some thirty lines. And for mailers over
 * somebody else's: an attachment's bytes.
 */
import type { Database, SqlValue, Statement, StatementResult } from "../src/ports.ts";
import {
  checkParams, checkValue, GatheredStatements, isExact, isGatheredAfter, statementError, statementFacts, withoutQuoted, type StatementFacts,
} from "./statement.ts";

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

/** How long a batch waits at most for others to share its transaction. */
const MOST_WAIT_MS = 5;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const NO_RESULT: StatementResult = { rows: [], changes: 0 };

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
  /** The group that was committed last. */
  let last = { batches: 1, ms: 0 };

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
      await turnToWrite();
      const group = nextGroup();
      const began = performance.now();
      await commit(group);
      last = { batches: group.length, ms: performance.now() - began };
    }
    isDraining = false;
  }

  /** Where several batches came at once, more are on their way: they cost less together than they wait. */
  async function turnToWrite(): Promise<void> {
    await nextTurn();
    if (last.batches === 1 && waiting.length === 1) return;
    const until = performance.now() + Math.min(last.ms / 2, MOST_WAIT_MS);
    while (waiting.length <= last.batches && performance.now() < until) await nextTurn();
  }

  /** The batches at the head that fit into one transaction; one at least. */
  function nextGroup(): Write[] {
    let statements = 0;
    const beyond = waiting.findIndex((write, at) => (statements += write.statements.length) > MOST_STATEMENTS && at > 0);
    return waiting.splice(0, beyond === -1 ? waiting.length : beyond);
  }

  async function commit(group: readonly Write[]): Promise<void> {
    try {
      const { statements, places } = share(group);
      const results = await client.transact(statements, false);
      for (const [index, { resolve }] of group.entries()) {
        resolve((places[index] ?? []).map((place) => (place === null ? NO_RESULT : (results[place] ?? NO_RESULT))));
      }
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

/**
 * The statements of a transaction that batches share, and where among them each batch's results are. What
 * batches gather is run once for those that follow each other: who gathers nothing may look at what others leave.
 */
function share(group: readonly Write[]): { readonly statements: PlannedStatement[]; readonly places: (number | null)[][] } {
  const statements: PlannedStatement[] = [];
  const gathered = new GatheredStatements<PlannedStatement>();
  const places = group.map(({ statements: own }) => {
    if (!own.some(isGatheredAfter)) statements.push(...gathered.take());
    return own.map((statement) => {
      if (!isGatheredAfter(statement)) return statements.push(statement) - 1;
      gathered.add(statement);
      return null;
    });
  });
  statements.push(...gathered.take());
  return { statements, places };
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
