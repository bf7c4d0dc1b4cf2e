/** The embedded host: a complete site with forms in one process. */
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { mailFolder } from "../../adapters/mail-folder.ts";
import { createBasicLogin } from "./basic-login.ts";
import type { ApiDocument } from "./api-page.ts";
import { openApplicationPasswords } from "./application-passwords.ts";
import { authenticateBy, cookieAuthenticator, type Authenticator } from "./authenticate.ts";
import { clientAddress, type TrustedProxies } from "./client-address.ts";
import type { Configuration } from "./configuration.ts";
import { prepareAdministrator } from "./first-start.ts";
import { healthOf } from "./health.ts";
import { takeInstance, type Instance } from "./instance.ts";
import { createKnownDevices } from "./known-devices.ts";
import { listen, type Listener } from "./listener.ts";
import { createNonces } from "./nonce.ts";
import { oauthBearer } from "./oauth-bearer.ts";
import { createReadiness } from "./readiness.ts";
import { createHostTables } from "./schema.ts";
import { loadSigningKey } from "./secret.ts";
import { createServer, engineHandler } from "./server.ts";
import { openSessions, type Sessions } from "./sessions.ts";
import { sharingEvents } from "./shared-events.ts";
import { createSignInLimits } from "./sign-in-limits.ts";
import { ADMIN_PATH, FRONT_PREFIX, REST_ROOT, siteAt } from "./site.ts";
import { startTicker } from "./ticker.ts";
import { openUsers, principalOf } from "./users.ts";
import { failureMail } from "./failure-mail.ts";
import { openMailSettings } from "./mail-settings.ts";
import { openPlatform, type Platform } from "./platform.ts";
import { withConfiguredSender } from "./site-mailer.ts";
import { inEachWorker } from "./workers.ts";
import { readFileSync } from "node:fs";
// Loaded before the first upload needs it, because `npm ci` may be replacing the packages by then.
import "@fastify/busboy";
import "../../src/multipart.ts";
import { languages } from "../../../visitor/languages/index.ts";
import { createForms as createEngine, type Forms, type FormsOptions } from "../../src/index.ts";
import type { Host, LogLevel, Principal } from "../../src/ports.ts";

export type { Authenticator } from "./authenticate.ts";
export type { TrustedProxies } from "./client-address.ts";
export { ConfigurationError, readConfiguration, type Configuration, type OAuthConfiguration } from "./configuration.ts";
export type { Address, Network } from "./networks.ts";
export type { MailSettings, MailSettingsStore } from "./mail-settings.ts";
export type { ClosableDatabase, Platform } from "./platform.ts";

/** Warning, logged once, that all visitors have the address of a proxy. */
const PROXY_WARNING =
  "TRUST_PROXY is not set: private and loopback addresses are not limited to 60 submissions an hour of forms with files or autoresponders, since they may be a proxy's";

