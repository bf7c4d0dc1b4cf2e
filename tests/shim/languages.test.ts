/** The texts for visitors: every language has each of them, with the same placeholders, and each is used. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { english as packaged } from "../../visitor/languages/english.ts";
import { languages } from "../../visitor/languages/index.ts";
import { member, startSite } from "./site.ts";

const folder = new URL("../../visitor/languages/", import.meta.url);
const read = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Record<string, string>;
const english = read("en.json");
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

test("there are thirteen languages", () => assert.equal(files.length, 13));

test("the package has what the catalogues say", () => {
  const others = files.filter((name) => name !== "en.json").map((name) => [name.replace(".json", ""), read(name)]);
  assert.deepEqual(languages, Object.fromEntries(others));
});

for (const file of files) {
  test(`${file} has every key and every placeholder of the English texts`, () => {
    const texts = read(file);
    assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort());
    for (const [key, text] of Object.entries(texts)) {
      assert.deepEqual(placeholders(text), placeholders(english[key] ?? ""), key);
      if (key !== "group_mark") assert.notEqual(text.trim(), "", key);
    }
  });
}

test("the shim has the English texts", () => assert.deepEqual(packaged, english));

const root = new URL("../../", import.meta.url);

/** The code that shows texts, without the list that tells words from messages. */
const code = ["src", "crates", "visitor/script", "visitor/embed", "host-shim/src"]
  .flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:rs|ts)$/.test(name) && name !== "model/src/messages.rs")
      .map((name) => readFileSync(new URL(`${folder}/${name}`, root), "utf8")),
  )
  .join("\n");

test("each text is used", () => {
  const isNamed = (name: string) => code.includes(`"${name}"`);
  // Such as `format!("part_{}", part.name)`.
  const isMade = (key: string) => {
    const [, prefix = "", rest = ""] = /^([a-z]+_)(.+)$/.exec(key) ?? [];
    return prefix !== "" && code.includes(`"${prefix}{`) && isNamed(rest);
  };
  const FAMILIES = ["type_image", "type_audio", "type_video"];
  assert.deepEqual(
    Object.keys(english).filter((key) => !isNamed(key) && !isMade(key) && !FAMILIES.includes(key)),
    [],
  );
});

/** The texts that are no messages of a form, and the formats of a language. */
const WORDS = `date_format decimal_mark group_mark leave_empty no part_city part_country part_first part_last
  part_postal_code part_state part_street part_street2 print review_change review_title send_another size_bytes size_kb
  size_mb submit type_audio type_image type_video yes`.split(/\s+/);

test("a form lists the English messages, all but the words that rendering adds", async () => {
  const site = await startSite();
  try {
    const messages = member((await site.api("POST", "/forms", { title: "A", markup: "" })).body, "messages");
    const listed = Object.entries(messages as Record<string, string>);
    for (const [key, text] of listed) assert.equal(english[key], text, key);
    assert.deepEqual(
      Object.keys(english)
        .filter((key) => !(key in (messages as object)))
        .sort(),
      WORDS,
    );
  } finally {
    await site.close();
  }
});
