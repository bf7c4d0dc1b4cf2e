/** Files of other products (`tests/cases/imports`) give the same forms and reports through WebAssembly as natively. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { items, member, startSite, type JsonValue, type Site } from "./site.ts";

const folder = new URL("../cases/imports/", import.meta.url);

interface Sample {
  readonly name: string;
  readonly content: string;
  readonly expected: JsonValue;
}

function sampleOf(file: string): Sample {
  const name = file.replace(".expected.json", "");
  const bytes = readFileSync(new URL(name, folder));
  return {
    name,
    content: bytes.toString(name.endsWith(".xlsx") ? "base64" : "utf8"),
    expected: JSON.parse(readFileSync(new URL(file, folder), "utf8")) as JsonValue,
  };
}

/** The samples whose forms are imported. */
const samples = readdirSync(folder)
  .filter((file) => file.endsWith(".expected.json") && !file.startsWith("wordpress-site"))
  .map(sampleOf)
  .filter(({ expected }) => items(member(expected, "forms")).length > 0);

const notesOf = (report: JsonValue) =>
  items(report)
    .map((note) => `${String(member(note, "code"))} at ${String(member(note, "where"))}`)
    .sort();

const fieldsOf = (form: JsonValue | undefined) =>
  items(member(member(form, "schema"), "fields")).map((field) => [member(field, "name"), member(field, "type")]);

describe("files of other products", () => {
  let site: Site;
  before(async () => {
    site = await startSite();
  });
  after(() => site.close());

  const preview = (content: string, more: object = {}) =>
    site.api("POST", "/forms/import?preview=true", { content, ...more });

  it("are among the samples", () => assert.equal(samples.length, 14));

  for (const { name, content, expected } of samples) {
    it(`${name} gives the expected fields and report`, async () => {
      const { status, body } = await preview(content);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(member(body, "format"), member(expected, "format"));
      assert.deepEqual(fieldsOf(items(member(body, "forms"))[0]), fieldsOf(items(member(expected, "forms"))[0]));
      assert.deepEqual(notesOf(member(body, "report")), notesOf(member(expected, "report")));
    });
  }

  it("local times are read in the zone that the caller names", async () => {
    const fluent = samples.find(({ name }) => name === "fluent-forms.json");
    const { body } = await preview(fluent?.content ?? "", { time_zone: "Europe/Berlin" });
    const settings = member(items(member(body, "forms"))[0], "settings");
    assert.equal(member(settings, "opens_at"), "2026-03-01T08:00:00.000Z");
    assert.equal(member(settings, "closes_at"), "2026-05-31T21:59:00.000Z");
    const { status } = await preview(fluent?.content ?? "", { time_zone: "Europe/Nowhere" });
    assert.equal(status, 400);
  });
});
