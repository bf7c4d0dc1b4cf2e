/**
 * Serves the host's routes for the admin below `/cf-host/v1`: users, the mail server's settings, stored mails, state.
 * Also serves the route of the signed-in user's password, below `/wp/v2/users/me`.
 */
import type { Hono } from "hono";
import type { Health } from "./health.ts";
import { readBody } from "./host-bodies.ts";
import { addMailRoutes, type MailRouteServices } from "./mail-routes.ts";
import { addOutboxRoutes, type OutboxServices } from "./outbox-routes.ts";
import { ADMINISTRATORS, signedInRoutes, type SignInCheck } from "./signed-in-routes.ts";
import { HOST_ROUTES } from "./site.ts";
import { addUserRoutes, type UserRouteServices } from "./user-routes.ts";

export interface HostRouteServices extends SignInCheck, MailRouteServices, OutboxServices, UserRouteServices {
  health(): Promise<Health>;
}

/** Returns the routes, to be mounted at the REST root. */
export function hostRoutes(services: HostRouteServices): Hono {
  const { routes, route } = signedInRoutes(services);
  addUserRoutes(route, services);
  addOutboxRoutes(route, services);
  addMailRoutes(route, services, readBody);
  route(HOST_ROUTES.health, { GET: async (c) => c.json(await services.health()) }, ADMINISTRATORS);
  return routes;
}
