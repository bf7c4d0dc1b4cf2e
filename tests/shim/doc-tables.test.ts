/** Generated tables of the docs are up to date. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readApiDocument } from "../../scripts/client-operations.ts";
import { PAGES, withTables } from "../../scripts/doc-tables.ts";

for (const page of PAGES) {
  test(`${page} has the tables of node scripts/doc-tables.ts`, async () => {
    const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8");
    assert.match(text, /<!-- table: /);
    assert.equal(text, withTables(page, await readApiDocument()));
  });
}
