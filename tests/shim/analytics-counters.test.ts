/** Counters stay equal to a recount under concurrency; events survive a clean stop. */

import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { postgresForTests } from "./postgres-server.ts";
import { items, member, startSite, type JsonValue, type Site, type SiteOptions } from "./site.ts";

const CLIENTS = 8;
const REQUESTS = 250;
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0.0.0 Safari/537.36";
const FIELDS = ["email", "topic", "message"];

/** Actions of the clients, by form and metric. */
type Tally = Map<string, number>;

function count(tally: Tally, form: number, metric: string, by = 1): void {
  tally.set(`${form} ${metric}`, (tally.get(`${form} ${metric}`) ?? 0) + by);
}

async function makeForms(site: Site): Promise<number[]> {
  const ids = [];
  for (const slug of ["one", "two", "three"]) {
    const { body } = await site.api("POST", "/forms", { title: slug, slug });
    const id = Number(member(body, "id"));
    const fields = FIELDS.map((name) => ({ name, type: "text" }));
    assert.equal((await site.api("PUT", `/forms/${id}/schema`, { fields })).status, 200);
    ids.push(id);
  }
  return ids;
}

/** One client: events in bundles of six, and every fifth request a submission, some of them spam. */
async function client(site: Site, number: number, forms: readonly number[], tally: Tally): Promise<void> {
  const slugs = ["one", "two", "three"];
  for (let request = 0; request < REQUESTS; request += 1) {
    const which = (number + request) % forms.length;
    const form = forms[which] ?? 0;
    const headers = { "x-test-address": `10.${number}.${request >> 8}.${request & 255}`, "user-agent": BROWSER };
    if (request % 5 === 0) {
      const isSpam = request % 15 === 0;
      const page = `http://example.org/?utm_source=s${request % 3}`;
      const sent = { email: "a@example.org", _cf_page: page, ...(isSpam ? { [`_cf_h${form}`]: "robot" } : {}) };
      const body = new URLSearchParams(sent);
      const response = await fetch(`${site.url}/forms/${slugs[which]}`, {
        method: "POST",
        body,
        headers: { ...headers, accept: "application/json" },
      });
      assert.equal(response.status, 200, await response.text());
      count(tally, form, isSpam ? "spam" : "submit");
      if (!isSpam) count(tally, form, `s${request % 3}`);
      continue;
    }
    const field = FIELDS[request % FIELDS.length] ?? "";
    const events = [
      { event_type: "view" },
      { event_type: "view" },
      { event_type: "start" },
      { event_type: "field_interaction", field_name: field },
      { event_type: "field_interaction", field_name: "email" },
      { event_type: "abandon", field_name: field },
    ];
    const body = JSON.stringify({
      form_id: form,
      events: events.map((event, n) => ({ ...event, event_id: `${request}-${n}` })),
    });
    const response = await fetch(`${site.url}/forms/-/events`, { method: "POST", body, headers });
    assert.equal(response.status, 204);
    for (const [metric, by] of [
      ["view", 2],
      ["start", 1],
      ["abandon", 1],
      ["field_interaction", 2],
      ["visitor", 1],
    ] as const) {
      count(tally, form, metric, by);
    }
  }
}

/** Checks an estimate: a sketch with a random key, whose standard error is 0.81 %, counts visitors. */
function near(actual: JsonValue, expected: number, what: string): void {
  assert.ok(Math.abs(Number(actual) - expected) <= Math.ceil(expected * 0.05), `${what}: ${actual}, not ${expected}`);
}

async function countersEqualARecount(options: SiteOptions): Promise<void> {
  const site = await startSite(options);
  try {
    const forms = await makeForms(site);
    const tally: Tally = new Map();
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(site, number, forms, tally)));
    const sum = [...tally].filter(([key]) => !/visitor| s\d$/.test(key)).reduce((total, [, by]) => total + by, 0);
    assert.ok(sum >= 10_000, `${sum} events and submissions`);

    for (const form of forms) {
      const wanted = (metric: string): number => tally.get(`${form} ${metric}`) ?? 0;
      const { body: funnel } = await site.api("GET", `/analytics/${form}/funnel`);
      const counts = ["views", "starts", "abandonments", "submissions", "spam"].map((name) => member(funnel, name));
      assert.deepEqual(counts, ["view", "start", "abandon", "submit", "spam"].map(wanted), `form ${form}`);
      near(member(funnel, "visitors"), wanted("visitor"), "visitors");

      const today = new Date().toISOString().slice(0, 10);
      const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
      const { body: daily } = await site.api("GET", `/analytics/${form}/daily?date_from=${yesterday}&date_to=${today}`);
      for (const metric of ["view", "start", "abandon", "field_interaction", "submit", "spam"]) {
        const rows = items(daily).filter((row) => member(row, "event_type") === metric);
        assert.equal(
          rows.reduce<number>((total, row) => total + Number(member(row, "count")), 0),
          wanted(metric),
          metric,
        );
      }
      const { body: attribution } = await site.api("GET", `/analytics/${form}/attribution`);
      for (const campaign of items(member(attribution, "utm_sources"))) {
        assert.equal(member(campaign, "count"), wanted(String(member(campaign, "utm_source"))));
      }
    }
    const { body: overview } = await site.api("GET", "/analytics/overview");
    const views = forms.reduce((total, form) => total + (tally.get(`${form} view`) ?? 0), 0);
    assert.equal(member(member(overview, "totals"), "views"), views);

    const differences: unknown[] = [];
    await site.forms.rebuildCounters((difference) => differences.push(difference));
    assert.deepEqual(differences, [], "the stored submissions give the same numbers");
    assert.deepEqual(site.faults, []);
  } finally {
    await site.close();
  }
}

