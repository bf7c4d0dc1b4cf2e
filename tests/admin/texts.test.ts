/** The texts of the admin: every language has all of them, with the same parameters, and each is used. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, it } from "node:test";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { hostPages } from "../../admin/locales/en/host-pages.ts";
import { texts as shown } from "../../admin/locales/en/index.ts";
import { SETTINGS } from "../../client/settings.ts";
import { LANGUAGES } from "../../admin/shared/text/languages.ts";
import recommendations from "../../src/analytics/recommend/rules.json" with { type: "json" };

type Texts = Readonly<Record<string, string>>;

const english: Texts = { ...shown, ...hostPages };

/** The texts of a language, and separately its translations of the API's English texts. */
async function textsOf(code: string): Promise<readonly [texts: Texts, api: Texts]> {
  const folder = `../../admin/locales/${code}`;
  const { texts } = (await import(`${folder}/index.ts`)) as { readonly texts: Texts };
  const { hostPages } = (await import(`${folder}/host-pages.ts`)) as { readonly hostPages: Texts };
  const { api } = code === "en" ? { api: {} } : ((await import(`${folder}/api.ts`)) as { readonly api: Texts });
  return [{ ...texts, ...hostPages }, api];
}

const others = await Promise.all(
  LANGUAGES.filter(({ code }) => code !== "en").map(async ({ code }) => [code, ...(await textsOf(code))] as const),
);

/** Returns the parameters of a message, at any depth. */
function parametersOf(message: unknown): readonly string[] {
  if (!Array.isArray(message)) return [];
  return message.flatMap((part): readonly string[] => {
    if (!Array.isArray(part)) return [];
    const [name, , choices] = part as readonly unknown[];
    const inner = typeof choices === "object" && choices !== null ? Object.values(choices).flatMap(parametersOf) : [];
    return [String(name), ...inner];
  });
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The content of the sources in some folders, without the texts themselves. */
function sources(...folders: readonly string[]): string {
  const files = folders.flatMap((folder) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:tsx?|rs|json)$/.test(name) && !/^locales\b/.test(name))
      .map((name) => readFileSync(`${ROOT}${folder}/${name}`, "utf8")),
  );
  return files.join("\n");
}

const admin = sources("admin", "host-shim/hosts/embedded");

/** The names that ids are built from, in quotes or as members: keys of settings and messages, codes, states. */
const names = new Set(
  [
    ...(admin + sources("src", "crates", "client", "host-shim/src", "visitor/languages")).matchAll(
      /"([\w.-]+)"|\b(\w+)\??:/g,
    ),
  ].map(([, quoted, member]) => quoted ?? member ?? ""),
);

/** The prefixes of ids that the code builds from data, as in `t(`queue.${status}`)` and `textOf("operator", value)`. */
const madeIds = [
  ...[...admin.matchAll(/\bt\(`([\w.-]+)\.\$\{/g)].map(([, prefix = ""]) => prefix),
  ...[...admin.matchAll(/\btextOf(?:Key)?\(\s*["`]([\w.-]+)(?:"|\.\$\{)/g)].map(([, prefix = ""]) => prefix),
];

/** Whether the code contains the id, or its prefix and the names that it is built from. */
function isUsed(id: string): boolean {
  return (
    admin.includes(`"${id}"`) ||
    madeIds.some(
      (prefix) =>
        id.startsWith(`${prefix}.`) &&
        id
          .slice(prefix.length + 1)
          .split(".")
          .every((name) => names.has(name)),
    )
  );
}

describe("the admin's texts", () => {
  it("exist in each language of the folder", () => {
    const folders = readdirSync(`${ROOT}admin/locales`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(LANGUAGES.map(({ code }) => code).sort(), folders.map(({ name }) => name).sort());
    assert.ok(others.length > 0);
    const host = readFileSync(`${ROOT}host-shim/hosts/embedded/page-texts.ts`, "utf8");
    for (const { code } of LANGUAGES) assert.ok(host.includes(`/locales/${code}/host-pages.ts`), code);
  });

  it("are the English texts, and translations of the API's texts", () => {
    const [, , firstApi = {}] = others[0] ?? [];
    for (const [code, texts, api] of others) {
      assert.deepEqual(Object.keys(api).sort(), Object.keys(firstApi).sort(), code);
      assert.deepEqual(
        Object.keys(texts)
          .filter((id) => !(id in api))
          .sort(),
        Object.keys(english).sort(),
        code,
      );
      assert.deepEqual(
        Object.keys(api).filter((id) => id in english || !(id in texts)),
        [],
        code,
      );
    }
  });

  it("have a title for each recommendation of the API", () => {
    for (const [code, , api] of others) {
      assert.deepEqual(
        recommendations.filter((rule) => !(`advice.${rule.code}` in api && `advice.${rule.code}.text` in english)),
        [],
        code,
      );
    }
  });

  it("name each setting that the changes of a form can contain", () => {
    // Changes of actions are listed by action.
    const keys = SETTINGS.map(({ key }) => key).filter((key) => key !== "actions");
    assert.deepEqual(
      keys.filter((key) => !(`settings.${key}` in english)),
      [],
    );
  });

  it("have the parameters of the English text", () => {
    const parameters = (message: string) => [...new Set(parametersOf(compileMessage(message)))].sort();
    for (const [code, texts] of others) {
      for (const [id, text] of Object.entries(texts)) {
        assert.notEqual(text.trim(), "", `${code} ${id}`);
        if (id in english) assert.deepEqual(parameters(text), parameters(english[id] ?? ""), `${code} ${id}`);
      }
    }
  });

  it("of the host's pages are plain, because the host has no message parser", () => {
    for (const [id, text] of Object.entries(hostPages)) {
      const marks = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(marks, parametersOf(compileMessage(text)), id);
    }
  });

  it("are all used", () => {
    const fromApi = others.flatMap(([, , api]) => Object.keys(api)).filter((id) => !/^(?:api|english)\./.test(id));
    assert.deepEqual(
      [...Object.keys(english), ...fromApi].filter((id) => !isUsed(id)),
      [],
    );
  });

  it("exist for every id in the code", () => {
    const ids = [...admin.matchAll(/\bt\("([a-z][\w.-]*)"/gi)].map(([, id = ""]) => id);
    assert.ok(ids.length > 200);
    assert.deepEqual(
      ids.filter((id) => !(id in english)),
      [],
    );
  });
});
