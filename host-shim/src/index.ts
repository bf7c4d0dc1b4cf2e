/** cf-forms for any JavaScript-hosted platform: {@link createForms} joins the engine to a host. */

import { type Engine, loadEngine, type ModuleSource } from "#load-engine";
import { registerAction, type ActionType } from "./actions.ts";
import { embed, lists, script, style, type FrontAsset } from "../../visitor/assets.ts";
import type { Languages } from "../../visitor/languages/index.ts";
import { AnswerCache } from "./answer-cache.ts";
import { Addresses } from "./addresses.ts";
import { BodyBudget } from "./body-budget.ts";
import { mostBytes, requestHead, target, toResponse, withHeaders, type Target } from "./bridge.ts";
import { askCaller } from "./caller.ts";
import { Driver } from "./driver.ts";
import { performer, performerNow } from "./effects.ts";
import { Exchange, isMultipart } from "./exchange.ts";
import { EventWriter } from "./event-writer.ts";
import { faultAnswer, INTERNAL_ERROR } from "./fault-answer.ts";
import type { Answer, RequestHead } from "./frame.ts";
import { createHooks, HookRegistry, type Hooks } from "./hooks.ts";
import { BodyFault, IncomingBody, isConsumed, isSmall } from "./incoming-body.ts";
import type { Host, Principal } from "./ports.ts";
import { pureCalls, type PureCalls } from "./pure.ts";
import { Purger } from "./purger.ts";
import { Reindexer, type ReindexState } from "./reindexer.ts";
import { QueueRunner, type Claim } from "./queue-runner.ts";
import { reasonOf } from "./reason.ts";
import { scriptSources } from "./script-sources.ts";
import { answerFailedSubmit, isFailedSubmit, PASSED_OVER, showsAnswersAgain } from "./submit-fault.ts";

export { settingName } from "./actions.ts";
export type { ActionFile, ActionForm, ActionSettingDescription, ActionSettings, ActionSubmission, ActionType } from "./actions.ts";
export type { HookCallback, Hooks, StoredHandler, StoredHook } from "./hooks.ts";
export { PermanentError } from "./permanent-error.ts";
export type * from "./ports.ts";
export type { PureCalls } from "./pure.ts";
export type {
  Answers,
  AnswerFault,
  EvaluatedConditions,
  Field,
  FormSchema,
  NamespaceIndex,
  ParsedMarkup,
  RenderedSchema,
  RouteDescription,
  Fault as SchemaFault,
  UploadedFile as SentFile,
  ValidatedSubmission,
  Warning,
} from "#load-engine";
export type { ModuleSource };
export { nonceOf, sessionNonces, type SessionNonces } from "./nonce.ts";

