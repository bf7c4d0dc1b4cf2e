/** An embedded host on a free port with a new database, and a client for it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfiguration } from "../../host-shim/hosts/embedded/configuration.ts";
import { startEmbeddedHost, type EmbeddedHost } from "../../host-shim/hosts/embedded/index.ts";
import { openUsers, type Users } from "../../host-shim/hosts/embedded/users.ts";
import type { Forms, FormsOptions } from "../../host-shim/src/index.ts";
import type { LogLevel } from "../../host-shim/src/ports.ts";

export const ADMIN = { login: "admin", password: "correct horse battery staple" };
export const APP_PASSWORD = "abcd EFGH ijkl MNOP qrst 1234";

/** Environment of programs that tests start: no settings, only the paths of programs and of compiled code. */
export const BARE_ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
};

export interface LoggedEvent {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface TestHost extends EmbeddedHost {
  readonly directory: string;
  readonly events: readonly LoggedEvent[];
  /** Options that the host passed to the engine. */
  readonly formsOptions: FormsOptions;
  /** The host's clock; starts at a fixed time. */
  readonly clock: { time: number };
  readonly users: Users;
}

export interface TestHostOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
  /** Members that override those of the fake engine. */
  readonly forms?: (options: FormsOptions) => Partial<Forms>;
  /** The whole engine instead of the fake one. */
  readonly createForms?: (options: FormsOptions) => Promise<Forms>;
}

/** Registers clean-ups: the context of a test, or a suite that runs them after several tests. */
export interface CleanUps {
  after(cleanUp: () => unknown): unknown;
}

/** Starts a host. When the test ends, the host is closed and its directory removed. */
export async function startTestHost(t: CleanUps, options: TestHostOptions = {}): Promise<TestHost> {
  const directory = options.directory ?? (await temporaryDirectory(t));
  const configuration = readConfiguration({
    PORT: "0",
    DATA_DIR: directory,
    CF_ADMIN_PASSWORD: ADMIN.password,
    CF_ADMIN_APP_PASSWORD: APP_PASSWORD,
    QUEUE_INTERVAL_MS: "3600000",
    CF_SECRET: "of the test",
    ...options.environment,
  });
  const events: LoggedEvent[] = [];
  const clock = { time: Date.UTC(2030, 0, 1, 1) };
  let formsOptions: FormsOptions | undefined;
  const host = await startEmbeddedHost(configuration, {
    async createForms(given) {
      formsOptions = given;
      return options.createForms?.(given) ?? replying({ ...fakeForms(given), ...options.forms?.(given) });
    },
    now: () => clock.time,
    log: (level, message, fields) => events.push({ level, message, fields }),
  });
  t.after(() => host.close());
  if (formsOptions === undefined) throw new Error("the host did not create the engine");
  const users = await openUsers(formsOptions.host.database, () => clock.time);
  return { ...host, directory, events, formsOptions, clock, users };
}

export async function temporaryDirectory(t: CleanUps): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "cf-embedded-"));
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return directory;
}

/** Adds a `reply` that calls the engine's `fetch`. */
function replying(forms: Forms): Forms {
  return {
    ...forms,
    handles: () => true,
    async reply(request, context) {
      const response = await forms.fetch(request, context);
      if (response === null) return null;
      return {
        status: response.status,
        headers: [...response.headers],
        body: new Uint8Array(await response.arrayBuffer()),
      };
    },
  };
}

/** A fake engine with only the methods that the host calls. Its response names the caller or the length of the body. */
function fakeForms({ host }: FormsOptions): Forms {
  const forms: Pick<Forms, "fetch" | "namespaceIndex" | "migrate" | "runQueue" | "close"> = {
    namespaceIndex: async () => ({ namespace: "cf/v1", routes: {}, _links: {} }),
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const isRest = pathname.startsWith("/api/cf/v1") || searchParams.has("rest_route");
      if (!isRest && !pathname.startsWith("/forms/")) return null;
      const authentication = isRest
        ? await host.authenticate?.(request)
        : { principal: (await host.visitor?.(request)) ?? null };
      const headers = { ...authentication?.headers };
      if (authentication !== undefined && "failure" in authentication) {
        const { status, code, message } = authentication.failure;
        return Response.json({ code, message, data: { status } }, { status, headers });
      }
      if (!isRest) headers["content-security-policy"] = "default-src 'self'";
      return Response.json(
        {
          principal: authentication?.principal ?? null,
          address: host.clientAddress?.(request) ?? null,
          body_length: (await request.arrayBuffer()).byteLength,
        },
        { headers },
      );
    },
    migrate: async () => {},
    runQueue: async () => ({ processed: 0 }),
    close: async () => {},
  };
  return forms as Forms;
}

export interface SignedIn {
  /** Value of the header Cookie. */
  readonly cookie: string;
  readonly nonce: string;
}

export function postJson(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

export async function signIn(host: EmbeddedHost, credentials: object = ADMIN): Promise<SignedIn> {
  const response = await postJson(`${host.url}/sign-in`, credentials);
  const { nonce } = (await response.json()) as { readonly nonce: string };
  return { cookie: cookiesOf(response), nonce };
}

/** The cookies of a response, as a request sends them. */
export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

export function basic(login: string, password: string): { readonly authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}` };
}

/** Reads the JSON of a response, for assertions. */
export async function bodyOf<T>(response: Response): Promise<T> {
  return (await response.json()) as T;
}
