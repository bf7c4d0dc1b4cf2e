/** The site's engine, one for the process even if this module is loaded several times. */
import { after } from "emdash";
import { withEmDashRuntime, type EmDashRuntime } from "emdash/middleware";
import siteModule from "virtual:cf-forms/site";
import { diskFiles } from "../../adapters/disk-files.ts";
import { guardedFetch } from "../../adapters/guarded-fetch.ts";
import { kyselySqlite } from "../../adapters/kysely.ts";
import { module } from "cf-forms/inline";
import { createForms, type Forms } from "../../src/index.ts";
import type { Database, LogLevel } from "../../src/ports.ts";
import { clientAddress, identityOf, requestOrigin, type CallContext } from "./identity.ts";
import { emdashMailer } from "./mailer.ts";
import { PLUGIN_ID, REST_ROOT } from "./options.ts";
import { shared, type Opened } from "./shared.ts";

export type { Opened };

/** The server's own machine, on any port. */
const LOOPBACK_HOSTS = ["localhost:*", "127.0.0.1:*", "[::1]:*"];

/** Returns the engine, which the first call opens; null while the plugin is switched off in the admin. */
export function openedForms(): Promise<Opened | null> {
  return withEmDashRuntime(async (runtime) => {
    if (runtime.getPluginRouteMeta(PLUGIN_ID, "/boot") === null) return null;
    return (shared.opened ??= open(runtime).catch((error: unknown) => {
      delete shared.opened;
      throw error;
    }));
  });
}

/** Returns the path of visitors' forms. */
export function frontPrefix(): string {
  return shared.options?.frontPrefix ?? "/forms";
}

/** The site's forms, for code of the site: `(await getForms()).hooks`. */
export async function getForms(): Promise<Forms> {
  const opened = await openedForms();
  if (opened === null) throw new Error("cf-forms is switched off in EmDash");
  return opened.forms;
}

async function open(runtime: EmDashRuntime): Promise<Opened> {
  const { options } = shared;
  if (options === undefined) throw new Error("cf-forms is not among EmDash's plugins");
  const { site: _, baseUrl, filesFolder = ".emdash/form-files", allowedHosts, editRole = 40, ...others } = options;
  const { database, files, http, mailer, setUp, ...made } = siteModule;
  const nonceKey = await boot(runtime);
  const address = runtime.config.siteUrl ?? process.env["EMDASH_SITE_URL"] ?? process.env["SITE_URL"] ?? baseUrl;
  const identity = identityOf({ runtime, nonceKey, editRole });
  const proxyHeaders = runtime.config.trustedProxyHeaders ?? [];
  const forms = await createForms({
    ...others,
    ...made,
    module,
    // A site without a configured address is in development, where each request has an address.
    baseUrl: address ?? requestOrigin,
    allowedHosts: allowedHosts ?? LOOPBACK_HOSTS,
    restRoot: REST_ROOT,
    // The screen is after `#`, its query before.
    submissionUrl: `${REST_ROOT}/admin/plugins/${PLUGIN_ID}/?open={id}#/inbox`,
    secret: process.env["CF_FORMS_SECRET"] ?? process.env["EMDASH_ENCRYPTION_KEY"] ?? "",
    forwardedForIsRead: proxyHeaders.length > 0,
    host: {
      database: database ?? databaseOf(runtime),
      files: files ?? diskFiles(filesFolder),
      http: http ?? guardedFetch(),
      mailer: mailer ?? emdashMailer(),
      authenticate: identity.authenticate,
      visitor: identity.visitor,
      clientAddress: (request, context) => clientAddress(request, context as CallContext, proxyHeaders),
      defer: (work) => after(() => work),
      log,
    },
  });
  await forms.migrate();
  setUp?.(forms);
  return { forms, nonceKey };
}

/** Calls the plugin, which schedules its cron task and stores the key of nonces in EmDash's store. */
async function boot(runtime: EmDashRuntime): Promise<string> {
  const result = await runtime.handlePluginApiRoute(
    PLUGIN_ID,
    "POST",
    "/boot",
    new Request("http://localhost/", { method: "POST" }),
  );
  if (!result.success || shared.nonceKey === undefined)
    throw new Error(`cf-forms could not be started: ${result.error?.message ?? "no key"}`);
  return shared.nonceKey;
}

function databaseOf(runtime: EmDashRuntime): Database {
  const type = runtime.config.database?.type ?? "sqlite";
  if (type !== "sqlite") throw new Error(`cf-forms: give a database for ${type} in the site's module`);
  // `getDb()` would open a second connection, and two writing connections freeze the process.
  return kyselySqlite({
    executeQuery: (query) => runtime.db.executeQuery(query),
    transaction: () => runtime.db.transaction(),
  });
}

function log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void {
  if (level === "error" || level === "warn") console[level](`[cf-forms] ${message}`, fields);
}
