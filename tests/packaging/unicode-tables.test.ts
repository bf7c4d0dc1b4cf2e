/** The Unicode tables equal the output of their script, if this Node has the tables' Unicode version. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { it } from "node:test";

const options = process.versions["unicode"] === "17.0" ? {} : { skip: "this Node has another version of Unicode" };

it("the Unicode tables equal the output of scripts/unicode-tables.ts", options, () => {
  const made = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "scripts/unicode-tables.ts", "--check"],
    { encoding: "utf8" },
  );
  assert.equal(made.status, 0, made.stderr);
});
