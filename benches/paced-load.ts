/**
 * Sends requests at a fixed rate, independent of the responses, and measures the time of each request from the moment
 * when it was due. Each response must have status 200. A request whose connection breaks, or that reaches a starting
 * host, is sent again.
 */

import { Worker } from "node:worker_threads";
import { NUMBER } from "./hosts/form.ts";

export interface PacedLoad {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bodies to send in turn; `NUMBER` is replaced by the request's number. */
  readonly bodies: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
  readonly connections: number;
}

export interface PacedResult {
  readonly requests: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Data that the thread `paced-client.ts` gets. */
export interface PacedClientData {
  readonly host: string;
  readonly port: number;
  /** A request's text before and after the length of its body. */
  readonly heads: readonly [string, string];
  readonly bodies: readonly string[];
  readonly marker: string;
  readonly perSecond: number;
  readonly seconds: number;
  readonly connections: number;
}

/** Sends the requests; calls `atHalf` when half of the time is over. */
export function sendPaced(origin: string, load: PacedLoad, atHalf: () => void = () => {}): Promise<PacedResult> {
  const { hostname, port } = new URL(origin);
  const { path, headers, bodies, perSecond, seconds, connections } = load;
  const lines = Object.entries({ host: hostname, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const workerData: PacedClientData = {
    host: hostname,
    port: Number(port),
    heads: [`POST ${path} HTTP/1.1\r\n${lines}content-length: `, "\r\n\r\n"],
    bodies,
    marker: NUMBER,
    perSecond,
    seconds,
    connections,
  };
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("paced-client.ts", import.meta.url), { workerData });
    worker.on("message", (message: "half" | PacedResult) => (message === "half" ? atHalf() : resolve(message)));
    worker.once("error", reject);
  });
}