export interface FormsOptions {
  readonly host: Host;
  /**
   * The WebAssembly module, where the runtime's own way to load it fails: in code that a bundler has
   * moved. `import { module } from "cf-forms/inline"` is it in every case.
   */
  readonly module?: ModuleSource | Promise<ModuleSource>;
  /**
   * The site's address without a trailing slash, such as `https://example.org`; or a function of the
   * request. An address that a function returns counts for that request alone, and only when its host is
   * one of `allowedHosts`; else the request is answered under `publicUrl`, and with 400 without one.
   */
  readonly baseUrl: string | ((request: Request) => string);
  /** Hosts, with their port where they have one, that a `baseUrl` function may name. */
  readonly allowedHosts?: readonly string[];
  /**
   * The site's public address, for mails, cron and signed links, which carry no links without it.
   * Default: `baseUrl`, where that is an address.
   */
  readonly publicUrl?: string | null;
  /**
   * Whether `clientAddress` reads `X-Forwarded-For` of proxies that are trusted; default false. While it
   * does not, a private or loopback address may be that of a proxy, and so of every visitor: limits that
   * no form sets are not applied to it.
   */
  readonly forwardedForIsRead?: boolean;
  /** Where the REST API hangs below the address; default `/api`. */
  readonly restRoot?: string;
  /** Where visitors' pages hang below the address; default `/forms`. */
  readonly frontPrefix?: string;
  /**
   * Where visitors sign in, such as `/sign-in`: forms for people who are signed in link to it, with
   * the form's own path as `redirect_to`. Without it they only say that one must be signed in.
   */
  readonly signInUrl?: string;
  /**
   * The sources of scripts that forms' pages may load beside the engine's own, for plugins that add some by
   * `cf_form_html`: addresses of sites or scripts such as `https://cdn.example/`, `'self'`, and hashes of
   * scripts. Pages then ask for no trusted types.
   */
  readonly scriptSources?: readonly string[];
  /** The largest body of a REST request, in bytes; default 1 MiB. */
  readonly bodyLimit?: number;
  /** The largest body of a visitor's submit, files included, in bytes; default 16 MiB. */
  readonly uploadLimit?: number;
  /**
   * Whether the server hands on no more of a body than its `Content-Length` says, as Node's does; default
   * false. A body with an honest length is then read as a whole, which costs such servers less than
   * counting it piece by piece.
   */
  readonly contentLengthHolds?: boolean;
  /** How long a port may take before the engine gets an error; default 30 s. */
  readonly portTimeoutMs?: number;
  /** How long a hook callback may take; default 10 s. */
  readonly callbackTimeoutMs?: number;
  /** How many actions may run at once in this process; default 10. */
  readonly queueConcurrency?: number;
  /** How many actions a run of the queue begins at most, for platforms that bound what a request does; default: all. */
  readonly queueRunLimit?: number;
  /**
   * Whether the queue runs after each submit that queued actions; default true. Without that they run
   * with the next call of `runQueue()`.
   */
  readonly automaticRuns?: boolean;
  /**
   * The host's own secret, kept out of the database: part of the key that encrypts the secrets in
   * action settings. Hosts of one database must be given the same one.
   */
  readonly secret?: string;
  /**
   * A name that only this process has, and has again after a restart: what it held of the queue when it
   * was killed runs at once when it starts. Without one, others wait for 30 s.
   */
  readonly instance?: string;
  /**
   * How long browsers' events may wait to be written together, in milliseconds; default 1,000. What
   * a process that is killed had gathered in that time is lost; `close()` loses nothing. With 0 each
   * request writes its own, as platforms want it whose requests cannot wait for each other.
   */
  readonly eventDelayMs?: number;
  /** How long finished and old rows are kept. */
  readonly keepDays?: KeepDays;
  /** The sender of mails whose action names none; default `forms@` and the site's host name. */
  readonly mailFrom?: string;
  /** What forms say in other languages than English; `cf-forms/languages` has twelve. */
  readonly languages?: Languages;
  /** A style sheet of the site's own for the visitor's pages, as text. */
  readonly stylesheet?: string;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

/**
 * How many days finished and old rows are kept; 0 keeps it for ever. What is still to run never goes.
 */
export interface KeepDays {
  /** Queue entries after they were completed; default 30. */
  readonly completed?: number;
  /** Queue entries after they failed for good, while they may be retried by hand; default 90. */
  readonly failed?: number;
  /** Log entries; default 90. */
  readonly logs?: number;
  /**
   * Answers and files of forms that keep no submissions, after an action failed for good; default
   * 30. When all actions have succeeded they go at once.
   */
  readonly unsaved?: number;
}

export interface Forms extends PureCalls {
  /**
   * Answers a request of the REST API or of a visitor; null when the path is neither's. `context` is
   * handed to the host's `authenticate`, `visitor`, `clientAddress` and `defer`. Never rejects.
   */
  fetch(request: Request, context?: unknown): Promise<Response | null>;
  /** The same, for servers that write answers themselves: a `Response` costs more than many an answer. */
  reply(request: Request, context?: unknown): Promise<Reply | null>;
  /** Whether {@link fetch} answers the request, by its address alone. */
  handles(request: Request): boolean;
  /**
   * Brings the database to the newest shape, and frees what this `instance` held of the queue when it
   * ended. To be called once, before serving.
   */
  migrate(): Promise<void>;
  /**
   * Runs the actions that are due, until none is, and waits for those that it began; what other calls
   * began it leaves to them. `context` is handed to the host's `defer`. Once an hour it also begins to delete what is over
   * and old, and the submissions that their forms keep no longer; after an update it goes on indexing stored submissions
   * again. The answer does not wait for either, `host.defer` and `close()` do.
   */
  runQueue(context?: unknown): Promise<{ processed: number }>;
  /** Where other plugins take part: the interface of `@wordpress/hooks`. */
  readonly hooks: Hooks;
  /** Adds an action type; returns a function that removes it. */
  registerAction(action: ActionType): () => void;
  /** The meta of forms for other plugins; a form's schema is under `_cf_form_schema`, as JSON text. */
  readonly meta: { get(formId: number, key: string): Promise<string | null> };
  /**
   * Counts the stored submissions again, form by form and day by day, and corrects counters that are
   * too low. What is too high is left: submissions that were deleted came all the same.
   */
  rebuildCounters(report: (difference: CounterDifference) => void): Promise<void>;
  /** Claims no more actions, deletes and indexes no more, waits for what is under way, and writes the events that wait. */
  close(): Promise<void>;
}

/** A response as plain values, without a `Response` object. Of a `stream`, `body` is empty. */
export type Reply = Pick<Answer, "status" | "headers" | "body" | "stream">;

/** A counter that is not what the stored submissions, or its days, add up to. */
export interface CounterDifference {
  /** 0 for the whole site. */
  readonly form_id: number;
  /** Such as `submit`, as docs/analytics.md names them. */
  readonly metric: string;
  /** A UTC day; empty for a running total. */
  readonly date: string;
  readonly label: string;
  /** By how much it was too low; less than 0 where it was too high. */
  readonly by: number;
  readonly corrected: boolean;
}

const BODY_LIMIT = 1 << 20;
const UPLOAD_LIMIT = 16 << 20;

/** How often leases of 30 s are renewed. */
const RENEW_MS = 10_000;

interface RebuildStep {
  readonly next: Readonly<Record<string, unknown>> | null;
  readonly differences: readonly CounterDifference[];
}

/** The site's own style as an asset, whose name changes with it (FNV-1a). */
function siteStyle(content = ""): FrontAsset[] {
  if (content === "") return [];
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(content)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return [{ name: `site.${hash.toString(16).padStart(8, "0")}.css`, type: "text/css; charset=utf-8", content }];
}

/** Makes the engine and joins it to the host. */
export async function createForms(options: FormsOptions): Promise<Forms> {
  const service = new Service(await loadEngine(options.module), options);
  return Object.assign(service, pureCalls(service.call, service.filterMarkup));
}

/** A short body, or why there is none. */
async function shortBody(body: IncomingBody): Promise<Uint8Array | BodyFault["code"]> {
  try {
    return await body.whole();
  } catch (error) {
    return error instanceof BodyFault ? error.code : "broken";
  }
}

class Service implements Omit<Forms, keyof PureCalls> {
  readonly hooks: Hooks;
  readonly #options: FormsOptions;
  readonly #addresses: Addresses;
  readonly #driver: Driver;
  readonly #queue: QueueRunner;
  readonly #events: EventWriter;
  readonly #purger: Purger;
  readonly #reindexer: Reindexer;
  readonly #budget = new BodyBudget();
  readonly #assets: ReadonlyMap<string, FrontAsset>;
  readonly #answers = new AnswerCache();
  readonly #registry: HookRegistry;

