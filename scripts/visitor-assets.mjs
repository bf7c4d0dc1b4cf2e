/**
 * Generates `visitor/assets.ts` from the script and style of visitors' pages, minified, and the modules of
 * `visitor/languages` from its JSON files. The files become modules, because a Worker has no file system. Runs on Node
 * 24 as a step of the build.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, transformSync } from "esbuild";
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
 * Builds an asset whose name changes with its content, so that it can be cached forever.
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
const STYLES = [
  "theme.css",
  "form.css",
  "markup.css",
  "choices.css",
  "aids.css",
  "frameworks.css",
  "messages.css",
  "steps.css",
];

/** Entries of the visitor's script. analytics.ts listens for the event that form.ts emits, so it comes first. */
const ENTRIES = ["script/analytics.ts", "script/form.ts"];

/**
 * Parts that the script loads when a form needs them (visitor/script/parts.ts). A part may import earlier parts, which
 * stay separate files.
 */
const PARTS = [
  "aids",
  "calculate",
  "calculations",
  "captcha",
  "conversation-screens",
  "conversation-keys",
  "conversation",
  "lists",
  "phones",
  "piped-answers",
  "ranking",
  "resume",
  "rows",
  "signature",
  "steps",
  "upload-field",
  "uploads",
];

/** Modules of the script that parts import instead of copying. Most have state, which copies would not share. */
const SHARED = [
  "addresses",
  "answers",
  "choice-limits",
  "conditions",
  "dom",
  "faults",
  "fields",
  "files",
  "saved-answers",
  "sending",
  "submission-key",
  "unset",
  "walks",
];

/** The property of the window through which parts reach the shared modules. */
const SHARED_KEY = 'Symbol.for("cf-forms.shared")';

/** @param {string} name */
const scriptPath = (name) => join(folder, "script", `${name}.ts`);

/** Returns the names that a shared module exports, without its types. @param {string} name */
function exportsOf(name) {
  const source = readFileSync(scriptPath(name), "utf8");
  return [...source.matchAll(/^export (?:async )?(?:const|function) (\w+)/gm)].map(([, exported = ""]) => exported);
}

/**
 * Replaces a part's imports of shared modules by the script's copies, and its imports of earlier parts by the names of
 * their files.
 *
 * @param {ReadonlyMap<string, string>} files
 * @returns {import("esbuild").Plugin}
 */
const lend = (files) => ({
  name: "lend",
  setup(part) {
    part.onResolve({ filter: /^\.\/[\w-]+\.ts$/ }, ({ path, kind }) => {
      const file = kind === "import-statement" ? files.get(path.slice(2, -3)) : undefined;
      return file === undefined ? undefined : { path: `./${file}`, external: true };
    });
    const isShared = new RegExp(`^\\./(?:${SHARED.join("|")})\\.ts$`);
    part.onResolve({ filter: isShared }, ({ path }) => ({ path: path.slice(2, -3), namespace: "shared" }));
    part.onLoad({ filter: /./, namespace: "shared" }, ({ path }) => ({
      // Each name is exported separately, so that a part keeps only the names that it uses.
      contents: exportsOf(path)
        .map((name) => `export const ${name} = /* @__PURE__ */ (() => window[${SHARED_KEY}].${name})();`)
        .join("\n"),
    }));
  },
});

/**
 * Bundles sources into one script with its own scope, or into a module for a part that is loaded on demand.
 *
 * @param {string} contents
 * @param {import("esbuild").BuildOptions} options
 */
async function script(contents, options) {
  const { outputFiles = [] } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    target: "es2022",
    minify: true,
    write: false,
    logLevel: "silent",
    ...options,
  });
  return outputFiles[0]?.text ?? "";
}

/**
 * Builds a part as a module.
 *
 * @param {string} name
 * @param {ReadonlyMap<string, string>} files
 */
async function part(name, files) {
  const phones = readFileSync(join(root, "crates/model/src/phones.txt"), "utf8");
  const define = { CAPTCHA_SERVICES: JSON.stringify(captchaServices()), PHONE_TABLE: JSON.stringify(phones) };
  const content = await script(`export * from "./script/${name}.ts";`, {
    format: "esm",
    define,
    plugins: [lend(files)],
  });
  return asset(name, "js", "text/javascript", content);
}

