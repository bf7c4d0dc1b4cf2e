/**
 * Compares the submits per second of cf-forms and of EmDash's own forms in one EmDash site, on an empty database and with
 * 100,000 stored submissions of each (inserted by SQL). Our forms have no plugins. Run `npm run test:hosts` first, which
 * installs the platform, then `node benches/beside-emdash.ts`.
 */
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { freePort } from "../tests/free-port.ts";
import { buildSite, database as file, startSite } from "../tests/hosts/emdash-site.ts";
import type { Database, SqlValue } from "../host-shim/src/index.ts";
import { fill } from "./filled-site.ts";
import { median } from "./section.ts";

const STORED = 100_000;
const SECONDS = 3;
const ROUNDS = 5;
/** Numbers of connections: few, and as many as in benches/submit.bench.ts. */
const CONNECTIONS = [10, 64];

const port = await freePort();
const origin = `http://localhost:${port}`;

async function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const sent = { origin, accept: "application/json", "content-type": "application/json", ...headers };
  const response = await fetch(origin + path, { method: "POST", headers: sent, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

let count = 0;
const answers = () => ({ email: `visitor${(count += 1)}@example.org`, topic: `Question ${count}` });
/** Sends a request like {@link post}, with a client that uses less CPU. */
function send(agent: Agent, path: string, body: unknown): Promise<string> {
  const sent = JSON.stringify(body);
  const headers = {
    origin,
    accept: "application/json",
    "content-type": "application/json",
    "content-length": Buffer.byteLength(sent),
  };
  return new Promise((resolve, reject) => {
    const call = request(origin + path, { agent, method: "POST", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.on("end", () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`${path}: ${response.statusCode} ${text}`)),
      );
    });
    call.on("error", reject).end(sent);
  });
}

const submits = {
  "cf-forms": async (agent: Agent) => {
    const response = await send(agent, "/forms/bench", answers());
    if (!response.includes('"submission_id"')) throw new Error(response);
  },
  "EmDash's forms": async (agent: Agent) => {
    const response = await send(agent, "/_emdash/api/plugins/emdash-forms/submit", {
      formId: "bench",
      data: answers(),
    });
    if (!response.includes('"success":true')) throw new Error(response);
  },
};

interface Round {
  readonly perSecond: number;
  /** Milliseconds of the server's CPU for each submit, which other load on the machine hardly changes. */
  readonly cpu: number;
}

async function load(submit: (agent: Agent) => Promise<void>, connections: number, cpuOf: () => number): Promise<Round> {
  // Each round has a separate agent, because a server closes idle connections.
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const [began, before] = [performance.now(), cpuOf()];
  let sent = 0;
  const one = async () => {
    while (performance.now() < began + SECONDS * 1_000) {
      if (await hasResponse(submit(agent))) sent += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  agent.destroy();
  return { perSecond: (sent * 1_000) / (performance.now() - began), cpu: (cpuOf() - before) / sent };
}

/** Whether a submit got a response. A slow server closes some waiting connections, whose submits do not count. */
async function hasResponse(submit: Promise<void>): Promise<boolean> {
  try {
    await submit;
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ECONNRESET") return false;
    throw error;
  }
}

/** CPU time of a process in milliseconds, from fields of proc(5) in hundredths of a second. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function compare(stored: number, connections: number, cpu: () => number): Promise<void> {
  // The rounds alternate, so that other load on the machine affects both.
  const rounds: { ours: Round; theirs: Round }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      ours: await load(submits["cf-forms"], connections, cpu),
      theirs: await load(submits["EmDash's forms"], connections, cpu),
    });
  }
  const times = rounds.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond);
  const shown = (name: string, of: "ours" | "theirs") =>
    `${name} ${median(rounds.map((round) => round[of].perSecond)).toFixed(0)}/s (${median(rounds.map((round) => round[of].cpu)).toFixed(2)} ms CPU each)`;
  console.log(
    `${stored} stored, ${connections} connections: ${shown("cf-forms", "ours")}, ${shown("EmDash's forms", "theirs")}`,
  );
  console.log(
    `  ${median(times).toFixed(1)} times as many submits (median of ${ROUNDS} rounds; minimum ${Math.min(...times).toFixed(1)})`,
  );
}

async function measure(stored: number): Promise<void> {
  const site = await startSite(port, { keep: true, plugins: "none" });
  try {
    for (const connections of CONNECTIONS) await compare(stored, connections, () => cpuOf(site.pid));
  } finally {
    await site.stop();
  }
}

/** A minimal database port for filling. The file keeps the site's settings. */
function portOf(connection: DatabaseSync): Database {
  return {
    dialect: "sqlite",
    async batch(statements) {
      connection.exec("BEGIN");
      const results = statements.map(({ sql, params }) => ({
        changes: 0,
        rows: connection
          .prepare(sql)
          .all(...params)
          .map((row) => Object.values(row) as SqlValue[]),
      }));
      connection.exec("COMMIT");
      return results;
    },
  };
}

async function fillBoth(): Promise<void> {
  const connection = new DatabaseSync(file);
  const found = connection
    .prepare("SELECT id, data FROM _plugin_storage WHERE plugin_id = 'emdash-forms' AND collection = 'forms'")
    .get();
  connection.exec("DELETE FROM cf_stats; DELETE FROM cf_submission_search; DELETE FROM cf_submissions");
  await fill(portOf(connection), { events: 1, submissions: STORED });
  connection
    .prepare(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
    INSERT INTO _plugin_storage (plugin_id, collection, id, data) SELECT 'emdash-forms', 'submissions', 'stored' || i,
      json_object('formId', ?2, 'data', json_object('email', 'visitor' || i || '@example.org', 'topic', 'Question'), 'status', 'new',
        'starred', json('false'), 'createdAt', '2026-01-01T00:00:00.000Z', 'meta', json_object()) FROM n`)
    .run(STORED, String(found?.["id"]));
  connection.close();
}

buildSite(origin);
const site = await startSite(port);
const headers = { authorization: `Bearer ${site.makeToken("bench", 50)}` };
const fields = [
  { id: "1", type: "email", name: "email", label: "Email", required: true },
  { id: "2", type: "text", name: "topic", label: "Topic", required: false },
];
const markup = '<input type="email" name="email" required><input name="topic">';
await post("/_emdash/cf/v1/forms", { title: "Bench", slug: "bench", markup }, headers);
await post(
  "/_emdash/api/plugins/emdash-forms/forms/create",
  { name: "Bench", slug: "bench", pages: [{ fields }], settings: {} },
  headers,
);
await site.stop();
await measure(0);
await fillBoth();
await measure(STORED);
