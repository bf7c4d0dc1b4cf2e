/**
 * The published database suite finds broken adapters. Each adapter of `broken-databases.ts` has one fault, and fails
 * the cases in `caughtBy`. The correct adapter passes all cases.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { within } from "../../host-shim/conformance/case.ts";
import { databaseCases } from "../../host-shim/conformance/database.ts";
import type { Database } from "../../host-shim/src/ports.ts";
import type { Batch } from "./broken-adapter.ts";
import { BROKEN_ADAPTERS } from "./broken-databases.ts";

/**
 * Returns the reason why a case failed; null if the case passed. A case that exceeds `limit_ms` has failed. Callers set
 * a short limit for a broken adapter, and a long limit for the correct adapter.
 */
async function failureOf(name: string, batch: (sound: Batch) => Batch, limit_ms: number): Promise<string | null> {
  const found = databaseCases.find((candidate) => candidate.name === name);
  assert.ok(found, `the suite has no case ${JSON.stringify(name)}`);
  const sound = openSqlite({ path: ":memory:" });
  try {
    const broken: Database = { dialect: "sqlite", batch: batch((statements) => sound.batch(statements)) };
    await within(found.run(broken), limit_ms);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await sound.close();
  }
}

describe("the database suite", () => {
  test("every case passes on the correct adapter", async () => {
    for (const { name } of databaseCases) assert.equal(await failureOf(name, (sound) => sound, 60_000), null, name);
  });

  test("no two cases have the same name", () => {
    assert.equal(new Set(databaseCases.map(({ name }) => name)).size, databaseCases.length);
  });

  for (const { fault, batch, caughtBy } of BROKEN_ADAPTERS) {
    test(`it catches an adapter that ${fault}`, async () => {
      for (const name of caughtBy)
        assert.ok(await failureOf(name, batch, 3_000), `the case ${JSON.stringify(name)} passed`);
    });
  }
});
