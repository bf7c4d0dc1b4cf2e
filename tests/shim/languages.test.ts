/** Every catalogue has every text, with the same things to fill in. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { languages } from "../../visitor/languages/index.ts";
import { member, startSite } from "./site.ts";

const folder = new URL("../../visitor/languages/", import.meta.url);
const read = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Record<string, string>;
const english = read("en.json");
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const holes = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

test("there are thirteen languages", () => assert.equal(files.length, 13));

test("the package has what the catalogues say", () => {
  const others = files.filter((name) => name !== "en.json").map((name) => [name.replace(".json", ""), read(name)]);
  assert.deepEqual(languages, Object.fromEntries(others));
});

for (const file of files) {
  test(`${file} has every key and every hole of the English texts`, () => {
    const texts = read(file);
    assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort());
    for (const [key, text] of Object.entries(texts)) {
      assert.deepEqual(holes(text), holes(english[key] ?? ""), key);
      if (key !== "group_mark") assert.notEqual(text.trim(), "", key);
    }
  });
}

test("the English catalogue says what the engine says, and misses none of its messages", async () => {
  const site = await startSite();
  try {
    const messages = member((await site.api("POST", "/forms", { title: "A", markup: "" })).body, "messages");
    for (const [key, text] of Object.entries(messages as Record<string, string>)) assert.equal(english[key], text, key);
  } finally {
    await site.close();
  }
});
