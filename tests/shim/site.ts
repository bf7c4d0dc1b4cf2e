/** A real site for tests: the engine on a real database behind a real HTTP server. */

import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import {
  createForms,
  type Database,
  type Forms,
  type FormsOptions,
  type Host,
  type MailMessage,
} from "../../host-shim/src/index.ts";
import { listenOnFreePort } from "../free-port.ts";
import { CALLERS } from "./callers.ts";

export { CALLERS } from "./callers.ts";

export interface JsonResponse {
  readonly status: number;
  readonly headers: Headers;
  // Tests read responses of many shapes.
  readonly body: JsonValue;
}

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };

export interface Site {
  readonly url: string;
  readonly forms: Forms;
  readonly database: Database;
  /** The sent mails. */
  readonly mails: MailMessage[];
  /** Lines of the log, errors and warnings only. */
  readonly faults: string[];
  /** Milliseconds that the site's clock is ahead. */
  readonly clock: { ahead: number };
  /** Resolves when all background work, such as a purge, has ended. */
  settled(): Promise<void>;
  /** A REST call below `/api/cf/v1`, as an administrator by default. */
  api(method: string, path: string, body?: unknown, caller?: string): Promise<JsonResponse>;
  close(): Promise<void>;
}

export interface SiteOptions {
  /** Default: SQLite in a folder that is removed afterwards. */
  readonly database?: Database & { close(): Promise<void> };
  readonly forms?: Partial<FormsOptions>;
  /** Ports that override the site's. */
  readonly host?: Partial<Host>;
}

/** Uploads of all sites of a test file, because sites that share a database share the store of its uploads. */
const files = new Map<string, Uint8Array>();

/** Whether a key of the store is an upload, and not the store's id. */
export const isUpload = (key: string): boolean => !key.endsWith("cf-store-id");

/** Ports that keep everything in memory. */
function testHost({
  mails,
  faults,
  deferred,
}: {
  readonly mails: MailMessage[];
  readonly faults: string[];
  readonly deferred: Set<Promise<unknown>>;
}): Omit<Host, "database"> {
  return {
    mailer: {
      async send(message) {
        mails.push(message);
        return { message_id: message.message_id, response: "250 OK" };
      },
    },
    files: {
      async put(key, bytes) {
        files.set(key, bytes);
      },
      get: async (key) => files.get(key) ?? null,
      async delete(key) {
        files.delete(key);
      },
    },
    visitor: async (request) => CALLERS[request.headers.get("x-test-caller") ?? ""] ?? null,
    authenticate: async (request) => ({
      principal: CALLERS[request.headers.get("x-test-caller") ?? ""] ?? null,
    }),
    clientAddress: (request) => request.headers.get("x-test-address") ?? "192.0.2.1",
    defer: (work) => {
      deferred.add(work);
      void work.finally(() => deferred.delete(work));
    },
    log: (level, message, fields) => {
      if (level === "error" || level === "warn") faults.push(`${level}: ${message} ${JSON.stringify(fields)}`);
    },
  };
}

export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), "cf-forms-site-"));
  const database = options.database ?? openSqlite({ path: join(folder, "forms.sqlite") });
  // The server listens before the site exists, so that no other process takes the port.
  const server = createAdaptorServer({
    fetch: async (request) => (await forms.fetch(request)) ?? new Response("Not found\n", { status: 404 }),
    hostname: "127.0.0.1",
    // With Node's default, the server would close the connection of a test that computes for seconds in this process.
    serverOptions: { keepAliveTimeout: 60_000 },
  });
  const url = `http://127.0.0.1:${await listenOnFreePort(server, "127.0.0.1")}`;
  // If the site does not start, the process must still end.
  server.unref();
  const mails: MailMessage[] = [];
  const faults: string[] = [];
  const clock = { ahead: 0 };
  const deferred = new Set<Promise<unknown>>();
  const forms = await createForms({
    baseUrl: url,
    now: () => Date.now() + clock.ahead,
    ...options.forms,
    host: {
      database,
      ...testHost({ mails, faults, deferred }),
      ...options.forms?.host,
      ...options.host,
    },
  });
  await forms.migrate();
  // A call waits only for the work that it started. A submit may have started work before, so this one waits for all of
  // it.
  const runQueue = forms.runQueue.bind(forms);
  forms.runQueue = async () => {
    const begun = [...deferred];
    const ran = await runQueue();
    await Promise.all(begun);
    return ran;
  };
  server.ref();

  return {
    url,
    forms,
    database,
    mails,
    faults,
    clock,
    async settled() {
      while (deferred.size > 0) await Promise.all(deferred);
    },
    api: (method, path, body, caller) => askApi(url, method, path, body, caller),
    async close() {
      await closeServer(server as Server);
      await forms.close();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function askApi(
  url: string,
  ...[method, path, body, caller = "administrator"]: Parameters<Site["api"]>
): ReturnType<Site["api"]> {
  const response = await fetch(`${url}/api/cf/v1${path}`, {
    method,
    headers: { "x-test-caller": caller, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed: JsonValue = text === "" ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, body: parsed };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** A member of a JSON object. */
export function member(value: unknown, name: string): JsonValue {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
  return (value as Readonly<Record<string, JsonValue | undefined>>)[name] ?? null;
}

/** The items of a JSON array. */
export function items(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
