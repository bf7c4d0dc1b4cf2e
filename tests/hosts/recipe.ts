/** A recipe of docs/recipes.md in a separate folder: installed from npm by its command, built and started. */
import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { commandsOf, filesOf, hostsPath, writeFiles } from "./guide.ts";
import { installSite, siteFolder } from "./install-site.ts";

const versions: Readonly<Record<string, string>> = JSON.parse(readFileSync(hostsPath("versions.json"), "utf8"));

export interface Recipe {
  /** Heading in the docs. */
  readonly name: string;
  /** Packages to install in addition to those of the recipe's command. */
  readonly more?: readonly string[];
  readonly overrides?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Files that the site needs and the recipe does not show. */
  readonly files?: readonly (readonly [string, string])[];
}

/** Recipes of each run. */
export const CORE_RECIPES: readonly Recipe[] = ["Node", "Express", "Fastify", "Hono", "Next.js", "Astro"].map(
  (name) => ({
    name,
  }),
);

/** Recipes of `npm run test:hosts -- --all`. */
export const MORE_RECIPES: readonly Recipe[] = [
  { name: "Koa" },
  { name: "NestJS" },
  { name: "Deno", more: ["deno"] },
  { name: "Bun", more: ["bun"] },
  { name: "Nuxt", files: [["app/app.vue", "<template><h1>My site</h1></template>\n"]] },
  {
    name: "SvelteKit",
    files: [
      [
        "src/app.html",
        "<!doctype html>\n<html lang=en><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>\n",
      ],
    ],
  },
  {
    name: "React Router",
    files: [
      [
        "vite.config.js",
        'import { reactRouter } from "@react-router/dev/vite";\nexport default { plugins: [reactRouter()] };\n',
      ],
      ["app/root.jsx", 'export default () => <html lang="en"><body>My site</body></html>;\n'],
    ],
  },
  {
    name: "Keystone",
    // This version is prebuilt. The adapter's own version would have to be compiled.
    more: ["better-sqlite3"],
    overrides: { "better-sqlite3": "$better-sqlite3" },
    // Prisma would download a program that makes Keystone's tables, which no test reads.
    env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
  },
];

/** The recipe that needs a database server, in `all/directus.test.ts`. */
export const DIRECTUS: Recipe = {
  name: "Directus",
  // Directus imports this package, but does not list it as a dependency.
  more: ["@directus/types"],
  // This version is prebuilt. The version of Directus would have to be compiled, and does not support Node 24.
  overrides: { "isolated-vm": "7.0.1" },
};

export const folderOf = ({ name }: Recipe): string => siteFolder(name.toLowerCase().replaceAll(" ", "-"));

/** Installs the packages of the recipe's first command, in the versions of `versions.json`. */
export function installRecipe(recipe: Recipe): void {
  const names = [...commandsOf(recipe.name).packages, ...(recipe.more ?? [])];
  const dependencies = names.filter((name) => name !== "cf-forms");
  assert.notEqual(dependencies.length, names.length, "a recipe installs cf-forms");
  installSite(folderOf(recipe), {
    private: true,
    type: "module",
    ...(recipe.overrides !== undefined && { overrides: recipe.overrides }),
    dependencies: pinned(dependencies),
  });
}

/** Dependencies in the versions of `versions.json`. */
export function pinned(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, versions[name] ?? assert.fail(`versions.json has no ${name}`)]));
}

/** Removes the files that an earlier run wrote into a site. */
export function emptySite(folder: string): void {
  for (const name of readdirSync(folder))
    if (!/^(node_modules|package\.json|\.installed-from)$/.test(name))
      rmSync(join(folder, name), { recursive: true, force: true });
}

/** Writes the recipe's files, builds the site and starts it. */
export function startRecipe(recipe: Recipe, env: Readonly<Record<string, string>>): ChildProcess {
  const folder = folderOf(recipe);
  emptySite(folder);
  writeFiles(folder, [...filesOf("The shared module"), ...filesOf(recipe.name), ...(recipe.files ?? [])]);
  const whole = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
    NODE_ENV: "production",
    NODE_OPTIONS: "--disable-warning=ExperimentalWarning",
    ...recipe.env,
    ...env,
  };
  const commands = commandsOf(recipe.name).commands.map((command) => programOf(command, folder));
  const started = commands.pop() ?? assert.fail("a recipe starts a program");
  for (const { program, parameters } of commands)
    execFileSync(program, parameters, { cwd: folder, env: whole, stdio: "pipe" });
  return spawn(started.program, started.parameters, {
    cwd: folder,
    env: { ...whole, ...started.env },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** Asserts that the site has an unpacked package, not a link to this repository's. */
export function assertInstalled(folder: string): void {
  const path = join(folder, "node_modules/cf-forms");
  assert.equal(realpathSync(path), join(realpathSync(folder), "node_modules/cf-forms"));
  assert.ok(existsSync(join(path, "wasm/cf_forms_bg.wasm")));
}

interface Command {
  readonly program: string;
  readonly parameters: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Returns the program without `npx`, because `npx` does not forward signals. */
function programOf(command: string, folder: string): Command {
  const words = command.split(" ");
  const env: Record<string, string> = {};
  while (words[0]?.includes("=") === true) {
    const [name = "", value = ""] = (words.shift() ?? "").split("=");
    env[name] = value;
  }
  if (words[0] === "npx") words.shift();
  const [name = "", ...parameters] = words;
  return { program: binaryOf(name, folder), parameters, env };
}

function binaryOf(name: string, folder: string): string {
  const modules = join(folder, "node_modules");
  // Deno and Bun ship their program in a separate package for each platform.
  const within: Readonly<Record<string, readonly [string, string]>> = {
    deno: ["@deno", "deno"],
    bun: ["@oven", "bin/bun"],
  };
  const found = within[name];
  if (found !== undefined) {
    const scope = join(modules, found[0]);
    return join(scope, readdirSync(scope)[0] ?? "", found[1]);
  }
  return name === "node" ? process.execPath : join(modules, ".bin", name);
}
