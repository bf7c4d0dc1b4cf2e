/** Runs batches on one PostgreSQL connection: each is a transaction whose statements are sent together. */
import { Duplex } from "node:stream";
import pg from "pg";
import type { BatchOptions, SqlValue, Statement, StatementResult } from "../src/ports.ts";
import { checkParams, isExact, statementError, type StatementFacts } from "./statement.ts";

/** Facts about an SQL text. */
export interface Plan {
  readonly facts: StatementFacts;
  /** Name of the prepared statement; null when the text is parsed each time. */
  readonly name: string | null;
  /**
   * Whether no column has a type whose values may be unreadable. The first result shows that, because a prepared
   * statement never changes its columns.
   */
  isReadable: boolean;
}

export interface PlannedStatement extends Statement {
  readonly plan: Plan;
}

/** Longest timer in milliseconds: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface Query {
  readonly text: string;
  readonly values?: SqlValue[];
  readonly name?: string;
  readonly rowMode?: "array";
  /** Rejects a text with several statements, which the simple protocol would run. */
  readonly queryMode?: "extended";
  /** Timeout in the client, in milliseconds. */
  readonly query_timeout?: number;
}

type QueryResult = PromiseSettledResult<pg.QueryArrayResult<SqlValue[]>>;

export interface RunOptions extends BatchOptions {
  /** Lock timeout of a statement; default: the statement's timeout. */
  readonly lock_ms?: number;
}

/** Error of a batch whose transaction was certainly rolled back, on a connection that is still usable. */
export class RolledBackError extends Error {}

/** Runs the batch. When it throws, the batch had no effect, unless the error reports a lost connection. */
export async function runBatch(
  client: pg.PoolClient,
  statements: readonly PlannedStatement[],
  { patient = false, lock_ms = 0 }: RunOptions = {},
): Promise<StatementResult[]> {
  const onlyReads = statements.every(({ plan }) => plan.facts.kind === "reads");
  // An unreadable value must roll back a writing batch, so rows that may contain one are read before COMMIT.
  const commitAtOnce = onlyReads || statements.every(({ plan }) => plan.isReadable);
  // A single statement is a transaction.
  const transaction = statements.length > 1 || !commitAtOnce || patient || lock_ms > 0;
  // Reads share a snapshot, so that no commit falls between them. Writers do not: under REPEATABLE READ, concurrent
  // increments of one counter would fail and restart instead of queueing.
  const begin = [
    `BEGIN ISOLATION LEVEL ${onlyReads ? "REPEATABLE READ" : "READ COMMITTED"}`,
    ...(patient ? ["SET LOCAL statement_timeout = 0"] : []),
    ...(lock_ms > 0 ? [`SET LOCAL lock_timeout = ${lock_ms}`] : []),
  ];
  const before = transaction ? [{ text: begin.join("; ") }] : [];
  const after = transaction && commitAtOnce ? [{ text: "COMMIT" }] : [];

  const queries = [...before, ...statements.map(queryOf), ...after];
  const results = await pipeline(
    client,
    patient ? queries.map((query) => ({ ...query, query_timeout: MAX_TIMER_MS })) : queries,
  );
  const failed = results.findIndex(({ status }) => status === "rejected");
  if (transaction && !commitAtOnce) {
    results.push(...(await pipeline(client, [{ text: failed === -1 ? "COMMIT" : "ROLLBACK" }])));
  }
  for (const [index, result] of results.entries()) {
    if (result.status === "fulfilled") continue;
    const error = batchError(result.reason, index - before.length, statements);
    const isRolledBack = transaction && (await wasRolledBack(client, results.at(-1)));
    throw isRolledBack ? new RolledBackError(error.message, { cause: error.cause }) : error;
  }
  return statements.map(({ plan }, index) => {
    const result = results[index + before.length];
    if (result?.status !== "fulfilled") throw new Error("PostgreSQL returned no result for a statement");
    const { rows, rowCount, fields } = result.value;
    plan.isReadable ||= plan.name !== null && fields.every(({ dataTypeID }) => !mayBeUnreadable(dataTypeID));
    return { rows, changes: plan.facts.kind === "writes" ? (rowCount ?? 0) : 0 };
  });
}

/** Whether the transaction of a failed statement was rolled back, according to the outcome of COMMIT or ROLLBACK. */
async function wasRolledBack(client: pg.PoolClient, end: QueryResult | undefined): Promise<boolean> {
  if (end?.status === "fulfilled") return end.value.command === "ROLLBACK";
  if (!(end?.reason instanceof pg.DatabaseError)) return false;
  // The server rejected the COMMIT, or ended the connection. Only another query can tell which, because the message is
  // localized.
  const [result] = await pipeline(client, [{ text: "SELECT 1" }]);
  return result?.status === "fulfilled";
}

/** Throws the error of the first statement whose parameters cannot be bound. */
export function checkBatch(statements: readonly PlannedStatement[]): void {
  for (const [index, statement] of statements.entries()) {
    try {
      checkParams(statement, statement.plan.facts);
    } catch (cause) {
      throw statementError(cause, index, statements);
    }
  }
}

/** Pipelines all queries in one packet, which takes half the time of one packet for each. */
function pipeline(client: pg.PoolClient, queries: readonly Query[]): Promise<QueryResult[]> {
  const { connection } = client as unknown as { connection?: { stream?: unknown } };
  const socket = connection?.stream instanceof Duplex ? connection.stream : null;
  socket?.cork();
  const sent = queries.map((query) => client.query<SqlValue[]>({ rowMode: "array", ...query }));
  socket?.uncork();
  return Promise.allSettled(sent);
}

function queryOf({ sql, params, plan: { name } }: PlannedStatement): Query {
  return { text: sql, values: [...params], rowMode: "array", queryMode: "extended", ...(name !== null && { name }) };
}

function batchError(cause: unknown, index: number, statements: readonly Statement[]): Error {
  const hasResponse = cause instanceof pg.DatabaseError || cause instanceof RangeError;
  if (hasResponse && index >= 0 && index < statements.length) return statementError(cause, index, statements);
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (hasResponse) return new Error(`the transaction failed: ${reason}`, { cause });
  return new Error(`the connection was lost, and whether the batch took effect is unknown: ${reason}`, { cause });
}

const { BOOL, FLOAT4, FLOAT8, INT2, INT4, INT8, NUMERIC, OID } = pg.types.builtins;

/** Parsers by type: numbers become numbers, booleans 0 and 1. Every other type stays text. */
const PARSERS: ReadonlyMap<number, (text: string) => SqlValue> = new Map([
  [BOOL, (text: string): SqlValue => (text === "t" ? 1 : 0)],
  ...[FLOAT4, FLOAT8].map((oid) => [oid, (text: string) => numberOf(text, Number.isFinite)] as const),
  ...[INT2, INT4, INT8, NUMERIC, OID].map((oid) => [oid, (text: string) => numberOf(text, isExact)] as const),
]);

/** Whether a type has values that JavaScript cannot hold exactly. */
function mayBeUnreadable(oid: number): boolean {
  return [FLOAT4, FLOAT8, INT8, NUMERIC].includes(oid);
}

export function getTypeParser(oid: number): (text: string) => SqlValue {
  return PARSERS.get(oid) ?? ((text) => text);
}

function numberOf(text: string, accept: (value: number) => boolean): number {
  const value = Number(text);
  if (!accept(value)) throw new RangeError(`the number ${text} is beyond what JavaScript holds exactly`);
  return value;
}