  constructor(engine: Engine, options: FormsOptions) {
    this.#options = options;
    this.#assets = new Map([style, script, embed, lists, ...siteStyle(options.stylesheet)].map((asset) => [asset.name, asset]));
    this.#addresses = new Addresses(options);
    const registry = (this.#registry = new HookRegistry((use) => this.#driver.call(use), this.#reportMisuse));
    this.hooks = createHooks(registry);
    const configuration = new TextEncoder().encode(JSON.stringify(this.#configuration()));
    this.#driver = new Driver({
      engine,
      prepare: (fresh) => {
        fresh.configure(configuration);
        registry.restore(fresh);
      },
      onDone: (current) => registry.rememberSoon(current),
      perform: performer(
        options.host,
        (callback, args) => registry.callBack(callback, args),
        {
          portTimeoutMs: this.#portTimeoutMs,
          callbackTimeoutMs: options.callbackTimeoutMs ?? 10_000,
        },
      ),
      performNow: performerNow(options.host),
      now: this.#now,
      onFault: (message, fields) => options.host.log?.("error", message, fields),
    });
    this.#queue = new QueueRunner(
      {
        claim: (limit, running) => this.#claim(limit, running),
        runEntry: (claim) => this.#runEntry(claim),
        release: (claims) => this.#release(claims),
      },
      options.queueConcurrency ?? 10,
    );
    this.#events = new EventWriter(() => this.#writeEvents(), options.eventDelayMs ?? 1_000);
    this.#purger = new Purger((begun) => this.#purge(begun), this.#now, this.#reportPurge);
    this.#reindexer = new Reindexer((begun) => this.#reindex(begun), this.#now, this.#reportReindex);
  }

