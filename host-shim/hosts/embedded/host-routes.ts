/**
 * Serves the host's routes for the admin below `/cf-host/v1`: users, stored mails, state. The password of the signed-in user
 * is served beside the application passwords.
 */
import type { Context, Hono } from "hono";
import PostalMime, { type Address } from "postal-mime";
import type { MailFolder } from "../../adapters/mail-folder.ts";
import type { LogLevel } from "../../src/ports.ts";
import { restError } from "./answer.ts";
import type { ApplicationPasswords } from "./application-passwords.ts";
import { isLogin, LOGIN_RULE } from "./configuration.ts";
import type { Health } from "./health.ts";
import type { KnownDevices } from "./known-devices.ts";
import { addMailRoutes, type MailRouteServices } from "./mail-routes.ts";
import { pageTexts, waitText } from "./page-texts.ts";
import type { Sessions } from "./sessions.ts";
import type { SignInLimits } from "./sign-in-limits.ts";
import { signedInRoutes, type SignInCheck } from "./signed-in-routes.ts";
import { HOST_ROUTES } from "./site.ts";
import { generatePassword, MAX_PASSWORD_LENGTH, ROLES, type Role, type User, type UserChange } from "./users.ts";

/** Minimum length of a password that a user chooses. */
const MIN_PASSWORD_LENGTH = 12;
const MAX_EMAIL_LENGTH = 254;

export interface HostRouteServices extends SignInCheck, MailRouteServices {
  readonly passwords: ApplicationPasswords;
  readonly sessions: Sessions;
  readonly signInLimits: SignInLimits;
  readonly devices: KnownDevices;
  clientAddress(request: Request): string | null;
  log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void;
  /** Folder of stored mails, which can be read also when mails are now sent by SMTP. */
  readonly mails: MailFolder;
  health(): Promise<Health>;
}

/** Roles that may read mails, which contain submissions. */
const READERS_OF_MAIL: readonly Role[] = ["administrator", "editor"];
const ADMINISTRATORS: readonly Role[] = ["administrator"];

