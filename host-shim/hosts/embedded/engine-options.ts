/** The options with which the embedded host creates the form engine. */
import { readFileSync } from "node:fs";
import { languages } from "../../../visitor/languages/index.ts";
import type { FormsOptions } from "../../src/index.ts";
import type { Host, Principal } from "../../src/ports.ts";
import { failureMail } from "./failure-mail.ts";
import type { HostServices } from "./host-services.ts";
import type { Sessions } from "./sessions.ts";
import { ADMIN_PATH, FRONT_PREFIX, REST_ROOT } from "./site.ts";
import { principalOf } from "./users.ts";

/** The principal that reads the API's documentation for its page. A request from outside never gets this principal. */
export const HOST_ITSELF: Principal = { id: "0", login: "", capabilities: ["edit_forms"] };

export async function engineOptions(
  services: HostServices,
  defer: NonNullable<Host["defer"]>,
  instance: string,
): Promise<FormsOptions> {
  const { configuration, site, mailSettings, mailFrom, now } = services;
  return {
    host: hostOf(services, defer),
    languages,
    ...(configuration.stylesheet === null ? {} : { stylesheet: readFileSync(configuration.stylesheet, "utf8") }),
    baseUrl: site.baseUrl,
    publicUrl: (await mailSettings.read()).settings.public_url || null,
    mailFrom,
    forwardedForIsRead: configuration.trustedProxies.kind !== "none",
    restRoot: REST_ROOT,
    frontPrefix: FRONT_PREFIX,
    signInUrl: `${site.basePath}/sign-in`,
    submissionUrl: `${ADMIN_PATH}/inbox?open={id}`,
    bodyLimit: configuration.bodyLimit,
    uploadLimit: configuration.uploadLimit,
    // Node's parser guarantees the length.
    contentLengthHolds: true,
    secret: configuration.secret,
    instance,
    keepDays: configuration.keepDays,
    now,
  };
}

function hostOf(services: HostServices, defer: NonNullable<Host["defer"]>): Host {
  const { configuration, platform, site, users, sessions, addresses, authenticate, mailer, mailSettings, mailFrom } =
    services;
  const { now, log } = services;
  const { database } = platform;
  return {
    ...platform,
    mailer,
    authenticate: async (request, context) =>
      context === HOST_ITSELF ? { principal: HOST_ITSELF } : authenticate(request),
    // Most visitors have no cookie. Without one, no session is looked up.
    visitor: (request) => (request.headers.has("cookie") ? signedIn(sessions, request) : null),
    clientAddress: addresses.of,
    defer,
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
  };
}

/** Returns the principal of the request's session cookie. */
async function signedIn(sessions: Sessions, request: Request): Promise<Principal | null> {
  const session = await sessions.find(request);
  return session === null ? null : principalOf(session.user);
}
