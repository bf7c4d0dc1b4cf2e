/** The parts of the host that the engine and the server share. */
import { createBasicLogin } from "./basic-login.ts";
import { openApplicationPasswords } from "./application-passwords.ts";
import { authenticateBy, cookieAuthenticator, type Authenticator } from "./authenticate.ts";
import { clientAddress, type TrustedProxies } from "./client-address.ts";
import type { Configuration } from "./configuration.ts";
import { createKnownDevices } from "./known-devices.ts";
import { openMailSettings } from "./mail-settings.ts";
import { createNonces } from "./nonce.ts";
import { oauthBearer } from "./oauth-bearer.ts";
import type { Platform } from "./platform.ts";
import { createHostTables } from "./schema.ts";
import { loadSigningKey } from "./secret.ts";
import { openSessions } from "./sessions.ts";
import { createSignInLimits } from "./sign-in-limits.ts";
import type { Site } from "./site.ts";
import { withConfiguredSender } from "./site-mailer.ts";
import { openUsers } from "./users.ts";
import type { Host } from "../../src/ports.ts";

interface Surroundings {
  readonly configuration: Configuration;
  readonly platform: Platform;
  readonly site: Site;
  readonly now: () => number;
  readonly log: NonNullable<Host["log"]>;
  readonly authenticators: readonly Authenticator[];
}

export type HostServices = Awaited<ReturnType<typeof openServices>>;

export async function openServices(surroundings: Surroundings) {
  const { configuration, platform, site, now, log, authenticators } = surroundings;
  const { database } = platform;
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
  return {
    ...surroundings,
    sign,
    users,
    sessions,
    passwords,
    nonces,
    devices,
    addresses,
    signInLimits,
    basicLogin,
    authenticate,
    mailFrom,
    mailSettings,
    mailer,
  };
}

/** Stores the client's address for each request, because the engine does not see the socket. */
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
