/** The table of calling codes equals the output of its script, and each language names its countries. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { it } from "node:test";
import { brotliCompressSync } from "node:zlib";

const root = new URL("../../", import.meta.url);
const table = readFileSync(new URL("crates/model/src/phones.txt", root), "utf8");
const regions = table
  .split("\n")
  .flatMap((line) => line.split(" ").slice(2))
  .flatMap((code) => code.match(/[A-Z]{2}/g) ?? []);

it("the table of calling codes equals the output of scripts/phone-table.ts", () => {
  const made = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "scripts/phone-table.ts", "--check"],
    { encoding: "utf8" },
  );
  assert.equal(made.status, 0, made.stderr);
});

it("the table has 245 regions in about 1 KB", () => {
  assert.equal(new Set(regions).size, 245);
  assert.equal(regions.length, 245);
  assert.ok(brotliCompressSync(table).length <= 1_100);
});

for (const name of readdirSync(new URL("visitor/languages/", root)).filter((name) => name.endsWith(".json")))
  it(`${name} names each country`, () => {
    const { country_names: names } = JSON.parse(readFileSync(new URL(`visitor/languages/${name}`, root), "utf8"));
    const named = String(names)
      .split("|")
      .map((one) => [one.slice(0, 2), one.slice(3)] as const);
    assert.deepEqual(named.map(([region]) => region).sort(), regions.toSorted());
    assert.ok(named.every(([, words]) => words.length > 1));
  });
