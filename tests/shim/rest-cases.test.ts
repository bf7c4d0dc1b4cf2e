/** The scenarios of `tests/cases/rest` and `tests/cases/front` through WebAssembly, the shim and HTTP, on both databases. */

import { after, describe, it } from "node:test";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { postgresForTests } from "./postgres-server.ts";
import { runScenario, scenarioFiles } from "./scenarios.ts";
import type { SiteOptions } from "./site.ts";

const postgres = await postgresForTests();
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
});

function everyScenario(options: () => Promise<SiteOptions>): void {
  for (const { file, scenarios } of scenarioFiles()) {
    describe(file, () => {
      for (const scenario of scenarios) it(scenario.name, async () => runScenario(scenario, await options()));
    });
  }
}

describe("on SQLite", () => everyScenario(async () => ({})));

describe("on PostgreSQL", "skip" in postgres ? { skip: postgres.skip } : {}, () => {
  if ("skip" in postgres) return;
  const { url } = postgres.server;
  const administration = openPostgres({ url, max: 1 });
  after(() => administration.close());
  let schemas = 0;
  everyScenario(async () => {
    const schema = `scenario_${(schemas += 1)}`;
    await administration.batch([{ sql: `CREATE SCHEMA ${schema}`, params: [] }]);
    return { database: openPostgres({ url: `${url}?options=-csearch_path%3D${schema}`, max: 2 }) };
  });
});
