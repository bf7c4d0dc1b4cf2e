/**
 * Submits a second of cf-forms and of EmDash's own forms, side by side in one EmDash site, on an empty database and
 * with 100,000 stored submissions of each (inserted by SQL). Run `npm run test:hosts` first, which installs
 * the platform, then `node benches/beside-emdash.ts`.
 */
import { DatabaseSync } from "node:sqlite";
import { buildSite, database as file, freePort, startSite } from "../tests/hosts/emdash-site.ts";
import type { Database, SqlValue } from "../host-shim/src/index.ts";
import { fill } from "./filled-site.ts";
import { median } from "./section.ts";

const STORED = 100_000;
const SECONDS = 4;
const ROUNDS = 3;
const CONNECTIONS = 10;

const port = await freePort();
const origin = `http://localhost:${port}`;

async function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const sent = { origin, accept: "application/json", "content-type": "application/json", ...headers };
  const answer = await fetch(origin + path, { method: "POST", headers: sent, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

let count = 0;
const answers = () => ({ email: `visitor${(count += 1)}@example.org`, topic: `Question ${count}` });
const submits = {
  "cf-forms": async () => {
    const told = await (await post("/forms/bench", answers())).json();
    if (told.submission_id === undefined) throw new Error(JSON.stringify(told));
  },
  "EmDash's forms": async () => {
    const told = await (await post("/_emdash/api/plugins/emdash-forms/submit", { formId: "bench", data: answers() })).json();
    if (told.data?.success !== true) throw new Error(JSON.stringify(told));
  },
};

async function perSecond(submit: () => Promise<void>): Promise<number> {
  const until = performance.now() + SECONDS * 1_000;
  let sent = 0;
  const one = async () => {
    while (performance.now() < until) {
      await submit();
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  return sent / SECONDS;
}

async function measure(stored: number): Promise<void> {
  const site = await startSite(port, { keep: true });
  try {
    // In turn, so that both get their share of what else the machine does.
    const rounds: [ours: number, theirs: number][] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push([await perSecond(submits["cf-forms"]), await perSecond(submits["EmDash's forms"])]);
    const [ours, theirs] = [median(rounds.map(([own]) => own)), median(rounds.map(([, other]) => other))];
    const ratio = median(rounds.map(([own, other]) => own / other));
    console.log(`${stored} stored: cf-forms ${ours.toFixed(0)}/s, EmDash's forms ${theirs.toFixed(0)}/s, ${ratio.toFixed(1)} times (medians of ${ROUNDS} rounds)`);
  } finally {
    await site.stop();
  }
}

/** The least that filling needs of a database; the site's own settings of the file stay as they are. */
function portOf(connection: DatabaseSync): Database {
  return {
    dialect: "sqlite",
    async batch(statements) {
      connection.exec("BEGIN");
      const results = statements.map(({ sql, params }) => ({ changes: 0, rows: connection.prepare(sql).all(...params).map((row) => Object.values(row) as SqlValue[]) }));
      connection.exec("COMMIT");
      return results;
    },
  };
}

async function fillBoth(): Promise<void> {
  const connection = new DatabaseSync(file);
  const found = connection.prepare("SELECT id, data FROM _plugin_storage WHERE plugin_id = 'emdash-forms' AND collection = 'forms'").get();
  connection.exec("DELETE FROM cf_stats; DELETE FROM cf_submission_search; DELETE FROM cf_submissions");
  await fill(portOf(connection), { events: 1, submissions: STORED });
  connection.prepare(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
    INSERT INTO _plugin_storage (plugin_id, collection, id, data) SELECT 'emdash-forms', 'submissions', 'stored' || i,
      json_object('formId', ?2, 'data', json_object('email', 'visitor' || i || '@example.org', 'topic', 'Question'), 'status', 'new',
        'starred', json('false'), 'createdAt', '2026-01-01T00:00:00.000Z', 'meta', json_object()) FROM n`).run(STORED, String(found?.["id"]));
  connection.close();
}

buildSite(origin);
const site = await startSite(port);
const headers = { authorization: `Bearer ${site.makeToken("bench", 50)}` };
const fields = [{ id: "1", type: "email", name: "email", label: "Email", required: true }, { id: "2", type: "text", name: "topic", label: "Topic", required: false }];
const markup = '<input type="email" name="email" required><input name="topic">';
await post("/_emdash/cf/v1/forms", { title: "Bench", slug: "bench", markup }, headers);
await post("/_emdash/api/plugins/emdash-forms/forms/create", { name: "Bench", slug: "bench", pages: [{ fields }], settings: {} }, headers);
await site.stop();
await measure(0);
await fillBoth();
await measure(STORED);
