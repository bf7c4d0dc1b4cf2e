/** The adapters for third-party clients pass the published suite of the database port. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createClient } from "@libsql/client";
import BetterSqlite3 from "better-sqlite3";
import { kyselySqlite } from "cf-forms/adapters/kysely";
import { libsql } from "cf-forms/adapters/libsql";
import { databaseCases, databaseConformance } from "cf-forms/conformance";
import { Kysely, SqliteDialect } from "kysely";
import type { Miniflare } from "miniflare";
import { startWorker } from "./start-worker.ts";

const skip = (name: string, reason: string) => test(name, { skip: reason });

async function temporary() {
  const folder = await mkdtemp(join(tmpdir(), "cf-forms-adapter-"));
  return { path: join(folder, "data.db"), remove: () => rm(folder, { recursive: true, force: true }) };
}

describe("Kysely over better-sqlite3", () => {
  databaseConformance({
    test,
    skip,
    cannot: { "columns of one name": "Kysely gives rows as objects" },
    async open() {
      const { path, remove } = await temporary();
      const kysely = new Kysely({ dialect: new SqliteDialect({ database: new BetterSqlite3(path) }) });
      return { database: kyselySqlite(kysely), close: () => kysely.destroy().then(remove) };
    },
  });
});

describe("libSQL", () => {
  databaseConformance({
    test,
    skip,
    cannot: { "undoing what cannot be read": "libSQL commits before it gives the rows" },
    async open() {
      const { path, remove } = await temporary();
      const client = createClient({ url: `file:${path}` });
      return { database: libsql(client), close: () => (client.close(), remove()) };
    },
  });
});

describe("D1 in workerd", () => {
  const cannot: Readonly<Record<string, string>> = {
    "columns of one name": "D1 gives rows as objects",
    "undoing what cannot be read": "D1 commits before it gives the rows",
  };
  let miniflare: Miniflare;
  before(async () => {
    miniflare = await startWorker("conformance-worker.ts");
  });
  after(() => miniflare.dispose());
  for (const [index, { name, optional }] of databaseCases.entries()) {
    const reason = cannot[optional ?? ""];
    if (reason !== undefined) skip(name, reason);
    else {
      test(name, async () => {
        const response = await miniflare.dispatchFetch(`http://case.test/${index}`);
        assert.equal(await response.text(), "passed");
      });
    }
  }
});