  registerAction(action: ActionType): () => void {
    return registerAction(this.hooks, action);
  }

  async fetch(request: Request, context?: unknown): Promise<Response | null> {
    const reply = await this.reply(request, context);
    return reply === null ? null : toResponse(reply);
  }

  async reply(request: Request, context?: unknown): Promise<Reply | null> {
    const { mount, requestUrl } = this.#addresses.of(request);
    const found = target(new URL(request.url), mount);
    if (found === null) return null;
    if (found.area === "asset") return this.#asset(found.path);
    const requestId = crypto.randomUUID();
    const fault = (status: number, code: string, message: string): Reply => faultAnswer(status, code, message, requestId);
    const { host } = this.#options;
    if (requestUrl === undefined) {
      host.log?.("warn", "a request came under a host that is not allowed", { request_id: requestId, url: request.url });
      return fault(400, "rest_host_not_allowed", "This site is not served under this host.");
    }
    const caller = await askCaller(request, found, context, { host, portTimeoutMs: this.#portTimeoutMs });
    if (caller === null) return fault(500, ...INTERNAL_ERROR);
    const { exchange, incoming, body, waits } = await this.#receive(request, found, caller.address);
    if (body === "consumed") {
      const cause = "the request's body was read before it reached cf-forms: mount cf-forms before any body parser";
      host.log?.("error", cause, { request_id: requestId, path: found.path });
      return fault(500, ...INTERNAL_ERROR);
    }
    if (body === "broken") {
      host.log?.("warn", "the body of a request broke off", { request_id: requestId, path: found.path });
      return fault(400, "rest_body_unreadable", "The body of the request could not be read to its end.");
    }
    const head = requestHead(request, found, {
      ...caller,
      now: this.#now(),
      requestId,
      tooLarge: body === "too_large",
      bodyWaits: waits,
      baseUrl: requestUrl,
    });
    const key = this.#keyOf(found, head);
    const kept = key === null ? null : await this.#answers.find(key, host.database);
    if (kept !== null) return withHeaders(kept, caller.authentication.headers);
    const starter = found.area === "rest" ? (engine: Engine) => engine.handle : (engine: Engine) => engine.visit;
    const bytes = body instanceof Uint8Array ? body : new Uint8Array();
    const run = this.#driver.run(starter, head, bytes, exchange);
    // A submit may run its actions before it is answered.
    const first = await (found.area === "front" && head.method === "POST" ? this.#renewing(run) : run);
    this.#afterAnswer(first, head, context);
    const answer = isFailedSubmit(first, request, found)
      ? await answerFailedSubmit(first, { request, found, requestId, exchange, languages: this.#options.languages ?? {}, front: `${mount.basePath}${mount.frontPrefix}` })
      : first;
    if (key !== null) this.#answers.keep(key, answer);
    // What is left of a body that came too slowly is not waited for.
    return withHeaders(answer, { ...caller.authentication.headers, ...(incoming.isSlow ? { connection: "close" } : {}) });
  }

  /** All that an answer which may be kept depends on; null where none may, since plugins may take part in it. */
  #keyOf({ area }: Target, { method, path, query, headers, principal, failure, base_url }: RequestHead): string | null {
    if (area !== "rest" || method !== "GET" || failure !== null || !this.#registry.isEmpty) return null;
    return JSON.stringify([path, query, headers, principal, base_url]);
  }

  handles(request: Request): boolean {
    return target(new URL(request.url), this.#addresses.of(request).mount) !== null;
  }

  async migrate(): Promise<void> {
    const answer = await this.#internal((engine) => engine.migrate, {});
    if (answer.status !== 200) throw new Error(answer.log ?? "the database could not be migrated");
  }

  async runQueue(context?: unknown): Promise<{ processed: number }> {
    const processed = await this.#queue.run(this.#options.queueRunLimit);
    this.#defer(this.#purger.start(), context);
    this.#defer(this.#reindexer.start(), context);
    return { processed };
  }

  readonly meta = {
    get: async (formId: number, key: string): Promise<string | null> => {
      const answer = await this.#internal((engine) => engine.readMeta, { form_id: formId, key });
      if (answer.status !== 200) throw new Error(answer.log ?? "the meta could not be read");
      const value: string | null = JSON.parse(new TextDecoder().decode(answer.body));
      return value;
    },
  };

  async rebuildCounters(report: (difference: CounterDifference) => void): Promise<void> {
    let place: Readonly<Record<string, unknown>> | null = { form_id: 0, day: 0 };
    while (place !== null) {
      const answer: Answer = await this.#internal((engine) => engine.rebuildCounters, place);
      if (answer.status !== 200) throw new Error(answer.log ?? "the counters could not be rebuilt");
      const step: RebuildStep = JSON.parse(new TextDecoder().decode(answer.body));
      step.differences.forEach(report);
      place = step.next;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#queue.close(), this.#events.now(), this.#purger.close(), this.#reindexer.close()]);
  }

  /** A synchronous call on the engine. */
  readonly call = <T>(use: (engine: Engine) => T): T => this.#driver.call(use);

  /** What was rendered, as plugins want it. What a plugin does wrong leaves it as it was. */
  readonly filterMarkup = (html: string, schema: object): string => {
    try {
      const filtered = this.hooks.applyFilters("cf_schema_markup", html, schema, null);
      if (typeof filtered === "string") return filtered;
      this.#reportMisuse("a callback of cf_schema_markup gave no text: forms.renderSchema() waits for no promise");
    } catch (error) {
      this.#reportMisuse(`a callback of cf_schema_markup failed: ${reasonOf(error)}`);
    }
    return html;
  };

  get #portTimeoutMs(): number {
    return this.#options.portTimeoutMs ?? 30_000;
  }

  readonly #now = (): number => Math.trunc(this.#options.now?.() ?? Date.now());

  /** A plugin's own mistake, such as a name that no hook can have. */
  readonly #reportMisuse = (message: string): void => {
    const { host } = this.#options;
    if (host.log === undefined) console.error(message);
    else host.log("error", message, {});
  };

  /** What is left goes with the next purge. */
  readonly #reportPurge = (error: unknown): void => {
    this.#options.host.log?.("error", "what is old could not be purged", { error: reasonOf(error) });
  };

  /** The index goes on from where it is with a later run of the queue. */
  readonly #reportReindex = (error: unknown): void => {
    this.#options.host.log?.("error", "submissions could not be indexed again", { error: reasonOf(error) });
  };

  #configuration() {
    const { host, mailFrom, secret, instance, languages = {}, signInUrl = "", keepDays = {} } = this.#options;
    const { bodyLimit = BODY_LIMIT, uploadLimit = UPLOAD_LIMIT } = this.#options;
    const site = [...this.#assets.keys()].find((name) => name.startsWith("site."));
    const { restRoot, frontPrefix, configured, publicUrl } = this.#addresses;
    const ports = { mail: host.mailer, http: host.http, files: host.files, meta: host.meta };
    return {
      dialect: host.database.dialect,
      base_url: configured,
      public_url: publicUrl ?? "",
      forwarded_for_is_read: this.#options.forwardedForIsRead ?? false,
      rest_root: restRoot,
      front_prefix: frontPrefix,
      ports: Object.entries(ports).flatMap(([name, port]) => (port === undefined ? [] : [name])),
      assets: { style: style.name, script: script.name, ...(site === undefined ? {} : { site }) },
      secret: secret ?? "",
      instance: instance ?? "",
      sign_in_url: signInUrl,
      script_sources: scriptSources(this.#options.scriptSources ?? []),
      keep_days: keepDays,
      body_limit: bodyLimit,
      upload_limit: uploadLimit,
      languages: Object.fromEntries(Object.entries(languages).map(([tag, texts]) => [tag.toLowerCase(), texts])),
      mail_from: mailFrom ?? `forms@${new URL(configured).hostname}`,
    };
  }

  /** Prepares what the engine may ask for of a request, and reads a short body, which it gets at once. */
  async #receive(request: Request, found: Target, address: string | null) {
    const { host, bodyLimit = BODY_LIMIT, uploadLimit = UPLOAD_LIMIT, contentLengthHolds = false } = this.#options;
    const contentType = request.headers.get("content-type") ?? "";
    const isUpload = found.area === "front" && isMultipart(contentType);
    const lease = this.#budget.lease(address);
    const incoming = new IncomingBody(request, {
      bytes: isUpload ? uploadLimit : mostBytes(found.path, bodyLimit),
      lengthHolds: contentLengthHolds,
      lease,
      ...(showsAnswersAgain(request, found) ? { passedOver: PASSED_OVER } : {}),
    });
    const { files } = host;
    const exchange = new Exchange({ body: incoming, contentType, lease, files, portTimeoutMs: this.#portTimeoutMs });
    if (isConsumed(request, contentLengthHolds)) return { exchange, incoming, body: "consumed" as const, waits: false };
    const waits = isUpload ? request.method === "POST" : !isSmall(request);
    const body = waits ? null : await shortBody(incoming);
    // The engine is told when it asks: it knows what visitors are to be shown.
    return { exchange, incoming, body, waits: waits || body === "slow" };
  }

  #asset(name: string): Reply {
    // What pages of other sites name stays; what it is may change.
    if (name === "embed.js") {
      const headers = [["location", embed.name], ["cache-control", "public, max-age=300"], ["access-control-allow-origin", "*"]] as const;
      return { status: 302, headers, body: new Uint8Array() };
    }
    const asset = this.#assets.get(name);
    if (asset === undefined) {
      return { status: 404, headers: [["content-type", "text/plain;charset=UTF-8"]], body: new TextEncoder().encode("Not found\n") };
    }
    return {
      status: 200,
      headers: [
        ["content-type", asset.type],
        ["cache-control", "public, max-age=31536000, immutable"],
        ["x-content-type-options", "nosniff"],
        ["access-control-allow-origin", "*"],
      ],
      body: new TextEncoder().encode(asset.content),
    };
  }

  #afterAnswer(answer: Answer, head: RequestHead, context: unknown): void {
    const { host, automaticRuns = true } = this.#options;
    if (answer.log !== undefined) {
      host.log?.("error", answer.log, { request_id: head.request_id, path: head.path });
    }
    if (answer.flush_events === true) this.#defer(this.#events.soon(), context);
    if (answer.run_queue !== true || !automaticRuns) return;
    const work = this.runQueue(context).catch((error: unknown) => {
      host.log?.("error", "the action queue could not run", { error: reasonOf(error) });
    });
    this.#defer(work, context);
  }

  /** Has the host wait for work that goes on after the answer. It goes on whatever the host does. */
  #defer(work: Promise<unknown> | null, context: unknown): void {
    const { host } = this.#options;
    if (work === null) return;
    try {
      host.defer?.(work, context);
    } catch (error) {
      host.log?.("error", "the host could not defer work: defer failed", { error: reasonOf(error) });
    }
  }

  async #claim(limit: number, running: number): Promise<readonly Claim[]> {
    const answer = await this.#internal((engine) => engine.claimQueue, { limit, running });
    if (answer.status !== 200) throw new Error(answer.log ?? "the queue could not be claimed");
    const { claimed }: { claimed: readonly Claim[] } = JSON.parse(new TextDecoder().decode(answer.body));
    return claimed;
  }

  async #runEntry(claim: Claim): Promise<void> {
    const answer = await this.#renewing(this.#internal((engine) => engine.runQueueEntry, claim));
    // A fault here leaves the entry to its lease: it is claimed again.
    if (answer.log !== undefined) this.#options.host.log?.("error", answer.log, { claim });
  }

