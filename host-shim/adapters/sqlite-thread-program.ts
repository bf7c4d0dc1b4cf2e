/** The program of the thread that writes to a SQLite file. */
import { parentPort, workerData } from "node:worker_threads";
import { decodeParams, textOf, type StatementTexts } from "../src/frame.ts";
import type { Statement, StatementResult } from "../src/ports.ts";
import { reasonOf } from "../src/reason.ts";
import { SqliteStatements } from "./sqlite-statements.ts";
import type { Outcomes, Reply, SentError, SentStatement, SentWrites } from "./sqlite-thread.ts";
import { connect, SqliteWriter, type SqliteOptions } from "./sqlite-writer.ts";

const options: SqliteOptions = workerData;
const connection = connect(options.path);
const writer = new SqliteWriter(connection, new SqliteStatements(connection, options.prepared ?? 500), options);
const texts: StatementTexts = [];
let settled: [number, StatementResult[] | SentError][] = [];

function settle(id: number, outcome: StatementResult[] | SentError): void {
  // The outcomes of a transaction are sent together.
  if (settled.length === 0) queueMicrotask(send);
  settled.push([id, outcome]);
}

function send(): void {
  parentPort?.postMessage(JSON.stringify(settled satisfies Outcomes) satisfies Reply);
  settled = [];
}

parentPort?.on("message", ({ writes, bytes }: SentWrites) => {
  let offset = 0;
  const received = ([sql, gathered, params]: SentStatement): Statement => ({
    sql: textOf(sql, texts),
    gathered,
    params: typeof params === "number" ? decodeParams(bytes.subarray(offset, (offset += params)), gathered) : params,
  });
  for (const [id, patient, statements] of writes) {
    writer.write(statements.map(received), patient).then(
      (results) => settle(id, results),
      (error) => settle(id, { message: reasonOf(error), errcode: error?.errcode ?? error?.cause?.errcode }),
    );
  }
});
parentPort?.postMessage("ready" satisfies Reply);
