/** Runs the engine's tasks without a client: migrations, the queue, the purge, reindexing, events, counters. */

import type { Engine } from "#load-engine";
import type { TemplateSubmission, TemplateUse } from "./action-values.ts";
import type { Driver } from "./driver.ts";
import type { CounterDifference } from "./forms.ts";
import type { EngineResponse, RequestHead } from "./frame.ts";
import type { Host, Principal, RepeatedFailure, SqlValue } from "./ports.ts";
import { writeLog } from "./log.ts";
import type { Claim, ClaimRequest, QueueEngine } from "./queue-runner.ts";
import type { ReindexState } from "./reindexer.ts";

/** Interval for renewing the leases of running actions. A lease lasts 30 s. */
const RENEW_MS = 10_000;

const TEMPLATE_USES: ReadonlySet<unknown> = new Set<TemplateUse>(["text", "html", "url"]);

type Starter = (engine: Engine) => (frame: Uint8Array) => Uint8Array;
type Input = Readonly<Record<string, unknown>>;

interface RebuildStep {
  readonly next: Input | null;
  readonly differences: readonly CounterDifference[];
}

export class EngineTasks implements QueueEngine {
  readonly #driver: Driver;
  readonly #now: () => number;
  readonly #host: Pick<Host, "log" | "actionKeepsFailing">;

  constructor(driver: Driver, now: () => number, host: Pick<Host, "log" | "actionKeepsFailing">) {
    this.#driver = driver;
    this.#now = now;
    this.#host = host;
  }

  /** Number of tasks that wait for the host: requests and entries of the queue. */
  get inFlight(): number {
    return this.#driver.inFlight;
  }

  async migrate(): Promise<void> {
    await this.#result((engine) => engine.migrate, {}, "the database could not be migrated");
  }

  async readMeta(formId: number, key: string): Promise<string | null> {
    return (await this.#result((engine) => engine.readMeta, { form_id: formId, key }, "the meta could not be read")) as
      | string
      | null;
  }

  async render(template: string, submission: TemplateSubmission, use: TemplateUse): Promise<string> {
    if (!TEMPLATE_USES.has(use)) throw new TypeError('forms.render needs the option `as`: "text", "html" or "url"');
    const { id, form_id, data, submitted_at, ip_address, user_agent, referer_url } = submission;
    const input = { template, place: use, id, form_id, data, submitted_at, ip_address, user_agent, referer_url };
    return (await this.#result(
      (engine) => engine.renderTemplate,
      input,
      "the template could not be rendered",
    )) as string;
  }

  /** Returns the recorded id of the store of uploads. Records `id` if there is none. */
  async fileStore(id: string | null): Promise<string | null> {
    return (await this.#result((engine) => engine.fileStore, { id }, "the store of uploads could not be recorded")) as
      | string
      | null;
  }

  /** Runs a named statement on the records of imports; returns its rows. */
  async importRecords(statement: string, parameters: readonly SqlValue[]): Promise<readonly (readonly SqlValue[])[]> {
    const rows = await this.#result(
      (engine) => engine.importRecords,
      { statement, parameters },
      "the records of imports could not be reached",
    );
    return rows as readonly (readonly SqlValue[])[];
  }

  async rebuildCounters(report: (difference: CounterDifference) => void): Promise<void> {
    let place: Input | null = { form_id: 0, day: 0 };
    while (place !== null) {
      const step = (await this.#result(
        (engine) => engine.rebuildCounters,
        place,
        "the counters could not be rebuilt",
      )) as RebuildStep;
      step.differences.forEach(report);
      place = step.next;
    }
  }

  async claim(request: ClaimRequest): Promise<readonly Claim[]> {
    const { claimed } = (await this.#result(
      (engine) => engine.claimQueue,
      { ...request },
      "the queue could not be claimed",
    )) as { claimed: readonly Claim[] };
    return claimed;
  }

  /**
   * Runs a claimed entry; returns whether it completed. If the engine fails, the entry is claimed again when its lease
   * expires.
   */
  async runEntry(claim: Claim): Promise<boolean> {
    const entry = { ...claim, reports_failures: this.#host.actionKeepsFailing !== undefined, claims_after: true };
    const response = await this.renewing(this.#run((engine) => engine.runQueueEntry, entry));
    this.#report(response, { claim });
    if (response.status !== 200) return false;
    const { status, keeps_failing: failure } = jsonOf(response) as {
      status: string;
      keeps_failing: RepeatedFailure | null;
    };
    if (failure !== null) await this.#host.actionKeepsFailing?.(failure);
    return status === "completed";
  }

  /** Renews the leases of running actions until `work` ends. */
  async renewing<T>(work: Promise<T>): Promise<T> {
    const timer = setInterval(() => void this.#run((engine) => engine.renewQueue, {}), RENEW_MS);
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  }

  /** Releases claimed entries. An entry that could not be released is free when its lease expires. */
  async release(claimed: readonly Claim[]): Promise<void> {
    this.#report(await this.#run((engine) => engine.releaseQueue, { claimed }), { claimed });
  }

  /** Deletes a batch of expired rows, and returns whether there are more. The next purge retries a batch that failed. */
  async purge(begun: boolean): Promise<boolean> {
    const response = await this.#run((engine) => engine.purge, { begun });
    this.#report(response, {});
    return response.status === 200 && (jsonOf(response) as { more: boolean }).more;
  }

  async reindex(begun: boolean): Promise<ReindexState> {
    const { state } = (await this.#result((engine) => engine.reindex, { begun })) as { state: ReindexState };
    return state;
  }

  /** Writes the collected events. Events that cannot be written stay in the engine for the next write. */
  async writeEvents(): Promise<void> {
    this.#report(await this.#run((engine) => engine.flushEvents, {}), {});
  }

  /**
   * Runs a task and returns the JSON of its response. If the task fails, throws the error that the engine logged, or
   * else `message`.
   */
  async #result(starter: Starter, input: Input, message?: string): Promise<unknown> {
    const response = await this.#run(starter, input);
    if (response.status !== 200)
      throw new Error(response.log ?? message ?? `the engine responded with ${response.status}`);
    return response.body.length === 0 ? null : jsonOf(response);
  }

  #report(response: EngineResponse, fields: Input): void {
    if (response.log !== undefined) writeLog(this.#host, "error", response.log, fields);
  }

  #run(starter: Starter, input: Input): Promise<EngineResponse> {
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
    return this.#driver.run(starter, head, new TextEncoder().encode(JSON.stringify(input)));
  }
}

const jsonOf = ({ body }: EngineResponse): unknown => JSON.parse(new TextDecoder().decode(body));
