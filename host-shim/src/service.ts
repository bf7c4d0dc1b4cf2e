/** The forms of one site: handles requests and runs the tasks that a host starts. */

import type { Engine, Field, FormSchema } from "#load-engine";
import { createClient, type Client } from "../../client/index.ts";
import { type ActionSettingDescription, type ActionType, registerAction } from "./actions.ts";
import { Addresses } from "./addresses.ts";
import { Assets } from "./assets.ts";
import { Background } from "./background.ts";
import { requestHead, target, toResponse, withHeaders, type Mount, type Target } from "./bridge.ts";
import { checkedPrincipal, identifyCaller, type Caller } from "./caller.ts";
import { engineConfiguration } from "./configuration.ts";
import type { Driver } from "./driver.ts";
import { EngineTasks } from "./engine-tasks.ts";
import { errorResponse, INTERNAL_ERROR, notLoaded } from "./error-response.ts";
import { FileStore } from "./file-store.ts";
import type { CounterDifference, Forms, Reply } from "./forms.ts";
import type { EngineResponse } from "./frame.ts";
import { HookRegistry } from "./hook-registry.ts";
import { createHooks, type Hooks } from "./hooks.ts";
import { imageReply } from "./images.ts";
import { ImportJobs } from "./imports/import-jobs.ts";
import { writeLog } from "./log.ts";
import { markupFilter } from "./markup-filter.ts";
import type { FormsOptions } from "./options.ts";
import type { LogLevel, Principal } from "./ports.ts";
import type { PureCalls } from "./pure.ts";
import { type ReceivedBody, RequestBodies, unreadableReply } from "./request-body.ts";
import { namespaceIndex, type NamespaceIndex } from "./reference.ts";
import { cacheKey, ResponseCache } from "./response-cache.ts";
import { createDriver } from "./service-driver.ts";
import { isFailedSubmit, respondToFailedSubmit } from "./submit-fault.ts";
import { withSheet } from "./xlsx.ts";

const PORT_TIMEOUT_MS = 30_000;

/** The meta with a form's schema, as JSON. */
const SCHEMA_META = "_cf_form_schema";

/** A request in progress, with its target and its site. */
interface Visit {
  readonly request: Request;
  readonly requestId: string;
  readonly found: Target;
  readonly mount: Mount;
  readonly requestUrl: string | null;
  readonly context: unknown;
}

export class Service implements Omit<Forms, keyof PureCalls> {
  readonly hooks: Hooks;
  readonly meta: Forms["meta"];
  readonly #options: FormsOptions;
  readonly #portTimeoutMs: number;
  readonly #addresses: Addresses;
  readonly #assets: Assets;
  readonly #responses = new ResponseCache();
  readonly #registry: HookRegistry;
  readonly #fileStore: FileStore;
  readonly #driver: Driver;
  readonly #tasks: EngineTasks;
  readonly #bodies: RequestBodies;
  readonly #background: Background;
  /** The public address after a change; undefined for the configured one. */
  #publicUrl: string | null | undefined;

