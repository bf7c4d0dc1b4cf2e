/** Databases for the tests of adapters. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openSqlite, type SqliteDatabase } from "../../host-shim/adapters/node-sqlite.ts";
import type { Database, SqlValue, Statement } from "../../host-shim/src/ports.ts";

export const statement = (sql: string, ...params: SqlValue[]): Statement => ({ sql, params });

export async function temporaryFile(): Promise<{ path: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), "cf-forms-sqlite-"));
  return { path: join(directory, "data.db"), remove: () => rm(directory, { recursive: true }) };
}

export async function openTemporary(
  t: TestContext,
  ...schema: string[]
): Promise<{ database: SqliteDatabase; path: string }> {
  const { path, remove } = await temporaryFile();
  const database = openSqlite({ path });
  t.after(async () => {
    await database.close();
    await remove();
  });
  await database.batch(schema.map((sql) => statement(sql)));
  return { database, path };
}

export function secondProcess(path: string, work: number | "hold") {
  const program = join(import.meta.dirname, "sqlite-writer.ts");
  return spawn(process.execPath, [program, path, String(work)], { stdio: ["pipe", "pipe", "inherit"] });
}

/** Locks the file in another process until it is released. */
export async function lockedElsewhere(path: string): Promise<{ release(): Promise<void> }> {
  const other = secondProcess(path, "hold");
  const exited = once(other, "exit");
  await once(other.stdout, "data");
  return {
    async release() {
      other.stdin.end();
      assert.deepEqual(await exited, [0, null]);
    },
  };
}

export async function readNumber(database: Database, sql: string): Promise<SqlValue | undefined> {
  const [result] = await database.batch([statement(sql)]);
  return result?.rows[0]?.[0];
}