/** Returns the routes, to be mounted at the REST root. */
export function hostRoutes(services: HostRouteServices): Hono {
  const { users, passwords, sessions, signInLimits, devices, clientAddress, log, mails, mailSettings, health } =
    services;
  const { routes, route } = signedInRoutes(services);

  /** Sets a password, ends all other access that the old one gave, and answers with the numbers. */
  async function setPassword(c: Context, userId: number, password: string, keepsApplicationPasswords: boolean) {
    const session = await sessions.find(c.req.raw);
    const ended = await users.setPassword(userId, password, {
      sessionId: session?.user.id === userId ? session.id : null,
      applicationPasswords: keepsApplicationPasswords,
    });
    passwords.forget();
    return { sessions_ended: ended.sessions, application_passwords_revoked: ended.applicationPasswords };
  }

  route("/wp/v2/users/me/password", {
    POST: async (c, user) => {
      const body = await readBody(c);
      const { current_password: current, new_password: next } = body;
      const keeps = keepsApplicationPasswords(c, body);
      if (keeps === null) return wrong(c, NO_BOOLEAN);
      const attempt = await signInLimits.begin(c.req.raw, user.login);
      if (attempt.secondsToWait > 0) {
        c.header("Retry-After", String(attempt.secondsToWait));
        return restError(c, 429, "rest_too_many_requests", waitText(pageTexts(c), attempt.secondsToWait));
      }
      if (typeof current !== "string" || (await users.verifyPassword(user.login, current)) === null) {
        log("warn", "the current password was wrong", { login: user.login, address: clientAddress(c.req.raw) });
        return restError(c, 403, "incorrect_password", "The password is incorrect.");
      }
      await attempt.forgive();
      if (typeof next !== "string" || next.length < MIN_PASSWORD_LENGTH || next.length > MAX_PASSWORD_LENGTH) {
        return wrong(c, { new_password: `It must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.` });
      }
      const isKnown = devices.isClaimed(c.req.raw);
      const ended = await setPassword(c, user.id, next, keeps);
      const account = isKnown ? await users.findAccount(user.login) : null;
      if (account !== null) c.header("Set-Cookie", devices.remember(c.req.raw, account), { append: true });
      return c.json({ changed: true, ...ended });
    },
  });

  route(
    HOST_ROUTES.users,
    {
      GET: async (c) => c.json((await users.list()).map(wireForm)),
      POST: async (c) => {
        const body = await readBody(c);
        const faults: Record<string, string> = {};
        const { login, email = "", role, password = generatePassword() } = body;
        if (typeof login !== "string" || !isLogin(login)) faults["login"] = `It must be ${LOGIN_RULE}.`;
        if (!isEmail(email)) faults["email"] = "It must be an email address, or empty.";
        const known = ROLES.find((name) => name === role);
        if (known === undefined) faults["role"] = `It must be ${ROLES.join(" or ")}.`;
        if (
          typeof password !== "string" ||
          password.length < MIN_PASSWORD_LENGTH ||
          password.length > MAX_PASSWORD_LENGTH
        ) {
          faults["password"] = `It must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`;
        }
        if (Object.keys(faults).length > 0 || known === undefined) return wrong(c, faults);
        const created = await users.create(String(login), String(email), known, String(password));
        if (created === null) return restError(c, 409, "existing_user_login", "There is a user of this name already.");
        // Shown only once, because only the hash is stored.
        return c.json({ ...wireForm(created), password }, 201);
      },
    },
    ADMINISTRATORS,
  );

  /** Runs `work` on the user in the path. */
  async function onUser(c: Context, work: (user: User) => Promise<Response>): Promise<Response> {
    const user = await users.find(Number(c.req.param("id")));
    return user === null ? noUser(c) : work(user);
  }

  /** The error response when a user was not changed; null when it was. */
  function changeFault(c: Context, change: UserChange): Response | null {
    if (change === "unknown") return noUser(c);
    return change === "done" ? null : restError(c, 409, "last_administrator", "The last administrator stays one.");
  }

  route(
    `${HOST_ROUTES.users}/:id{[0-9]{1,15}}`,
    {
      PATCH: async (c) => {
        const { role, email } = await readBody(c);
        const known = role === undefined ? undefined : ROLES.find((name) => name === role);
        const faults: Record<string, string> = {};
        if (role !== undefined && known === undefined) faults["role"] = `It must be ${ROLES.join(" or ")}.`;
        if (email !== undefined && !isEmail(email)) faults["email"] = "It must be an email address, or empty.";
        if (Object.keys(faults).length > 0) return wrong(c, faults);
        return onUser(c, async (user) => {
          const change = await users.change(user.id, {
            ...(known === undefined ? {} : { role: known }),
            ...(email === undefined ? {} : { email: String(email) }),
          });
          if (known !== undefined) passwords.forget();
          return changeFault(c, change) ?? c.json(wireForm((await users.find(user.id)) ?? user));
        });
      },
      DELETE: async (c) =>
        onUser(c, async (user) => {
          const change = await users.remove(user.id);
          passwords.forget();
          return changeFault(c, change) ?? c.json({ deleted: true, previous: wireForm(user) });
        }),
    },
    ADMINISTRATORS,
  );

  route(
    `${HOST_ROUTES.users}/:id{[0-9]{1,15}}/password`,
    {
      POST: async (c) =>
        onUser(c, async (user) => {
          const keeps = keepsApplicationPasswords(c, await readBody(c));
          if (keeps === null) return wrong(c, NO_BOOLEAN);
          const password = generatePassword();
          return c.json({ password, ...(await setPassword(c, user.id, password, keeps)) });
        }),
    },
    ADMINISTRATORS,
  );

  route(
    HOST_ROUTES.outbox,
    {
      GET: async (c) =>
        c.json({
          kept: (await mailSettings.read()).settings.host === "",
          mails: (await mails.list()).map(({ name, size, time, subject, to }) => ({
            name,
            size,
            subject,
            to,
            sent_at: new Date(time).toISOString(),
          })),
        }),
    },
    READERS_OF_MAIL,
  );

  route(
    `${HOST_ROUTES.outbox}/:name`,
    {
      GET: async (c) => {
        const name = c.req.param("name") ?? "";
        const source = await mails.read(name);
        if (source === null) return restError(c, 404, "mail_not_found", "There is no such mail.");
        const mail = await PostalMime.parse(source);
        const addresses = (list: readonly Address[] = []) => list.map(addressText);
        return c.json({
          name,
          size: source.byteLength,
          sent_at: new Date(Number(name.slice(0, 15))).toISOString(),
          subject: mail.subject ?? "",
          from: mail.from === undefined ? "" : addressText(mail.from),
          to: addresses(mail.to),
          reply_to: addresses(mail.replyTo),
          text: mail.text ?? "",
          html: mail.html ?? null,
          attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
            name: filename ?? "",
            type: mimeType,
            size: typeof content === "string" ? content.length : content.byteLength,
          })),
        });
      },
    },
    READERS_OF_MAIL,
  );

  route(
    `${HOST_ROUTES.outbox}/:name/source`,
    {
      GET: async (c) => {
        const source = await mails.read(c.req.param("name") ?? "");
        if (source === null) return restError(c, 404, "mail_not_found", "There is no such mail.");
        c.header("Content-Type", "message/rfc822");
        c.header("Content-Disposition", "attachment");
        return c.body(new Uint8Array(source));
      },
    },
    READERS_OF_MAIL,
  );

  addMailRoutes(route, services, readBody);

  route(HOST_ROUTES.health, { GET: async (c) => c.json(await health()) }, ADMINISTRATORS);

  return routes;
}

function noUser(c: Context): Response {
  return restError(c, 404, "rest_user_invalid_id", "There is no such user.");
}

const NO_BOOLEAN = { keep_application_passwords: "It must be true or false." };

/** Reads `keep_application_passwords` of the body or the query; null when it is neither true nor false. */
function keepsApplicationPasswords(c: Context, body: Readonly<Record<string, unknown>>): boolean | null {
  const sent = body["keep_application_passwords"] ?? c.req.query("keep_application_passwords") ?? false;
  if (typeof sent === "boolean") return sent;
  return sent === "true" || sent === "1" ? true : sent === "false" || sent === "0" ? false : null;
}

function wireForm({ id, login, email, role, createdAt }: User): Readonly<Record<string, string | number>> {
  return { id, login, email, role, created_at: new Date(createdAt).toISOString() };
}

function addressText({ name, address }: Address): string {
  return name === undefined || name === "" ? (address ?? "") : `${name} <${address ?? ""}>`;
}

function isEmail(value: unknown): boolean {
  return (
    typeof value === "string" && value.length <= MAX_EMAIL_LENGTH && (value === "" || /^[^\s@]+@[^\s@]+$/.test(value))
  );
}

function wrong(c: Context, params: Readonly<Record<string, string>>): Response {
  return restError(c, 400, "rest_invalid_param", `Some values aren’t valid: ${Object.keys(params).join(", ")}`, {
    params,
  });
}

/** Reads the members of a JSON body; none when it is no object. */
async function readBody(c: Context): Promise<Readonly<Record<string, unknown>>> {
  const body: unknown = await c.req.json().catch(() => null);
  return typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : {};
}
