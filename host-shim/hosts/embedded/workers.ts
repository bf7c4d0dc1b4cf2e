/**
 * Several processes on one port (`WORKERS`): the first one starts the others, starts anew what dies, and carries
 * their messages to each other. What must be right over all of them is in the database, or here.
 */
import cluster, { type Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import { RateLimiterClusterMaster } from "rate-limiter-flexible";

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

/** How long the first process waits before it starts a worker anew that has died. */
const RESTART_MS = 200;

export const isWorker: boolean = cluster.isWorker && process.env[MARK] !== undefined;

/** Whether others serve while this one starts. */
export const joinsOthers: boolean = isWorker && process.env[MARK] === "further";

function isMessage(message: unknown): message is Message {
  return typeof message === "object" && message !== null && "cf" in message;
}

/** Starts so many workers, each by the command that this process was started with. */
export async function startWorkers(count: number): Promise<Workers> {
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

  async function start(mark: "first" | "further"): Promise<Serving> {
    const worker = cluster.fork({ [MARK]: mark, ...(port === undefined ? {} : { PORT: port }) });
    return new Promise((resolve, reject) => {
      // It could not be started, or its channel is closed: then it ends. Unheard, this process would end with all of them.
      worker.on("error", reject);
      worker.on("message", (message: unknown) => {
        if (!isMessage(message) || message.cf !== "serving") return;
        serving.set(worker.id, worker);
        resolve(message.serving);
      });
      worker.once("exit", () => {
        const served = serving.delete(worker.id);
        reject(new Error("a worker ended before it served"));
        if (served && !isClosing) void startAnew();
      });
    });
  }

  async function startAnew(): Promise<void> {
    for (let isServed = false; !isServed && !isClosing; ) {
      await delay(RESTART_MS);
      isServed = await start("further").then(() => true, () => false);
    }
  }

  // The first brings the database up to date, and makes the administrator.
  const first = await start("first");
  port = URL.parse(first.url)?.port;
  await Promise.all(Array.from({ length: count - 1 }, () => start("further")));
  return {
    ...first,
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
