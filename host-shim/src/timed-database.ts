/** A database whose batches end in time, for work that no effect of the engine waits for. */

import { inTime } from "./in-time.ts";
import type { Database } from "./ports.ts";

export type TimedDatabase = Pick<Database, "dialect" | "batch">;

/** Rejects a batch that gives no answer in time. The batch itself may still take effect. */
export function timedDatabase(database: Database, milliseconds: number): TimedDatabase {
  return {
    dialect: database.dialect,
    batch: (...given) => inTime(database.batch(...given), milliseconds, "the database"),
  };
}
