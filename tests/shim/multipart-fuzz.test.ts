/**
 * Any multipart body, in pieces of any size, is parsed to its end or rejected, in bounded time. A valid body gives the
 * sent values, however it is split into pieces. Checks a fixed number of inputs with the seed CF_SEED, so that a fast
 * machine checks no others; with CF_FUZZ_SECONDS (`npm run fuzz`), it runs for that time.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { BodyBudget } from "../../host-shim/src/body-budget.ts";
import { readPairs } from "../../host-shim/src/form-pairs.ts";
import { BodyFault, IncomingBody } from "../../host-shim/src/incoming-body.ts";
import { Multipart } from "../../host-shim/src/multipart.ts";
import type { Files } from "../../host-shim/src/ports.ts";

const SECONDS = Number(process.env["CF_FUZZ_SECONDS"] ?? 0);
/** Number of inputs without CF_FUZZ_SECONDS. */
const INPUTS = 200;
const SEED = Number(process.env["CF_SEED"] ?? 20261121);
/** File with the input under test, which stays after a failed check. */
const ARTIFACT = new URL(`../../fuzz/artifacts/multipart-${SEED}`, import.meta.url);
const LIMIT = 20_000;
/** Timeout; parsing a body of a few kilobytes is much faster. */
const HUNG_MS = 10_000;

/** Random numbers, reproducible by seed (mulberry32). */
function randomFrom(seed: number): (end: number) => number {
  let state = seed >>> 0;
  return (end) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, end);
  };
}

interface Sent {
  readonly fields: (readonly [string, string])[];
  readonly files: (readonly [field: string, filename: string, sha256: string])[];
}

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "latin1"));

/** Decodes text as the contract says: as UTF-8, with windows-1252 as the fallback. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** A valid body and its answers. */
function sound(random: (end: number) => number): { body: Uint8Array<ArrayBuffer>; sent: Sent } {
  const sent: Sent = { fields: [], files: [] };
  let text = "";
  for (let part = random(6); part > 0; part -= 1) {
    const name =
      ["a", "b[]", "name with space", "_submission_key", "quo%22te", "gr\xc3\xb6\xc3\x9fe", "gr\xf6\xdfe", ""][
        random(8)
      ] ?? "";
    const filename = ["f.bin", "Lebenslauf \x84\xe4\x93.pdf", "\xc3\xa4.pdf"][random(3)] ?? "";
    // Incomplete boundaries, line ends, and bytes of all kinds.
    const content = Array.from(
      { length: random(5) },
      () => ["x".repeat(random(4_000)), "\r\n--", "--x", "\r\n", "\0\xc3\xa9", "--x--z"][random(6)],
    ).join("");
    // A part must not begin with a boundary either, because the line end of its head precedes it.
    const safe = `.${content}`.replaceAll("\r\n--x", "\r\n-x");
    const plain = textOf(bytesOf(name)).replaceAll("%22", '"');
    if (random(2) === 0) {
      text += `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${safe}\r\n`;
      sent.fields.push([plain, textOf(bytesOf(safe))]);
    } else {
      text += `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: text/plain\r\n\r\n${safe}\r\n`;
      sent.files.push([plain, textOf(bytesOf(filename)), sha256(bytesOf(safe))]);
    }
  }
  return { body: bytesOf(`${text}--x--\r\n`), sent };
}

const MARKS = [
  "\r\n",
  "--x",
  "--x--",
  "\r\n\r\n",
  'name="',
  'filename="',
  "filename*=utf-8''%",
  "Content-Disposition:",
  "Content-Type: multipart/mixed; boundary=y",
  "\0",
  "%22",
  ";",
  "Content-Transfer-Encoding: base64\r\n",
  "\xff\xfe",
];

function mutated(random: (end: number) => number, body: Uint8Array): Uint8Array<ArrayBuffer> {
  let text = Buffer.from(body).toString("latin1");
  for (let change = random(6) + 1; change > 0; change -= 1) {
    const at = random(text.length + 1);
    const end = Math.min(text.length, at + random(60));
    const rest = [text.slice(0, at), text.slice(at, end), text.slice(end)] as const;
    text =
      [
        () => rest[0] + String.fromCharCode(random(256)) + rest[1] + rest[2],
        () => rest[0] + rest[2],
        () => rest[0] + (MARKS[random(MARKS.length)] ?? "") + rest[1] + rest[2],
        () => rest[0] + rest[1].repeat(random(40)) + rest[2],
        () => rest[0],
      ][random(5)]?.() ?? text;
  }
  return bytesOf(text.slice(0, 3 * LIMIT));
}

