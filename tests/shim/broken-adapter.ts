/** Ways in which a database adapter can be broken, based on a correct one. */
import type { Database, SqlValue, Statement, StatementResult } from "../../host-shim/src/ports.ts";

export type Batch = Database["batch"];

export interface BrokenAdapter {
  readonly fault: string;
  /** The faulty `batch`, based on a correct one. */
  readonly batch: (sound: Batch) => Batch;
  readonly caughtBy: readonly string[];
}

export function withResults(
  change: (results: StatementResult[], statements: readonly Statement[]) => StatementResult[],
) {
  return (sound: Batch): Batch =>
    async (statements) =>
      change(await sound(statements), statements);
}

export function withValues(change: (value: SqlValue) => unknown) {
  return withResults((results) =>
    results.map(({ rows, changes }) => ({
      rows: rows.map((row) => row.map((value) => change(value) as SqlValue)),
      changes,
    })),
  );
}

export function withStatements(change: (statement: Statement) => Statement | readonly Statement[]) {
  return (sound: Batch): Batch =>
    (statements) =>
      sound(statements.flatMap(change));
}

export function withParams(change: (params: readonly SqlValue[], sql: string) => readonly SqlValue[]) {
  return withStatements(({ sql, params }) => ({ sql, params: change(params, sql) }));
}

export const onText = (change: (text: string) => unknown) => (value: SqlValue) =>
  typeof value === "string" ? change(value) : value;

export const onNumber = (change: (number: number) => unknown) => (value: SqlValue) =>
  typeof value === "number" ? change(value) : value;