const postgres = await postgresForTests();
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
});

describe("after 10,000 events and submissions from 8 clients at once, the counters equal a recount", () => {
  it("on SQLite", () => countersEqualARecount({}));
  it("on PostgreSQL", "skip" in postgres ? { skip: postgres.skip } : {}, async () => {
    if ("skip" in postgres) return;
    await countersEqualARecount({ database: openPostgres({ url: postgres.server.url }) });
  });
});

/** Recounts the metrics from the answers of the stored submissions. */
async function answersByHand(site: Site): Promise<Map<string, number>> {
  const [stored] = await site.database.batch([
    { sql: "SELECT counted, is_spam FROM cf_submissions ORDER BY id", params: [] },
  ]);
  const counts = new Map<string, number>();
  for (const [counted, isSpam] of stored?.rows ?? []) {
    const differences: [metric: string, label: string, by: number][] = JSON.parse(String(counted));
    for (const [metric, label, by] of differences) {
      if (isSpam === 1 && metric !== "answer_name") continue;
      counts.set(`${metric} ${label}`, (counts.get(`${metric} ${label}`) ?? 0) + by);
    }
  }
  return counts;
}

async function answersAreRecounted(options: SiteOptions): Promise<void> {
  const site = await startSite(options);
  try {
    await sendAnswers(site);
    await wrongSumsAreCorrected(site);
    await importsAreCountedOnce(site);
    await unkeptAnswersStayCounted(site);
  } finally {
    await site.close();
  }
}

async function sendAnswers(site: Site): Promise<void> {
  const fields = [
    { name: "topic", type: "select", options: ["a", "b"].map((value) => ({ value, label: value })) },
    { name: "budget", type: "number" },
  ];
  await site.api("POST", "/forms", { title: "one", slug: "one" });
  assert.equal((await site.api("PUT", "/forms/1/schema", { fields })).status, 200);
  for (let n = 0; n < 12; n += 1) {
    const body = new URLSearchParams({
      topic: n % 3 === 0 ? "b" : "a",
      budget: String(n),
      ...(n % 4 === 0 ? { _cf_h1: "robot" } : {}),
    });
    await (await fetch(`${site.url}/forms/one`, { method: "POST", body })).text();
  }
}

async function storedSums(site: Site): Promise<[string, number][]> {
  const sql =
    "SELECT metric, label, CAST(SUM(count) AS BIGINT) FROM cf_stats WHERE metric IN ('answer', 'answer_name') AND form_id = 1 GROUP BY metric, label HAVING SUM(count) <> 0";
  const [sums] = await site.database.batch([{ sql, params: [] }]);
  return (sums?.rows ?? []).map(([metric, label, sum]): [string, number] => [`${metric} ${label}`, Number(sum)]).sort();
}

async function wrongSumsAreCorrected(site: Site): Promise<void> {
  const byHand = await answersByHand(site);
  assert.ok(byHand.size >= 4, JSON.stringify([...byHand]));
  assert.deepEqual(await storedSums(site), [...byHand].sort());
  await site.database.batch([
    { sql: "UPDATE cf_stats SET count = count + 5 WHERE metric = 'answer_name'", params: [] },
    { sql: "DELETE FROM cf_stats WHERE metric = 'answer'", params: [] },
    { sql: "INSERT INTO cf_stats VALUES (1, 'answer', '', '[\"gone\",\"other\"]', 0, 3)", params: [] },
  ]);
  let corrected = 0;
  await site.forms.rebuildCounters(({ metric }) => (corrected += metric.startsWith("answer") ? 1 : 0));
  assert.deepEqual(await storedSums(site), [...byHand].sort());
  assert.ok(corrected >= byHand.size + 1, String(corrected));
  await site.forms.rebuildCounters((difference) => assert.fail(JSON.stringify(difference)));
}

