/**
 * Makes `visitor/assets.ts` from the minified script and style of visitors' pages, and the modules of
 * `visitor/languages` from its JSON files. The files become modules, because a Worker has no file system. Runs on Node 24
 * as a step of the build.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync, transformSync } from "esbuild";
import { fail, root } from "./commands.mjs";

const folder = join(root, "visitor");

/**
 * @param {string} name
 * @returns {string}
 */
function styleSource(name) {
  return readFileSync(join(folder, "styles", name), "utf8");
}

/**
 * Builds an asset whose name changes with its content, so that it can be cached for ever.
 *
 * @param {string} stem
 * @param {string} ending
 * @param {string} type
 * @param {string} content
 */
function asset(stem, ending, type, content) {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 10);
  return { name: `${stem}.${hash}.${ending}`, type: `${type}; charset=utf-8`, content };
}

/** Parts of the style: the values, then the rules that use them. Later parts override earlier ones. */
const STYLES = ["theme.css", "form.css", "markup.css", "choices.css", "frameworks.css", "messages.css", "steps.css"];

/** Entries of the visitor's script. analytics.ts listens for the event that form.ts emits, so it comes first. */
const ENTRIES = ["script/analytics.ts", "script/form.ts"];

/**
 * Bundles sources into one script with its own scope, or into a module for parts that are loaded on demand.
 *
 * @param {readonly string[]} entries
 * @param {"iife" | "esm"} format
 * @param {Record<string, string>} define
 */
function script(entries, format = "iife", define = {}) {
  const { outputFiles } = buildSync({
    stdin: {
      contents: entries.map((name) => `${format === "esm" ? "export * from" : "import"} "./${name}";`).join("\n"),
      resolveDir: folder,
    },
    bundle: true,
    format,
    target: "es2022",
    minify: true,
    define: { CAPTCHA_SERVICES: JSON.stringify(captchaServices()), ...define },
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

/** Builds the style as one file. Nothing is rewritten for older browsers, which skip unknown rules. */
function style() {
  const { code } = transformSync(STYLES.map(styleSource).join("\n"), { loader: "css", minify: true });
  // esbuild leaves the values of custom properties unchanged; ours are colours and lengths, which need no spaces.
  return code.replace(/(--cf-[\w-]+): ([^;}]*)/g, (_, name, value) => `${name}:${value.replace(/, /g, ",")}`);
}

/** Returns the widgets of `verifiers.json` by type, with the facts for the visitor's script. */
function captchaServices() {
  const path = join(root, "src/spam/verifiers.json");
  /** @type {{ type: string, token: string, widget?: { script: string, global: string } }[]} */
  const verifiers = JSON.parse(readFileSync(path, "utf8"));
  return Object.fromEntries(
    verifiers.flatMap(({ type, token, widget }) =>
      widget === undefined ? [] : [[type, { script: widget.script, global: widget.global, token }]],
    ),
  );
}

/** Returns the texts of each language: English, which the engine and the shim contain, and the others. */
function catalogues() {
  const languages = join(root, "visitor/languages");
  const files = readdirSync(languages).filter((name) => name.endsWith(".json"));
  const { en: english, ...others } = Object.fromEntries(
    files.sort().map((name) => [name.replace(".json", ""), JSON.parse(readFileSync(join(languages, name), "utf8"))]),
  );
  return { english, others };
}

/**
 * @param {string} file
 * @param {string} content
 */
function writeIfChanged(file, content) {
  if (existsSync(file) && readFileSync(file, "utf8") === content) return;
  // A rename is atomic, so that a concurrent import never sees half a file.
  const staged = `${file}.${process.pid}`;
  writeFileSync(staged, content);
  renameSync(staged, file);
}

try {
  const lists = asset("lists", "js", "text/javascript", script(["script/lists.ts"], "esm"));
  const assets = {
    style: asset("form", "css", "text/css", style()),
    script: asset("form", "js", "text/javascript", script(ENTRIES, "iife", { LISTS_PART: JSON.stringify(lists.name) })),
    lists,
    embed: asset("embed", "js", "text/javascript", script(["embed/embed.ts"])),
  };
  writeIfChanged(
    join(folder, "assets.ts"),
    `// Made by scripts/visitor-assets.mjs from ${[...STYLES, ...ENTRIES].join(", ")}; not to be edited.

/** A file for visitors' browsers; its name changes with its content. */
export interface FrontAsset {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

export const style: FrontAsset = ${JSON.stringify(assets.style, null, 2)};

export const script: FrontAsset = ${JSON.stringify(assets.script, null, 2)};

export const embed: FrontAsset = ${JSON.stringify(assets.embed, null, 2)};

/** What the script loads for forms with long lists. */
export const lists: FrontAsset = ${JSON.stringify(assets.lists, null, 2)};
`,
  );
  const { english, others } = catalogues();
  writeIfChanged(
    join(root, "visitor/languages/english.ts"),
    `// Made by scripts/visitor-assets.mjs from en.json; not to be edited.

/** The texts for visitors in English. The engine contains the same file. */
export const english = ${JSON.stringify(english, null, 2)} as const;
`,
  );
  writeIfChanged(
    join(root, "visitor/languages/index.ts"),
    `// Made by scripts/visitor-assets.mjs from the catalogues of this folder; not to be edited.

/** Texts for visitors by the keys of messages, by language tag. */
export type Languages = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The languages that the package has, for \`createForms({ languages })\`. */
export const languages: Languages = ${JSON.stringify(others, null, 2)};

/** The tags of {@link languages}. */
export const LANGUAGE_TAGS: readonly string[] = ${JSON.stringify(Object.keys(others))};
`,
  );
} catch (error) {
  fail(error);
}
