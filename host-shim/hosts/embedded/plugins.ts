/** Plugins of the embedded host, which are added before the first request and the first run of the queue. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Forms } from "../../src/index.ts";
import { reasonOf } from "../../src/reason.ts";

/** A plugin: adds hooks and action types to the forms. */
export type Plugin = (forms: Forms) => void | Promise<void>;

/** Error of a plugin that cannot be loaded, or that throws. The host does not start. */
export class PluginError extends Error {}

/** Adds plugins in their order: functions, and files of modules whose default export is such a function. */
export async function addPlugins(forms: Forms, plugins: readonly (Plugin | string | URL)[]): Promise<void> {
  for (const plugin of plugins) {
    const add = typeof plugin === "function" ? plugin : await load(plugin);
    try {
      await add(forms);
    } catch (error) {
      throw new PluginError(`the plugin ${nameOf(plugin)} failed: ${reasonOf(error)}`, { cause: error });
    }
  }
}

function nameOf(plugin: Plugin | string | URL): string {
  return typeof plugin === "function" ? plugin.name || "without a name" : String(plugin);
}

/** Loads a module. A path is relative to the working directory. */
async function load(file: string | URL): Promise<Plugin> {
  const url = typeof file === "string" ? pathToFileURL(resolve(file)) : file;
  let loaded: { readonly default?: unknown };
  try {
    loaded = await import(url.href);
  } catch (error) {
    throw new PluginError(`the plugin ${nameOf(file)} cannot be loaded: ${reasonOf(error)}`, { cause: error });
  }
  if (typeof loaded.default === "function") return loaded.default as Plugin;
  throw new PluginError(`the plugin ${nameOf(file)} needs a function as its default export`);
}
