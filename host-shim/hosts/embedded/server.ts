/** The HTTP server of the host: routes and headers. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { toNodeHandler, type AnsweringForms, type NodeHandler } from "../../adapters/node-handler.ts";
import { toResponse } from "../../src/bridge.ts";
import { NO_DEVICES, NO_PAGE } from "../../src/guards.ts";
import type { Forms } from "../../src/index.ts";
import { accountRoutes, type AccountServices } from "./account-routes.ts";
import { adminRoutes } from "./admin-page.ts";
import { apiPageRoutes, type ApiPageServices } from "./api-page.ts";
import { pageTexts } from "./page-texts.ts";
import { landingPage, messagePage, STYLE_SOURCE } from "./pages.ts";
import type { NotReady } from "./readiness.ts";
import { hostRoutes, type HostRouteServices } from "./host-routes.ts";
import { limitBodies } from "./request-limits.ts";
import { errorFor, noRoute } from "./responses.ts";
import { FRONT_PREFIX, REST_ROOT, type Site } from "./site.ts";
import { signInRoutes, type SignInServices } from "./sign-in.ts";

/** The part of the form engine that the server needs. */
export type FormRoutes = Pick<Forms, "reply" | "handles" | "namespaceIndex">;

export interface ServerServices extends AccountServices, ApiPageServices, HostRouteServices, SignInServices {
  readonly forms: FormRoutes;
  /** Returns why the host is not ready; null when it is. */
  readiness(): Promise<NotReady | null>;
  readonly bodyLimit: number;
  readonly uploadLimit: number;
  /** Errors that were thrown while a request was handled, and are not yet logged. */
  readonly thrown: WeakMap<IncomingMessage, unknown>;
  /** Stores the socket's address of a request for `clientAddress`. */
  noteSocketAddress(request: Request, address: string | undefined): void;
  /** Whether the host serves; false once it shuts down. */
  isServing(): boolean;
}

export function createServer(services: ServerServices): Hono<{ Bindings: HttpBindings }> {
  const { site, forms, sessions, nonces } = services;
  const app = new Hono<{ Bindings: HttpBindings }>();

  addMiddleware(app, services);

  app.get("/healthz", (c) => c.json({ status: "up" }));
  app.get("/readyz", async (c) => {
    if (!services.isServing()) return c.json({ status: "not ready", part: "host", reason: "it shuts down" }, 503);
    const fault = await services.readiness();
    return fault === null ? c.json({ status: "ready" }) : c.json({ status: "not ready", ...fault }, 503);
  });

  app.route(site.basePath || "/", signInRoutes(services));
  app.route(site.basePath || "/", adminRoutes(services));
  app.route(site.basePath || "/", apiPageRoutes(services));
  app.route(site.basePath + REST_ROOT, accountRoutes(services));
  app.route(site.basePath + REST_ROOT, hostRoutes(services));
  app.on(
    "GET",
    ["", "/"].map((end) => site.basePath + REST_ROOT + end),
    async (c, next) => (c.req.query("rest_route") === undefined ? c.json(await index(site, forms)) : next()),
  );

  app.get(`${site.basePath}/`, async (c, next) => {
    if (site.isRest(c.req.raw)) return next();
    const session = await sessions.find(c.req.raw);
    const signedIn = session === null ? null : { user: session.user, nonce: nonces.issue(session) };
    c.header("Cache-Control", "no-store");
    return c.html(landingPage(pageTexts(c), site.basePath, signedIn));
  });

  app.all("*", async (c) => {
    const reply = await forms.reply(c.req.raw);
    return reply === null ? c.notFound() : toResponse(reply);
  });

  app.notFound((c) =>
    site.isRest(c.req.raw) ? noRoute(c) : c.html(messagePage("Not found", "There is nothing at this address."), 404),
  );
  app.onError((error, c) => internalError(c, error, services.log));
  return app;
}

/** Adds the middleware for all routes: headers, body limits, client addresses, and a handler for earlier errors. */
function addMiddleware(app: Hono<{ Bindings: HttpBindings }>, services: ServerServices): void {
  const { site } = services;
  app.use(safeHeaders(site));
  app.use(async (c, next) => {
    await next();
    const isJson = c.res.headers.get("content-type")?.includes("json") === true;
    if (isJson && !c.res.headers.has("content-security-policy")) c.header("Content-Security-Policy", NO_PAGE);
    if (!c.res.headers.has("permissions-policy")) c.header("Permissions-Policy", NO_DEVICES);
  });
  app.use(async (c, next) => {
    if (services.thrown.has(c.env.incoming)) throw services.thrown.get(c.env.incoming);
    await next();
  });
  app.use(limitBodies(site, services.bodyLimit));
  app.use(async (c, next) => {
    services.noteSocketAddress(c.req.raw, c.env.incoming.socket.remoteAddress);
    await next();
  });
  app.use(async (c, next) => {
    await next();
    const isKnown = c.res.headers.get("link")?.includes("https://api.w.org/") === true;
    if (!isKnown) c.header("Link", apiLink(site), { append: true });
  });
}

