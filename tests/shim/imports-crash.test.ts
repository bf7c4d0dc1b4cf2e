/** A host is killed during an import. The import continues, and each row is stored once. */
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { member } from "./site.ts";

/** Rows of the file; `CF_IMPORT_ROWS=100000` measures a large one. */
const ROWS = Number(process.env["CF_IMPORT_ROWS"] ?? 6_000);
const LEASE_MS = 61_000;

const folder = mkdtempSync(join(tmpdir(), "cf-forms-import-crash-"));
const place = join(folder, "forms.sqlite");
const files = join(folder, "files");
let child: ChildProcess | undefined;
let url = "";

async function start(ahead: number): Promise<void> {
  const script = fileURLToPath(new URL("queue-crash-host.ts", import.meta.url));
  child = fork(script, [place, String(ahead), files], { execArgv: ["--disable-warning=ExperimentalWarning"] });
  const [port] = await once(child, "message");
  url = `http://127.0.0.1:${port}/api/cf/v1`;
}

async function kill(): Promise<void> {
  const gone = child === undefined ? undefined : once(child, "exit");
  child?.kill("SIGKILL");
  await gone;
  child = undefined;
}

after(async () => {
  await kill();
  rmSync(folder, { recursive: true, force: true });
});

async function api(method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await fetch(url + path, init);
  const result: unknown = await response.json();
  assert.ok(response.ok, JSON.stringify(result));
  return result;
}

/** Polls the progress until a condition holds. */
async function until(id: unknown, holds: (progress: unknown) => boolean): Promise<unknown> {
  for (;;) {
    const progress = await api("GET", `/imports/${id}`);
    assert.notEqual(member(progress, "state"), "failed", JSON.stringify(progress));
    if (holds(progress)) return progress;
    await wait(20);
  }
}

/** Peak memory of the host; empty where the platform does not report it. */
function peakMemory(): string {
  try {
    return /VmHWM.*/.exec(readFileSync(`/proc/${child?.pid}/status`, "utf8"))?.[0] ?? "";
  } catch {
    return "";
  }
}

it("continues an import after a kill, without a duplicate and without a loss", { timeout: 280_000 }, async () => {
  await start(0);
  const fields = [
    { name: "email", type: "email", label: "E-mail" },
    { name: "text", type: "textarea", label: "Text" },
  ];
  const form = member(await api("POST", "/forms", { title: "Survey", schema: { fields } }), "id");
  const line = (row: number): string => `person${row}@example.org,"Row ${row}, with a comma",2026-04-03 09:30:00`;
  const csv = ["E-mail,Text,submitted_at", ...Array.from({ length: ROWS }, (_, row) => line(row))].join("\n");
  const uploaded = await fetch(`${url}/imports`, { method: "POST", body: csv });
  const described: unknown = await uploaded.json();
  assert.equal(uploaded.status, 201, JSON.stringify(described));
  const id = member(described, "id");
  const begun = performance.now();
  await api("POST", `/imports/${id}/start`, { form_id: form });
  const stored = await until(id, (progress) => Number(member(progress, "done")) > ROWS / 4);
  assert.equal(member(stored, "state"), "running");
  await kill();
  // The next host's clock is after the end of the lease.
  await start(LEASE_MS);
  const done = await until(id, (progress) => member(progress, "state") === "done");
  const seconds = (performance.now() - begun) / 1_000;
  assert.deepEqual([member(done, "done"), member(done, "submissions")], [ROWS, ROWS]);
  const memory = peakMemory();
  while (readdirSync(join(files, "imports")).length > 0) await wait(20);
  await kill();
  const database = openSqlite({ path: place });
  const [rows] = await database.batch([
    { sql: "SELECT COUNT(*), COUNT(DISTINCT json_extract(data, '$.email')) FROM cf_submissions", params: [] },
  ]);
  await database.close();
  assert.deepEqual(rows?.rows, [[ROWS, ROWS]]);
  if (ROWS > 6_000) console.log(`${ROWS} rows in ${seconds.toFixed(1)} s, killed once; ${memory}`);
});
