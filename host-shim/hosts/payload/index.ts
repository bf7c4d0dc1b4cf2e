/** cf-forms as a plugin of Payload 3: `plugins: [cfForms()]`. */
import { diskFiles } from "../../adapters/disk-files.ts";
import { guardedFetch } from "../../adapters/guarded-fetch.ts";
import { libsql, type LibsqlLike } from "../../adapters/libsql.ts";
import { readAttachment } from "../../adapters/read-attachment.ts";
import { createForms, sessionNonces, type Forms, type FormsOptions } from "../../src/index.ts";
import type { Authentication, Database, Files, Host, Http, Mailer, Principal } from "../../src/ports.ts";
import { nonceOf } from "../../src/nonce.ts";

/** A user of Payload's auth collection. */
export interface PayloadUser {
  readonly id: string | number;
  readonly email?: string;
  readonly [field: string]: unknown;
}

/** The part of Payload that the plugin needs. */
export interface PayloadLike {
  readonly secret: string;
  readonly db: object;
  readonly config: { readonly serverURL?: string };
  /** Logger of the site. */
  readonly logger: {
    /** Logs an error. */
    error(fields: object, message: string): void;
    /** Logs a warning. */
    warn(fields: object, message: string): void;
  };
  /** The e-mail adapter; Payload's default, `console`, only prints mails. */
  readonly email?: { readonly name?: string };
  /** Sends a mail through the site's e-mail adapter. */
  sendEmail(message: object): Promise<unknown>;
}

/** The part of a request of Payload that the plugin reads. */
export interface PayloadRequestLike {
  readonly payload: PayloadLike;
  readonly user?: unknown;
  readonly url?: string;
  readonly method?: string;
  readonly headers: Headers;
  readonly body?: unknown;
}

interface Endpoint {
  readonly path: string;
  readonly method: string;
  readonly handler: (request: never) => Promise<Response>;
}

/** The part of a configuration that the plugin reads or extends. */
export interface PayloadConfigLike {
  endpoints?: unknown;
  onInit?: unknown;
  routes?: { readonly api?: string };
}

/** Options of {@link cfForms}. */
export interface PayloadOptions
  extends Pick<
    FormsOptions,
    | "allowedHosts"
    | "publicUrl"
    | "signInUrl"
    | "submissionUrl"
    | "scriptSources"
    | "bodyLimit"
    | "uploadLimit"
    | "secret"
    | "keepDays"
    | "mailFrom"
    | "module"
    | "automaticRuns"
  > {
  /**
   * Database of the forms: the address of a separate SQLite file (default `file:./cf-forms.db`, through the
   * `@libsql/client` of `@payloadcms/db-sqlite`), `"site"` for Payload's SQLite database, or any database port. `"site"`
   * requires `push: false` or production, because Payload would otherwise offer to drop the tables.
   */
  readonly database?: string | Database;
  /** Authorizes a user for the REST API: `true` for everything, `false` for nothing, or a list of capabilities. */
  readonly can: (user: PayloadUser) => boolean | Pick<Principal, "capabilities" | "access">;
  /** The site's address, when the configuration has no `serverURL`. */
  readonly baseUrl?: FormsOptions["baseUrl"];
  /** Files port; default: the folder `cf-forms-files`, which must not be public. */
  readonly files?: Files;
  /** HTTP port; default: one that reaches only public addresses. */
  readonly http?: Http;
  /** Mailer; default: Payload's email adapter. */
  readonly mailer?: Mailer;
  /** Returns the client's address from your server, because Payload does not know it. */
  readonly clientAddress?: (request: Request) => string | null;
  /** Interval of the queue, in milliseconds; default 5,000, 0 for never. */
  readonly queueIntervalMs?: number;
  /** Called once with the engine, to register hooks and actions. */
  readonly setUp?: (forms: Forms) => void;
}

const ALL = ["edit_forms", "unfiltered_html", "manage_options"];
const METHODS = ["get", "head", "post", "put", "patch", "delete", "options"] as const;

/**
 * Adds the REST API below `/api/cf/v1`, visitors' forms below `/api/cf-forms`, and `GET /api/cf-forms-nonce`. Callers
 * with a cookie send that nonce as `X-WP-Nonce`. API keys and tokens need no nonce.
 */
