/**
 * Analytics and lists on a full site, against the same on a site of a thousandth: 5 million events
 * against 5 thousand, 1 million submissions against 1 thousand. Sized down unless asked for, by
 * `BENCH_EVENTS` and `BENCH_SUBMISSIONS`; the small site keeps its size.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../host-shim/adapters/node-sqlite.ts";
import { createForms, type Database, type Forms } from "../host-shim/src/index.ts";
import { median, type Measurement, type Section } from "./section.ts";

const SMALL = { events: 5_000, submissions: 1_000 };
const LARGE = {
  events: Number(process.env["BENCH_EVENTS"] ?? 500_000),
  submissions: Number(process.env["BENCH_SUBMISSIONS"] ?? 50_000),
};
const ROUNDS = 41;
const DAYS = 365;
const DAY_MS = 86_400_000;
const baseUrl = "http://bench.test";
const principal = { id: "1", login: "bench", capabilities: ["edit_forms"] };
const FIELDS = ["email", "topic", "message", "budget"];
/** Of a hundred events. */
const MIX = [["view", 45], ["start", 20], ["field_interaction", 20], ["abandon", 8], ["submit", 5], ["spam", 2]] as const;

interface FilledSite {
  readonly database: Database;
  readonly forms: Forms;
}

type Counters = Map<string, number>;

/** Counters as so many events leave them: of each day and in total, and of the site. */
function counters(events: number): Counters {
  const counts: Counters = new Map();
  // Beyond this many draws each stands for several events: the rows are all there by then.
  const draws = Math.min(events, 200_000);
  const today = Math.floor(Date.now() / DAY_MS);
  let state = 1;
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const count = (metric: string, date: string, label: string): void => {
    for (const [form, day] of [[1, date], [1, ""], [0, ""]] as const) {
      if (form === 0 && label !== "") continue;
      const key = JSON.stringify([form, metric, day, label]);
      counts.set(key, (counts.get(key) ?? 0) + events / draws);
    }
  };
  for (let draw = 0; draw < draws; draw += 1) {
    const date = new Date((today - random(DAYS)) * DAY_MS).toISOString().slice(0, 10);
    let left = random(100);
    const [metric] = MIX.find(([, share]) => (left -= share) < 0) ?? MIX[0];
    const field = FIELDS[random(FIELDS.length)] ?? "";
    if (metric === "field_interaction") count(metric, date, field);
    else count(metric, date, "");
    if (metric === "abandon") count("field_abandon", date, field);
    if (metric === "spam") count("spam_reason", date, "honeypot");
    if (metric === "submit") {
      count("campaign", date, JSON.stringify([`source${random(30)}`, "mail", ""]));
      count("referrer", date, `site${random(30)}.example`);
    }
  }
  return counts;
}

async function fill(database: Database, size: typeof SMALL): Promise<void> {
  const rows = [...counters(size.events)].map(([key, count]) => [...JSON.parse(key), Math.ceil(count)]);
  for (let at = 0; at < rows.length; at += 500) {
    await database.batch(
      rows.slice(at, at + 500).map((params) => ({ sql: "INSERT INTO cf_stats VALUES (?1, ?2, ?3, ?4, 0, ?5)", params })),
    );
  }
  const spread = Math.floor((DAYS * DAY_MS) / size.submissions);
  await database.batch([
    {
      sql: `INSERT INTO cf_submissions (uuid, form_id, status, change_token, is_spam, spam_score, spam_reasons, actions_withheld,
              data, files, ip_address, user_agent, referer_url, page_url, schema_revision, submitted_at, modified_at)
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
            SELECT 'u' || i, 1, CASE WHEN i % 10 = 0 THEN 'spam' WHEN i % 3 = 0 THEN 'read' ELSE 'new' END, '', i % 10 = 0, 0, '[]', 0,
              '{"email":"visitor' || i || '@example.org"}', '[]', '', '', '', '', 1, ?2 + i * ?3, ?2 + i * ?3 FROM n`,
      params: [size.submissions, Date.now() - DAYS * DAY_MS, spread],
    },
    {
      sql: `INSERT INTO cf_submission_search (rowid, words)
            SELECT id, 'example org visitor' || id || CASE WHEN id % 49 = 0 THEN ' seldom ' ELSE ' often ' END ||
              ?1 || 'f1 ' || ?1 || 's' || status || CASE WHEN status = 'spam' THEN '' ELSE ' ' || ?1 || 'l' END FROM cf_submissions`,
      // How the engine marks words that are not the visitor's (src/submissions/words.rs).
      params: ["\u{e000}"],
    },
    {
      sql: `INSERT INTO cf_stats SELECT form.id, 'status', '', s.status, 0, COUNT(*) FROM cf_submissions s
            CROSS JOIN (SELECT 0 AS id UNION ALL SELECT 1) form GROUP BY form.id, s.status`,
      params: [],
    },
  ]);
}

