/**
 * The memory that anonymous clients can make one embedded host use: its resident set before, at the peak, and after.
 * `node_modules/.bin/node --test tests/shim/memory.test.ts` prints the table.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { platform } from "node:os";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { setTimeout as pause } from "node:timers/promises";
import { BARE_ENVIRONMENT, basic, temporaryDirectory } from "./embedded-fixture.ts";

const MB = 2 ** 20;
const CLI = fileURLToPath(new URL("../../host-shim/hosts/embedded/cli.ts", import.meta.url));
const PASSWORD = "abcd EFGH ijkl MNOP qrst 1234";

test("anonymous clients use at most 256 MB, and sequential uploads almost nothing", {
  skip: platform() !== "linux" && "it reads /proc",
}, async (t) => {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", CLI, "start"], {
    env: { ...BARE_ENVIRONMENT, PORT: "0", DATA_DIR: await temporaryDirectory(t), CF_ADMIN_APP_PASSWORD: PASSWORD },
    stdio: ["ignore", "pipe", "ignore"],
  });
  t.after(() => child.kill("SIGKILL"));
  let url = "";
  for await (const line of createInterface({ input: child.stdout })) {
    url = /listening on (http:\S+)/.exec(line)?.[1] ?? "";
    if (url !== "") break;
  }
  const body = JSON.stringify({
    title: "Jobs",
    markup: '<input type="file" name="cv"><textarea name="text"></textarea>',
  });
  const made = await fetch(`${url}/api/cf/v1/forms`, {
    method: "POST",
    body,
    headers: { ...basic("admin", PASSWORD), "content-type": "application/json" },
  });
  assert.equal(made.status, 201);
  // The first upload loads code that stays in memory.
  for (let n = 0; n < 5; n++) assert.equal(await upload(url), 200);
  await pause(1_000);

  const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
  const idle = resident();
  const table: {
    readonly what: string;
    readonly before: number;
    readonly height: number;
    readonly after: number;
    readonly answers: string;
  }[] = [];
  async function measure(what: string, work: () => Promise<readonly number[]>): Promise<void> {
    const before = resident();
    let height = before;
    const sampler = setInterval(() => (height = Math.max(height, resident())), 20);
    const statuses = await work();
    clearInterval(sampler);
    await pause(1_000);
    const counts = [...new Set(statuses)].map(
      (status) => `${statuses.filter((one) => one === status).length} × ${status}`,
    );
    table.push({ what, before, height, after: resident(), answers: counts.join(", ") });
  }

  const sequence = async () => {
    const statuses = [];
    for (let n = 0; n < 10; n++) statuses.push(await upload(url));
    return statuses;
  };
  await measure("10 files of 15 MB, one after another", sequence);
  await measure("40 bodies of 16 MB to no form", () =>
    together(40, () => raw(url, "/forms/nowhere", 16_000_000, "multipart/form-data; boundary=x")),
  );
  await measure("64 uploads of 15 MB at once", () => together(64, () => upload(url)));
  await measure("64 bodies of 1 MB without a length", () => together(64, () => chunked(url, "/forms/jobs", 15)));
  await measure("64 bodies of 16 MB without a length to the REST API", () =>
    together(64, () => chunked(url, "/api/cf/v1/forms", 256)),
  );

  for (const { what, before, height, after, answers } of table) {
    t.diagnostic(`${what}: ${before.toFixed(0)} → ${height.toFixed(0)} → ${after.toFixed(0)} MB (${answers})`);
  }
  for (const { what, height } of table) assert.ok(height - idle <= 256, `${what}: ${height - idle} MB above idle`);
  const [one] = table;
  assert.ok(one !== undefined && one.after - one.before < 75, "the process kept half of ten sequential files of 15 MB");
  assert.equal(one.answers, "10 × 200");
  assert.equal(table[1]?.answers, "40 × 404");
});

async function together(count: number, one: () => Promise<number>): Promise<readonly number[]> {
  return Promise.all(Array.from({ length: count }, one));
}

const FILE = new Blob(["%PDF-1.7\n", new Uint8Array(15_000_000).fill(97)], { type: "application/pdf" });

/** Sends an upload and returns the status; 0 when the connection was closed before a response. */
async function upload(url: string): Promise<number> {
  const body = new FormData();
  body.set("text", "x");
  body.set("cv", FILE, "cv.pdf");
  try {
    const response = await fetch(`${url}/forms/jobs`, {
      method: "POST",
      body,
      headers: { accept: "application/json" },
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** Sends a body as fast as the server reads it, until there is a response. */
function raw(url: string, path: string, bytes: number, type: string): Promise<number> {
  return sending(
    url,
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n`,
    "a".repeat(MB / 4),
    bytes / (MB / 4),
  );
}

/** Sends a form-encoded body in pieces of 64 KB without a length, with a cookie as of a session. */
function chunked(url: string, path: string, pieces: number): Promise<number> {
  const piece = `10000\r\n${"a".repeat(65_536)}\r\n`;
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: cf_session=x\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n5\r\ntext=\r\n`;
  return sending(url, head, piece, pieces, "0\r\n\r\n");
}

async function sending(url: string, head: string, piece: string, pieces: number, end = ""): Promise<number> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const response = statusOf(socket);
  let hasResponse = false;
  void response.then(() => (hasResponse = true));
  socket.write(head);
  for (let n = 0; n < pieces && !hasResponse && socket.writable; n++) {
    if (!socket.write(piece)) await Promise.race([once(socket, "drain").catch(() => undefined), response]);
    await pause(5);
  }
  if (!hasResponse && socket.writable) socket.write(end);
  const status = await response;
  socket.destroy();
  return status;
}

function statusOf(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    socket.once("data", (data) => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(String(data))?.[1] ?? 0)));
    socket.once("close", () => resolve(0));
  });
}