export function cfForms(options: PayloadOptions): <Config extends PayloadConfigLike>(config: Config) => Config {
  return (config) => {
    const api = config.routes?.api ?? "/api";
    const formsOf = (payload: PayloadLike): Promise<Forms> => {
      const engines = enginesOf(payload);
      const opened =
        engines.get(options.database) ??
        open(payload, api, options).catch((error: unknown) => {
          engines.delete(options.database);
          throw error;
        });
      engines.set(options.database, opened);
      return opened;
    };

    const handler = async (request: PayloadRequestLike): Promise<Response> => {
      const forms = await formsOf(request.payload);
      return (await forms.fetch(plainRequest(request), request)) ?? new Response("Not found\n", { status: 404 });
    };
    const nonce = async ({ user, payload, headers }: PayloadRequestLike): Promise<Response> => {
      const session = sessionOf(user, headers);
      if (session === null)
        return Response.json({ code: "rest_forbidden", message: "Sign in first." }, { status: 403 });
      const issued = await sessionNonces(keyOf(payload)).issue(session);
      return new Response(issued, {
        headers: { "cache-control": "private, no-store", "content-type": "text/plain; charset=utf-8" },
      });
    };
    const endpoints: Endpoint[] = ["/cf/v1", "/cf/v1/:path*", "/cf-forms/:path*"].flatMap((path) =>
      METHODS.map((method) => ({ path, method, handler })),
    );
    endpoints.push({ path: "/cf-forms-nonce", method: "get", handler: nonce });
    const others = Array.isArray(config.endpoints) ? config.endpoints : [];
    const onInit = async (payload: PayloadLike): Promise<void> => {
      if (typeof config.onInit === "function") await config.onInit(payload);
      await formsOf(payload);
    };
    return { ...config, endpoints: [...endpoints, ...others], onInit };
  };
}

/** The engines of a site by the option `database`. */
type Engines = Map<unknown, Promise<Forms>>;

/** The engines of a site. Global, because a development server loads this module again after a change. */
function enginesOf(payload: PayloadLike): Engines {
  const shared: Record<symbol, WeakMap<PayloadLike, Engines> | undefined> = globalThis;
  const sites = (shared[Symbol.for("cf-forms.payload")] ??= new WeakMap());
  const engines = sites.get(payload) ?? new Map();
  sites.set(payload, engines);
  return engines;
}

async function open(payload: PayloadLike, api: string, options: PayloadOptions): Promise<Forms> {
  const {
    database,
    can,
    baseUrl,
    files,
    http,
    mailer,
    clientAddress,
    queueIntervalMs = 5_000,
    setUp,
    ...others
  } = options;
  const address = baseUrl ?? payload.config.serverURL;
  if (address === undefined || address === "") throw new Error("cf-forms needs Payload's `serverURL`, or `baseUrl`");
  const forms = await createForms({
    ...others,
    baseUrl: address,
    restRoot: api,
    frontPrefix: `${api}/cf-forms`,
    host: hostOf(payload, options, await databaseOf(payload, database)),
  });
  await forms.migrate();
  setUp?.(forms);
  if (queueIntervalMs > 0) startQueue(forms, payload, queueIntervalMs);
  return forms;
}

/** The host: its ports, and Payload's users. */
function hostOf(payload: PayloadLike, options: PayloadOptions, database: Database): Host {
  const { can, files, http, mailer, clientAddress } = options;
  const nonces = sessionNonces(keyOf(payload));
  return {
    database,
    mailer: mailer ?? payloadMailer(payload),
    files: files ?? diskFiles("cf-forms-files"),
    http: http ?? guardedFetch(),
    async authenticate(request, context): Promise<Authentication> {
      const { user, headers } = context as PayloadRequestLike;
      const session = sessionOf(user, headers);
      if (session === null || !isUser(user)) return { principal: null };
      // Other sites' pages can cause requests with the cookie, but not with the header, so the cookie needs a nonce.
      if (!headers.has("authorization")) {
        const nonce = await nonceOf(request);
        if (nonce === null) return { principal: null };
        if (!(await nonces.isValid(nonce, session))) {
          return {
            failure: {
              status: 403,
              code: "rest_cookie_invalid_nonce",
              message: "Your session has expired. Sign in again.",
            },
          };
        }
      }
      return { principal: principalOf(user, can) };
    },
    async visitor(_request, context) {
      const { user } = context as PayloadRequestLike;
      return isUser(user) ? principalOf(user, can) : null;
    },
    ...(clientAddress !== undefined && { clientAddress }),
    log(level, message, fields) {
      if (level === "error") payload.logger.error(fields, `cf-forms: ${message}`);
      else if (level === "warn") payload.logger.warn(fields, `cf-forms: ${message}`);
    },
  };
}

