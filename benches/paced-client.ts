/** The thread of `paced-load.ts`: sends the requests of `workerData` over raw sockets, so that the client stays cheap. */
import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import type { PacedClientData } from "./paced-load.ts";

/** A request: its number, and when it was due in milliseconds. */
interface Due {
  readonly number: number;
  readonly at: number;
}

const RECONNECT_MS = 100;

const { host, port, heads, bodies, marker, perSecond, seconds, connections } = workerData as PacedClientData;
const total = perSecond * seconds;
const due: Due[] = [];
/** Connections without a request. */
const idle: ((request: Due) => void)[] = [];
const times: number[] = [];
let began = 0;
let scheduled = 0;

function textOf({ number }: Due): string {
  const body = (bodies[number % bodies.length] ?? "").replaceAll(marker, String(number));
  return heads[0] + Buffer.byteLength(body) + heads[1] + body;
}

/** Adds the requests that are due by now, and sends as many as there are idle connections. */
function tick(): void {
  const now = performance.now();
  for (; scheduled < total; scheduled += 1) {
    const at = began + (scheduled * 1_000) / perSecond;
    if (at > now) break;
    due.push({ number: scheduled, at });
  }
  while (due.length > 0 && idle.length > 0) idle.pop()?.(due.shift() as Due);
  if (scheduled < total) setTimeout(tick, 1);
}

function begin(): void {
  began = performance.now();
  setTimeout(() => parentPort?.postMessage("half"), seconds * 500);
  tick();
}

function report(): void {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)];
  parentPort?.postMessage({ requests: times.length, p50: at(0.5), p99: at(0.99) });
  process.exit();
}

function open(): void {
  let current: Due | undefined;
  let seen = "";
  const send = (request: Due) => {
    current = request;
    socket.write(textOf(request));
  };
  const socket = connect(port, host, () => {
    idle.push(send);
    if (began === 0 && idle.length === connections) begin();
    else if (began !== 0 && due.length > 0) idle.pop()?.(due.shift() as Due);
  });
  socket.setNoDelay(true);
  socket.on("error", () => {});
  socket.on("close", () => {
    const place = idle.indexOf(send);
    if (place >= 0) idle.splice(place, 1);
    if (current !== undefined) due.unshift(current);
    setTimeout(open, RECONNECT_MS);
  });
  socket.on("data", (piece) => {
    seen += piece.toString("latin1");
    const end = seen.indexOf("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(seen)?.[1]);
    if (end < 0 || seen.length < end + 4 + length || current === undefined) return;
    // A host that is starting responds with 503; closing the connection sends the request again.
    if (seen.startsWith("HTTP/1.1 503")) return void socket.destroy();
    if (!seen.startsWith("HTTP/1.1 200")) throw new Error(seen.slice(0, 200));
    times.push(performance.now() - current.at);
    seen = "";
    current = undefined;
    const next = due.shift();
    if (next === undefined) idle.push(send);
    else send(next);
    if (times.length === total) report();
  });
}

for (let n = 0; n < connections; n += 1) open();
