/**
 * Sends requests at a fixed rate, independent of the responses, and measures the time of each request from the moment
 * when it was due. Each response must have status 200.
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

const PROGRAM = `
const { parentPort, workerData: { host, port, heads, bodies, marker, perSecond, seconds, connections } } = require("node:worker_threads");
const { connect } = require("node:net");
const total = perSecond * seconds;
const idle = [], due = [], times = [];
let began = 0, number = 0;
const request = (n) => {
  const body = bodies[n % bodies.length].replaceAll(marker, n);
  return heads[0] + Buffer.byteLength(body) + heads[1] + body;
};
const send = (socket, [n, at]) => {
  socket.dueAt = at;
  socket.write(request(n));
};
const tick = () => {
  const now = performance.now();
  for (; number < total && began + (number * 1000) / perSecond <= now; number += 1) due.push([number, began + (number * 1000) / perSecond]);
  while (due.length > 0 && idle.length > 0) send(idle.pop(), due.shift());
  if (number < total) setTimeout(tick, 1);
};
for (let n = 0; n < connections; n += 1) {
  const socket = connect(port, host, () => {
    idle.push(socket);
    if (idle.length === connections) { began = performance.now(); tick(); }
  });
  socket.setNoDelay(true);
  let seen = "";
  socket.on("data", (piece) => {
    seen += piece.toString("latin1");
    const end = seen.indexOf("\\r\\n\\r\\n");
    const length = Number(/content-length: (\\d+)/i.exec(seen)?.[1]);
    if (end < 0 || seen.length < end + 4 + length) return;
    if (!seen.startsWith("HTTP/1.1 200")) throw new Error(seen.slice(0, 200));
    seen = "";
    times.push(performance.now() - socket.dueAt);
    if (due.length > 0) send(socket, due.shift());
    else idle.push(socket);
    if (times.length < total) return;
    times.sort((a, b) => a - b);
    const at = (share) => times[Math.floor(times.length * share)];
    parentPort.postMessage({ requests: times.length, p50: at(0.5), p99: at(0.99) });
    process.exit();
  });
}
`;

export function sendPaced(origin: string, load: PacedLoad): Promise<PacedResult> {
  const { hostname, port } = new URL(origin);
  const { path, headers, bodies, perSecond, seconds, connections } = load;
  const lines = Object.entries({ host: hostname, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const heads = [`POST ${path} HTTP/1.1\r\n${lines}content-length: `, "\r\n\r\n"];
  return new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, {
      eval: true,
      workerData: {
        host: hostname,
        port: Number(port),
        heads,
        bodies,
        marker: NUMBER,
        perSecond,
        seconds,
        connections,
      },
    });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}