  /** Has the leases of what runs renewed while this does. */
  async #renewing<T>(work: Promise<T>): Promise<T> {
    const timer = setInterval(() => void this.#internal((engine) => engine.renewQueue, {}), RENEW_MS);
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  }

  async #release(claimed: readonly Claim[]): Promise<void> {
    const answer = await this.#internal((engine) => engine.releaseQueue, { claimed });
    // What cannot be given back is free again when its lease runs out.
    if (answer.log !== undefined) this.#options.host.log?.("error", answer.log, { claimed });
  }

  async #purge(begun: boolean): Promise<boolean> {
    const answer = await this.#internal((engine) => engine.purge, { begun });
    // What is left now goes with the next purge.
    if (answer.log !== undefined) this.#options.host.log?.("error", answer.log, {});
    if (answer.status !== 200) return false;
    const { more }: { more: boolean } = JSON.parse(new TextDecoder().decode(answer.body));
    return more;
  }

  async #reindex(begun: boolean): Promise<ReindexState> {
    const answer = await this.#internal((engine) => engine.reindex, { begun });
    if (answer.status !== 200) throw new Error(answer.log ?? `the engine answered ${answer.status}`);
    const { state }: { state: ReindexState } = JSON.parse(new TextDecoder().decode(answer.body));
    return state;
  }

  async #writeEvents(): Promise<void> {
    const answer = await this.#internal((engine) => engine.flushEvents, {});
    // What cannot be written waits on in the engine, for the next time.
    if (answer.log !== undefined) this.#options.host.log?.("error", answer.log, {});
  }

  /** A call of the shim's own, with no client behind it. */
  #internal(
    starter: (engine: Engine) => (frame: Uint8Array) => Uint8Array,
    body: Readonly<Record<string, unknown>>,
  ): Promise<Answer> {
    const head: RequestHead = {
      method: "POST",
      path: "",
      query: "",
      headers: { "content-type": "application/json" },
      principal: null satisfies Principal | null,
      failure: null,
      address: null,
      too_large: false,
      body_waits: false,
      now: this.#now(),
      request_id: crypto.randomUUID(),
      base_url: null,
    };
    return this.#driver.run(starter, head, new TextEncoder().encode(JSON.stringify(body)));
  }
}