async function filledSite(path: string, size: typeof SMALL): Promise<FilledSite & { close(): Promise<void> }> {
  const database = openSqlite({ path });
  const forms = await createForms({ host: { database, authenticate: async () => ({ principal }) }, baseUrl });
  await forms.migrate();
  const fields = FIELDS.map((name) => ({ name, type: "text" }));
  for (const [method, address, body] of [["POST", "", { title: "Bench" }], ["PUT", "/1/schema", { fields }]] as const) {
    const made = await forms.fetch(new Request(`${baseUrl}/api/cf/v1/forms${address}`, { method, body: JSON.stringify(body) }));
    if (made?.ok !== true) throw new Error(`the form could not be made: ${await made?.text()}`);
  }
  await fill(database, size);
  return { database, forms, close: async () => (await forms.close(), await database.close()) };
}

async function milliseconds({ forms }: FilledSite, path: string): Promise<number> {
  const started = performance.now();
  const answer = await forms.fetch(new Request(`${baseUrl}/api/cf/v1${path}`));
  if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status} ${await answer?.text()}`);
  await answer.arrayBuffer();
  return performance.now() - started;
}

async function measure(path: string, small: FilledSite, large: FilledSite, atMost: number): Promise<Measurement> {
  const samples = { small: new Array<number>(), large: new Array<number>() };
  for (let n = 0; n < ROUNDS; n += 1) {
    samples.small.push(await milliseconds(small, path));
    samples.large.push(await milliseconds(large, path));
  }
  const [ofSmall, ofLarge] = [median(samples.small), median(samples.large)];
  const size = path.startsWith("/analytics") ? `${LARGE.events} against ${SMALL.events} events` : `${LARGE.submissions} against ${SMALL.submissions} submissions`;
  return {
    what: path.replace(/\d{4}-\d\d-\d\d/g, "…"),
    value: ofLarge / ofSmall,
    unit: "×",
    budget: { atMost },
    detail: `${ofLarge.toFixed(2)} ms against ${ofSmall.toFixed(2)} ms; ${size}`,
  };
}

const analytics: Section = {
  name: "analytics",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "cf-forms-bench-"));
    const small = await filledSite(join(folder, "small.sqlite"), SMALL);
    const large = await filledSite(join(folder, "large.sqlite"), LARGE);
    try {
      const day = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
      const year = `date_from=${day(DAYS)}&date_to=${day(0)}`;
      const routes = ["funnel", `funnel?${year}`, `daily?${year}`, "field-dropoff", "attribution", "spam-trends?days=365", "recommendations"];
      const measured = [await measure("/analytics/overview", small, large, 2)];
      for (const route of routes) measured.push(await measure(`/analytics/1/${route}`, small, large, 2));
      const month = `after=${day(30)}&before=${day(3)}`;
      for (const query of ["", "?status=read", "?status=read&orderby=id", `?status=read&${month}`, `?search=often&${month}`, "?search=often&orderby=date", "?search=seldom", "?search=seldom&status=spam", "?search=often", "?search=visitor77", "?form_id=1&status=spam"]) {
        measured.push(await measure(`/submissions${query}`, small, large, 3));
      }
      return measured;
    } finally {
      await small.close();
      await large.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export default analytics;
