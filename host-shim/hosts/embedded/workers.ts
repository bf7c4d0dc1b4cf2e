/**
 * Several processes on one port (`WORKERS`): the first one starts the others, starts anew what dies, and carries
 * their messages to each other. What must be right over all of them is in the database, or here.
 */
import cluster, { type Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import { RateLimiterClusterMaster } from "rate-limiter-flexible";
import type { LogLevel } from "../../src/ports.ts";

/** What a worker reports when it serves. */
export interface Serving {
  readonly url: string;
  /** The administrator's password, where this worker made it. */
  readonly generatedPassword: string | null;
}

export interface Workers extends Serving {
  /** Lets each worker finish what is under way. */
  close(): Promise<void>;
}

/** The messages between the processes. */
type Message =
  | { readonly cf: "serving"; readonly serving: Serving }
  /** A function that is to run in each of the others. */
  | { readonly cf: "run"; readonly name: string }
  /** A request for another worker, which `key` selects. */
  | { readonly cf: "ask"; readonly id: string; readonly key: string; readonly from?: number; readonly question: unknown }
  | { readonly cf: "answer"; readonly id: string; readonly to: number; readonly answer: unknown };

/** In the environment of the processes that are started here, since others may be workers of somebody else: which it is. */
const MARK = "CF_WORKER";

/** How long the first process waits before it starts a worker anew: twice as long each time that one does not last. */
const MIN_RESTART_MS = 200;
const MAX_RESTART_MS = 30_000;

/** A worker that served for so long has lasted. */
const LASTED_MS = 10_000;

export const isWorker: boolean = cluster.isWorker && process.env[MARK] !== undefined;

/** Whether others serve while this one starts. */
export const joinsOthers: boolean = isWorker && process.env[MARK] === "further";

function isMessage(message: unknown): message is Message {
  return typeof message === "object" && message !== null && "cf" in message;
}

/** A worker process from its start to its end. */
interface Run {
  /** Rejects when the worker ends before it serves. */
  readonly serving: Promise<Serving>;
  /** For how many milliseconds it served, once it has ended. */
  readonly ended: Promise<number>;
}

type Log = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void;

/**
 * Starts so many workers, each by the command that this process was started with. Rejects when the first ends before it
 * serves: what it lacks, the others lack too. Later, whichever ends is started anew, also when it never served.
 */
export async function startWorkers(count: number, log: Log = () => undefined): Promise<Workers> {
  // Each takes its connections from the system (listener.ts): what the first process was handing to a worker that dies would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // Failed sign-ins are counted here, for all of them.
  new RateLimiterClusterMaster();
  const serving = new Map<number, Worker>();
  let isClosing = false;
  // PORT=0 is any that is free: the first worker's is that of all.
  let port: string | undefined;

  cluster.on("message", (from, message: unknown) => {
    if (!isMessage(message)) return;
    if (message.cf === "run") for (const worker of serving.values()) if (worker !== from) send(worker, message);
    if (message.cf === "ask") ask(from, message);
    if (message.cf === "answer") send(serving.get(message.to), { ...message });
  });

  /** The same key always goes to the same worker, as long as none dies. */
  function ask(from: Worker, message: Message & { readonly cf: "ask" }): void {
    const workers = [...serving.values()].sort((one, other) => one.id - other.id);
    send(workers[hashOf(message.key) % workers.length] ?? from, { ...message, from: from.id });
  }

  function start(mark: "first" | "further"): Run {
    const worker = cluster.fork({ [MARK]: mark, ...(port === undefined ? {} : { PORT: port }) });
    const started = Promise.withResolvers<Serving>();
    const ended = Promise.withResolvers<number>();
    let servingSince: number | null = null;
    // Nobody waits for a worker that is started in another's place.
    started.promise.catch(() => undefined);
    const end = (cause: unknown): void => {
      serving.delete(worker.id);
      started.reject(cause);
      ended.resolve(servingSince === null ? 0 : performance.now() - servingSince);
    };
    worker.on("message", (message: unknown) => {
      if (!isMessage(message) || message.cf !== "serving") return;
      servingSince = performance.now();
      serving.set(worker.id, worker);
      started.resolve(message.serving);
    });
    // Unheard, an error would end this process with all of them. A worker whose channel is closed ends by itself; one that
    // could not be started has no end of its own.
    worker.on("error", (error) => worker.process.pid === undefined && end(error));
    worker.once("exit", () => end(new Error("a worker ended before it served")));
    return { serving: started.promise, ended: ended.promise };
  }

  /** Starts another worker in the place of each that ends. */
  async function keepFilled(run: Run): Promise<void> {
    let current = run;
    for (let failures = 0; ; ) {
      const servedMs = await current.ended;
      if (isClosing) return;
      failures = servedMs < LASTED_MS ? failures + 1 : 1;
      const waitMs = Math.min(MAX_RESTART_MS, MIN_RESTART_MS * 2 ** (failures - 1));
      log("warn", "a worker ended and is started anew", { served_ms: Math.round(servedMs), in_ms: waitMs, others: serving.size });
      await delay(waitMs);
      if (isClosing) return;
      current = start("further");
    }
  }

  // The first brings the database up to date, and makes the administrator.
  const first = start("first");
  const served = await first.serving;
  void keepFilled(first);
  port = URL.parse(served.url)?.port;
  const others = Array.from({ length: count - 1 }, () => start("further"));
  for (const other of others) void keepFilled(other);
  await Promise.all(others.map(({ serving }) => serving.catch(() => undefined)));
  return {
    ...served,
    async close() {
      isClosing = true;
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(workers.map((worker) => ended(worker)));
    },
  };
}

function ended(worker: Worker): Promise<void> {
  // One that could not be started has no end.
  if (worker.process.pid === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    worker.once("exit", () => resolve());
    worker.process.kill("SIGTERM");
  });
}

