/** Concurrent submits: limits are enforced, retries are one submission, and counters stay correct. */

import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import type { Database } from "../../host-shim/src/index.ts";
import { postgresForTests } from "./postgres-server.ts";
import { items, member, startSite, type JsonValue, type Site } from "./site.ts";

const postgres = await postgresForTests();
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
});

type Opened = Database & { close(): Promise<void> };

interface SubmitResponse {
  readonly status: number;
  readonly text: string;
}

async function makeForm(site: Site, settings: object): Promise<{ id: number; slug: string }> {
  const { body } = await site.api("POST", "/forms", { title: "Races", markup: "<input name=a>", settings });
  return { id: Number(member(body, "id")), slug: String(member(body, "slug")) };
}

async function submit(
  site: Site,
  slug: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<SubmitResponse> {
  const response = await fetch(`${site.url}/forms/${slug}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { accept: "application/json", ...headers },
  });
  return { status: response.status, text: await response.text() };
}

/** Sends one submit for each set of fields, all at once, to the sites in turn. */
function together(
  sites: readonly Site[],
  slug: string,
  fields: readonly Record<string, string>[],
): Promise<SubmitResponse[]> {
  return Promise.all(fields.map((values, index) => submit(site(sites, index), slug, values)));
}

function site(sites: readonly Site[], index: number): Site {
  const chosen = sites[index % sites.length];
  assert.ok(chosen);
  return chosen;
}

const statuses = (responses: readonly SubmitResponse[]): Map<number, number> =>
  responses.reduce(
    (counts, { status }) => counts.set(status, (counts.get(status) ?? 0) + 1),
    new Map<number, number>(),
  );

/** The number of submissions with a status; asserts that the counter and the list agree. */
async function agreedTotal(first: Site, form: number, status: string): Promise<number> {
  const response = await first.api("GET", `/forms/${form}/submissions?status=${status}&per_page=100`);
  const total = Number(response.headers.get("x-wp-total"));
  assert.equal(items(response.body).length, Math.min(total, 100), `${status}: rows and counters`);
  return total;
}

function races(start: () => Promise<Site[]>): void {
  let sites: Site[] = [];
  after(() => Promise.all(sites.map((site) => site.close())));

  it("the sites start", async () => {
    sites = await start();
  });

  it("20 concurrent retries of one submit give one submission, one action and one response", async () => {
    const action = { type: "email", to: "office@example.org", subject: "s", message: "[a]" };
    const form = await makeForm(site(sites, 0), { actions: [action] });
    const fields = Array.from({ length: 20 }, () => ({ a: "once", _submission_key: "the same" }));
    const responses = await together(sites, form.slug, fields);
    assert.deepEqual(statuses(responses), new Map([[200, 20]]));
    assert.equal(new Set(responses.map(({ text }) => text)).size, 1);
    assert.equal(await agreedTotal(site(sites, 0), form.id, "any"), 1);
    const queue = await site(sites, 0).api("GET", `/action-queue?form_id=${form.id}`);
    assert.equal(items(queue.body).length, 1);
  });

  it("three visitors of one cached page make three submissions, and each visitor's retries make one, also after ten minutes", async () => {
    const form = await makeForm(site(sites, 0), {});
    const visitors = ["192.0.2.11", "192.0.2.12", "192.0.2.13"];
    const sendAll = (key: Record<string, string>, fields: Record<string, string>) =>
      Promise.all(
        Array.from({ length: 18 }, async (_, index) => {
          const address = visitors[index % 3] ?? "";
          const target = site(sites, Math.floor(index / 3));
          const { status, text } = await submit(
            target,
            form.slug,
            { a: "Yes", ...fields },
            { "x-test-address": address, ...key },
          );
          assert.equal(status, 200, text);
          return Number(member(JSON.parse(text), "submission_id"));
        }),
      );
    const ofVisitor = (ids: readonly number[], visitor: number) =>
      new Set(ids.filter((_, index) => index % 3 === visitor));
    const rows = [
      { headers: {}, fields: { _submission_key: "of the cached page" }, total: 3 },
      // The key has expired, and exactly one of several concurrent submits per visitor claims it again.
      { headers: {}, fields: { _submission_key: "of the cached page" }, ahead: 600_001, total: 6 },
      { headers: { "idempotency-key": "1" }, fields: {}, total: 9 },
      { headers: {}, fields: { _submission_key: "s-one script that changes its network" }, total: 10 },
    ];
    for (const { headers, fields, total, ahead = 0 } of rows) {
      for (const host of sites) host.clock.ahead += ahead;
      const ids = await sendAll(headers, fields);
      const isOfScript = total === 10;
      for (const visitor of [0, 1, 2]) assert.equal(ofVisitor(ids, visitor).size, 1, JSON.stringify(fields));
      assert.equal(new Set(ids).size, isOfScript ? 1 : 3, JSON.stringify(fields));
      assert.equal(await agreedTotal(site(sites, 0), form.id, "any"), total);
    }
    for (const host of sites) host.clock.ahead = 0;
  });

  it("limits per address and per form and a ban on duplicates accept exactly the allowed number", async () => {
    const different = Array.from({ length: 30 }, (_, n) => ({ a: String(n) }));
    const same = Array.from({ length: 30 }, () => ({ a: "same" }));
    const rows = [
      { settings: { rate_limit: 5 }, fields: different, accepted: 5, refused: 429 },
      { settings: { submission_limit: 3 }, fields: different, accepted: 3, refused: 403 },
      { settings: { prevent_duplicates: true }, fields: same, accepted: 1, refused: 409 },
      {
        settings: { rate_limit: 5, submission_limit: 4, prevent_duplicates: true },
        fields: different,
        accepted: 4,
        refused: 403,
      },
    ];
    for (const { settings, fields, accepted, refused } of rows) {
      const form = await makeForm(site(sites, 0), settings);
      const responses = await together(sites, form.slug, fields);
      assert.deepEqual(
        statuses(responses),
        new Map([
          [200, accepted],
          [refused, 30 - accepted],
        ]),
        JSON.stringify(settings),
      );
      assert.equal(await agreedTotal(site(sites, 0), form.id, "any"), accepted);
    }
  });

  it("counters stay correct under concurrent changes of statuses", async () => {
    const form = await makeForm(site(sites, 0), {});
    const responses = await together(
      sites,
      form.slug,
      Array.from({ length: 12 }, (_, n) => ({ a: String(n) })),
    );
    const ids = responses.map(({ text }) => Number(member(JSON.parse(text), "submission_id")));
    const words = ["read", "spam", "new", "trash", "archived"];
    const changes = Array.from({ length: 120 }, (_, n) => {
      const id = ids[n % ids.length];
      const target = site(sites, n);
      return n % 40 === 39
        ? target.api("DELETE", `/submissions/${id}`)
        : target.api("PATCH", `/submissions/${id}`, { status: words[n % words.length] });
    });
    const outcomes: JsonValue[] = (await Promise.all(changes)).map(({ status }) => status);
    assert.deepEqual(
      outcomes.filter((status) => ![200, 404, 409].includes(Number(status))),
      [],
    );
    const totals = await Promise.all(words.map((word) => agreedTotal(site(sites, 0), form.id, word)));
    const all = await agreedTotal(site(sites, 0), form.id, "any");
    assert.equal(
      totals.reduce((sum, total) => sum + total, 0),
      all,
    );
    const { body } = await site(sites, 0).api("GET", `/forms/${form.id}`);
    // The total excludes spam and trash.
    const [read = 0, , unread = 0, , archived = 0] = totals;
    assert.equal(member(body, "submission_count"), read + unread + archived);
  });

  it("no error was logged", () => {
    assert.deepEqual(
      sites.flatMap(({ faults }) => faults),
      [],
    );
  });
}

describe("on SQLite", () => races(async () => [await startSite()]));

describe("on PostgreSQL, two hosts", "skip" in postgres ? { skip: postgres.skip } : {}, () => {
  if ("skip" in postgres) return;
  const { url } = postgres.server;
  races(async () => [
    await startSite({ database: openPostgres({ url, max: 8 }) }),
    await startSite({ database: openPostgres({ url, max: 8 }) }),
  ]);
});

/** A database that pauses in the transaction of a submit, after the insert of its row, while the lock 4711 is held. */
function slow(database: Opened): Opened {
  return {
    dialect: database.dialect,
    close: () => database.close(),
    async batch(statements) {
      const at = statements.findIndex(({ sql }) => sql.startsWith("INSERT INTO cf_submissions "));
      if (at < 0) return database.batch(statements);
      const pause = { sql: "SELECT 1 FROM pg_advisory_xact_lock(4711)", params: [] };
      return (await database.batch(statements.toSpliced(at + 1, 0, pause))).toSpliced(at + 1, 1);
    },
  };
}

it(
  "a submit during its form's deletion is stored and deleted with it, or rejected",
  "skip" in postgres ? { skip: postgres.skip } : {},
  async (t) => {
    if ("skip" in postgres) return;
    const { url } = postgres.server;
    const visitors = await startSite({ database: slow(openPostgres({ url, max: 4 })) });
    const editors = await startSite({ database: openPostgres({ url, max: 4 }) });
    t.after(() => Promise.all([visitors.close(), editors.close()]));
    const count = async (sql: string) =>
      (await editors.database.batch([{ sql: `SELECT COUNT(*) FROM ${sql}`, params: [] }]))[0]?.rows[0]?.[0];
    const action = { type: "email", to: "office@example.org", subject: "s", message: "[a]" };
    const form = await makeForm(editors, {
      submission_limit: 9,
      rate_limit: 9,
      prevent_duplicates: true,
      actions: [action],
    });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    t.after(() => client.end());
    const waiting = async (processes: number) => {
      while (
        Number(await count("pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")) <
        processes
      )
        await delay(10);
    };
    await client.query("SELECT pg_advisory_lock(4711)");
    const sent = submit(visitors, form.slug, { a: "late", _submission_key: "late" });
    await waiting(1);
    const deleted = editors.api("DELETE", `/forms/${form.id}?force=true`);
    await waiting(2);
    await client.query("SELECT pg_advisory_unlock(4711)");
    assert.deepEqual([(await sent).status, (await deleted).status], [200, 200]);
    for (const table of [
      "cf_submissions",
      "cf_submission_keys",
      "cf_rate_limits",
      "cf_action_queue",
      "cf_action_logs",
      "cf_stats",
    ]) {
      assert.equal(await count(`${table} WHERE form_id = ${form.id}`), 0, table);
    }
    assert.equal((await submit(visitors, form.slug, { a: "too late" })).status, 404);
    assert.deepEqual([visitors.faults, editors.faults], [[], []]);
  },
);