/** Several imports of one file at once store each submission once. */
async function importsAreCountedOnce(site: Site): Promise<void> {
  const data = (n: number) => ({
    formId: "f",
    data: { topic: "a", ["to\u0000ld"]: `x\u0000${n}` },
    createdAt: new Date(Date.UTC(2025, 0, 1, 0, 0, n)).toISOString(),
  });
  const file = { content: JSON.stringify(Array.from({ length: 60 }, (_, n) => data(n))), form_id: 1 };
  const imports = await Promise.all([file, file, file].map((body) => site.api("POST", "/forms/import", body)));
  assert.deepEqual(
    imports.map(({ status }) => status),
    [200, 200, 200],
    JSON.stringify(imports),
  );
  const newOnes = imports.map(({ body }) =>
    Number(member(member(items(member(body, "forms"))[0] ?? null, "submissions"), "stored")),
  );
  assert.equal(
    newOnes.reduce((sum, count) => sum + count, 0),
    60,
  );
  await site.forms.rebuildCounters((difference) => assert.fail(JSON.stringify(difference)));
}

/** Submissions that a form does not store stay counted: a recount keeps their sums, and corrects other numbers. */
async function unkeptAnswersStayCounted(site: Site): Promise<void> {
  assert.equal((await site.api("PATCH", "/forms/1", { settings: { save_submissions: false } })).status, 200);
  const sent = await fetch(`${site.url}/forms/one`, {
    method: "POST",
    body: new URLSearchParams({ budget: "-7.5" }),
  });
  assert.equal(sent.status, 200, await sent.text());
  const withUnkept = await storedSums(site);
  await site.database.batch([
    { sql: "DELETE FROM cf_stats WHERE metric = 'answer' AND label LIKE '[\"topic\",%'", params: [] },
  ]);
  const left = new Set<boolean>();
  await site.forms.rebuildCounters(({ metric, label, corrected: isCorrected }) => {
    assert.equal(isCorrected, label.startsWith('["topic",'), `${metric} ${label}`);
    left.add(isCorrected);
  });
  assert.deepEqual(await storedSums(site), withUnkept);
  assert.equal(left.size, 2);
}

describe("a recount corrects wrong sums of answers", () => {
  it("on SQLite", () => answersAreRecounted({}));
  it("on PostgreSQL", "skip" in postgres ? { skip: postgres.skip } : {}, async () => {
    if ("skip" in postgres) return;
    const schema = openPostgres({ url: postgres.server.url, max: 1 });
    await schema.batch([{ sql: "CREATE SCHEMA answers", params: [] }]);
    await schema.close();
    await answersAreRecounted({
      database: openPostgres({ url: `${postgres.server.url}?options=-csearch_path%3Danswers` }),
    });
  });
});

it("a clean stop writes the waiting events", async () => {
  const site = await startSite({ forms: { eventDelayMs: 60_000 } });
  const [form = 0] = await makeForms(site);
  const body = JSON.stringify({ form_id: form, events: [{ event_type: "view" }] });
  assert.equal((await fetch(`${site.url}/forms/-/events`, { method: "POST", body })).status, 204);
  const read = { sql: "SELECT COUNT(*) FROM cf_stats WHERE metric = 'view'", params: [] };
  const [before] = await site.database.batch([read]);
  assert.deepEqual(before?.rows, [[0]]);
  await site.forms.close();
  const [after] = await site.database.batch([read]);
  assert.deepEqual(after?.rows, [[3]], "counters of the day, in total, and of the site");
  await site.close();
});

it("events are written together after a short delay", async () => {
  const site = await startSite({ forms: { eventDelayMs: 50 } });
  const [form = 0] = await makeForms(site);
  const body = JSON.stringify({ form_id: form, events: [{ event_type: "view" }] });
  await Promise.all(Array.from({ length: 20 }, () => fetch(`${site.url}/forms/-/events`, { method: "POST", body })));
  const read = {
    sql: "SELECT SUM(count) FROM cf_stats WHERE metric = 'view' AND date = '' AND form_id > 0",
    params: [],
  };
  for (let waited = 0; waited < 30_000; waited += 50) {
    const [result] = await site.database.batch([read]);
    if (result?.rows[0]?.[0] === 20) return site.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await site.close();
  assert.fail("the events were not written");
});

it("a plugin may hide a form's numbers from a user", async () => {
  const site = await startSite();
  const [form = 0, other = 0] = await makeForms(site);
  const principals: unknown[] = [];
  site.forms.hooks.addFilter("cf_can_view_form_analytics", "test/numbers", (allowed, formId, user) => {
    principals.push(user);
    return formId === form ? false : allowed;
  });
  for (const route of ["funnel", "field-dropoff", "attribution", "spam-trends", "recommendations"]) {
    const refused = await site.api("GET", `/analytics/${form}/${route}`);
    assert.deepEqual([refused.status, member(refused.body, "code")], [403, "rest_forbidden"], route);
    assert.equal((await site.api("GET", `/analytics/${other}/${route}`)).status, 200, route);
  }
  assert.deepEqual(principals[0], { id: "1", login: "admin" });
  const { body: overview } = await site.api("GET", "/analytics/overview");
  const shown = items(member(overview, "forms")).map((form) => member(form, "form_id"));
  assert.equal(shown.includes(form), false);
  assert.equal(shown.length, 2);
  await site.close();
});
