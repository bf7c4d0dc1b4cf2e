/** Routes on which users change their own password, and administrators manage all users. */
import type { Context } from "hono";
import type { LogLevel } from "../../src/ports.ts";
import type { ApplicationPasswords } from "./application-passwords.ts";
import { isLogin, LOGIN_RULE } from "./configuration.ts";
import { invalidParams, readBody } from "./host-bodies.ts";
import type { KnownDevices } from "./known-devices.ts";
import { pageTexts, waitText } from "./page-texts.ts";
import { restError } from "./responses.ts";
import type { Sessions } from "./sessions.ts";
import type { SignInLimits } from "./sign-in-limits.ts";
import { type AddRoute, ADMINISTRATORS } from "./signed-in-routes.ts";
import { HOST_ROUTES } from "./site.ts";
import { generatePassword, MAX_PASSWORD_LENGTH, ROLES, type User, type UserChange, type Users } from "./users.ts";

/** Minimum length of a password that a user chooses. */
const MIN_PASSWORD_LENGTH = 12;
const MAX_EMAIL_LENGTH = 254;
export const EMAIL_RULE = "It must be an email address, or empty.";

export interface UserRouteServices {
  readonly users: Users;
  readonly passwords: ApplicationPasswords;
  readonly sessions: Sessions;
  readonly signInLimits: SignInLimits;
  readonly devices: KnownDevices;
  clientAddress(request: Request): string | null;
  log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void;
}

export function addUserRoutes(route: AddRoute, services: UserRouteServices): void {
  const { users, passwords } = services;
  route("/wp/v2/users/me/password", { POST: (c, user) => changePassword(c, user, services) });
  route(
    HOST_ROUTES.users,
    { GET: async (c) => c.json((await users.list()).map(wireForm)), POST: (c) => create(c, users) },
    ADMINISTRATORS,
  );
  route(
    `${HOST_ROUTES.users}/:id{[0-9]{1,15}}`,
    {
      PATCH: (c) => change(c, services),
      DELETE: (c) =>
        onUser(c, users, async (user) => {
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
        onUser(c, users, async (user) => {
          const keeps = keepsApplicationPasswords(c, await readBody(c));
          if (keeps === null) return invalidParams(c, NO_BOOLEAN);
          const password = generatePassword();
          return c.json({ password, ...(await setPassword(c, services, user.id, password, keeps)) });
        }),
    },
    ADMINISTRATORS,
  );
}

/** Sets a password. Returns, for the response, the numbers of sessions and application passwords that this ended. */
async function setPassword(
  c: Context,
  { users, passwords, sessions }: UserRouteServices,
  userId: number,
  password: string,
  keepsApplicationPasswords: boolean,
) {
  const session = await sessions.find(c.req.raw);
  const ended = await users.setPassword(userId, password, {
    sessionId: session?.user.id === userId ? session.id : null,
    applicationPasswords: keepsApplicationPasswords,
  });
  passwords.forget();
  return { sessions_ended: ended.sessions, application_passwords_revoked: ended.applicationPasswords };
}

/** Changes the password of the signed-in user, who must enter the current one. */
async function changePassword(c: Context, user: User, services: UserRouteServices): Promise<Response> {
  const { users, signInLimits, devices, clientAddress, log } = services;
  const body = await readBody(c);
  const { current_password: current, new_password: next } = body;
  const keeps = keepsApplicationPasswords(c, body);
  if (keeps === null) return invalidParams(c, NO_BOOLEAN);
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
    return invalidParams(c, {
      new_password: `It must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
    });
  }
  const isKnown = devices.isClaimed(c.req.raw);
  const ended = await setPassword(c, services, user.id, next, keeps);
  const account = isKnown ? await users.findAccount(user.login) : null;
  if (account !== null) c.header("Set-Cookie", devices.remember(c.req.raw, account), { append: true });
  return c.json({ changed: true, ...ended });
}

async function create(c: Context, users: Users): Promise<Response> {
  const body = await readBody(c);
  const faults: Record<string, string> = {};
  const { login, email = "", role, password = generatePassword() } = body;
  if (typeof login !== "string" || !isLogin(login)) faults["login"] = `It must be ${LOGIN_RULE}.`;
  if (!isEmail(email)) faults["email"] = EMAIL_RULE;
  const known = ROLES.find((name) => name === role);
  if (known === undefined) faults["role"] = `It must be ${ROLES.join(" or ")}.`;
  if (typeof password !== "string" || password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) {
    faults["password"] = `It must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`;
  }
  if (Object.keys(faults).length > 0 || known === undefined) return invalidParams(c, faults);
  const created = await users.create(String(login), String(email), known, String(password));
  if (created === null) return restError(c, 409, "existing_user_login", "There is a user of this name already.");
  // Shown only once, because only the hash is stored.
  return c.json({ ...wireForm(created), password }, 201);
}

async function change(c: Context, { users, passwords }: UserRouteServices): Promise<Response> {
  const { role, email } = await readBody(c);
  const known = role === undefined ? undefined : ROLES.find((name) => name === role);
  const faults: Record<string, string> = {};
  if (role !== undefined && known === undefined) faults["role"] = `It must be ${ROLES.join(" or ")}.`;
  if (email !== undefined && !isEmail(email)) faults["email"] = EMAIL_RULE;
  if (Object.keys(faults).length > 0) return invalidParams(c, faults);
  return onUser(c, users, async (user) => {
    const change = await users.change(user.id, {
      ...(known === undefined ? {} : { role: known }),
      ...(email === undefined ? {} : { email: String(email) }),
    });
    if (known !== undefined) passwords.forget();
    return changeFault(c, change) ?? c.json(wireForm((await users.find(user.id)) ?? user));
  });
}

/** Calls `work` with the user whose id is in the path; responds with 404 if there is none. */
async function onUser(c: Context, users: Users, work: (user: User) => Promise<Response>): Promise<Response> {
  const user = await users.find(Number(c.req.param("id")));
  return user === null ? noUser(c) : work(user);
}

/** The error response when a user was not changed; null when it was. */
function changeFault(c: Context, change: UserChange): Response | null {
  if (change === "unknown") return noUser(c);
  if (change === "done") return null;
  const message = "This is the only administrator. Make another user an administrator first.";
  return restError(c, 409, "last_administrator", message);
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

/** Whether a value can be the email address of a user. The empty text of a user without an address is accepted too. */
export function isEmail(value: unknown): value is string {
  return (
    typeof value === "string" && value.length <= MAX_EMAIL_LENGTH && (value === "" || /^[^\s@]+@[^\s@]+$/.test(value))
  );
}
