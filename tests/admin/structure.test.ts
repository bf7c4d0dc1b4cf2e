/** How the admin's source is laid out, and that its languages are whole. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { EDITED_ELSEWHERE, EDITED_IN_SETTINGS } from "../../admin/features/form/setting-places.ts";
import { SETTINGS } from "../../client/settings.ts";
import { LANGUAGES } from "../../admin/shared/text/languages.ts";
import { texts as english } from "../../admin/locales/en/index.ts";

const SOURCE = fileURLToPath(new URL("../../admin/", import.meta.url));
const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
const contents = new Map(files.map((name) => [name, readFileSync(join(SOURCE, name), "utf8")]));

/** Folders from the outermost to the innermost: a file imports from its own folder and from those after it. */
const LAYERS = ["app", "features", "ui", "shared", "templates", "styles", "locales", "types"];

function isInward(source: string, target: string): boolean {
  const [from = "", feature] = source.split("/");
  const [to = "", otherFeature] = target.split("/");
  if (from === "features" && to === "features") return feature === otherFeature;
  return !LAYERS.includes(to) || LAYERS.indexOf(from) <= LAYERS.indexOf(to);
}

/** The names between braces that a message takes, at any depth. */
function parametersOf(message: unknown): readonly string[] {
  if (!Array.isArray(message)) return [];
  return message.flatMap((part): readonly string[] => {
    if (!Array.isArray(part)) return [];
    const [name, , choices] = part as readonly unknown[];
    const inner = typeof choices === "object" && choices !== null ? Object.values(choices).flatMap(parametersOf) : [];
    return [String(name), ...inner];
  });
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

  it("takes parts of React Aria by their own paths, so that screens load apart", () => {
    assert.deepEqual(
      [...contents].filter(([, content]) => /from "react-aria-components"/.test(content)).map(([name]) => name),
      [],
    );
  });

  it("says everything in each of its languages, with the same parameters", async () => {
    assert.deepEqual(LANGUAGES.map(({ code }) => code).sort(), readdirSync(join(SOURCE, "locales")).sort());
    assert.ok(LANGUAGES.length >= 2);
    for (const { code } of LANGUAGES) {
      const { texts } = (await import(`../../admin/locales/${code}/index.ts`)) as {
        readonly texts: Readonly<Record<string, string>>;
      };
      assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort(), code);
      for (const [id, text] of Object.entries(english)) {
        const translated = texts[id] ?? "";
        assert.notEqual(translated.trim(), "", `${code} ${id}`);
        const parameters = (message: string) => [...new Set(parametersOf(compileMessage(message)))].sort();
        assert.deepEqual(parameters(translated), parameters(text), `${code} ${id}`);
      }
    }
  });

  it("has a label for each setting of forms, a help text for each that a line explains, and a title for each group", () => {
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

  it("asks for no text that is not there", () => {
    const usedIds = [...contents.values()].flatMap((content) =>
      [...content.matchAll(/\bt\("([a-z][\w.-]*)"/gi)].map(([, id = ""]) => id),
    );
    assert.ok(usedIds.length > 200);
    assert.deepEqual(
      usedIds.filter((id) => !(id in english)),
      [],
    );
  });
});
