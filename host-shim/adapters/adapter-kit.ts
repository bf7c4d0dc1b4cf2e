/**
 * Shared parts of database adapters over another library's client: the checks of statements and values, and group
 * commit. A new adapter implements {@link Client} in about thirty lines. Mailers over another library use {@link
 * readAttachment}, and file stores {@link checkFileKey}.
 */
import type { Database, SqlValue, Statement, StatementResult } from "../src/ports.ts";
import {
  checkParams,
  checkValue,
  GatheredStatements,
  isExact,
  isGatheredAfter,
  statementError,
  statementFacts,
  withoutQuoted,
  type StatementFacts,
} from "./statement.ts";

export { checkFileKey } from "./file-key.ts";
export { readAttachment, type ReadAttachment } from "./read-attachment.ts";
export type { StatementFacts, StatementKind } from "./statement.ts";

/** A statement with the facts that the kit found in it. */
export interface PlannedStatement extends Statement {
  readonly facts: StatementFacts;
}

/** A database client, as {@link databaseOf} needs it. */
export interface Client {
  readonly dialect: Database["dialect"];
  /**
   * Runs the statements in order in one transaction. When a statement fails, the transaction is rolled back, and the
   * call rejects with a {@link StatementFailure}. After any other error it is unknown whether the transaction took
   * effect.
   */
  transact(statements: readonly PlannedStatement[], isRead: boolean): Promise<StatementResult[]>;
  /** Whether batches of several callers may share a transaction. False when a request must not wait for another's work. */
  readonly gathers: boolean;
}

/** Error of a failed statement whose transaction was rolled back. */
export class StatementFailure extends Error {}

/** Builds the failure of the statement with this index. */
export function failureOf(cause: unknown, index: number, statements: readonly Statement[]): StatementFailure {
  return new StatementFailure(statementError(cause, index, statements).message, { cause });
}

/** Limit for the statements of a shared transaction, so that the transaction does not block the event loop. */
const MAX_STATEMENTS = 500;

/** Time within one turn of the event loop after which further reads wait for the next turn. */
const MAX_READ_MS = 15;

/** Longest time that a batch waits for other batches, to share a transaction with them. */
const MAX_WAIT_MS = 5;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const NO_RESULT: StatementResult = { rows: [], changes: 0 };

interface Write {
  readonly statements: readonly PlannedStatement[];
  readonly resolve: (results: StatementResult[]) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Builds the database port over a client. Writing batches that arrive during a transaction share the next one, and so
 * one fsync. When a statement of the shared transaction fails, each batch is repeated in a separate one.
 */
export function databaseOf(client: Client): Database {
  const gathering = new GatheringDatabase(client);
  return { dialect: client.dialect, batch: (statements) => gathering.batch(statements) };
}

/** The batches of a client that wait for a transaction to share. */
class GatheringDatabase {
  private readonly waiting: Write[] = [];
  /** Start of the first read in this turn of the event loop. */
  private readingSince: number | null = null;
  private isDraining = false;
  /** Size and duration of the last committed group. */
  private last = { batches: 1, ms: 0 };
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async batch(statements: readonly Statement[]): Promise<StatementResult[]> {
    if (statements.length === 0) return [];
    const planned = statements.map((statement, index) => plan(statement, index, statements));
    const isRead = planned.every(({ facts }) => facts.kind === "reads");
    if (!this.client.gathers) return this.client.transact(planned, isRead);
    if (isRead) {
      await this.turnToRead();
      return this.client.transact(planned, true);
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ statements: planned, resolve, reject });
      if (!this.isDraining) void this.drain();
    });
  }

  /**
   * Waits until a read may begin. A client may respond within one turn of the event loop, so a caller that reads
   * continuously could block others.
   */
  private async turnToRead(): Promise<void> {
    while (this.readingSince !== null && performance.now() - this.readingSince > MAX_READ_MS) await nextTurn();
    if (this.readingSince !== null) return;
    this.readingSince = performance.now();
    setImmediate(() => (this.readingSince = null));
  }

  private async drain(): Promise<void> {
    this.isDraining = true;
    while (this.waiting.length > 0) {
      await this.turnToWrite();
      const group = this.nextGroup();
      const began = performance.now();
      await this.commit(group);
      this.last = { batches: group.length, ms: performance.now() - began };
    }
    this.isDraining = false;
  }

  /** Waits for more batches when several arrive at once, because sharing saves more time than the wait costs. */
  private async turnToWrite(): Promise<void> {
    await nextTurn();
    if (this.last.batches === 1 && this.waiting.length === 1) return;
    const until = performance.now() + Math.min(this.last.ms / 2, MAX_WAIT_MS);
    while (this.waiting.length <= this.last.batches && performance.now() < until) await nextTurn();
  }

  /** Takes the batches that fit into one transaction, and at least one. */
  private nextGroup(): Write[] {
    let statements = 0;
    const beyond = this.waiting.findIndex(
      (write, at) => (statements += write.statements.length) > MAX_STATEMENTS && at > 0,
    );
    return this.waiting.splice(0, beyond === -1 ? this.waiting.length : beyond);
  }

  private async commit(group: readonly Write[]): Promise<void> {
    try {
      const { statements, places } = share(group);
      const results = await this.client.transact(statements, false);
      for (const [index, { resolve }] of group.entries()) {
        resolve((places[index] ?? []).map((place) => (place === null ? NO_RESULT : (results[place] ?? NO_RESULT))));
      }
    } catch (error) {
      if (group.length === 1 || !(error instanceof StatementFailure)) for (const { reject } of group) reject(error);
      else for (const write of group) await this.commit([write]);
    }
  }
}

