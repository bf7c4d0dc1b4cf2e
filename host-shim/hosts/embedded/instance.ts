/** Names for processes: unique in the data folder, and the same again after a restart. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { randomLettersAndDigits } from "./secret.ts";

export interface Instance {
  readonly name: string;
  /** Releases the name, as the end of a killed process does. */
  close(): void;
}

/** Limit for the processes that share a data folder. */
const MAX_PROCESSES = 256;

/**
 * Takes the first free name. Each name is a file in `DATA_DIR/instances` that its process locks. SQLite holds the lock,
 * because Node has no file locks. The system releases it with the process.
 */
export function takeInstance(dataDirectory: string): Instance {
  const folder = join(dataDirectory, "instances");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let worker = 1; worker <= MAX_PROCESSES; worker += 1) {
    const file = new DatabaseSync(join(folder, `${worker}.sqlite`), { timeout: 0 });
    try {
      // The lock is held until the file is closed.
      file.exec(
        "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS instance (name TEXT NOT NULL)",
      );
      file
        .prepare("INSERT INTO instance (name) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM instance)")
        .run(randomLettersAndDigits(12));
      const row = file.prepare("SELECT name FROM instance").get();
      file.exec("COMMIT");
      return { name: String(row?.["name"]), close: () => file.close() };
    } catch (error) {
      file.close();
      if (!isBusy(error)) throw error;
    }
  }
  throw new Error(`${folder}: ${MAX_PROCESSES} processes use this data folder already`);
}

/** Whether another process has locked the file (SQLITE_BUSY, https://sqlite.org/rescode.html). */
function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}
