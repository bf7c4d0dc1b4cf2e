import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { embed, lists, script, style } from "../../visitor/assets.ts";

/** Limits for the files of a visitor's page, in compressed bytes. */
const BUDGET = { script: 15_000, style: 7_150, embed: 3_000, lists: 4_000 };

test("a visitor loads little beside the page", (t) => {
  for (const [name, asset] of Object.entries({ script, style, embed, lists })) {
    const bytes = gzipSync(asset.content, { level: 9 }).length;
    const budget = BUDGET[name as keyof typeof BUDGET];
    t.diagnostic(`${name}: ${bytes} bytes of ${budget}`);
    assert.ok(bytes <= budget, `${name}: ${bytes} bytes, more than ${budget}`);
  }
});
