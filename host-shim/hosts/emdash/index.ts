/**
 * cf-forms in EmDash. In `astro.config.mjs`, write `withForms(emdash, { … })` instead of `emdash({ … })`. This module is
 * loaded with the configuration and does not run in the site.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { CAPABILITIES, PLUGIN_ID, REST_ROOT, type EmDashOptions } from "./options.ts";

export type { EmDashOptions, EmDashSite } from "./options.ts";

/** The part of an Astro integration that we need. */
export interface AstroIntegrationLike {
  readonly name: string;
  readonly hooks: Readonly<Record<string, unknown>>;
}

interface SetupLike {
  readonly config: { readonly root: URL; readonly site?: string };
  injectRoute(route: { pattern: string; entrypoint: string; prerender: boolean }): void;
  updateConfig(config: object): unknown;
}

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const SITE_MODULE = "virtual:cf-forms/site";

/**
 * Returns EmDash's integration with forms: the REST API at `/_emdash/cf/v1`, visitors' forms at `/forms`, the admin's
 * pages, and a content block.
 */
export function withForms<Config extends { plugins?: unknown }>(
  emdash: (config: Config) => AstroIntegrationLike,
  config: Config,
  options: EmDashOptions = {},
): AstroIntegrationLike[] {
  const stored: { -readonly [Name in keyof EmDashOptions]: EmDashOptions[Name] } = { ...options };
  const plugins: readonly unknown[] = Array.isArray(config.plugins) ? config.plugins : [];
  return [integration(options, stored), emdash({ ...config, plugins: [...plugins, descriptor(stored)] })];
}

/** Describes the plugin to EmDash: cron, the switch in the admin, the admin's pages, the content block. */
function descriptor(options: EmDashOptions): object {
  const { version }: { version: string } = JSON.parse(readFileSync(file("../../../package.json"), "utf8"));
  return {
    id: PLUGIN_ID,
    version,
    entrypoint: file("./plugin.js"),
    adminEntry: file("./admin.js"),
    componentsEntry: file("../../../emdash/blocks.js"),
    adminPages: [{ path: "/", label: "Forms", icon: "list" }],
    capabilities: CAPABILITIES,
    options,
  };
}

/** Adds routes to Astro, because EmDash's routes have no status, headers or raw bodies. */
function integration(
  { site, frontPrefix = "/forms" }: EmDashOptions,
  stored: { baseUrl?: string },
): AstroIntegrationLike {
  return {
    name: "cf-forms",
    hooks: {
      "astro:config:setup"({ config, injectRoute, updateConfig }: SetupLike) {
        if (config.site !== undefined) stored.baseUrl ??= config.site.replace(/\/+$/, "");
        for (const pattern of [`${REST_ROOT}/cf/[...path]`, `${frontPrefix}/[slug]/[...path]`]) {
          injectRoute({ pattern, entrypoint: file("./endpoint.js"), prerender: false });
        }
        const module =
          site === undefined ? null : fileURLToPath(new URL(site, pathToFileURL(`${fileURLToPath(config.root)}/`)));
        // Otherwise the plugin and the routes would load two copies of the modules, and so two engines.
        updateConfig({ vite: { ssr: { noExternal: ["cf-forms"] }, plugins: [siteModule(module)] } });
      },
    },
  };
}

/** Makes the site's module available under a fixed name. */
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
