/** Routes of the host for signed-in users. Authentication and authorization happen only here. */
import { Hono, type Context } from "hono";
import { BASIC_CHALLENGE } from "../../src/challenge.ts";
import type { Authentication } from "../../src/ports.ts";
import { noRoute, restError } from "./responses.ts";
import { ROLES, type Role, type User, type Users } from "./users.ts";

export interface SignInCheck {
  readonly users: Users;
  authenticate(request: Request): Promise<Authentication>;
}

export const ADMINISTRATORS: readonly Role[] = ["administrator"];

type ForUser = (c: Context, user: User) => Promise<Response> | Response;

/** Adds a path with its methods for users of these roles. Other methods get a 404, never a 405. */
export type AddRoute = (path: string, methods: Readonly<Record<string, ForUser>>, roles?: readonly Role[]) => void;

/** Creates routes for the REST root, and the function that adds to them. */
export function signedInRoutes({ users, authenticate }: SignInCheck): {
  readonly routes: Hono;
  readonly route: AddRoute;
} {
  const routes = new Hono();

  /** Returns the authorized user; an error Response when there is none. */
  async function userOf(c: Context, roles: readonly Role[]): Promise<User | Response> {
    const authentication = await authenticate(c.req.raw);
    for (const [name, value] of Object.entries(authentication.headers ?? {})) c.header(name, value);
    if ("failure" in authentication) {
      const { status, code, message } = authentication.failure;
      return restError(c, status, code, message);
    }
    const { principal } = authentication;
    if (principal === null) {
      c.header("WWW-Authenticate", BASIC_CHALLENGE);
      return restError(c, 401, "rest_not_logged_in", "Your session has expired. Sign in again.");
    }
    const user = await users.findByLogin(principal.login);
    // An OAuth subject is never a user of this host, even if a user has the same name.
    if (user === null || String(user.id) !== principal.id) {
      return restError(c, 403, "rest_user_invalid_id", "This account is not managed here.");
    }
    return roles.includes(user.role) ? user : restError(c, 403, "rest_forbidden", "You may not do this.");
  }

  function route(path: string, methods: Readonly<Record<string, ForUser>>, roles: readonly Role[] = ROLES): void {
    routes.all(path, async (c) => {
      const handler = methods[methodOf(c)];
      if (handler === undefined) return noRoute(c);
      c.header("Cache-Control", "no-store");
      const user = await userOf(c, roles);
      return user instanceof Response ? user : handler(c, user);
    });
  }

  return { routes, route };
}

/** Returns the intended method: clients behind old proxies send POST and override the method. */
function methodOf(c: Context): string {
  const { method } = c.req;
  if (method === "HEAD") return "GET";
  const override = c.req.query("_method") ?? c.req.header("x-http-method-override");
  return method === "POST" && override !== undefined ? override.toUpperCase() : method;
}
