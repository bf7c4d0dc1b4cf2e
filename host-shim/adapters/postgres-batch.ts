/** Batches on one PostgreSQL connection: a transaction whose statements travel together. */
import { Duplex } from "node:stream";
import pg from "pg";
import type { BatchOptions, SqlValue, Statement, StatementResult } from "../src/ports.ts";
import { checkParams, isExact, statementError, type StatementFacts } from "./statement.ts";

/** What is known of an SQL text. */
export interface Plan {
  readonly facts: StatementFacts;
  /** The name under which a connection prepares it; null: it is parsed each time. */
  readonly name: string | null;
  /** Whether its rows were seen to have no column whose values may be unreadable; a prepared statement keeps its columns. */
  isReadable: boolean;
}

export interface PlannedStatement extends Statement {
  readonly plan: Plan;
}

/** The most milliseconds that a timer takes: 24 days. */
const LONGEST_TIMER = 2 ** 31 - 1;

interface Query {
  readonly text: string;
  readonly values?: SqlValue[];
  readonly name?: string;
  readonly rowMode?: "array";
  /** Refuses a text of several statements, which the simple protocol would run. */
  readonly queryMode?: "extended";
  /** How long the client waits for the answer, in milliseconds. */
  readonly query_timeout?: number;
}

type Answer = PromiseSettledResult<pg.QueryArrayResult<SqlValue[]>>;

export interface RunOptions extends BatchOptions {
  /** How long a statement waits for a lock; without it as long as it may take. */
  readonly lock_ms?: number;
}

/** Why a batch failed that certainly left nothing: its transaction was undone, on a connection that lives on. */
export class UndoneError extends Error {}

/** Runs the batch. When it throws, nothing of it took effect, except as a lost connection's error says. */
export async function runBatch(
  client: pg.PoolClient,
  statements: readonly PlannedStatement[],
  { patient = false, lock_ms = 0 }: RunOptions = {},
): Promise<StatementResult[]> {
  const onlyReads = statements.every(({ plan }) => plan.facts.kind === "reads");
  // A value that cannot be read exactly must undo a writing batch: where there may be one, the rows are read before COMMIT.
  const commitAtOnce = onlyReads || statements.every(({ plan }) => plan.isReadable);
  // A single statement is a transaction by itself.
  const transaction = statements.length > 1 || !commitAtOnce || patient || lock_ms > 0;
  // Reads share a snapshot, so that no commit falls between them. Writers do not: under REPEATABLE
  // READ, concurrent increments of one counter would fail and start over instead of queueing.
  const begin = [
    `BEGIN ISOLATION LEVEL ${onlyReads ? "REPEATABLE READ" : "READ COMMITTED"}`,
    ...(patient ? ["SET LOCAL statement_timeout = 0"] : []),
    ...(lock_ms > 0 ? [`SET LOCAL lock_timeout = ${lock_ms}`] : []),
  ];
  const before = transaction ? [{ text: begin.join("; ") }] : [];
  const after = transaction && commitAtOnce ? [{ text: "COMMIT" }] : [];

  const queries = [...before, ...statements.map(queryOf), ...after];
  const answers = await pipeline(client, patient ? queries.map((query) => ({ ...query, query_timeout: LONGEST_TIMER })) : queries);
  const failed = answers.findIndex(({ status }) => status === "rejected");
  if (transaction && !commitAtOnce) {
    answers.push(...(await pipeline(client, [{ text: failed === -1 ? "COMMIT" : "ROLLBACK" }])));
  }
  for (const [index, answer] of answers.entries()) {
    if (answer.status === "fulfilled") continue;
    const error = batchError(answer.reason, index - before.length, statements);
    const isUndone = transaction && (await wasUndone(client, answers.at(-1)));
    throw isUndone ? new UndoneError(error.message, { cause: error.cause }) : error;
  }
  return statements.map(({ plan }, index) => {
    const answer = answers[index + before.length];
    if (answer?.status !== "fulfilled") throw new Error("PostgreSQL left a statement unanswered");
    const { rows, rowCount, fields } = answer.value;
    plan.isReadable ||= plan.name !== null && fields.every(({ dataTypeID }) => !mayBeUnreadable(dataTypeID));
    return { rows, changes: plan.facts.kind === "writes" ? (rowCount ?? 0) : 0 };
  });
}

/** Whether the transaction of a failed statement was undone, by what its COMMIT or ROLLBACK came to. */
async function wasUndone(client: pg.PoolClient, end: Answer | undefined): Promise<boolean> {
  if (end?.status === "fulfilled") return end.value.command === "ROLLBACK";
  if (!(end?.reason instanceof pg.DatabaseError)) return false;
  // Refused, unless that was the connection's last word. Which it is, the error says in the server's language alone.
  const [answer] = await pipeline(client, [{ text: "SELECT 1" }]);
  return answer?.status === "fulfilled";
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

/** Sends all queries before any is answered, and in one packet: that takes half the time of a packet each. */
function pipeline(client: pg.PoolClient, queries: readonly Query[]): Promise<Answer[]> {
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
  const answered = cause instanceof pg.DatabaseError || cause instanceof RangeError;
  if (answered && index >= 0 && index < statements.length) return statementError(cause, index, statements);
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (answered) return new Error(`the transaction failed: ${reason}`, { cause });
  return new Error(`the connection was lost, and whether the batch took effect is unknown: ${reason}`, { cause });
}

const { BOOL, FLOAT4, FLOAT8, INT2, INT4, INT8, NUMERIC, OID } = pg.types.builtins;

/** By type: numbers as numbers, booleans as 0 and 1. Every other type stays as PostgreSQL writes it. */
const PARSERS: ReadonlyMap<number, (text: string) => SqlValue> = new Map([
  [BOOL, (text: string): SqlValue => (text === "t" ? 1 : 0)],
  ...[FLOAT4, FLOAT8].map((oid) => [oid, (text: string) => numberOf(text, Number.isFinite)] as const),
  ...[INT2, INT4, INT8, NUMERIC, OID].map((oid) => [oid, (text: string) => numberOf(text, isExact)] as const),
]);

/** Whether it has values that JavaScript cannot hold exactly. */
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
