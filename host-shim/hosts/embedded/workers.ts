/**
 * Runs several processes on one port (`WORKERS`). The first process starts the workers, restarts those that end, and
 * passes messages between them. The workers' shared state is in the database, or in the first process.
 */
import cluster, { type Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import { RateLimiterClusterMaster } from "rate-limiter-flexible";
import type { LogLevel } from "../../src/ports.ts";

/** Report of a worker that serves. */
export interface Serving {
  readonly url: string;
  /** The administrator's password, when this worker generated it. */
  readonly generatedPassword: string | null;
}

export interface Workers extends Serving {
  /** Stops the workers after their running work. */
  close(): Promise<void>;
}

/** Messages between the processes. */
type Message =
  | { readonly cf: "serving"; readonly serving: Serving }
  /** Runs a function in each of the other workers. */
  | { readonly cf: "run"; readonly name: string }
  /** Request for the worker that `key` selects. */
  | {
      readonly cf: "ask";
      readonly id: string;
      readonly key: string;
      readonly from?: number;
      readonly question: unknown;
    }
  | { readonly cf: "reply"; readonly id: string; readonly to: number; readonly reply: unknown };

/** Environment variable that marks our workers, because a process may be a worker of another program. */
const MARK = "CF_WORKER";

/** Delay before a restart. The delay doubles with each worker that ends too soon. */
const MIN_RESTART_MS = 200;
const MAX_RESTART_MS = 30_000;

/** Serving time after which the restart delay is reset. */
const STABLE_MS = 10_000;

export const isWorker: boolean = cluster.isWorker && process.env[MARK] !== undefined;

/** Whether other workers serve while this one starts. */
export const joinsOthers: boolean = isWorker && process.env[MARK] === "further";

function isMessage(message: unknown): message is Message {
  return typeof message === "object" && message !== null && "cf" in message;
}

/** A worker process from its start to its end. */
interface Run {
  /** Rejects when the worker ends before it serves. */
  readonly serving: Promise<Serving>;
  /** Resolves at the end of the worker, with the serving time in milliseconds. */
  readonly ended: Promise<number>;
}

type Log = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void;

/** The workers of this process. */
interface Pool {
  readonly serving: Map<number, Worker>;
  isClosing: boolean;
  /** With PORT=0, all workers use the port of the first one. */
  port: string | undefined;
  readonly log: Log;
}

/**
 * Starts `count` workers with the command of this process. Rejects when the first one ends before it serves, because the
 * others would fail in the same way. Later, every worker that ends is restarted, also one that never served.
 */
export async function startWorkers(count: number, log: Log = () => undefined): Promise<Workers> {
  // Workers accept connections from the system (listener.ts). A connection that the first process passes on would hang
  // when the worker dies.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // This process counts failed attempts for all workers.
  new RateLimiterClusterMaster();
  const pool: Pool = { serving: new Map(), isClosing: false, port: undefined, log };
  const { serving } = pool;

  cluster.on("message", (from, message: unknown) => {
    if (!isMessage(message)) return;
    if (message.cf === "run") for (const worker of serving.values()) if (worker !== from) send(worker, message);
    if (message.cf === "ask") ask(pool, from, message);
    if (message.cf === "reply") send(serving.get(message.to), { ...message });
  });

  // The first worker migrates the database and creates the administrator.
  const first = start(pool, "first");
  const served = await first.serving;
  void keepFilled(pool, first);
  pool.port = URL.parse(served.url)?.port;
  const others = Array.from({ length: count - 1 }, () => start(pool, "further"));
  for (const other of others) void keepFilled(pool, other);
  await Promise.all(others.map(({ serving }) => serving.catch(() => undefined)));
  return {
    ...served,
    async close() {
      pool.isClosing = true;
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(workers.map((worker) => ended(worker)));
    },
  };
}

/** Sends a request to the worker of a key. The worker of a key stays the same as long as none dies. */
function ask({ serving }: Pool, from: Worker, message: Message & { readonly cf: "ask" }): void {
  const workers = [...serving.values()].sort((one, other) => one.id - other.id);
  send(workers[hashOf(message.key) % workers.length] ?? from, { ...message, from: from.id });
}

function start({ serving, port }: Pool, mark: "first" | "further"): Run {
  const worker = cluster.fork({ [MARK]: mark, ...(port === undefined ? {} : { PORT: port }) });
  const started = Promise.withResolvers<Serving>();
  const ended = Promise.withResolvers<number>();
  let servingSince: number | null = null;
  // The result of a restarted worker is not awaited.
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
  // Without a listener, an error would end this process. Only a worker that could not be started emits no `exit`, so
  // only its error ends the run here.
  worker.on("error", (error) => worker.process.pid === undefined && end(error));
  worker.once("exit", () => end(new Error("a worker ended before it served")));
  return { serving: started.promise, ended: ended.promise };
}

/** Restarts a worker each time that it ends. */
async function keepFilled(pool: Pool, run: Run): Promise<void> {
  let current = run;
  for (let failures = 0; ; ) {
    const servedMs = await current.ended;
    if (pool.isClosing) return;
    failures = servedMs < STABLE_MS ? failures + 1 : 1;
    const waitMs = Math.min(MAX_RESTART_MS, MIN_RESTART_MS * 2 ** (failures - 1));
    pool.log("warn", "a worker ended and is started anew", {
      served_ms: Math.round(servedMs),
      in_ms: waitMs,
      others: pool.serving.size,
    });
    await delay(waitMs);
    if (pool.isClosing) return;
    current = start(pool, "further");
  }
}

function ended(worker: Worker): Promise<void> {
  // A worker that could not be started emits no exit.
  if (worker.process.pid === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    worker.once("exit", () => resolve());
    worker.process.kill("SIGTERM");
  });
}

/** Sends a message. A worker that has ended does not receive the message, which is not an error. */
function send(worker: Worker | undefined, message: Message): void {
  if (worker?.isConnected() === true) worker.send(message, () => {});
}

/** Hashes a text by FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

/** Reports to the first process that this worker serves. */
export function reportServing(serving: Serving): void {
  sendToFirst({ cf: "serving", serving });
}

/** Returns a function that calls `run` in every worker, no matter which worker calls the function. */
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

/** Timeout for another worker's reply. */
const REPLY_MS = 5_000;

/**
 * Returns a function that sends a question to the worker responsible for a key, possibly this one. The function
 * resolves to null when no reply arrives in time. Questions and replies are JSON.
 */
export function askerByKey<Question, Reply>(
  respond: (question: Question) => Promise<Reply>,
): (key: string, question: Question) => Promise<Reply | null> {
  if (!isWorker) return (_key, question) => respond(question);
  const waiting = new Map<string, (reply: Reply | null) => void>();
  hear((message) => {
    if (message.cf === "reply") waiting.get(message.id)?.(message.reply as Reply | null);
    if (message.cf !== "ask" || message.from === undefined) return;
    const { id, from } = message;
    // A failure counts as no reply; an unhandled rejection would end this worker.
    void respond(message.question as Question)
      .catch(() => null)
      .then((result) => sendToFirst({ cf: "reply", id, to: from, reply: result }));
  });
  return (key, question) =>
    new Promise((resolve) => {
      const id = crypto.randomUUID();
      const settle = (result: Reply | null): void => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(result);
      };
      const timer = setTimeout(() => settle(null), REPLY_MS);
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
