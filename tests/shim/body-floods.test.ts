/**
 * Floods of rejected bodies against an embedded host in a separate process: its memory stays bounded, other visitors
 * are served, and every connection ends.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { platform } from "node:os";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { BARE_ENVIRONMENT, basic, temporaryDirectory } from "./embedded-fixture.ts";

const MB = 2 ** 20;
const CLI = fileURLToPath(new URL("../../host-shim/hosts/embedded/cli.ts", import.meta.url));
const PASSWORD = "abcd EFGH ijkl MNOP qrst 1234";
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=x";

/** Limit for the heap of the process in MB; Node aborts above it. */
const HEAP = 128;
/** Limit for the growth of the process in MB (memory.test.ts has the same). */
const MAX_GROWTH = 256;
/** Maximum duration of a stalled connection: the grace period, and the time in which the rest is drained. */
const MAX_STALLED_SECONDS = 45;
/** Maximum response time for another visitor, on a machine that is busy with other tests. */
const MAX_SERVED_SECONDS = 10;

interface Flood {
  readonly what: string;
  readonly connections: number;
  readonly type: string;
  readonly accept?: string;
  /** The pieces of the body. */
  readonly pieces: Iterable<string>;
  /** The value of `Content-Length`; without it the body is chunked. */
  readonly length?: number;
  readonly statuses: readonly number[];
}

const empty = '--x\r\nContent-Disposition: form-data; name=""\r\n\r\n\r\n';
const repeated = (piece: string, count: number): string[] => Array.from({ length: count }, () => piece);
const large = "x".repeat(MB / 4);
const json = ['{"name":"', ...repeated(large, 40), '"}'];
const ampersands = repeated("&".repeat(MB / 4), 40);

const FLOODS: readonly Flood[] = [
  {
    what: "stalled forms of 20 MB",
    connections: 20,
    type: FORM,
    length: 20 * MB,
    pieces: ["name=Ada&text=", ...repeated(large, 8)],
    statuses: [413],
  },
  {
    what: "stalled multipart bodies of 20 MB",
    connections: 20,
    type: MULTIPART,
    length: 20 * MB,
    pieces: [`--x\r\nContent-Disposition: form-data; name="cv"; filename="a.pdf"\r\n\r\n`, ...repeated(large, 8)],
    statuses: [413],
  },
  {
    what: "stalled multipart bodies without a length",
    connections: 20,
    type: MULTIPART,
    pieces: [`--x\r\nContent-Disposition: form-data; name="cv"; filename="a.pdf"\r\n\r\n`, ...repeated(large, 8)],
    statuses: [408, 413, 429, 503],
  },
  {
    what: "stalled JSON of 20 MB",
    connections: 40,
    type: "application/json",
    length: 20 * MB,
    pieces: json.slice(0, 5),
    statuses: [413],
  },
  { what: "10 MB of &", connections: 10, type: FORM, length: 10 * MB, pieces: ampersands, statuses: [413] },
  { what: "10 MB of & without a length", connections: 10, type: FORM, pieces: [...ampersands, ""], statuses: [413] },
  {
    what: "10 MB of JSON",
    connections: 10,
    type: "application/json",
    accept: "application/json",
    length: 10 * MB + 11,
    pieces: json,
    statuses: [413],
  },
  {
    what: "10 MB of JSON without a length",
    connections: 10,
    type: "application/json",
    accept: "application/json",
    pieces: [...json, ""],
    statuses: [413],
  },
  {
    what: "100,000 empty parts",
    connections: 10,
    type: MULTIPART,
    length: 100_000 * empty.length,
    pieces: repeated(empty.repeat(1_000), 100),
    statuses: [400, 429],
  },
  {
    what: "100,000 parts without a head",
    connections: 10,
    type: MULTIPART,
    length: 900_000,
    pieces: repeated("--x\r\n\r\n\r\n".repeat(1_000), 100),
    statuses: [400, 429],
  },
];

