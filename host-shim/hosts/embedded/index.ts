/** The embedded host: a complete site with forms in one process. */
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { mailFolder } from "../../adapters/mail-folder.ts";
import type { ApiDocument } from "./api-page.ts";
import type { Authenticator } from "./authenticate.ts";
import type { Configuration } from "./configuration.ts";
import { prepareAdministrator } from "./first-start.ts";
import { HOST_ITSELF, engineOptions } from "./engine-options.ts";
import { healthOf } from "./health.ts";
import { type HostServices, openServices } from "./host-services.ts";
import { takeInstance, type Instance } from "./instance.ts";
import { listen, type Listener } from "./listener.ts";
import { addPlugins, type Plugin } from "./plugins.ts";
import { createReadiness } from "./readiness.ts";
import { createServer, engineHandler, type ServerServices } from "./server.ts";
import { sharingEvents } from "./shared-events.ts";
import { REST_ROOT, siteAt } from "./site.ts";
import { startTicker } from "./ticker.ts";
import { openPlatform, type Platform } from "./platform.ts";
import { inEachWorker } from "./workers.ts";
// Loaded at the start, because `npm ci` may be replacing the packages when the first upload needs the module.
import "@fastify/busboy";
import "../../src/multipart.ts";
import { createForms as createEngine, type Forms, type FormsOptions } from "../../src/index.ts";
import type { Host, LogLevel } from "../../src/ports.ts";

export type { Authenticator } from "./authenticate.ts";
export type { TrustedProxies } from "./client-address.ts";
export { ConfigurationError, readConfiguration, type Configuration, type OAuthConfiguration } from "./configuration.ts";
export type { Address, Network } from "./networks.ts";
export type { MailSettings, MailSettingsStore } from "./mail-settings.ts";
export type { ClosableDatabase, Platform } from "./platform.ts";
export { PluginError, type Plugin } from "./plugins.ts";

/** Warning, logged once, that all visitors may have the address of one proxy. */
const PROXY_WARNING =
  "TRUST_PROXY is not set: private and loopback addresses may belong to a proxy, so the limit of 60 submissions an hour to forms with files or autoresponders does not apply to them";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Time for running responses and actions after the signal to stop. */
const GRACE_MS = 10_000;

/** Options of {@link startEmbeddedHost}. */
export interface EmbeddedHostOptions {
  /** Ports that replace those of the configuration; the host closes them. */
  readonly platform?: Platform;
  /** Replaces the engine in tests. */
  readonly createForms?: (options: FormsOptions) => Promise<Forms>;
  /** Clock for tests: milliseconds since 1970. */
  readonly now?: () => number;
  /** Receives log events; default: lines of JSON on standard error. */
  readonly log?: NonNullable<Host["log"]>;
  /**
   * Plugins, which are added before the first request and the first run of the queue: functions that get the forms, or
   * files of modules whose default export is such a function. A path is relative to the working directory.
   */
  readonly plugins?: readonly (Plugin | string | URL)[];
  /** Further authenticators, which run after HTTP Basic and before the session cookie. */
  readonly authenticators?: readonly Authenticator[];
}

/** A running embedded host. */
export interface EmbeddedHost {
  /** Address of the server, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly forms: Forms;
  /** The administrator's password when it was just generated, to be shown once. */
  readonly generatedPassword: string | null;
  /** Finishes running work, for at most 10 s, and closes everything. */
  close(): Promise<void>;
}

/** Starts serving; resolves when the host is ready. If the start fails, everything is closed again. */
export async function startEmbeddedHost(
  configuration: Configuration,
  options: EmbeddedHostOptions = {},
): Promise<EmbeddedHost> {
  const platform = options.platform ?? (await openPlatform(configuration));
  let listener: Listener | undefined;
  let instance: Instance | undefined;
  try {
    listener = await listen(configuration.hostname, configuration.port, configuration.trustedProxies);
    instance = takeInstance(configuration.dataDirectory);
    return await serve(configuration, platform, listener, instance, options);
  } catch (error) {
    await listener?.close(0);
    instance?.close();
    await platform.close();
    throw error;
  }
}

