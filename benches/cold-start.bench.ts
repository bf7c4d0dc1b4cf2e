/** The cost of a new instance, such as a Worker's isolate or a serverless function. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, type Section } from "./section.ts";

const ROUNDS = 11;
const program = fileURLToPath(new URL("cold-start-process.ts", import.meta.url));

function run(...parameters: string[]): string {
  const flags = ["--disable-warning=ExperimentalWarning", program];
  return execFileSync(process.execPath, [...flags, ...parameters], { encoding: "utf8" });
}

const coldStart: Section = {
  name: "cold-start",
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "cf-forms-bench-"));
    const database = join(folder, "forms.db");
    run(database, "migrate");
    const times = Array.from({ length: ROUNDS }, () => Number(run(database)));
    await rm(folder, { recursive: true });
    return [
      {
        what: "instantiate and respond to a first request",
        value: median(times),
        unit: "ms",
        budget: { atMost: 16 },
        detail: `median of ${ROUNDS} processes, ${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)} ms`,
      },
    ];
  },
};

export default coldStart;