describe("a flood", { skip: platform() !== "linux" && "it reads /proc" }, () => {
  let url = "";
  let resident = (): number => 0;
  let idle = 0;
  const cleanUps: (() => unknown)[] = [];
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });
  before(async () => {
    const directory = await temporaryDirectory({ after: (cleanUp) => cleanUps.push(cleanUp) });
    const child = spawn(
      process.execPath,
      [`--max-old-space-size=${HEAP}`, "--disable-warning=ExperimentalWarning", CLI, "start"],
      {
        env: { ...BARE_ENVIRONMENT, PORT: "0", DATA_DIR: directory, CF_ADMIN_APP_PASSWORD: PASSWORD },
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    cleanUps.push(() => child.kill("SIGKILL"));
    for await (const line of createInterface({ input: child.stdout })) {
      url = /listening on (http:\S+)/.exec(line)?.[1] ?? "";
      if (url !== "") break;
    }
    const body = JSON.stringify({
      title: "Jobs",
      slug: "jobs",
      markup: '<input name="name"><input type="file" name="cv"><textarea name="text"></textarea>',
    });
    const made = await fetch(`${url}/api/cf/v1/forms`, {
      method: "POST",
      body,
      headers: { ...basic("admin", PASSWORD), "content-type": "application/json" },
    });
    assert.equal(made.status, 201);
    resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
    // First requests load code that stays in memory.
    for (let n = 0; n < 20; n++) assert.equal(await visit(url, n), 303);
    idle = resident();
  });

  for (const flood of FLOODS) {
    test(`of ${flood.connections} connections with ${flood.what}`, async (t) => {
      const begun = resident();
      let [height, isOver, served, slowest] = [begun, false, 0, 0];
      const watching = (async () => {
        while (!isOver) {
          const sent = performance.now();
          assert.equal(await visit(url, served), 303, "another visitor is served");
          slowest = Math.max(slowest, (performance.now() - sent) / 1_000);
          served += 1;
          height = Math.max(height, resident());
          await delay(20);
        }
      })();
      const outcomes = await Promise.all(Array.from({ length: flood.connections }, () => send(url, flood)));
      isOver = true;
      await watching;
      const statuses = new Set(outcomes.map(({ status }) => status));
      const longest = Math.max(...outcomes.map(({ seconds }) => seconds));
      t.diagnostic(
        `${begun.toFixed(0)} → ${height.toFixed(0)} MB, ${[...statuses].join()}, at most ${longest.toFixed(1)} s; ${served} others served, each in ${slowest.toFixed(2)} s at most`,
      );
      for (const status of statuses) assert.ok(flood.statuses.includes(status), `${status}`);
      assert.ok(height - idle <= MAX_GROWTH, `${(height - idle).toFixed(0)} MB more`);
      assert.ok(longest <= MAX_STALLED_SECONDS, `a connection lasted ${longest} s`);
      assert.ok(served > 0 && slowest <= MAX_SERVED_SECONDS, `${served} served, one in ${slowest} s`);
    });
  }
});

async function visit(url: string, n: number): Promise<number> {
  const response = await fetch(`${url}/forms/jobs`, {
    method: "POST",
    body: new URLSearchParams({ name: `Ada ${n}`, _submission_key: crypto.randomUUID() }),
    redirect: "manual",
  });
  await response.arrayBuffer();
  return response.status;
}

/** Sends a flood's body on one connection until the host closes it. */
async function send(
  url: string,
  { type, accept = "text/html", pieces, length }: Flood,
): Promise<{ status: number; seconds: number }> {
  const begun = performance.now();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let response = "";
  socket.setEncoding("latin1").on("data", (text) => (response += response.length < 100 ? String(text) : ""));
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await Promise.race([once(socket, "connect"), closed]);
  const size = length === undefined ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
  socket.write(
    `POST /forms/jobs HTTP/1.1\r\nHost: localhost\r\nAccept: ${accept}\r\nContent-Type: ${type}\r\n${size}\r\n\r\n`,
  );
  for (const piece of pieces) {
    if (!socket.writable) break;
    const text = length === undefined ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece;
    if (!socket.write(text)) await Promise.race([once(socket, "drain").catch(() => undefined), closed]);
  }
  await closed;
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0),
    seconds: (performance.now() - begun) / 1_000,
  };
}