/** Logs an error under an id, and responds with the id. */
function internalError(c: Context, error: Error, log: ServerServices["log"]): Response | Promise<Response> {
  const requestId = randomUUID();
  log("error", "request failed", {
    request_id: requestId,
    path: c.req.path,
    error: error.stack ?? String(error),
  });
  const message = "Something went wrong on this site.";
  return errorFor(c, 500, "rest_internal_error", "Error", message, { request_id: requestId });
}

/**
 * Handles the engine's requests before the middleware, which would take more time than many responses. Requests whose
 * body may be too large, or has no declared length, go through the middleware.
 */
export async function engineHandler(
  site: Site,
  forms: AnsweringForms,
  {
    bodyLimit,
    uploadLimit,
    noteSocketAddress,
    thrown,
  }: Pick<ServerServices, "bodyLimit" | "uploadLimit" | "noteSocketAddress" | "thrown">,
): Promise<NodeHandler> {
  const app = new Hono().use(safeHeaders(site)).get("*", (c) => c.body(null));
  const handlerBelow = async (path: string): Promise<readonly [string, NodeHandler]> => {
    const headers = [...(await app.request(path)).headers, ["link", apiLink(site)] as const];
    const onRequest = (request: Request, { socket }: IncomingMessage) =>
      noteSocketAddress(request, socket.remoteAddress);
    return [path, toNodeHandler(forms, { onRequest, headers })];
  };
  const [rest, front] = [`${site.basePath}${REST_ROOT}/cf/`, site.basePath + FRONT_PREFIX];
  const handlers = [await handlerBelow(rest), await handlerBelow(front)];
  const most = Math.min(bodyLimit, uploadLimit);
  return async (incoming, outgoing, next) => {
    const { url = "", method, headers: sent } = incoming;
    const isBounded = method === "GET" || method === "HEAD" || Number(sent["content-length"]) <= most;
    const [, handler] = (isBounded ? handlers.find(([path]) => url.startsWith(path)) : undefined) ?? [];
    if (handler === undefined) return void next?.();
    try {
      await handler(incoming, outgoing, next);
    } catch (error) {
      thrown.set(incoming, error);
      if (outgoing.headersSent) outgoing.destroy();
      else next?.();
    }
  };
}

/** Returns the `Link` header by which clients find the API from the address of a page. */
function apiLink({ baseUrl }: Site): string {
  return `<${baseUrl}${REST_ROOT}/>; rel="https://api.w.org/"`;
}

/**
 * Adds security headers. Headers that the engine sets stay, because the engine knows what its pages load and who may
 * embed them.
 */
function safeHeaders(site: Site): MiddlewareHandler {
  const policy = {
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: [STYLE_SOURCE],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    // The path of a form's page appears in the site's own statistics, not in those of other sites.
    referrerPolicy: "strict-origin-when-cross-origin",
    strictTransportSecurity: site.isHttps ? "max-age=31536000" : false,
    // The site needs none of these headers; most concern obsolete browsers.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    originAgentCluster: false,
    overwrite: false,
  };
  const forHost = secureHeaders({ ...policy, xFrameOptions: "DENY" });
  // Other sites may load, embed and open visitors' pages.
  const forVisitors = secureHeaders({
    ...policy,
    xFrameOptions: false,
    crossOriginResourcePolicy: false,
    crossOriginOpenerPolicy: false,
  });
  return (c, next) => (site.isFront(c.req.path) ? forVisitors : forHost)(c, next);
}

/** Returns the index of the REST root: the namespaces and the engine's routes, for discovery by clients. */
async function index({ baseUrl }: Site, forms: FormRoutes): Promise<object> {
  return {
    name: "cf-forms",
    description: "",
    url: baseUrl,
    home: baseUrl,
    namespaces: ["cf/v1", "wp/v2"],
    authentication: {},
    routes: (await forms.namespaceIndex()).routes,
  };
}