/** Runs the queue at an interval, without keeping the process alive. */
function startQueue(forms: Forms, payload: PayloadLike, intervalMs: number): void {
  const run = () =>
    forms
      .runQueue()
      .catch((error: unknown) =>
        payload.logger.error({ error: String(error) }, "cf-forms: the queue could not be run"),
      );
  const timer: unknown = setInterval(run, intervalMs);
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function")
    timer.unref();
}

async function databaseOf(payload: PayloadLike, database: string | Database = "file:./cf-forms.db"): Promise<Database> {
  if (typeof database !== "string") return database;
  if (database === "site") {
    const client = "client" in payload.db ? payload.db.client : undefined;
    if (typeof client !== "object" || client === null || !("batch" in client)) {
      throw new Error('cf-forms: `database: "site"` needs Payload\'s SQLite adapter; configure a separate database');
    }
    // In development, Payload's next start would offer to drop our tables, and exit when there is no terminal.
    const pushes = !("push" in payload.db && payload.db.push === false) && process.env["NODE_ENV"] !== "production";
    if (pushes)
      throw new Error(
        'cf-forms: `database: "site"` needs `push: false` in Payload\'s SQLite adapter, or its next start may drop the forms',
      );
    return libsql(client as LibsqlLike);
  }
  const name = "@libsql/client";
  const {
    createClient,
  }: { createClient(options: { url: string }): LibsqlLike & { execute(sql: string): Promise<unknown> } } = await import(
    /* @vite-ignore */ name
  );
  const client = createClient({ url: database });
  await client.execute("PRAGMA journal_mode = WAL");
  return libsql(client);
}

function payloadMailer(payload: PayloadLike): Mailer {
  return {
    async send({ from, to, cc, bcc, reply_to, subject, text, html, headers, message_id, attachments = [] }) {
      const message = {
        from,
        to,
        cc,
        bcc,
        replyTo: reply_to || undefined,
        subject,
        text,
        html: html ?? undefined,
        headers,
        messageId: message_id,
        attachments: await Promise.all(attachments.map(readAttachment)),
      };
      await payload.sendEmail(message);
      if (payload.email?.name === "console") return { message_id, response: "printed by Payload", simulated: true };
      return { message_id, response: "handed to Payload" };
    },
  };
}

/** Converts Payload's extended request, which may belong to another realm, to a plain `Request`. */
function plainRequest({ url = "", method = "GET", headers, body }: PayloadRequestLike): Request {
  const isBodiless = method === "GET" || method === "HEAD";
  const init: RequestInit & { duplex: "half" } = {
    method,
    headers,
    body: isBodiless ? null : ((body ?? null) as BodyInit | null),
    duplex: "half",
  };
  return new Request(url, init);
}

function principalOf(user: PayloadUser, can: PayloadOptions["can"]): Principal {
  const allowed = can(user);
  const rights = typeof allowed === "object" ? allowed : { capabilities: allowed ? ALL : [] };
  return { ...rights, id: String(user.id), login: user.email ?? String(user.id) };
}

function isUser(user: unknown): user is PayloadUser {
  return typeof user === "object" && user !== null && "id" in user;
}

function sessionOf(user: unknown, headers: Headers): string | null {
  return isUser(user) ? `${user.id}\n${headers.get("cookie") ?? ""}` : null;
}

/** Derives the key of nonces, because Payload's secret may be too short. */
function keyOf({ secret }: PayloadLike): string {
  return `cf-forms nonces of a Payload site\n${secret}`;
}
