/** The generated tables of the docs are up to date. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readApiDocument } from "../../scripts/client-operations.ts";
import { HOOK_NAMES, hookNames, PAGES, withTables } from "../../scripts/doc-tables.ts";

for (const page of PAGES) {
  test(`${page} has the tables of node scripts/doc-tables.ts`, async () => {
    const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8");
    assert.match(text, /<!-- table: /);
    assert.equal(text, withTables(page, readApiDocument()));
  });
}

test(`${HOOK_NAMES} has the names of node scripts/doc-tables.ts`, async () => {
  assert.equal(readFileSync(new URL(`../../${HOOK_NAMES}`, import.meta.url), "utf8"), hookNames());
});
