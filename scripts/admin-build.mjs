/**
 * Builds the admin web app of `admin` into `pkg/admin`, three times from one source: the app of the embedded host, the
 * React component (with the host's React), and the custom element (React included). Also compiles the texts of the
 * embedded host's pages. Unchanged inputs skip the build. Runs on Node 24 as a step of the build.
 */
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { transformSync } from "esbuild";
import { build } from "vite";
import { LANGUAGES } from "../admin/shared/text/languages.ts";
import { fail, root } from "./commands.mjs";
import { stage } from "./package-folders.mjs";
import { templatePictures } from "./template-pictures.mjs";

const source = join(root, "admin");
const output = join(root, "pkg/admin");
const STAMP = ".built-from";

/** Oldest browsers that support `light-dark()`, nesting and layers. */
const BROWSERS = ["chrome125", "edge125", "firefox128", "safari17.5"];

/** Files of React Aria's strings in the languages of the admin. */
const KEPT_STRINGS = new RegExp(`/(?:${LANGUAGES.map(({ tag }) => tag).join("|")})\\.m?js$`);

/**
 * Hash of all inputs of the build.
 *
 * @param {import("./template-pictures.mjs").TemplatePictures} pictures
 */
function inputs(pictures) {
  const hash = createHash("sha256");
  const files = ["admin", "client"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const file of [
    ...files.sort(),
    join(root, "package-lock.json"),
    join(root, "scripts/admin-build.mjs"),
    join(root, "visitor/languages/index.ts"),
    join(root, "visitor/script/trusted.ts"),
  ]) {
    hash.update(relative(root, file)).update("\0").update(readFileSync(file));
  }
  return hash.update(JSON.stringify(pictures)).digest("hex");
}

/**
 * Fills in the pictures of the templates.
 *
 * @param {import("./template-pictures.mjs").TemplatePictures} rendered
 * @returns {import("vite").Plugin}
 */
function renderedPictures({ style, pictures }) {
  return {
    name: "rendered-pictures",
    load: (id) =>
      id.endsWith("/admin/templates/pictures.ts")
        ? `export const style = ${JSON.stringify(style)}; export const pictures = ${JSON.stringify(pictures)};`
        : null,
  };
}

/**
 * Compiles the messages of each language, so that no message parser is shipped.
 *
 * @returns {import("vite").Plugin}
 */
function compiledTexts() {
  return {
    name: "compiled-texts",
    async load(id) {
      const match = /\/admin\/locales\/(\w+)\/index\.ts$/.exec(id);
      if (match === null) return null;
      const { texts } = await import(pathToFileURL(id).href);
      const compiled = Object.fromEntries(
        Object.entries(texts).map(([key, text]) => [key, compileMessage(String(text))]),
      );
      return `export const texts = ${JSON.stringify(compiled)};`;
    },
  };
}

/**
 * Drops React Aria's strings in languages that the admin lacks.
 *
 * @returns {import("vite").Plugin}
 */
function keptStrings() {
  return {
    name: "kept-strings",
    enforce: "pre",
    load: (id) =>
      /\/(?:react-aria|react-stately|react-aria-components)\/.*\/intl\//.test(id) &&
      /\/[a-z]{2}-[A-Z]{2}\.m?js$/.test(id) &&
      !KEPT_STRINGS.test(id)
        ? "export default {};"
        : null,
  };
}

/**
 * Keeps `cf-forms/browser` external: the admin imports it from the package on demand.
 *
 * @returns {import("vite").Plugin}
 */
function packagesBrowserModule() {
  return {
    name: "packages-browser-module",
    enforce: "pre",
    resolveId: (id) => (id === "cf-forms/browser" ? { id: "../../load/browser.js", external: true } : null),
  };
}

/**
 * @param {string} outDir
 * @param {import("./template-pictures.mjs").TemplatePictures} pictures
 * @param {import("vite").BuildOptions} options
 */
function buildTo(outDir, pictures, options) {
  return build({
    configFile: false,
    root: source,
    base: "./",
    logLevel: "warn",
    publicDir: false,
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    resolve: {
      alias: [
        { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: join(source, "shared/sync-store.ts") },
      ],
    },
    plugins: [keptStrings(), compiledTexts(), renderedPictures(pictures), packagesBrowserModule()],
    build: {
      outDir,
      emptyOutDir: true,
      target: BROWSERS,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 700,
      ...options,
      rollupOptions: { ...options.rollupOptions, checks: { moduleLevelDirective: false } },
    },
  });
}

/**
 * Compiles the texts of the embedded host's pages, which the host imports (host-shim/hosts/embedded/page-texts.ts).
 *
 * @param {string} language
 * @param {string} folder
 */
function compileHostTexts(language, folder) {
  const name = join("locales", language, "host-pages");
  const { code } = transformSync(readFileSync(join(source, `${name}.ts`), "utf8"), { loader: "ts" });
  mkdirSync(join(folder, "locales", language), { recursive: true });
  writeFileSync(join(folder, `${name}.js`), code);
}

async function main() {
  const pictures = await templatePictures();
  const hash = inputs(pictures);
  const stamp = join(output, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  const staged = stage("admin");
  const folder = join(staged.folder, "admin");
  mkdirSync(folder);
  await buildTo(join(folder, "app"), pictures, {
    manifest: "manifest.json",
    assetsDir: ".",
    rollupOptions: { input: join(source, "app/app.tsx") },
  });
  const library = (/** @type {string} */ name) => ({
    entry: join(source, `app/${name}.tsx`),
    formats: /** @type {("es")[]} */ (["es"]),
    fileName: name,
    cssFileName: "style",
  });
  await buildTo(join(folder, "component"), pictures, {
    lib: library("component"),
    rollupOptions: { external: /^react(-dom)?(\/|$)/ },
  });
  await buildTo(join(folder, "element"), pictures, { lib: library("element") });
  for (const { code } of LANGUAGES) compileHostTexts(code, folder);
  for (const name of readdirSync(join(source, "types"))) copyFileSync(join(source, "types", name), join(folder, name));
  writeFileSync(join(folder, STAMP), hash);
  staged.swap("admin", "admin");
  staged.remove();
}

main().catch(fail);
