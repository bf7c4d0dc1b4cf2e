/** Options of an EmDash site. */
import type { Forms, FormsOptions } from "../../src/index.ts";
import type { Database, Files, Http, Mailer } from "../../src/ports.ts";

/** Name of the plugin in EmDash, declared only here because EmDash treats unknown names as active plugins. */
export const PLUGIN_ID = "cf-forms";
/** Capabilities that EmDash grants the plugin: to send mails, and to show imported forms in content. */
export const CAPABILITIES = ["email:send", "content:write"];

/**
 * Path of EmDash's and our routes. Injected routes below this path get EmDash's whole runtime, even with an empty
 * database.
 */
export const REST_ROOT = "/_emdash";

/** Options in `astro.config.mjs`, which must be JSON. */
export interface EmDashOptions
  extends Pick<
    FormsOptions,
    | "allowedHosts"
    | "publicUrl"
    | "frontPrefix"
    | "signInUrl"
    | "scriptSources"
    | "bodyLimit"
    | "uploadLimit"
    | "keepDays"
    | "mailFrom"
    | "automaticRuns"
  > {
  /** Path of a module of the site whose default export is an {@link EmDashSite}. */
  readonly site?: string;
  /** The site's address; default: EmDash's `siteUrl`, `EMDASH_SITE_URL`, `SITE_URL`, or Astro's `site`. */
  readonly baseUrl?: string;
  /** Folder of uploads, relative to the server's working directory; default `.emdash/form-files`. Must not be public. */
  readonly filesFolder?: string;
  /** Lowest role that may edit forms; default 40, editors. Only administrators, 50, may put scripts into forms. */
  readonly editRole?: number;
}

/** Options that are not JSON, from a module of the site. */
export interface EmDashSite extends Pick<FormsOptions, "languages" | "stylesheet"> {
  /** Database; default: the site's. */
  readonly database?: Database;
  readonly files?: Files;
  readonly http?: Http;
  /** Mailer; default: the provider in EmDash's settings. */
  readonly mailer?: Mailer;
  /** Called once with the engine, to register hooks and actions. */
  readonly setUp?: (forms: Forms) => void;
}
