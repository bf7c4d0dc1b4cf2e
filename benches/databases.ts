/** New databases for a benchmark, by default of the kind in `BENCH_DATABASE`: `sqlite` (default) or `postgres`. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../host-shim/adapters/node-sqlite.ts";
import { openPostgres } from "../host-shim/adapters/postgres.ts";
import type { Database } from "../host-shim/src/index.ts";
import { startPostgres } from "../tests/shim/postgres-server.ts";

export type BenchDatabase = Database & { close(): Promise<void> };

export type DatabaseKind = "sqlite" | "postgres";

export interface Databases {
  readonly kind: DatabaseKind;
  /** Opens a new database with durable commits. */
  open(name: string): Promise<BenchDatabase>;
  /** Removes all databases after they are closed. */
  remove(): Promise<void>;
}

export async function openDatabases(kind = process.env["BENCH_DATABASE"] ?? "sqlite"): Promise<Databases> {
  if (kind === "postgres") return onPostgres();
  if (kind !== "sqlite") throw new Error(`BENCH_DATABASE is ${kind}, but must be sqlite or postgres`);
  const folder = mkdtempSync(join(tmpdir(), "cf-forms-bench-"));
  return {
    kind,
    open: async (name) => openSqlite({ path: join(folder, `${name}.sqlite`) }),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function onPostgres(): Promise<Databases> {
  const server = await startPostgres({ durable: true });
  return {
    kind: "postgres",
    async open(name) {
      const administration = openPostgres({ url: server.url, max: 1 });
      await administration.batch([{ sql: `CREATE SCHEMA ${name}`, params: [] }]);
      await administration.close();
      // One statement that fills a site can take minutes.
      return openPostgres({ url: `${server.url}?options=-csearch_path%3D${name}`, statement_ms: 600_000 });
    },
    remove: () => server.stop(),
  };
}
