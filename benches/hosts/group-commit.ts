/** Durable writes on `node:sqlite` that share one COMMIT in each turn of the event loop. */

import { DatabaseSync } from "node:sqlite";

export interface GroupCommit {
  readonly database: DatabaseSync;
  /** Runs the statements in the next transaction; resolves when it is on the disk. */
  write<T>(run: () => T): Promise<T>;
}

export function openGroupCommit(path: string): GroupCommit {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY");
  let waiting: (() => () => void)[] = [];

  function commit(): void {
    const group = waiting;
    waiting = [];
    database.exec("BEGIN IMMEDIATE");
    const settlers = group.map((run) => run());
    database.exec("COMMIT");
    for (const settle of settlers) settle();
  }

  return {
    database,
    write: (run) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(commit);
        waiting.push(() => {
          database.exec("SAVEPOINT one");
          try {
            const result = run();
            database.exec("RELEASE one");
            return () => resolve(result);
          } catch (error) {
            database.exec("ROLLBACK TO one; RELEASE one");
            return () => reject(error);
          }
        });
      }),
  };
}
