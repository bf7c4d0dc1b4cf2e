/**
 * Serves `/wp/v2/users/me` and its application passwords by the platform's REST conventions. Every signed-in user manages
 * their own passwords.
 */
import type { Context, Hono } from "hono";
import { MAX_PER_USER, type ApplicationPassword, type ApplicationPasswords } from "./application-passwords.ts";
import type { BasicLogin } from "./basic-login.ts";
import { invalidParams, readBody } from "./host-bodies.ts";
import { restError } from "./responses.ts";
import { signedInRoutes, type SignInCheck } from "./signed-in-routes.ts";
import { REST_ROOT, type Site } from "./site.ts";
import { EMAIL_RULE, isEmail } from "./user-routes.ts";
import type { User } from "./users.ts";

const ACCOUNT = "/wp/v2/users/me";
const PASSWORDS = `${ACCOUNT}/application-passwords`;

const MAX_NAME_LENGTH = 200;

export interface AccountServices extends SignInCheck {
  readonly site: Site;
  readonly passwords: ApplicationPasswords;
  readonly basicLogin: BasicLogin;
}

/** Returns the routes, to be mounted at the REST root. */
export function accountRoutes(services: AccountServices): Hono {
  const { users, passwords, basicLogin } = services;
  const { routes, route } = signedInRoutes(services);

  async function changeEmail(c: Context, user: User): Promise<Response> {
    const { email = user.email } = await readBody(c);
    if (!isEmail(email)) return invalidParams(c, { email: EMAIL_RULE });
    await users.change(user.id, { email });
    return c.json(accountOf({ ...user, email }));
  }

  route(ACCOUNT, {
    GET: (c, user) => c.json(accountOf(user)),
    POST: changeEmail,
    PUT: changeEmail,
    PATCH: changeEmail,
  });

  route(PASSWORDS, {
    GET: async (c, user) => c.json((await passwords.list(user.id)).map(wireForm)),
    POST: (c, user) => create(c, user, services),
    DELETE: async (c, user) => c.json({ deleted: true, count: await passwords.revoke(user.id, null) }),
  });

  route(`${PASSWORDS}/introspect`, {
    GET: async (c, user) => {
      const inUse = await basicLogin.passwordInUse(c.req.raw);
      const item = inUse === null ? null : await passwords.find(user.id, inUse.uuid);
      return item === null
        ? restError(c, 404, "rest_no_authenticated_app_password", "This request uses no application password.")
        : c.json(wireForm(item));
    },
  });

  async function rename(c: Context, user: User): Promise<Response> {
    const input = await readInput(c);
    if (input instanceof Response) return input;
    await passwords.rename(user.id, uuidOf(c), input.name);
    return show(c, user);
  }

  async function show(c: Context, user: User): Promise<Response> {
    const item = await passwords.find(user.id, uuidOf(c));
    return item === null ? notFound(c) : c.json(wireForm(item));
  }

  route(`${PASSWORDS}/:uuid`, {
    GET: show,
    POST: rename,
    PUT: rename,
    PATCH: rename,
    DELETE: async (c, user) => {
      const item = await passwords.find(user.id, uuidOf(c));
      if (item === null || (await passwords.revoke(user.id, item.uuid)) === 0) return notFound(c);
      return c.json({ deleted: true, previous: wireForm(item) });
    },
  });

  return routes;
}

function accountOf({ id, login, email, role }: User) {
  return { id, name: login, slug: login, email, roles: [role] };
}

async function create(c: Context, user: User, { site, passwords }: AccountServices): Promise<Response> {
  const input = await readInput(c);
  if (input instanceof Response) return input;
  const created = await passwords.create(user.id, input.name, input.appId);
  if (created === null) {
    const message = `You already have ${MAX_PER_USER} application passwords. Revoke one first.`;
    return restError(c, 409, "rest_cannot_create_application_passwords", message);
  }
  c.header("Location", `${site.baseUrl}${REST_ROOT}${PASSWORDS}/${created.item.uuid}`);
  return c.json({ ...wireForm(created.item), password: created.password }, 201);
}

function notFound(c: Context): Response {
  return restError(c, 404, "rest_application_password_not_found", "Application password not found.");
}

function uuidOf(c: Context): string {
  return c.req.param("uuid") ?? "";
}

/** Reads `name` and `app_id` of a JSON or form-encoded body; a Response when they are invalid. */
async function readInput(c: Context): Promise<{ readonly name: string; readonly appId: string } | Response> {
  const text = await c.req.text();
  let fields: Readonly<Record<string, unknown>>;
  if ((c.req.header("content-type") ?? "").toLowerCase().startsWith("application/json")) {
    try {
      const body: unknown = JSON.parse(text === "" ? "{}" : text);
      fields = typeof body === "object" && body !== null ? { ...body } : {};
    } catch {
      return restError(c, 400, "rest_invalid_json", "Invalid JSON body passed.");
    }
  } else {
    fields = Object.fromEntries(new URLSearchParams(text));
  }
  const { name, app_id: appId = "" } = fields;
  if (name === undefined || name === null) {
    return restError(c, 400, "rest_missing_callback_param", "Required information is missing: name", {
      params: ["name"],
    });
  }
  if (typeof name !== "string" || name.length > MAX_NAME_LENGTH) {
    const message = `name must be a text of at most ${MAX_NAME_LENGTH} characters.`;
    return restError(c, 400, "rest_invalid_param", message, { params: { name: message } });
  }
  if (name.trim() === "") {
    return restError(c, 400, "application_password_empty_name", "An application name is required.");
  }
  if (typeof appId !== "string" || appId.length > MAX_NAME_LENGTH) {
    const message = `app_id must be a text of at most ${MAX_NAME_LENGTH} characters.`;
    return restError(c, 400, "rest_invalid_param", message, { params: { app_id: message } });
  }
  return { name: name.trim(), appId };
}

function wireForm(item: ApplicationPassword): Readonly<Record<string, string | null>> {
  return {
    uuid: item.uuid,
    app_id: item.appId,
    name: item.name,
    created: new Date(item.createdAt).toISOString(),
    last_used: item.lastUsedAt === null ? null : new Date(item.lastUsedAt).toISOString(),
    last_ip: item.lastIp,
  };
}
