/** The scenarios of `tests/cases/rest` and `tests/cases/front` through WebAssembly, the shim and HTTP, on SQLite, and the plans of their statements. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, it } from "node:test";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import type { Statement } from "../../host-shim/src/index.ts";
import { describeScenarios } from "./scenarios.ts";
import { startSite } from "./site.ts";
import { assertNoneWalks, findTooWide, recording, type Seen, TOO_WIDE } from "./statement-plans.ts";

/**
 * Whether SQLite scans a table. Excluded are the statement's own values and temporary results, and lists in the order
 * of an index, which end at their `LIMIT`.
 */
function walks(plan: readonly string[], sql: string): boolean {
  const made = plan.flatMap((line) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(line)?.[1] ?? []);
  const isPage =
    /LIMIT \?\d+( OFFSET \?\d+)?$/.test(sql) && !plan.some((line) => /TEMP B-TREE FOR ORDER BY/.test(line));
  return plan.some((line) => {
    const [, table = ""] = /^SCAN (\S+)/.exec(line) ?? [];
    if (table === "" || made.includes(table) || /CONSTANT ROW|VIRTUAL TABLE/.test(line)) return false;
    return !isPage;
  });
}

describe("on SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "cf-forms-rest-cases-"));
  let files = 0;
  const open = async () => openSqlite({ path: join(folder, `${(files += 1)}.sqlite`) });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const seen: Seen = new Map();
  describeScenarios(async () => ({ database: recording(await open(), seen) }));

  it("no statement of a request scans a table or is too wide for a narrow database", async () => {
    const explain = ({ sql, params }: Statement) => [{ sql: `EXPLAIN QUERY PLAN ${sql}`, params }];
    await (await startSite({ database: await open() })).close();
    const file = new DatabaseSync(join(folder, `${files}.sqlite`));
    const columnsOf = ({ sql }: Statement) =>
      file
        .prepare(sql)
        .columns()
        .map(({ name }) => name);
    assert.equal((await findTooWide(TOO_WIDE, columnsOf)).length, TOO_WIDE.length);
    await assertNoneWalks(open, seen, { explain, walks, columnsOf }).finally(() => file.close());
  });
});
