/**
 * Submits at a fixed rate for a while, each with two mails to a mailer that responds at once, from a client on the same
 * machine. Measures the submits' time, and how long the queue takes until it is empty. A second run kills the server by
 * SIGKILL at half of the time, starts it again, and compares the stored submissions with those that were sent.
 * `BENCH_SUBMITS` sets the submits per second, `BENCH_SECONDS` the duration.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { authorization, NUMBER, variedAnswers, variedForm } from "./hosts/form.ts";
import { startServer, type Server } from "./load.ts";
import { sendPaced, type PacedLoad } from "./paced-load.ts";
import type { Measurement, Section } from "./section.ts";

const PER_SECOND = Number(process.env["BENCH_SUBMITS"] ?? 3_000);
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 60);

/** Each submission has a key, by which the server recognises a retry. */
const load: PacedLoad = {
  path: `/forms/${variedForm.slug}`,
  headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
  bodies: variedAnswers.map((body) => `${body}&_submission_key=soak-${NUMBER}`),
  perSecond: PER_SECOND,
  seconds: SECONDS,
  connections: 256,
};

/** Lets the runtime compile the host's code, as on a site that has run for a while. */
const warmUp: PacedLoad = {
  ...load,
  bodies: variedAnswers.map((body) => `${body}&_submission_key=warm-up-${NUMBER}`),
  perSecond: 1_000,
  seconds: 5,
};

const start = (folder: string, port = "0") =>
  startServer("hosts/engine.ts", folder, { BENCH_QUEUE: "on", BENCH_PORT: port });

/** Returns the number of completed entries, once no entry waits or runs. */
async function emptied(origin: string): Promise<number> {
  for (;;) {
    const response = await fetch(`${origin}/api/cf/v1/action-queue/stats`, { headers: { authorization } });
    const { pending, processing, retrying, completed } = (await response.json()) as Record<string, number>;
    if ((pending ?? 0) + (processing ?? 0) + (retrying ?? 0) === 0) return completed ?? 0;
    await delay(100);
  }
}

async function inFolder<T>(measure: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "cf-forms-soak-"));
  try {
    return await measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function undisturbed(folder: string): Promise<Measurement[]> {
  const server = await start(folder);
  try {
    const { requests: before } = await sendPaced(server.origin, warmUp);
    const sent = await sendPaced(server.origin, load);
    const began = performance.now();
    const completed = await emptied(server.origin);
    const seconds = (performance.now() - began) / 1_000;
    const mails = 2 * (before + sent.requests);
    if (completed !== mails) throw new Error(`${completed} of ${mails} mails were sent`);
    const detail = `${PER_SECOND} submits/s for ${SECONDS} s, two mails each; p50 ${sent.p50.toFixed(1)} ms`;
    return [
      { what: "submits beside the queue, p99", value: sent.p99, unit: "ms", budget: { atMost: 150 }, detail },
      { what: "queue is empty after the last submit", value: seconds, unit: "s", budget: { atMost: 60 }, detail },
    ];
  } finally {
    await server.close();
  }
}

/** Counts the stored submissions, and the numbers of requests among their answers. */
function stored(folder: string): { submissions: number; numbers: number } {
  const database = new DatabaseSync(join(folder, "cf-forms.sqlite"), { readOnly: true });
  const phones = database.prepare("SELECT json_extract(data, '$.phone') AS phone FROM cf_submissions").all();
  database.close();
  return { submissions: phones.length, numbers: new Set(phones.map(({ phone }) => phone)).size };
}

async function killed(folder: string): Promise<Measurement[]> {
  let server: Server = await start(folder);
  let restart: Promise<void> = Promise.resolve();
  try {
    const { port } = new URL(server.origin);
    const sent = await sendPaced(server.origin, load, () => {
      restart = server.kill().then(async () => {
        server = await start(folder, port);
      });
    });
    await restart;
    await emptied(server.origin);
    const { submissions, numbers } = stored(folder);
    const detail = `${sent.requests} sent, ${submissions} stored; SIGKILL after ${SECONDS / 2} s, p99 ${sent.p99.toFixed(0)} ms`;
    return [
      { what: "submissions lost by a kill", value: sent.requests - numbers, unit: "", budget: { atMost: 0 }, detail },
      { what: "submissions doubled by a kill", value: submissions - numbers, unit: "", budget: { atMost: 0 }, detail },
    ];
  } finally {
    await restart;
    await server.close();
  }
}

const soak: Section = {
  name: "queue-soak",
  run: async () => [...(await inFolder(undisturbed)), ...(await inFolder(killed))],
};

export default soak;
