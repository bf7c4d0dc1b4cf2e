/** Runs the engine's tasks without a client: migrations, the queue, the purge, the index, events, counters. */

import type { Engine } from "#load-engine";
import type { Driver } from "./driver.ts";
import type { CounterDifference } from "./forms.ts";
import type { Answer, RequestHead } from "./frame.ts";
import type { Host, Principal, RepeatedFailure } from "./ports.ts";
import { writeLog } from "./log.ts";
import type { Claim, ClaimRequest, QueueEngine } from "./queue-runner.ts";
import type { ReindexState } from "./reindexer.ts";

/** Interval at which the leases of running actions, 30 s each, are renewed. */
const RENEW_MS = 10_000;

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

  async migrate(): Promise<void> {
    await this.#result((engine) => engine.migrate, {}, "the database could not be migrated");
  }

  async readMeta(formId: number, key: string): Promise<string | null> {
    return (await this.#result((engine) => engine.readMeta, { form_id: formId, key }, "the meta could not be read")) as
      | string
      | null;
  }

  /** Returns the recorded id of the store of uploads. Records `id` if there is none. */
  async fileStore(id: string | null): Promise<string | null> {
    return (await this.#result((engine) => engine.fileStore, { id }, "the store of uploads could not be recorded")) as
      | string
      | null;
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

  /** Runs a claimed entry. After a failure the entry keeps its lease, and is claimed again when the lease ends. */
  async runEntry(claim: Claim): Promise<boolean> {
    const entry = { ...claim, reports_failures: this.#host.actionKeepsFailing !== undefined, claims_after: true };
    const answer = await this.renewing(this.#run((engine) => engine.runQueueEntry, entry));
    this.#report(answer, { claim });
    if (answer.status !== 200) return false;
    const { status, keeps_failing: failure } = jsonOf(answer) as {
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

  /** Releases claimed entries. An entry that could not be released is free again when its lease ends. */
  async release(claimed: readonly Claim[]): Promise<void> {
    this.#report(await this.#run((engine) => engine.releaseQueue, { claimed }), { claimed });
  }

  /** Deletes a batch of expired rows, and returns whether there are more. The next purge retries a batch that failed. */
  async purge(begun: boolean): Promise<boolean> {
    const answer = await this.#run((engine) => engine.purge, { begun });
    this.#report(answer, {});
    return answer.status === 200 && (jsonOf(answer) as { more: boolean }).more;
  }

  async reindex(begun: boolean): Promise<ReindexState> {
    const { state } = (await this.#result((engine) => engine.reindex, { begun })) as { state: ReindexState };
    return state;
  }

  /** Writes the collected events. Events that cannot be written stay in the engine for the next write. */
  async writeEvents(): Promise<void> {
    this.#report(await this.#run((engine) => engine.flushEvents, {}), {});
  }

  /** The JSON of a task's answer. Throws the error that the engine logged, else `message`. */
  async #result(starter: Starter, input: Input, message?: string): Promise<unknown> {
    const answer = await this.#run(starter, input);
    if (answer.status !== 200) throw new Error(answer.log ?? message ?? `the engine answered ${answer.status}`);
    return answer.body.length === 0 ? null : jsonOf(answer);
  }

  #report(answer: Answer, fields: Input): void {
    if (answer.log !== undefined) writeLog(this.#host, "error", answer.log, fields);
  }

  #run(starter: Starter, input: Input): Promise<Answer> {
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

const jsonOf = ({ body }: Answer): unknown => JSON.parse(new TextDecoder().decode(body));
