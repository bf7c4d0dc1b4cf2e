/** The layout of the admin's source. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { EDITED_ELSEWHERE, EDITED_IN_SETTINGS } from "../../admin/features/form/setting-places.ts";
import { SETTINGS } from "../../client/settings.ts";
import { texts as english } from "../../admin/locales/en/index.ts";

const SOURCE = fileURLToPath(new URL("../../admin/", import.meta.url));
const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
const contents = new Map(files.map((name) => [name, readFileSync(join(SOURCE, name), "utf8")]));

/** Folders from the outermost inward. A file imports only from its own folder and from later ones. */
const LAYERS = ["app", "features", "ui", "shared", "templates", "styles", "locales", "types"];

function isInward(source: string, target: string): boolean {
  const [from = "", feature] = source.split("/");
  const [to = "", otherFeature] = target.split("/");
  if (from === "features" && to === "features") return feature === otherFeature;
  return !LAYERS.includes(to) || LAYERS.indexOf(from) <= LAYERS.indexOf(to);
}

describe("the admin's source", () => {
  it("imports inward: from the app to features, then ui, then shared, and never between features", () => {
    assert.ok(files.length > 50);
    const outward = [...contents].flatMap(([name, content]) =>
      [...content.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)]
        .map(([, target = ""]) => relative(".", join(dirname(name), target)))
        .filter((target) => !isInward(name, target))
        .map((target) => `${name} imports ${target}`),
    );
    assert.deepEqual(outward, []);
    assert.ok(
      files.every((name) => LAYERS.includes(name.split("/")[0] ?? "")),
      "every file is in a folder of the layers",
    );
  });

  it("imports parts of React Aria by their paths, so that screens load separately", () => {
    assert.deepEqual(
      [...contents].filter(([, content]) => /from "react-aria-components"/.test(content)).map(([name]) => name),
      [],
    );
  });

  it("has a label for each setting of forms, a help text for each explained one, and a title for each group", () => {
    assert.ok(EDITED_IN_SETTINGS.length > 20);
    const ids = EDITED_IN_SETTINGS.flatMap(({ key, group }) => [
      ...(key === "spam_checks" ? [] : [`settings.${key}`, `settings.${key}.help`]),
      ...(group === "spam" ? [] : [`settings.group.${group}`]),
    ]);
    assert.deepEqual(
      ids.filter((id) => !(id in english)),
      [],
    );
    assert.deepEqual(
      SETTINGS.filter((setting) => !EDITED_IN_SETTINGS.includes(setting) && !EDITED_ELSEWHERE.has(setting.key)),
      [],
    );
  });
});