function requestOf(random: (end: number) => number, body: Uint8Array<ArrayBuffer>, type: string): Request {
  let at = 0;
  const breaks = random(20) === 0 ? random(body.length + 1) : Infinity;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (at >= breaks) return controller.error(new Error("the client is gone"));
      if (at >= body.length) return controller.close();
      const size = 1 + random([2, 20, 2_000, 70_000][random(4)] ?? 1);
      controller.enqueue(body.slice(at, (at += size)));
    },
  });
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    body: stream,
    duplex: "half",
    headers: { "content-type": type },
  };
  return new Request("http://site.test/forms/a", init);
}

/** Reads a body like the engine; files are stored, only counted, or too large for their field. */
async function read(
  random: (end: number) => number,
  request: Request,
  isLenient: boolean,
): Promise<Sent & { fault: string | null }> {
  const incoming = new IncomingBody(request, {
    bytes: LIMIT,
    lengthHolds: false,
    lease: new BodyBudget().lease(null),
    ...(isLenient ? { passedOver: 10 * LIMIT } : {}),
  });
  const multipart = new Multipart(incoming, request.headers.get("content-type") ?? "");
  const files: Files = {
    async put() {},
    async putStream(_key, stream) {
      if (random(10) === 0) throw new Error("the disk failed");
      for await (const piece of stream) if (random(200) === 0) throw new Error(`the disk failed at ${piece.length}`);
    },
    get: async () => null,
    async delete() {},
  };
  const sent: Sent = { fields: [], files: [] };
  try {
    for (;;) {
      const part = await multipart.next();
      sent.fields.push(...part.fields);
      if (part.file === null) return { ...sent, fault: part.fault ?? null };
      const place =
        random(2) === 0
          ? null
          : { files, key: "k", contentType: "text/plain", limit: random(2) === 0 ? 100 : 10 ** 9, idleMs: 1_000 };
      const received = await multipart.receive(place);
      assert.ok(received.size >= 0 && (!received.stored || place !== null));
      sent.files.push([part.file.field, part.file.filename, received.sha256]);
    }
  } catch (error) {
    assert.ok(error instanceof BodyFault, String(error));
    // The answers for the returned form include all answers before the fault.
    const rest = await multipart.rest();
    assert.ok(rest.fields.length >= sent.fields.length);
    return { ...sent, fault: error.code };
  }
}

async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  const outcome = await Promise.race([work, wait(HUNG_MS, "hung" as const, { ref: false })]);
  if (outcome === "hung") return assert.fail(`${what} hung`);
  return outcome;
}

it("multipart and form-encoded bodies, valid and mutated", { timeout: SECONDS * 1_000 + 120_000 }, async (t) => {
  const random = randomFrom(SEED);
  const until = Date.now() + SECONDS * 1_000;
  let inputs = 0;
  mkdirSync(new URL(".", ARTIFACT), { recursive: true });
  for (; SECONDS > 0 ? Date.now() < until : inputs < INPUTS; inputs += 1) {
    const { body, sent } = sound(random);
    const isSound = random(3) === 0;
    const input = isSound ? body : mutated(random, body);
    const what = `input ${inputs} of CF_SEED=${SEED}, kept as ${fileURLToPath(ARTIFACT)}`;
    writeFileSync(ARTIFACT, input);
    const request = requestOf(random, input, "multipart/form-data; boundary=x");
    const found = await inTime(read(random, request, random(2) === 0), what);
    if (isSound && found.fault === null) {
      assert.deepEqual(found.fields, sent.fields, what);
      assert.deepEqual(
        found.files.map(([field, filename]) => [field, filename]),
        sent.files.map(([field, filename]) => [field, filename]),
        what,
      );
      assert.deepEqual(
        found.files.map(([, , hash]) => hash),
        sent.files.map(([, , hash]) => hash),
        what,
      );
    }
    if (inputs % 10 === 0) {
      const encoded = requestOf(random, input, "application/x-www-form-urlencoded");
      const incoming = new IncomingBody(encoded, {
        bytes: 100,
        lengthHolds: false,
        lease: new BodyBudget().lease(null),
        passedOver: 10 * LIMIT,
      });
      await incoming.whole().catch(() => undefined);
      const pairs = await inTime(readPairs(incoming), what);
      const expected = [...new URLSearchParams(new TextDecoder().decode(input))];
      // Answers are missing only if the connection broke off.
      assert.deepEqual(
        pairs,
        expected.slice(0, pairs.length).map(([name, value]) => [name, value]),
        what,
      );
    }
  }
  rmSync(ARTIFACT);
  t.diagnostic(`multipart: ${inputs} inputs`);
});
