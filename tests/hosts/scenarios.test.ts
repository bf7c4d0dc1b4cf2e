/** The scenarios of `tests/cases/rest` and `tests/cases/front` on the adapters for third-party clients. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createClient } from "@libsql/client";
import BetterSqlite3 from "better-sqlite3";
import type { Database } from "cf-forms";
import { kyselySqlite } from "cf-forms/adapters/kysely";
import { libsql } from "cf-forms/adapters/libsql";
import { Kysely, SqliteDialect } from "kysely";
import { runScenario, scenarioFiles } from "../shim/scenarios.ts";

type Opened = Database & { close(): Promise<void> };

const ADAPTERS: Readonly<Record<string, (path: string) => Opened>> = {
  "Kysely over better-sqlite3"(path) {
    const kysely = new Kysely({ dialect: new SqliteDialect({ database: new BetterSqlite3(path) }) });
    return { ...kyselySqlite(kysely), close: () => kysely.destroy() };
  },
  libSQL(path) {
    const client = createClient({ url: `file:${path}` });
    return { ...libsql(client), close: async () => client.close() };
  },
};

for (const [adapter, open] of Object.entries(ADAPTERS)) {
  describe(adapter, () => {
    for (const { file, scenarios } of scenarioFiles()) {
      for (const scenario of scenarios) {
        it(`${file}: ${scenario.name}`, async () => {
          const folder = await mkdtemp(join(tmpdir(), "cf-forms-scenario-"));
          try {
            await runScenario(scenario, { database: open(join(folder, "data.db")) });
          } finally {
            await rm(folder, { recursive: true, force: true });
          }
        });
      }
    }
  });
}
