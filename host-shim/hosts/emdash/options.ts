/** What an EmDash site says about its forms. */
import type { Forms, FormsOptions } from "../../src/index.ts";
import type { Database, Files, Http, Mailer } from "../../src/ports.ts";

/** The plugin's name in EmDash. EmDash takes unknown names for plugins that are on, so it is written here alone. */
export const PLUGIN_ID = "cf-forms";

/** Where EmDash's routes and ours hang. Injected routes below it get the whole of EmDash, with an empty database too. */
export const REST_ROOT = "/_emdash";

/** In `astro.config.mjs`, as JSON. */
export interface EmDashOptions
  extends Pick<FormsOptions, "allowedHosts" | "publicUrl" | "frontPrefix" | "signInUrl" | "scriptSources" | "bodyLimit" | "uploadLimit" | "keepDays" | "mailFrom" | "automaticRuns"> {
  /** The path of a module of the site, whose default export is an {@link EmDashSite}. */
  readonly site?: string;
  /** The site's address; default: EmDash's `siteUrl`, `EMDASH_SITE_URL`, `SITE_URL`, or Astro's `site`. */
  readonly baseUrl?: string;
  /** Where uploads go, below the folder that the server is started in; default `.emdash/form-files`. Must not be public. */
  readonly filesFolder?: string;
  /** The least role whose users may edit forms; default 40, editors. Scripts in forms are for administrators, 50. */
  readonly editRole?: number;
}

/** What is no JSON, from a module of the site. */
export interface EmDashSite extends Pick<FormsOptions, "languages" | "stylesheet"> {
  /** Default: the site's own database. */
  readonly database?: Database;
  readonly files?: Files;
  readonly http?: Http;
  /** Default: the provider that is chosen in EmDash's settings. */
  readonly mailer?: Mailer;
  /** Called once with the engine, to register hooks and actions. */
  readonly setUp?: (forms: Forms) => void;
}

/** As they travel to the server. */
export interface StoredOptions extends EmDashOptions {
  /** Where the server listens when nothing else is said. */
  readonly port: number;
}
