/**
 * Drives the engine: starts tasks, performs their effects, resumes them, and replaces the instance after a trap.
 *
 * Each call into the engine is short and synchronous. A throw that is not an ordinary `Error` (a trap, a stack overflow,
 * exhausted memory) leaves the instance corrupt. Every task in flight then gets a 500, and a new instance of the
 * compiled module replaces it. Nothing durable lives in an instance.
 */

import type { Engine } from "#load-engine";
import type { PortEffect } from "./effects.ts";
import { errorResponse, INTERNAL_ERROR } from "./error-response.ts";
import type { EngineResponse, Outcome, PostedEffect, RequestHead } from "./frame.ts";
import { isExchange, type Exchange } from "./exchange.ts";
import { InFlight, type Placed } from "./in-flight.ts";
import { readStep, writeFrame, writeOutcomes, type StatementTexts, type Step } from "./frame.ts";
import { ResponseStream } from "./response-stream.ts";

/** An export that starts a task. */
export type Starter = (frame: Uint8Array) => Uint8Array;

interface Task extends Placed {
  readonly exchange: Exchange | null;
  readonly requestId: string;
  /** Body of a streamed response, once the response has begun. */
  stream: ResponseStream | null;
  readonly respond: (response: EngineResponse) => void;
}

export interface DriverOptions {
  readonly engine: Engine;
  /** Prepares a new instance: configures it and registers its hooks. */
  readonly prepare: (engine: Engine) => void;
  /** Called with the engine when a task is done. */
  readonly onDone?: (engine: Engine) => void;
  readonly perform: (effect: PortEffect) => Promise<Outcome>;
  /** Performs an effect synchronously; null when it has to be awaited. */
  readonly performNow?: (effect: Extract<PortEffect, { readonly port: "sql" }>) => Outcome | null;
  /** Milliseconds UTC. */
  readonly now: () => number;
  readonly onFault: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

export class Driver {
  readonly #options: DriverOptions;
  readonly #inFlight = new InFlight<Task>();
  #texts: StatementTexts = [];

  constructor(options: DriverOptions) {
    this.#options = options;
    options.prepare(options.engine);
  }

  /** Number of tasks that wait for the host. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Starts a task and resolves when it is done, or when its response begins. Never rejects. */
  run(
    starter: (engine: Engine) => Starter,
    head: RequestHead,
    body: Uint8Array,
    exchange: Exchange | null = null,
  ): Promise<EngineResponse> {
    return new Promise((respond) => {
      const task: Task = { requestId: head.request_id, exchange, stream: null, respond, place: -1 };
      this.#inFlight.add(task);
      this.#step(task, () => starter(this.#options.engine)(writeFrame(head, [body])));
    });
  }

  /** Calls the engine synchronously, and replaces the instance after a trap. */
  call<T>(use: (engine: Engine) => T): T {
    try {
      return use(this.#options.engine);
    } catch (error) {
      if (isTrap(error)) this.#recycle(error);
      throw error;
    }
  }

  #step(task: Task, enter: () => Uint8Array): void {
    // The task ended already: its instance was replaced, or its client is gone.
    if (!this.#inFlight.has(task)) return;
    let step: Step;
    try {
      step = readStep(enter(), this.#texts);
      // An effect with a synchronous outcome needs no promise.
      for (let outcome = this.#outcomeNow(step); outcome !== null; outcome = this.#outcomeNow(step)) {
        const [id, outcomes] = outcome;
        step = readStep(this.#options.engine.resume(id, writeOutcomes(this.#options.now(), outcomes)), this.#texts);
      }
    } catch (error) {
      if (isTrap(error)) return this.#recycle(error);
      this.#options.onFault("the engine rejected a frame", { error: String(error), request_id: task.requestId });
      return this.#settle(task, failure(task.requestId));
    }
    if (step.kind === "gone") return this.#settle(task, failure(task.requestId));
    if (step.kind === "done") {
      this.#options.onDone?.(this.#options.engine);
      return this.#settle(task, step.response);
    }
    const { task: id, effects } = step;
    void this.#performAll(task, id, effects).then((outcomes) =>
      this.#step(task, () => this.#options.engine.resume(id, writeOutcomes(this.#options.now(), outcomes))),
    );
  }

  #outcomeNow(step: Step): readonly [number, readonly (readonly [number, Outcome])[]] | null {
    if (step.kind !== "waiting" || step.effects.length !== 1) return null;
    const [effect] = step.effects;
    const outcome = effect?.port === "sql" ? this.#options.performNow?.(effect) : undefined;
    return effect === undefined || outcome == null ? null : [step.task, [[effect.id, outcome]]];
  }

  async #performAll(task: Task, id: number, effects: readonly PostedEffect[]): Promise<(readonly [number, Outcome])[]> {
    const perform = (effect: PostedEffect): Promise<Outcome> =>
      effect.port === "answer" || effect.port === "answer_bytes"
        ? this.#send(task, id, effect)
        : isExchange(effect)
          ? (task.exchange?.perform(effect) ?? Promise.resolve(WITHOUT_REQUEST))
          : this.#options.perform(effect);
    const [only] = effects;
    // Nearly every step has one effect.
    if (only !== undefined && effects.length === 1) return [[only.id, await perform(only)]];
    return Promise.all(effects.map(async (effect) => [effect.id, await perform(effect)] as const));
  }

  /** Sends a piece of a response to the client. */
  async #send(
    task: Task,
    id: number,
    effect: PostedEffect & { readonly port: "answer" | "answer_bytes" },
  ): Promise<Outcome> {
    if (effect.port === "answer") {
      task.stream = new ResponseStream(() => this.#cancel(task, id));
      const { status, headers } = effect;
      task.respond({ status, headers, body: new Uint8Array(), stream: task.stream.readable });
    }
    await task.stream?.write(effect.content ?? new Uint8Array());
    return { head: { value: null } };
  }

  /** Cancels a task whose client is gone. */
  #cancel(task: Task, id: number): void {
    if (!this.#inFlight.delete(task)) return;
    task.exchange?.close();
    this.call((engine) => engine.cancel(id));
  }

  #settle(task: Task, response: EngineResponse): void {
    this.#inFlight.delete(task);
    const file = response.opened_file === true ? task.exchange?.takeOpened() : null;
    task.exchange?.close();
    if (task.stream === null) return task.respond(file == null ? response : { ...response, stream: file });
    if (response.status === 200) return task.stream.close();
    this.#options.onFault("a response broke off", { error: response.log, request_id: task.requestId });
    task.stream.fail("the response broke off");
  }

  #recycle(cause: unknown): void {
    const lost = this.#inFlight.all();
    const stack = cause instanceof Error ? cause.stack : String(cause);
    this.#options.onFault("the engine trapped and was replaced", {
      error: stack,
      request_ids: lost.map((task) => task.requestId),
    });
    this.#options.engine.__wbg_reset_state();
    this.#texts = [];
    this.#options.prepare(this.#options.engine);
    for (const task of lost) this.#settle(task, failure(task.requestId));
  }
}

/** Outcome of an effect on the body or a file of a request, in a task without a request. */
const WITHOUT_REQUEST: Outcome = {
  head: { failed: { port: "body", code: "missing", message: "there is no request" } },
};

/**
 * Whether a throw means that the instance is corrupt. An export that returns an error throws an ordinary `Error` and
 * leaves the instance intact.
 */
function isTrap(error: unknown): boolean {
  return !(error instanceof Error) || error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

/** The response to a request that failed in the engine. */
function failure(requestId: string): EngineResponse {
  return errorResponse(500, ...INTERNAL_ERROR, requestId);
}