async function serve(
  configuration: Configuration,
  platform: Platform,
  listener: Listener,
  instance: Instance,
  {
    createForms = createEngine,
    now = Date.now,
    log = writeLog,
    authenticators = [],
    plugins = [],
  }: EmbeddedHostOptions,
): Promise<EmbeddedHost> {
  const site = siteAt(configuration.baseUrl ?? listener.url);
  const services = await openServices({ configuration, platform, site, now, log, authenticators });
  const { addresses, users, passwords } = services;
  const deferred = collectDeferred();
  const forms = await createForms(await engineOptions(services, deferred.add, instance.name));
  if (configuration.trustedProxies.kind === "none") log("warn", PROXY_WARNING, {});
  await forms.migrate();
  await addPlugins(forms, plugins);
  if (configuration.secret === "") {
    log("warn", "CF_SECRET is not set: the database alone is enough to read the secrets of actions", {});
  }
  const generatedPassword = await prepareAdministrator(configuration.admin, { users, passwords, log });

  let serving = true;
  const thrown = new WeakMap<IncomingMessage, unknown>();
  const shared = sharingEvents(site, forms, addresses);
  const server = createServer({ ...serverServices(services, forms), forms: shared, thrown, isServing: () => serving });
  const { bodyLimit, uploadLimit } = configuration;
  listener.handleWith(
    (request, bindings) => server.fetch(request, bindings),
    await engineHandler(site, shared, { bodyLimit, uploadLimit, thrown, noteSocketAddress: addresses.note }),
  );
  const { ticker, purger } = startTickers(services, forms);

  async function close(): Promise<void> {
    serving = false;
    void purger.stop();
    const deadline = Date.now() + GRACE_MS;
    const queueStopped = ticker.stop();
    await listener.close(GRACE_MS);
    await before(deadline, Promise.all([queueStopped, deferred.settled()]));
    await before(deadline, forms.close());
    instance.close();
    await before(deadline, platform.close());
  }
  let closing: Promise<void> | undefined;
  return { url: listener.url, forms, generatedPassword, close: () => (closing ??= close()) };
}

/** The services of the server, except those that {@link serve} adds. */
function serverServices(services: HostServices, forms: Forms): Omit<ServerServices, "forms" | "thrown" | "isServing"> {
  const { configuration, platform, site, addresses, mailSettings, mailFrom, log } = services;
  const { database } = platform;
  const { dataDirectory, bodyLimit, uploadLimit } = configuration;
  return {
    ...services,
    bodyLimit,
    uploadLimit,
    mails: mailFolder(join(dataDirectory, "mail")),
    defaultFrom: mailFrom,
    onMailSettingsChanged: inEachWorker("mail settings", () => {
      mailSettings.forget();
      mailSettings
        .read()
        .then(({ settings }) => forms.setPublicUrl(settings.public_url || null))
        .catch((error: unknown) => log("error", "the mail settings could not be applied", { error: String(error) }));
    }),
    health: async () => healthOf({ configuration, database, mail: (await mailSettings.read()).settings }),
    readiness: createReadiness({ database, dataDirectory }),
    async apiDocument() {
      const response = await forms.fetch(new Request(`${site.baseUrl}${REST_ROOT}/cf/v1/openapi.json`), HOST_ITSELF);
      if (response?.ok !== true)
        throw new Error(`the engine responded with ${response?.status} for its OpenAPI document`);
      return (await response.json()) as ApiDocument;
    },
    clientAddress: addresses.of,
    noteSocketAddress: addresses.note,
  };
}

/** Runs the queue at an interval, and deletes old mails. */
function startTickers({ configuration, platform, now, log }: HostServices, forms: Forms) {
  const ticker = startTicker(
    () => forms.runQueue(),
    configuration.queueIntervalMs,
    (error) => log("error", "the queue could not be run", { error: String(error) }),
  );

  const mailDays = configuration.keepDays.logs;
  const purger = startTicker(
    async () => {
      if (mailDays > 0) await platform.purgeMails?.(now() - mailDays * DAY_MS);
    },
    HOUR_MS,
    (error) => log("error", "old mails could not be deleted", { error: String(error) }),
  );
  return { ticker, purger };
}

/** Collects work that continues after its response. */
function collectDeferred() {
  const pending = new Set<Promise<unknown>>();
  return {
    add(work: Promise<unknown>): void {
      const settled = work.catch(() => undefined).finally(() => pending.delete(settled));
      pending.add(settled);
    },
    settled: (): Promise<unknown> => Promise.all(pending),
  };
}

/** Waits for the work until the deadline, but for at least a second, so that short work can end. */
async function before(deadline: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(1_000, deadline - Date.now()));
  });
  await Promise.race([work.catch(() => undefined), timeout]);
  clearTimeout(timer);
}

/** Writes an event as a line of JSON to standard error; standard output is for people. */
export function writeLog(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void {
  if (level === "debug") return;
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`);
}
