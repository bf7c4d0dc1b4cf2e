/** The host's own routes for whoever is signed in: who asks, and whether they may, is found out here alone. */
import { Hono, type Context } from "hono";
import { BASIC_CHALLENGE } from "../../src/challenge.ts";
import type { Authentication } from "../../src/ports.ts";
import { noRoute, restError } from "./answer.ts";
import { ROLES, type Role, type User, type Users } from "./users.ts";

export interface SignInCheck {
  readonly users: Users;
  authenticate(request: Request): Promise<Authentication>;
}

type ForUser = (c: Context, user: User) => Promise<Response> | Response;

/** Adds a path with its methods, for users of these roles; a method that is not there does not exist (404, never 405). */
export type AddRoute = (path: string, methods: Readonly<Record<string, ForUser>>, roles?: readonly Role[]) => void;

/** Routes to be mounted at the REST root, and the only way to add to them. */
export function signedInRoutes({ users, authenticate }: SignInCheck): { readonly routes: Hono; readonly route: AddRoute } {
  const routes = new Hono();

  /** The user who asks; a Response when nobody does who may. */
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
      return restError(c, 401, "rest_not_logged_in", "You are not signed in.");
    }
    const user = await users.findByLogin(principal.login);
    // An OAuth subject is nobody in this host's own table, whatever its name.
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

/** The method meant: clients behind old proxies send POST and name the method beside it. */
function methodOf(c: Context): string {
  const { method } = c.req;
  if (method === "HEAD") return "GET";
  const override = c.req.query("_method") ?? c.req.header("x-http-method-override");
  return method === "POST" && override !== undefined ? override.toUpperCase() : method;
}
