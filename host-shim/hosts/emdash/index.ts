/**
 * cf-forms in EmDash, one line in `astro.config.mjs`: `withForms(emdash, { … })` in place of `emdash({ … })`.
 * Loaded with the configuration; nothing here runs in the site.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { PLUGIN_ID, REST_ROOT, type EmDashOptions, type StoredOptions } from "./options.ts";

export type { EmDashOptions, EmDashSite } from "./options.ts";

/** The members of an Astro integration that are needed. */
export interface AstroIntegrationLike {
  readonly name: string;
  readonly hooks: Readonly<Record<string, unknown>>;
}

interface SetupLike {
  readonly config: { readonly root: URL; readonly site?: string; readonly server: { readonly port: number } };
  injectRoute(route: { pattern: string; entrypoint: string; prerender: boolean }): void;
  updateConfig(config: object): unknown;
}

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const SITE_MODULE = "virtual:cf-forms/site";

/**
 * Answers EmDash's integration with forms in it: the REST API at `/_emdash/cf/v1`, visitors' forms at
 * `/forms`, the admin's pages, and a block for content.
 */
export function withForms<Config extends { plugins?: unknown }>(
  emdash: (config: Config) => AstroIntegrationLike,
  config: Config,
  options: EmDashOptions = {},
): AstroIntegrationLike[] {
  const stored: { -readonly [Name in keyof StoredOptions]: StoredOptions[Name] } = { ...options, port: 4321 };
  const plugins: readonly unknown[] = Array.isArray(config.plugins) ? config.plugins : [];
  return [integration(options, stored), emdash({ ...config, plugins: [...plugins, descriptor(stored)] })];
}

/** The part that EmDash knows: cron, the switch in the admin, the admin's pages, the content block. */
function descriptor(options: StoredOptions): object {
  const { version }: { version: string } = JSON.parse(readFileSync(file("../../../package.json"), "utf8"));
  return {
    id: PLUGIN_ID,
    version,
    entrypoint: file("./plugin.js"),
    adminEntry: file("./admin.js"),
    componentsEntry: file("../../../emdash/blocks.js"),
    adminPages: [{ path: "/", label: "Forms", icon: "list" }],
    capabilities: ["email:send"],
    options,
  };
}

/** The part that Astro knows: routes with status, headers and raw bodies, which EmDash's own have not. */
function integration({ site, frontPrefix = "/forms" }: EmDashOptions, stored: { port: number; baseUrl?: string }): AstroIntegrationLike {
  return {
    name: "cf-forms",
    hooks: {
      "astro:config:setup"({ config, injectRoute, updateConfig }: SetupLike) {
        stored.port = config.server.port;
        if (config.site !== undefined) stored.baseUrl ??= config.site.replace(/\/+$/, "");
        for (const pattern of [`${REST_ROOT}/cf/[...path]`, `${frontPrefix}/[...path]`]) {
          injectRoute({ pattern, entrypoint: file("./endpoint.js"), prerender: false });
        }
        const module = site === undefined ? null : fileURLToPath(new URL(site, pathToFileURL(`${fileURLToPath(config.root)}/`)));
        // Else a plugin's modules and those of the routes would be two copies: two engines.
        updateConfig({ vite: { ssr: { noExternal: ["cf-forms"] }, plugins: [siteModule(module)] } });
      },
    },
  };
}

/** Makes the site's module known to ours by a fixed name. */
function siteModule(path: string | null): object {
  const resolved = `\0${SITE_MODULE}`;
  return {
    name: "cf-forms-site",
    resolveId: (id: string) => (id === SITE_MODULE ? resolved : null),
    load(id: string) {
      if (id !== resolved) return null;
      return path === null ? "export default {};" : `export { default } from ${JSON.stringify(path)};`;
    },
  };
}