/** The principal that reads the API's documentation for its page. No outside request has this context. */
const HOST_ITSELF: Principal = { id: "0", login: "", capabilities: ["edit_forms"] };

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
  { createForms = createEngine, now = Date.now, log = writeLog, authenticators = [] }: EmbeddedHostOptions,
): Promise<EmbeddedHost> {
  const { database } = platform;
  const { bodyLimit, uploadLimit } = configuration;
  const site = siteAt(configuration.baseUrl ?? listener.url);

  await createHostTables(database);
  const sign = await loadSigningKey(database);
  const users = await openUsers(database, now);
  const sessions = openSessions(database, site.isHttps, now);
  const passwords = openApplicationPasswords(database, now);
  const nonces = createNonces(sign, now);
  const devices = createKnownDevices(sign, site.isHttps, now);

  const addresses = rememberAddresses(configuration.trustedProxies);
  const signInLimits = createSignInLimits({ users, devices, clientAddress: addresses.of });
  const basicLogin = createBasicLogin(passwords, addresses.of, log);
  const authenticate = authenticateBy([
    basicLogin.authenticator,
    ...(configuration.oauth === null ? [] : [oauthBearer(configuration.oauth, now, log)]),
    ...authenticators,
    cookieAuthenticator(sessions, nonces),
  ]);

  const mailFrom = `forms@${new URL(site.baseUrl).hostname}`;
  const mailSettings = platform.mailSettings ?? openMailSettings(database, configuration);
  const mailer = withConfiguredSender(platform.mailer, mailSettings, mailFrom);
  const deferred = collectDeferred();
  const forms = await createForms({
    host: {
      ...platform,
      mailer,
      authenticate: async (request, context) =>
        context === HOST_ITSELF ? { principal: HOST_ITSELF } : authenticate(request),
      // Most visitors have no cookie, so no session is looked up.
      visitor: (request) => (request.headers.has("cookie") ? signedIn(sessions, request) : null),
      clientAddress: addresses.of,
      defer: deferred.add,
      log,
      ...(configuration.failureMails
        ? {
            actionKeepsFailing: failureMail({
              database,
              users,
              mailer,
              mailSettings,
              from: mailFrom,
              adminUrl: async () => ((await mailSettings.read()).settings.public_url || site.baseUrl) + ADMIN_PATH,
              now,
              log,
            }),
          }
        : {}),
    },
    languages,
    ...(configuration.stylesheet === null ? {} : { stylesheet: readFileSync(configuration.stylesheet, "utf8") }),
    baseUrl: site.baseUrl,
    publicUrl: (await mailSettings.read()).settings.public_url || null,
    mailFrom,
    forwardedForIsRead: configuration.trustedProxies.kind !== "none",
    restRoot: REST_ROOT,
    frontPrefix: FRONT_PREFIX,
    signInUrl: `${site.basePath}/sign-in`,
    bodyLimit,
    uploadLimit,
    // Node's parser guarantees it.
    contentLengthHolds: true,
    secret: configuration.secret,
    instance: instance.name,
    keepDays: configuration.keepDays,
    now,
  });
  if (configuration.trustedProxies.kind === "none") log("warn", PROXY_WARNING, {});
  await forms.migrate();
  if (configuration.secret === "") {
    log("warn", "CF_SECRET is not set: the database alone is enough to read the secrets of actions", {});
  }
  const generatedPassword = await prepareAdministrator(configuration.admin, { users, passwords, log });

  let serving = true;
  const thrown = new WeakMap<IncomingMessage, unknown>();
  const shared = sharingEvents(site, forms, addresses);
  const server = createServer({
    site,
    bodyLimit,
    uploadLimit,
    forms: shared,
    users,
    sessions,
    passwords,
    nonces,
    sign,
    devices,
    signInLimits,
    basicLogin,
    authenticate,
    log,
    mails: mailFolder(join(configuration.dataDirectory, "mail")),
    mailSettings,
    mailer,
    defaultFrom: mailFrom,
    onMailSettingsChanged: inEachWorker("mail settings", () => {
      mailSettings.forget();
      mailSettings
        .read()
        .then(({ settings }) => forms.setPublicUrl(settings.public_url || null))
        .catch((error: unknown) => log("error", "the mail settings could not be applied", { error: String(error) }));
    }),
    health: async () => healthOf({ configuration, database, mail: (await mailSettings.read()).settings }),
    readiness: createReadiness({ database, dataDirectory: configuration.dataDirectory }),
    async apiDocument() {
      const answer = await forms.fetch(new Request(`${site.baseUrl}${REST_ROOT}/cf/v1/openapi.json`), HOST_ITSELF);
      if (answer?.ok !== true) throw new Error(`the engine answered ${answer?.status} for its OpenAPI document`);
      return (await answer.json()) as ApiDocument;
    },
    clientAddress: addresses.of,
    noteSocketAddress: addresses.note,
    thrown,
    isServing: () => serving,
  });
  listener.answerWith(
    (request, bindings) => server.fetch(request, bindings),
    await engineHandler(site, shared, { bodyLimit, uploadLimit, thrown, noteSocketAddress: addresses.note }),
  );
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

/** Returns the principal of the request's session cookie. */
async function signedIn(sessions: Sessions, request: Request): Promise<Principal | null> {
  const session = await sessions.find(request);
  return session === null ? null : principalOf(session.user);
}

/** Stores the socket's address for each request, because the engine sees only the request. */
function rememberAddresses(proxies: TrustedProxies) {
  const addresses = new WeakMap<Request, string | null>();
  // All requests of a connection share one address, so the last one is cached.
  let [lastSocket, last]: [string | undefined, string | null] = [undefined, null];
  const ofSocket = (socket: string | undefined): string | null => {
    if (socket !== lastSocket) [lastSocket, last] = [socket, clientAddress(socket, null, proxies)];
    return last;
  };
  return {
    note(request: Request, socket: string | undefined): void {
      const forwardedFor = proxies.kind === "none" ? null : request.headers.get("x-forwarded-for");
      addresses.set(request, forwardedFor === null ? ofSocket(socket) : clientAddress(socket, forwardedFor, proxies));
    },
    of: (request: Request): string | null => addresses.get(request) ?? null,
  };
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

/** Waits for the work until the deadline, but at least a second, for work that ends quickly. */
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
