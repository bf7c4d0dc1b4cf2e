import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSize } from "../../benches/gzip-size.ts";
import { conversation, embed, fields, parts, script, style } from "../../visitor/assets.ts";

/** Limits for the files of a visitor's page, in compressed bytes. */
const BUDGET: Readonly<Record<string, number>> = {
  script: 15_000,
  style: 8_000,
  embed: 3_000,
  ranking: 1_500,
};

/** Limit for each part that is loaded when a form needs it. */
const PART_BYTES = 4_000;

test("a visitor's page loads small files", (t) => {
  for (const [name, asset] of Object.entries({
    script,
    style,
    embed,
    ...parts,
    "conversation style": conversation,
    "fields style": fields,
  })) {
    const bytes = gzipSize(asset.content);
    const budget = BUDGET[name] ?? PART_BYTES;
    t.diagnostic(`${name}: ${bytes} bytes of ${budget}`);
    assert.ok(bytes <= budget, `${name}: ${bytes} bytes, more than ${budget}`);
  }
});
