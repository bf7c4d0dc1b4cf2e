/**
 * A load from a thread of its own, over real HTTP on loopback, so that the client's work is not
 * counted as the server's. Bounded in count; ends by itself.
 */

import { createAdaptorServer } from "@hono/node-server";
import { Worker } from "node:worker_threads";
import { median } from "./section.ts";

export interface Load {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly requests: number;
  readonly concurrency: number;
}

const CLIENT = `
const { parentPort } = require("node:worker_threads");
const { Agent, request } = require("node:http");
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const once = (origin, load) => new Promise((resolve, reject) => {
  const sent = request(origin + load.path, { agent, method: load.method, headers: load.headers }, (answer) => {
    answer.resume();
    answer.once("end", () => answer.statusCode === 200 ? resolve() : reject(new Error("status " + answer.statusCode)));
  });
  sent.once("error", reject);
  sent.end(load.body);
});
parentPort.on("message", async ({ origin, load }) => {
  try {
    const started = performance.now();
    let left = load.requests;
    await Promise.all(Array.from({ length: load.concurrency }, async () => { while (left-- > 0) await once(origin, load); }));
    parentPort.postMessage({ perSecond: load.requests * 1000 / (performance.now() - started) });
  } catch (error) {
    parentPort.postMessage({ error: String(error) });
  }
});
`;

/** What one round came to. */
export interface Round {
  readonly perSecond: number;
  /** The server's thread, for each request, in microseconds: a busy machine changes it little. */
  readonly cpu: number;
}

function threadCpu(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** The engine's requests per second as a share of the bare server's, and what lies behind it. */
export function compared(samples: { readonly engine: readonly Round[]; readonly bare: readonly Round[] }) {
  const of = (rounds: readonly Round[]) => ({
    perSecond: median(rounds.map((round) => round.perSecond)),
    cpu: median(rounds.map((round) => round.cpu)),
  });
  const [engine, bare] = [of(samples.engine), of(samples.bare)];
  const cpu = `${Math.round(engine.cpu)} against ${Math.round(bare.cpu)} µs of CPU`;
  return {
    percent: (engine.perSecond / bare.perSecond) * 100,
    detail: `${Math.round(engine.perSecond)} against ${Math.round(bare.perSecond)} requests/s, ${cpu}`,
  };
}

/** A server for one handler, and its client. */
export async function serveForLoad(fetch: (request: Request) => Promise<Response>) {
  // Connections wait while another server's round runs.
  const server = createAdaptorServer({ fetch, serverOptions: { keepAliveTimeout: 600_000 } });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const origin = `http://127.0.0.1:${address.port}`;
  const client = new Worker(CLIENT, { eval: true });
  return {
    round(load: Load): Promise<Round> {
      const before = threadCpu();
      return new Promise((resolve, reject) => {
        client.once("message", (answer: { perSecond?: number; error?: string }) => {
          if (answer.perSecond === undefined) reject(new Error(answer.error));
          else resolve({ perSecond: answer.perSecond, cpu: (threadCpu() - before) / load.requests });
        });
        client.postMessage({ origin, load });
      });
    },
    async close(): Promise<void> {
      await client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
