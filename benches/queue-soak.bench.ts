/**
 * Submits at a fixed rate for a while, each with two mails to a mailer that answers at once, from a client on the same
 * machine. Measures the submits' time, and how long the queue takes until it is empty. `BENCH_SUBMITS` sets the submits per
 * second, `BENCH_SECONDS` the duration.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { authorization, variedAnswers, variedForm } from "./hosts/form.ts";
import { startServer } from "./load.ts";
import { sendPaced } from "./paced-load.ts";
import type { Section } from "./section.ts";

const PER_SECOND = Number(process.env["BENCH_SUBMITS"] ?? 3_000);
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 60);

/** Returns the number of completed entries, once no entry waits or runs. */
async function emptied(origin: string): Promise<number> {
  for (;;) {
    const response = await fetch(`${origin}/api/cf/v1/action-queue/stats`, { headers: { authorization } });
    const { pending, processing, retrying, completed } = (await response.json()) as Record<string, number>;
    if ((pending ?? 0) + (processing ?? 0) + (retrying ?? 0) === 0) return completed ?? 0;
    await delay(100);
  }
}

const soak: Section = {
  name: "queue-soak",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "cf-forms-soak-"));
    const server = await startServer("hosts/engine.ts", folder, { BENCH_QUEUE: "on" });
    try {
      const sent = await sendPaced(server.origin, {
        path: `/forms/${variedForm.slug}`,
        headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
        bodies: variedAnswers,
        perSecond: PER_SECOND,
        seconds: SECONDS,
        connections: 64,
      });
      const began = performance.now();
      const completed = await emptied(server.origin);
      const seconds = (performance.now() - began) / 1_000;
      if (completed !== 2 * sent.requests) throw new Error(`${completed} of ${2 * sent.requests} mails were sent`);
      const detail = `${PER_SECOND} submits/s for ${SECONDS} s, two mails each; p50 ${sent.p50.toFixed(1)} ms`;
      return [
        { what: "submits beside the queue, p99", value: sent.p99, unit: "ms", budget: { atMost: 150 }, detail },
        { what: "queue is empty after the last submit", value: seconds, unit: "s", budget: { atMost: 60 }, detail },
      ];
    } finally {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export default soak;
