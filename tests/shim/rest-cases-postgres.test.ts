/** The scenarios of `tests/cases/rest` and `tests/cases/front` through WebAssembly, the shim and HTTP, on PostgreSQL, and the plans of their statements. */

import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import pg from "pg";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import type { Statement } from "../../host-shim/src/index.ts";
import { postgresForTests } from "./postgres-server.ts";
import { describeScenarios } from "./scenarios.ts";
import { startSite } from "./site.ts";
import { assertNoneWalks, recording, type Seen } from "./statement-plans.ts";

const postgres = await postgresForTests();
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
});

describe("on PostgreSQL", "skip" in postgres ? { skip: postgres.skip } : {}, () => {
  if ("skip" in postgres) return;
  const { url } = postgres.server;
  const administration = openPostgres({ url, max: 1 });
  after(() => administration.close());
  let schemas = 0;
  const urlOf = (schema: number) => `${url}?options=-csearch_path%3Dscenario_${schema}`;
  const open = async () => {
    const schema = (schemas += 1);
    await administration.batch([{ sql: `CREATE SCHEMA scenario_${schema}`, params: [] }]);
    return openPostgres({ url: urlOf(schema), max: 2 });
  };
  const seen: Seen = new Map();
  describeScenarios(async () => ({ database: recording(await open(), seen) }));

  it("no statement of a request scans a table or is too wide for a narrow database", async () => {
    const explain = ({ sql, params }: Statement) => [
      { sql: "SET LOCAL enable_seqscan = off", params: [] },
      { sql: `EXPLAIN ${sql}`, params },
    ];
    const walks = (plan: readonly string[]) => plan.some((line) => line.includes("Seq Scan on cf_"));
    // The statements are explained in another schema, whose tables are empty.
    await (await startSite({ database: await open() })).close();
    const client = new pg.Client({ connectionString: urlOf(schemas) });
    await client.connect();
    const columnsOf = async ({ sql, params }: Statement) => {
      if (!/^\s*(SELECT|WITH)|\bRETURNING\b/i.test(sql)) return [];
      await client.query("BEGIN");
      try {
        return (await client.query({ text: sql, values: [...params] })).fields.map(({ name }) => name);
      } finally {
        await client.query("ROLLBACK");
      }
    };
    assert.deepEqual(await columnsOf({ sql: "SELECT 1, 2", params: [] }), ["?column?", "?column?"]);
    await assertNoneWalks(open, seen, { explain, walks, columnsOf }).finally(() => client.end());
  });
});