/**
 * Builds the statements of a shared transaction. `places` has, for each statement of each batch, its index in
 * `statements`, or null if the statement is gathered to run after its batch (a positive `gathered`). Such statements of
 * consecutive batches are merged. They run after these batches, and before the next batch without such statements,
 * because that batch may read their effect.
 */
function share(group: readonly Write[]): {
  readonly statements: PlannedStatement[];
  readonly places: (number | null)[][];
} {
  const statements: PlannedStatement[] = [];
  const gathered = new GatheredStatements<PlannedStatement>();
  const places = group.map(({ statements: batch }) => {
    if (!batch.some(isGatheredAfter)) statements.push(...gathered.take());
    return batch.map((statement) => {
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
    // Some clients run a second statement, others silently ignore it.
    if (/;\s*\S/.test(withoutQuoted(statement.sql))) throw new SyntaxError("the SQL holds more than one statement");
    return { ...statement, facts };
  } catch (cause) {
    throw statementError(cause, index, statements);
  }
}

/** Converts a result to the port's form; `changes` is the client's count. */
export function resultOf(
  { facts }: PlannedStatement,
  rows: readonly (readonly unknown[])[],
  changes: number,
): StatementResult {
  const values = rows.map((row) => row.map(valueOf));
  if (facts.kind !== "writes") return { rows: values, changes: 0 };
  return { rows: values, changes: facts.returning ? values.length : changes };
}

/** Checks a client's value and converts BigInt to number. */
function valueOf(value: unknown): SqlValue {
  if (typeof value !== "bigint") {
    if (typeof value === "number" && !isExact(value))
      throw new RangeError(`the number ${value} is beyond what JavaScript holds exactly`);
    return checkValue(value);
  }
  const number = Number(value);
  if (!isExact(number)) throw new RangeError(`the number ${value} is beyond what JavaScript holds exactly`);
  return number;
}

/** Converts a row from an object to a list. Rejects numeric column names, because objects order them first. */
export function rowOf(row: Readonly<Record<string, unknown>>): unknown[] {
  const names = Object.keys(row);
  if (names.length > 1 && names.some((name) => /^\d+$/.test(name))) {
    throw new RangeError("a column whose name is a number has no reliable position: name it with AS");
  }
  return Object.values(row);
}

/** Converts integers to BigInt, for clients that bind numbers as REAL. */
export function integersAsBigInt(params: readonly SqlValue[]): (SqlValue | bigint)[] {
  return params.map((value) => (typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value));
}
