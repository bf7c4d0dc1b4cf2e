/** A name for this process that no other of the same data folder has, and that is there again after a restart. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { randomLettersAndDigits } from "./secret.ts";

export interface Instance {
  readonly name: string;
  /** Leaves the name to the next process. A process that is killed leaves it too. */
  close(): void;
}

/** The most processes that share a data folder. */
const MOST = 256;

/**
 * Takes the first free name. Names are kept in files of `DATA_DIR/instances`, each locked by the process
 * that has it: by SQLite, since Node has no locks, and the system frees them with their process.
 */
export function takeInstance(dataDirectory: string): Instance {
  const folder = join(dataDirectory, "instances");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let worker = 1; worker <= MOST; worker += 1) {
    const file = new DatabaseSync(join(folder, `${worker}.sqlite`), { timeout: 0 });
    try {
      // The lock stays until the file is closed.
      file.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS instance (name TEXT NOT NULL)");
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
  throw new Error(`${folder}: ${MOST} processes use this data folder already`);
}

/** Whether another process has the file (SQLITE_BUSY, https://sqlite.org/rescode.html). */
function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}