  constructor(engine: Engine, options: FormsOptions) {
    this.#options = options;
    this.#portTimeoutMs = options.portTimeoutMs ?? PORT_TIMEOUT_MS;
    this.#addresses = new Addresses(options);
    this.#assets = new Assets(options.stylesheet);
    this.#fileStore = new FileStore(options.host);
    this.#registry = new HookRegistry((use) => this.#driver.call(use), this.#reportMisuse);
    this.hooks = createHooks(this.#registry);
    this.filterMarkup = markupFilter(this.hooks, this.#reportMisuse);
    const imports = new ImportJobs({
      host: options.host,
      portTimeoutMs: this.#portTimeoutMs,
      now: this.#now,
      runStatement: (...named) => this.#tasks.importRecords(...named),
      clientOf: (principal) => this.as(principal),
      fieldsOf: this.#fieldsOf,
    });
    this.#driver = createDriver(engine, {
      options,
      configuration: engineConfiguration(options, this.#addresses, this.#assets.names),
      registry: this.#registry,
      portTimeoutMs: this.#portTimeoutMs,
      fileStore: this.#fileStore,
      fieldNames: this.#fieldNames,
      importParts: imports.parts,
      publicUrl: () => this.#publicUrl,
      now: this.#now,
    });
    this.#tasks = new EngineTasks(this.#driver, this.#now, options.host);
    this.#bodies = new RequestBodies(options, this.#portTimeoutMs, imports);
    this.#background = new Background(this.#tasks, imports.runner, options, this.#now);
    this.meta = { get: (formId, key) => this.#tasks.readMeta(formId, key) };
  }

  registerAction<const Settings extends readonly ActionSettingDescription[]>(action: ActionType<Settings>): () => void {
    return registerAction(this.hooks, action, (message) => writeLog(this.#options.host, "warn", message, {}));
  }

  async render(...[template, submission, options]: Parameters<Forms["render"]>): Promise<string> {
    return this.#tasks.render(template, submission, options.as);
  }

  async fetch(request: Request, context?: unknown): Promise<Response | null> {
    const reply = await this.reply(request, context);
    return reply === null ? null : toResponse(reply);
  }

  async reply(request: Request, context?: unknown): Promise<Reply | null> {
    const { mount, requestUrl } = this.#addresses.of(request);
    const found = target(new URL(request.url), mount);
    if (found === null) return null;
    if (found.area === "asset") {
      const folder = `${requestUrl ?? this.#addresses.configured}${mount.frontPrefix}/-/assets/`;
      return this.#assets.reply(found.path, request.headers.get("accept-encoding") ?? "", folder);
    }
    if (found.area === "image") return imageReply(request.method, found.path, this.#options.host);
    const requestId = crypto.randomUUID();
    const { host } = this.#options;
    if (requestUrl === undefined) {
      writeLog(host, "warn", "a request used a host that is not allowed", { request_id: requestId, url: request.url });
      return errorResponse(400, "rest_host_not_allowed", "This site is not served under this host.", requestId);
    }
    const caller = await identifyCaller(request, found, context, { host, portTimeoutMs: this.#portTimeoutMs });
    if (caller === null) return errorResponse(500, ...INTERNAL_ERROR, requestId);
    return this.#receive({ request, requestId, found, mount, requestUrl, context }, caller);
  }

  as(principal: Principal): Client {
    const caller: Caller = { authentication: { principal: checkedPrincipal(principal) }, address: null };
    const { configured, configuredMount: mount, restRoot } = this.#addresses;
    return createClient({
      root: configured + restRoot,
      fetch: async (address, init) => {
        const request = new Request(address, init);
        const found = target(new URL(address), mount);
        if (found === null) throw new TypeError(`${address} is not an address of the engine`);
        const requestId = crypto.randomUUID();
        const visit: Visit = { request, requestId, found, mount, requestUrl: null, context: undefined };
        return toResponse(await this.#receive(visit, caller));
      },
    });
  }

  handles(request: Request): boolean {
    return target(new URL(request.url), this.#addresses.of(request).mount) !== null;
  }

  namespaceIndex(): Promise<NamespaceIndex> {
    const { configured, restRoot } = this.#addresses;
    return namespaceIndex(configured + restRoot);
  }

  async migrate(): Promise<void> {
    await this.#tasks.migrate();
    await this.#fileStore.tie((id) => this.#tasks.fileStore(id));
  }

  runQueue(context?: unknown): Promise<{ processed: number }> {
    return this.#background.tick(context);
  }

  rebuildCounters(report: (difference: CounterDifference) => void): Promise<void> {
    return this.#tasks.rebuildCounters(report);
  }

  setPublicUrl(url: string | null): void {
    this.#publicUrl = url;
    this.#driver.call((engine) => engine.setPublicUrl(url ?? ""));
  }

  close(): Promise<void> {
    return this.#background.close();
  }

  /** Filters rendered HTML through plugins. */
  readonly filterMarkup: (html: string, schema: object) => string;

  /** Calls the engine synchronously. */
  readonly call = <T>(use: (engine: Engine) => T): T => this.#driver.call(use);

  readonly #fieldsOf = (markup: string): readonly Field[] => {
    const parsed = this.call((current) => current.parseMarkup(markup));
    return "schema" in parsed ? parsed.schema.fields : [];
  };

  /** Reads the names of a form's fields from the side that is its source. */
  readonly #fieldNames = async (form: Readonly<Record<string, unknown>>): Promise<ReadonlySet<string>> => {
    const stored = form["source"] === "schema" ? await this.#tasks.readMeta(Number(form["id"]), SCHEMA_META) : null;
    const fields = stored === null ? this.#fieldsOf(String(form["markup"])) : (JSON.parse(stored) as FormSchema).fields;
    return new Set(fields.map(({ name }) => name));
  };

  /** Reads the body of a known caller's request, and handles the request. */
  async #receive(visit: Visit, caller: Caller): Promise<Reply> {
    const { request, requestId, found } = visit;
    const received = await this.#bodies.receive(request, found, caller.address);
    const unreadable = unreadableReply(received, found.path, requestId, this.#options.host);
    if (unreadable === null) return this.#respond(visit, caller, received);
    received.exchange.close();
    return unreadable;
  }

  async #respond(visit: Visit, caller: Caller, received: ReceivedBody): Promise<Reply> {
    const { request, requestId, found, requestUrl, context } = visit;
    const { exchange, incoming, body, waits } = received;
    exchange.identify("principal" in caller.authentication ? caller.authentication.principal : null);
    const head = requestHead(request, found, {
      ...caller,
      now: this.#now(),
      requestId,
      tooLarge: body === "too_large",
      bodyWaits: waits,
      baseUrl: requestUrl,
    });
    // Plugins may change the response, so it is cached only without plugins.
    const key = this.#registry.isEmpty ? cacheKey(found, head) : null;
    const cached =
      key === null ? null : await this.#responses.find(key, this.#options.host.database, this.#portTimeoutMs);
    if (cached !== null) return withHeaders(cached, caller.authentication.headers);
    const starter = found.area === "rest" ? (engine: Engine) => engine.handle : (engine: Engine) => engine.visit;
    const run = this.#driver.run(starter, head, body instanceof Uint8Array ? body : new Uint8Array(), exchange);
    // A submit may run its actions before its response, so their leases are renewed.
    const isSubmit = found.area === "front" && head.method === "POST";
    const finished = await (isSubmit ? this.#tasks.renewing(run) : run);
    const ended = exchange.moduleFault === null ? finished : notLoaded(exchange.moduleFault, requestId);
    const first = found.area === "rest" ? withSheet(ended) : ended;
    this.#background.afterResponse(first, head, context);
    const response = isFailedSubmit(first, request, found)
      ? await this.#showAnswersAgain(first, visit, received)
      : first;
    if (key !== null) this.#responses.add(key, response);
    // The connection is closed, because the rest of a slow body is not read.
    return withHeaders(response, {
      ...caller.authentication.headers,
      ...(incoming.isSlow ? { connection: "close" } : {}),
    });
  }

  /** Responds to a failed submit with the form and the visitor's answers. */
  #showAnswersAgain(
    failed: EngineResponse,
    { request, requestId, found, mount }: Visit,
    { exchange }: ReceivedBody,
  ): Promise<EngineResponse> {
    const { languages = {} } = this.#options;
    return respondToFailedSubmit(failed, {
      request,
      found,
      requestId,
      exchange,
      languages,
      front: `${mount.basePath}${mount.frontPrefix}`,
    });
  }

  readonly #now = (): number => Math.trunc(this.#options.now?.() ?? Date.now());

  /** Reports a plugin's fault, such as an invalid hook name. */
  readonly #reportMisuse = (
    message: string,
    fields: Readonly<Record<string, unknown>> = {},
    level: LogLevel = "error",
  ): void => {
    writeLog(this.#options.host, level, message, fields);
  };
}