/**
 * Builds the script, which contains the names of the parts' files. The script sets a window property (`SHARED_KEY`),
 * from which parts read the exports of shared modules. Exports that no part uses are left out.
 *
 * @param {Readonly<Record<string, ReturnType<typeof asset>>>} parts
 */
function mainScript(parts) {
  const isUsed = (/** @type {string} */ name) => {
    const use = new RegExp(`\\[${SHARED_KEY.replace(/[.()]/g, "\\$&")}\\]\\.${name}\\b`);
    return Object.values(parts).some(({ content }) => use.test(content));
  };
  const lent = SHARED.map((module) => ({ module, names: exportsOf(module).filter(isUsed) }));
  const lines = [
    ...lent.map(({ module, names }) => `import { ${names.join(", ")} } from "./script/${module}.ts";`),
    `window[${SHARED_KEY}] ??= { ${lent.flatMap(({ names }) => names).join(", ")} };`,
    ...ENTRIES.map((name) => `import "./${name}";`),
  ];
  const files = Object.entries(parts).map(([name, part]) => [name, part.name]);
  return script(lines.join("\n"), { format: "iife", define: { PARTS: JSON.stringify(Object.fromEntries(files)) } });
}

/** Builds a style as one file. No rule is rewritten for older browsers, which skip unknown rules. */
function style(/** @type {readonly string[]} */ names) {
  const { code } = transformSync(names.map(styleSource).join("\n"), { loader: "css", minify: true });
  // esbuild leaves the values of custom properties unchanged. Ours need no space after the colon or a comma.
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
  /** @type {Map<string, string>} */
  const files = new Map();
  /** @type {Record<string, ReturnType<typeof asset>>} */
  const parts = {};
  for (const name of PARTS) {
    const made = await part(name, files);
    parts[name] = made;
    files.set(name, made.name);
  }
  const embedScript = await script('import "./embed/embed.ts";', { format: "iife" });
  const assets = {
    style: asset("form", "css", "text/css", style(STYLES)),
    conversation: asset("conversation", "css", "text/css", style(["conversation.css", "conversation-choices.css"])),
    fields: asset("fields", "css", "text/css", style(["fields.css", "variants.css"])),
    script: asset("form", "js", "text/javascript", await mainScript(parts)),
    embed: asset("embed", "js", "text/javascript", embedScript),
  };
  writeIfChanged(
    join(folder, "assets.ts"),
    `// Made by scripts/visitor-assets.mjs from the scripts and styles in visitor/; not to be edited.

/** A file for visitors' browsers; its name changes with its content. */
export interface FrontAsset {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

export const style: FrontAsset = ${JSON.stringify(assets.style, null, 2)};

/** The style of conversational forms. Their pages load it together with {@link style}. */
export const conversation: FrontAsset = ${JSON.stringify(assets.conversation, null, 2)};

/** The style of fields that few forms have, linked by the pages of those forms. */
export const fields: FrontAsset = ${JSON.stringify(assets.fields, null, 2)};

export const script: FrontAsset = ${JSON.stringify(assets.script, null, 2)};

export const embed: FrontAsset = ${JSON.stringify(assets.embed, null, 2)};

/** Files that the script loads when a form needs them, by the names of the parts. */
export const parts: Readonly<Record<string, FrontAsset>> = ${JSON.stringify(parts, null, 2)};
`,
  );
  const { english, others } = catalogues();
  writeIfChanged(
    join(root, "visitor/languages/english.ts"),
    `// Made by scripts/visitor-assets.mjs from en.json; not to be edited.

/** The texts for visitors in English. The engine contains the same texts. */
export const english = ${JSON.stringify(english, null, 2)} as const;
`,
  );
  writeIfChanged(
    join(root, "visitor/languages/index.ts"),
    `// Made by scripts/visitor-assets.mjs from the catalogues of this folder; not to be edited.

/** For each language tag, the texts for visitors by message key. */
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
