import assert from "node:assert/strict";
import { test } from "node:test";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { startPostgres } from "./postgres-server.ts";

test("npm's binaries are used if the system has none, and nothing is left after a stop", async (t) => {
  const server = await startPostgres({ binaries: "embedded" }).catch((error: Error) => error);
  if (server instanceof Error) {
    if (process.env["CI"]) throw server;
    t.skip(server.message);
    return;
  }
  const database = openPostgres({ url: server.url, connect_ms: 2_000 });
  const [result] = await database.batch([{ sql: "SELECT version()", params: [] }]);
  await database.close();
  await server.stop();
  assert.match(String(result?.rows[0]?.[0]), /^PostgreSQL 18/);
  const after = openPostgres({ url: server.url, connect_ms: 2_000 });
  await assert.rejects(after.batch([{ sql: "SELECT 1", params: [] }]), /no connection/);
  await after.close();
});
