/** The admin's texts use the words of its glossary, in each language. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

type Texts = Readonly<Record<string, string>>;

/** Words that each language avoids, with the word that it uses instead. */
const AVOIDED: Readonly<Record<string, readonly (readonly [avoided: RegExp, instead: string])[]>> = {
  en: [
    [/^Numbers$|\bthe numbers\b/i, "Analytics"],
    [/\bworkflows?\b/i, "Deliveries"],
    [/\bfaults?\b/i, "error"],
    [/\bworked\b/i, "succeeded"],
    [/\benough came in\b/i, "limit reached"],
    [/\bfilled in beforehand\b/i, "default value"],
    [/\bbesides\b/i, "also"],
    [/\bat most so many\b|\bso many (?:days|submissions)\b/i, "Submission limit"],
    [/\btaken for spam\b/i, "marked as spam"],
    [/\blook at (?:it|this)\b/i, "needs attention"],
    [/\bfor ever\b/i, "permanently"],
    [/\bthe form['’]s own\b/i, "the form’s"],
    [/\bcame in\b/i, "submissions"],
    [/\b(?:make|making) (?:an?|the|them|new|your)\b|\bwas made\b/i, "create"],
    [/\bsen(?:d|t|ding) (?:an?|the|this|your) form\b|\b(?:after|before) sending\b|\b(?:was|is) sent\b/i, "submit"],
    [/\bmeanwhile\b/i, "while you were editing"],
    [/\b[Ii]ds?\b/, "ID"],
    [/\bsomebody\b/i, "someone"],
    [/\bcolour|\bcancelled\b|\borganis/i, "American English"],
    [/\brevisions?\b/i, "version"],
    [/\bmails\b/i, "emails"],
    [/\b(?:readers?|subscribers?)\b/i, "viewer, member"],
    [/\buser name\b/i, "username"],
    [/\w'\w/, "a curly apostrophe"],
    [/\.\.\.|\s…/, "an ellipsis without a space before it"],
  ],
  de: [
    [/^Zahlen$/, "Auswertung"],
    [/\bAbläufe?\b/, "Zustellungen"],
    [/\bEingang\b/, "Posteingang"],
    [/\bMeldung(?:en)?\b/, "Texte, Bestätigung"],
    [/\bKn(?:opf|öpfe)\b/, "Button"],
    [/\bWorte\b/, "Texte"],
    [/\bIds?\b/, "ID"],
    [/\bfür immer\b/i, "endgültig"],
    [/\bAussehen\b/, "Design"],
    [/\binzwischen\b/i, "während Sie es bearbeitet haben"],
    [/(?<!E-)\bMails\b/, "E-Mails"],
    [/\b(?:Abonnent|Abonnentin)\b/, "Mitglied"],
    [/\bgescheitert\b/i, "fehlgeschlagen"],
    [/\S…/, "ein Leerzeichen vor dem Auslassungszeichen"],
  ],
};

/** Exceptions by id: texts that name a thing of another product, or the look of a rating. */
const NAMES_OF_OTHERS = /^(?:setting|api)\.|^build\.look\.numbers$/;

const FOLDER = new URL("../../admin/locales/", import.meta.url);

/** Every text of a language, by id, from all exports of a file. */
async function textsOf(language: string): Promise<Texts> {
  const files = readdirSync(fileURLToPath(new URL(language, FOLDER))).filter((name) => name.endsWith(".ts"));
  const modules = await Promise.all(
    files.map(async (name) => (await import(new URL(`${language}/${name}`, FOLDER).href)) as Record<string, Texts>),
  );
  return Object.assign({}, ...modules.flatMap((module) => Object.values(module))) as Texts;
}

describe("the admin's words", () => {
  for (const [language, avoided] of Object.entries(AVOIDED)) {
    it(`in ${language} are those of the glossary`, async () => {
      const texts = Object.entries(await textsOf(language)).filter(([id]) => !NAMES_OF_OTHERS.test(id));
      assert.ok(texts.length > 500);
      const found = texts.flatMap(([id, text]) =>
        avoided
          .filter(([pattern]) => pattern.test(text.replaceAll(/\{\w+(?:, (?:plural|select))?/g, "")))
          .map(([pattern, instead]) => `${id}: “${text}” has ${pattern}; use “${instead}”`),
      );
      assert.deepEqual(found, []);
    });
  }

  it("of the API's types of actions are those of the glossary", async () => {
    const texts = Object.entries(await textsOf("de")).filter(([id]) => NAMES_OF_OTHERS.test(id));
    assert.ok(texts.length > 80);
    const avoided = /\b[Ii]ds?\b|\bwhen empty\b|\bsuch as\b.*\bOne for each line\b|^Of /;
    assert.deepEqual(
      texts.filter(([id]) => avoided.test(id.slice(id.indexOf(".") + 1))),
      [],
    );
  });

  it("exist in German if they exist in English", async () => {
    const german = await textsOf("de");
    const english = await textsOf("en");
    assert.deepEqual(
      Object.keys(english).filter((id) => (german[id] ?? "").trim() === ""),
      [],
    );
  });
});
