/** The tables of Unicode are what their script makes of the version of Unicode that it names. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { it } from "node:test";

const options = process.versions["unicode"] === "17.0" ? {} : { skip: "this Node knows another version of Unicode" };

it("the tables of Unicode are what scripts/unicode-tables.ts makes", options, () => {
  const made = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "scripts/unicode-tables.ts", "--check"],
    { encoding: "utf8" },
  );
  assert.equal(made.status, 0, made.stderr);
});
