/** The part of EmDash (0.32 and later) that we need. EmDash is a dependency of the site and not installed here. */
declare module "emdash" {
  /** Runs work after the response, without delaying it. */
  export function after(work: () => unknown): void;
  export function definePlugin(definition: object): object;
}

declare module "emdash/middleware" {
  interface PluginRouteResult {
    readonly success: boolean;
    readonly error?: { readonly message: string };
  }
  export interface EmDashRuntime {
    /** A Kysely instance; on SQLite the only connection that may write. */
    readonly db: import("../../adapters/kysely.ts").KyselyLike;
    readonly config: {
      readonly siteUrl?: string;
      readonly trustedProxyHeaders?: readonly string[];
      readonly database?: { readonly type?: string };
    };
    readonly email: { send(message: object, source: string): Promise<void> } | null;
    /** Null when the plugin is switched off, or has no such route. */
    getPluginRouteMeta(plugin: string, path: string): object | null;
    handlePluginApiRoute(plugin: string, method: string, path: string, request: Request): Promise<PluginRouteResult>;
  }
  export function withEmDashRuntime<T>(run: (runtime: EmDashRuntime) => T | Promise<T>): Promise<T>;
}

/** The site's module, or an empty one; see `siteModule` in `index.ts`. */
declare module "virtual:cf-forms/site" {
  const site: import("./options.ts").EmDashSite;
  export default site;
}

/** A style sheet that the bundler imports as text. */
declare module "*.css?inline" {
  const style: string;
  export default style;
}