/** A worker that is gone hears nothing, and nobody waits for it. */
function send(worker: Worker | undefined, message: Message): void {
  if (worker?.isConnected() === true) worker.send(message, () => {});
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

/** Reports to the first process that this worker serves. */
export function reportServing(serving: Serving): void {
  sendToFirst({ cf: "serving", serving });
}

/** A function that runs in each worker, wherever it is called. */
export function inEachWorker(name: string, run: () => void): () => void {
  if (!isWorker) return run;
  hear((message) => {
    if (message.cf === "run" && message.name === name) run();
  });
  return () => {
    run();
    sendToFirst({ cf: "run", name });
  };
}

/** How long a worker waits for another one. */
const ANSWER_MS = 5_000;

/**
 * Asks the worker that a key belongs to, which may be this one; null where nobody answers in time. What is asked and
 * answered is JSON.
 */
export function askerByKey<Question, Answer>(answer: (question: Question) => Promise<Answer>): (key: string, question: Question) => Promise<Answer | null> {
  if (!isWorker) return (_key, question) => answer(question);
  const waiting = new Map<string, (answer: Answer | null) => void>();
  hear((message) => {
    if (message.cf === "answer") waiting.get(message.id)?.(message.answer as Answer | null);
    if (message.cf !== "ask" || message.from === undefined) return;
    const { id, from } = message;
    // What fails here is nobody's answer; unheard it would end this worker.
    void answer(message.question as Question).catch(() => null).then((own) => sendToFirst({ cf: "answer", id, to: from, answer: own }));
  });
  return (key, question) =>
    new Promise((resolve) => {
      const id = crypto.randomUUID();
      const settle = (own: Answer | null): void => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(own);
      };
      const timer = setTimeout(() => settle(null), ANSWER_MS);
      waiting.set(id, settle);
      sendToFirst({ cf: "ask", id, key, question });
    });
}

function sendToFirst(message: Message): void {
  if (process.connected) process.send?.(message);
}

function hear(listener: (message: Message) => void): void {
  process.on("message", (message: unknown) => {
    if (isMessage(message)) listener(message);
  });
}
