/**
 * Generates load over real HTTP on loopback with a client that is not the bottleneck: `wrk` when it is installed, else a
 * thread with raw sockets. A round lasts for a fixed time, and each response must have status 200.
 */

import { execFile, execFileSync, fork, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { NUMBER } from "./hosts/form.ts";

export interface Load {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bodies to send in turn; `NUMBER` is replaced by the request's number. */
  readonly bodies: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

/** Results of one round. */
export interface Round {
  readonly perSecond: number;
  /** Microseconds of the server's main thread for each request, which other load on the machine hardly changes. */
  readonly main: number;
  /** Microseconds of all threads for each request, including those of the runtime. */
  readonly all: number;
}

interface Count {
  readonly requests: number;
  readonly seconds: number;
}

const HAS_WRK = (() => {
  try {
    execFileSync("which", ["wrk"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** Name of the client in the report. */
export const client = HAS_WRK ? "wrk" : "raw sockets in a thread";

/** Distance between the request numbers of two rounds, larger than the number of requests in a round. */
const NUMBERS_OF_ROUND = 10_000_000;

let rounds = 0;

async function byWrk(origin: string, load: Load, first: number): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), "cf-forms-wrk-"));
  const script = join(folder, "load.lua");
  const headers = Object.entries(load.headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  const bodies = join(folder, "bodies");
  writeFileSync(bodies, load.bodies.join("\n"));
  const isVaried = load.bodies.some((body) => body.includes(NUMBER));
  const varied = `local bodies, number = {}, ${first}
for line in io.lines(${JSON.stringify(bodies)}) do bodies[#bodies + 1] = line end
request = function()
  number = number + 1
  return wrk.format(nil, nil, nil, (bodies[number % #bodies + 1]:gsub("${NUMBER}", tostring(number))))
end`;
  const fixed = `wrk.body = ${JSON.stringify(load.bodies[0] ?? "")}`;
  writeFileSync(script, [`wrk.method = "${load.method}"`, ...headers, isVaried ? varied : fixed].join("\n"));
  const { stdout } = await promisify(execFile)("wrk", [
    "-t1",
    `-c${load.connections}`,
    `-d${load.seconds}s`,
    "--timeout",
    "30s",
    "-s",
    script,
    origin + load.path,
  ]);
  rmSync(folder, { recursive: true });
  const faults = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(stdout);
  if (faults !== null) throw new Error(`${load.path}: ${faults[0]}`);
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  return { requests, seconds: requests / perSecond };
}

const SOCKETS = `
const { parentPort, workerData: { host, port, heads, bodies, marker, first, connections, seconds } } = require("node:worker_threads");
const { connect } = require("node:net");
const started = performance.now();
const until = started + seconds * 1000;
let requests = 0, open = connections, number = first;
const isVaried = bodies.some((body) => body.includes(marker));
const whole = (body) => heads[0] + Buffer.byteLength(body) + heads[1] + body;
const fixed = whole(bodies[0] ?? "");
const next = () => {
  if (!isVaried) return fixed;
  number += 1;
  return whole(bodies[number % bodies.length].replaceAll(marker, number));
};
for (let n = 0; n < connections; n += 1) {
  const socket = connect(port, host, () => socket.write(next()));
  socket.setNoDelay(true);
  let seen = "";
  socket.on("data", (piece) => {
    seen += piece.toString("latin1");
    const end = seen.indexOf("\\r\\n\\r\\n");
    const length = Number(/content-length: (\\d+)/i.exec(seen)?.[1]);
    if (end < 0 || seen.length < end + 4 + length) return;
    if (!seen.startsWith("HTTP/1.1 200")) throw new Error(seen.slice(0, 200));
    seen = "";
    requests += 1;
    if (performance.now() < until) return socket.write(next());
    socket.destroy();
    if (--open === 0) parentPort.postMessage({ requests, seconds: (performance.now() - started) / 1000 });
  });
}
`;

function bySockets(origin: string, load: Load, first: number): Promise<Count> {
  const { hostname, port } = new URL(origin);
  const lines = Object.entries({ host: hostname, ...load.headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const heads = [`${load.method} ${load.path} HTTP/1.1\r\n${lines}content-length: `, "\r\n\r\n"];
  return new Promise((resolve, reject) => {
    const { connections, seconds } = load;
    const worker = new Worker(SOCKETS, {
      eval: true,
      workerData: {
        host: hostname,
        port: Number(port),
        heads,
        bodies: load.bodies,
        marker: NUMBER,
        first,
        connections,
        seconds,
      },
    });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

/** A host in a separate process. */
export interface Server {
  readonly origin: string;
  round(load: Load): Promise<Round>;
  close(): Promise<void>;
  /** Ends the process by SIGKILL. */
  kill(): Promise<void>;
}

/** Starts `benches/<program>` on a data folder and waits until it serves. `PROFILE` contains flags for its Node. */
export async function startServer(
  program: string,
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), [folder], {
    execArgv: ["--disable-warning=ExperimentalWarning", ...(process.env["PROFILE"]?.split(" ") ?? [])],
    env: { ...process.env, ...environment },
  });
  const { origin } = await resultOf<{ origin: string }>(child);
  const cpu = async () => {
    child.send("cpu");
    return resultOf<{ main: number; all: number }>(child);
  };
  return {
    origin,
    async round(load) {
      const before = await cpu();
      rounds += 1;
      const first = rounds * NUMBERS_OF_ROUND;
      const { requests, seconds } = HAS_WRK ? await byWrk(origin, load, first) : await bySockets(origin, load, first);
      const after = await cpu();
      return {
        perSecond: requests / seconds,
        main: (after.main - before.main) / requests,
        all: (after.all - before.all) / requests,
      };
    },
    close: () => ended(child, () => child.send("end")),
    kill: () => ended(child, () => child.kill("SIGKILL")),
  };
}

/** Ends the process by `end`, and waits until it has exited. */
function ended(child: ChildProcess, end: () => void): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    end();
  });
}

function resultOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the host ended with ${code}`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message as T);
    });
  });
}
