/** cf-forms on Cloudflare Workers: forms in D1, uploads in R2. */
import { d1, type D1Like } from "../../adapters/d1.ts";
import { createForms, type Forms, type FormsOptions } from "../../src/index.ts";
import type { Authentication, LogLevel, Mailer, Principal } from "../../src/ports.ts";
import { r2Files, type R2Like } from "./r2-files.ts";
import { fetchHttp } from "./fetch-http.ts";

/** Default limit for actions of a queue run. D1's paid plan allows 1,000 statements for a request. */
const QUEUE_RUN_LIMIT = 100;

export type { D1Like } from "../../adapters/d1.ts";
export type { R2Like, R2ObjectLike } from "./r2-files.ts";

/** The part of the execution context that the worker needs. */
export interface ExecutionLike {
  /** Keeps the isolate alive until the work has ended. */
  waitUntil(work: Promise<unknown>): void;
}

/** Options of a worker. `db`, `files`, `mailer`, `authenticate` and `visitor` get the worker's `env`. */
export interface WorkerOptions<Env>
  extends Pick<
    FormsOptions,
    | "baseUrl"
    | "allowedHosts"
    | "publicUrl"
    | "restRoot"
    | "frontPrefix"
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
    | "queueRunLimit"
  > {
  /** The database binding. */
  readonly db: (env: Env) => D1Like;
  /** Bucket for uploads; without it forms accept no files. */
  readonly files?: (env: Env) => R2Like;
  /** Sends mails; without it email actions fail with a clear message. */
  readonly mailer?: (env: Env) => Mailer;
  /** Authenticates callers of the REST API; without it the API is closed. */
  readonly authenticate?: (request: Request, env: Env) => Promise<Authentication>;
  /** Returns the signed-in visitor, for forms that require one. */
  readonly visitor?: (request: Request, env: Env) => Promise<Principal | null>;
  /** Called once with the engine of an isolate, to register hooks and actions. */
  readonly setUp?: (forms: Forms) => void;
}

/** The handlers of a worker. */
export interface Worker<Env> {
  /** Handles requests for the engine; returns null for others, which the worker's routes can handle. */
  handle(request: Request, env: Env, execution: ExecutionLike): Promise<Response | null>;
  /** Handles requests for the engine, and rejects others with 404. */
  fetch(request: Request, env: Env, execution: ExecutionLike): Promise<Response>;
  /** Runs due queue entries, for a cron trigger each minute. */
  scheduled(event: unknown, env: Env, execution: ExecutionLike): Promise<void>;
}

/** Context of the ports in addition to the request. */
interface Call<Env> {
  readonly env: Env;
  readonly execution: ExecutionLike;
}

/** Creates a worker's handlers: `export default createWorker({ … })`. */
export function createWorker<Env>(options: WorkerOptions<Env>): Worker<Env> {
  const { db, files, mailer, authenticate, visitor, setUp, ...others } = options;
  let ready: Forms | null = null;

  // Concurrent first requests each create an engine, because requests must not wait for each other.
  async function formsOf(env: Env): Promise<Forms> {
    if (ready !== null) return ready;
    const forms = await createForms({
      queueRunLimit: QUEUE_RUN_LIMIT,
      ...others,
      // Each request writes its own events, because requests must not wait for each other.
      eventDelayMs: 0,
      host: {
        database: d1(db(env)),
        http: fetchHttp,
        ...(files !== undefined && { files: r2Files(files(env)) }),
        ...(mailer !== undefined && { mailer: mailer(env) }),
        async authenticate(request, call) {
          return (await authenticate?.(request, (call as Call<Env>).env)) ?? { principal: null };
        },
        async visitor(request, call) {
          return (await visitor?.(request, (call as Call<Env>).env)) ?? null;
        },
        clientAddress: (request) => request.headers.get("cf-connecting-ip"),
        defer: (work, call) => (call as Call<Env>).execution.waitUntil(work),
        log,
      },
    });
    await forms.migrate();
    if (ready === null) {
      ready = forms;
      setUp?.(forms);
    }
    return ready;
  }

  const worker: Worker<Env> = {
    async handle(request, env, execution) {
      const call: Call<Env> = { env, execution };
      return (await formsOf(env)).fetch(request, call);
    },
    fetch: async (request, env, execution) =>
      (await worker.handle(request, env, execution)) ?? new Response("Not found\n", { status: 404 }),
    async scheduled(_event, env, execution) {
      const call: Call<Env> = { env, execution };
      await (await formsOf(env)).runQueue(call);
    },
  };
  return worker;
}

function log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void {
  if (level === "error" || level === "warn") console.error(JSON.stringify({ level, message, ...fields }));
}
