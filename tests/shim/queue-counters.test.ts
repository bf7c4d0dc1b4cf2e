/** The queue's counters equal its rows under concurrent submits, runs, retries, marks and deletions. */

import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { postgresForTests } from "./postgres-server.ts";
import { items, member, startSite, type Site, type SiteOptions } from "./site.ts";

const CLIENTS = 8;
const SUBMITS = 20;
const STATES = ["pending", "processing", "completed", "retrying", "failed"];

async function makeForms(site: Site): Promise<string[]> {
  const slugs = ["one", "two"];
  for (const slug of slugs) {
    const actions = [{ type: "email", to: "desk@example.org" }, { type: "note" }, { type: "nobody" }];
    const body = { title: slug, slug, markup: "<input name=answer>", settings: { actions } };
    assert.equal((await site.api("POST", "/forms", body)).status, 201);
  }
  let runs = 0;
  site.forms.hooks.addAction("cf_process_form_action_note", "test/note", () => {
    runs += 1;
    if (runs % 3 === 0) throw new Error("the note is lost");
  });
  return slugs;
}

async function submit(site: Site, slug: string, form: number, isSpam: boolean): Promise<void> {
  const body = new URLSearchParams({ answer: "one", ...(isSpam ? { [`_cf_h${form}`]: "robot" } : {}) });
  const headers = { accept: "application/json", "x-test-address": `10.0.${form}.${Math.floor(Math.random() * 250)}` };
  const response = await fetch(`${site.url}/forms/${slug}`, { method: "POST", body, headers });
  assert.equal(response.status, 200, await response.text());
}

/** Runs one client. After each submit, it changes a random submission or entry. */
async function client(site: Site, number: number, slugs: readonly string[]): Promise<void> {
  for (let n = 0; n < SUBMITS; n += 1) {
    const which = (number + n) % slugs.length;
    await submit(site, slugs[which] ?? "", which + 1, n % 5 === 4);
    const { body: list } = await site.api("GET", "/submissions?status=any&per_page=5");
    const ids = items(list).map((entry) => Number(member(entry, "id")));
    const id = ids[n % ids.length];
    const what = (number + n) % 6;
    if (what === 0) await site.api("PATCH", `/submissions/${id}`, { status: "spam" });
    if (what === 1) await site.api("PATCH", `/submissions/${id}`, { status: "new" });
    if (what === 2) await site.api("DELETE", `/submissions/${id}`);
    if (what === 3)
      await site.api("POST", "/submissions/bulk", { ids, action: "set_status", status: n % 2 ? "spam" : "read" });
    if (what === 4) await site.forms.runQueue();
    if (what === 5) {
      const { body: failed } = await site.api("GET", "/action-queue?status=failed&per_page=3");
      for (const entry of items(failed)) await site.api("POST", `/action-queue/${Number(member(entry, "id"))}/retry`);
    }
  }
}

async function assertCounted(site: Site): Promise<void> {
  const { body: stats } = await site.api("GET", "/action-queue/stats");
  for (const form of [0, 1, 2]) {
    const where = form > 0 ? ` WHERE form_id = ${form}` : "";
    const sql = `SELECT status, COUNT(*) FROM cf_action_queue${where} GROUP BY status`;
    const [result] = await site.database.batch([{ sql, params: [] }]);
    const rows = new Map(result?.rows.map(([state, count]) => [state, Number(count)]));
    for (const state of STATES) {
      const wanted = rows.get(state) ?? 0;
      const { headers } = await site.api("GET", `/action-queue?status=${state}${form > 0 ? `&form_id=${form}` : ""}`);
      assert.equal(headers.get("x-wp-total"), String(wanted), `${state} of form ${form}`);
      if (form === 0) assert.equal(member(stats, state), wanted, state);
    }
  }
  // Deleted submissions stay in the analytics, but not in the counters of rows.
  const wrong: unknown[] = [];
  await site.forms.rebuildCounters((difference) => {
    if (["action_queue", "status"].includes(difference.metric)) wrong.push(difference);
  });
  assert.deepEqual(wrong, []);
}

async function countersEqualRows(options: SiteOptions): Promise<void> {
  const site = await startSite(options);
  try {
    const slugs = await makeForms(site);
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(site, number, slugs)));
    await site.settled();
    await assertCounted(site);
    // Each form is deleted while its actions run.
    site.clock.ahead += 3_600_000;
    await Promise.all([site.forms.runQueue(), site.api("DELETE", "/forms/1?force=true")]);
    await site.settled();
    await assertCounted(site);
    assert.deepEqual(
      site.faults.filter((fault) => !fault.includes("the note is lost")),
      [],
    );
  } finally {
    await site.close();
  }
}

const postgres = await postgresForTests();
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
});

describe("the queue's counters equal its rows", () => {
  it("on SQLite", () => countersEqualRows({}));
  it("on PostgreSQL", "skip" in postgres ? { skip: postgres.skip } : {}, async () => {
    if ("skip" in postgres) return;
    await countersEqualRows({ database: openPostgres({ url: postgres.server.url }) });
  });
});
