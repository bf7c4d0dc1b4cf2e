/** The number of statements and batches of each request, so that an increase is always intended. */

import assert from "node:assert/strict";
import { it } from "node:test";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { startSite, type Site } from "./site.ts";

const ACTION = { type: "email", to: "desk@example.org", subject: "s", message: "m" };

async function submit(site: Site, slug: string): Promise<void> {
  const response = await fetch(`${site.url}/forms/${slug}`, {
    method: "POST",
    body: new URLSearchParams({ answer: "one" }),
    headers: { accept: "application/json" },
  });
  assert.equal(response.status, 200, await response.text());
}

async function get(site: Site, path: string): Promise<void> {
  const { status, body } = await site.api("GET", path);
  assert.equal(status, 200, JSON.stringify(body));
}

async function sendEvents(site: Site): Promise<void> {
  const events = ["view", "start", "field_interaction", "abandon"].map((event_type) => ({ event_type }));
  const response = await fetch(`${site.url}/forms/-/events`, {
    method: "POST",
    body: JSON.stringify({ form_id: 1, events }),
  });
  assert.equal(response.status, 204);
}

/**
 * Each request with its numbers of batches and statements. The queue does not run. Labels need no statement while the
 * forms' schemas are cached, because each submission is read with its form's revision.
 */
const COSTS: readonly (readonly [string, (site: Site) => Promise<unknown>, { batches: number; statements: number }])[] =
  [
    ["read a form", (site) => get(site, "/forms/1"), { batches: 1, statements: 1 }],
    ["list forms", (site) => get(site, "/forms?per_page=20"), { batches: 1, statements: 2 }],
    ["list submissions", (site) => get(site, "/submissions"), { batches: 1, statements: 2 }],
    [
      "list the submissions of a form",
      (site) => get(site, "/forms/1/submissions?status=read"),
      { batches: 1, statements: 3 },
    ],
    ["search", (site) => get(site, "/submissions?search=one"), { batches: 2, statements: 3 }],
    ["list a range of dates", (site) => get(site, "/submissions?after=2020-01-01"), { batches: 1, statements: 2 }],
    ["read a submission", (site) => get(site, "/submissions/1"), { batches: 1, statements: 1 }],
    [
      "change a status",
      (site) => site.api("PATCH", "/submissions/1", { status: "read" }),
      { batches: 3, statements: 6 },
    ],
    ["list the queue", (site) => get(site, "/action-queue"), { batches: 1, statements: 3 }],
    ["count the queue", (site) => get(site, "/action-queue/stats"), { batches: 1, statements: 4 }],
    ["list logs", (site) => get(site, "/action-logs"), { batches: 1, statements: 2 }],
    ["a funnel", (site) => get(site, "/analytics/1/funnel"), { batches: 1, statements: 2 }],
    ["the overview", (site) => get(site, "/analytics/overview"), { batches: 2, statements: 5 }],
    ["a page", (site) => fetch(`${site.url}/forms/two`).then((page) => page.text()), { batches: 1, statements: 1 }],
    ["a submit without actions", (site) => submit(site, "none"), { batches: 1, statements: 3 }],
    ["a submit with one action", (site) => submit(site, "one"), { batches: 1, statements: 4 }],
    ["a submit with two actions", (site) => submit(site, "two"), { batches: 1, statements: 4 }],
    ["a bundle of events", (site) => sendEvents(site), { batches: 2, statements: 3 }],
    [
      "the events of a moment, written",
      (site) => sendEvents(site).then(() => site.forms.close()),
      { batches: 2, statements: 5 },
    ],
  ];

it("each request needs this number of statements", async () => {
  const database = openSqlite({ path: ":memory:" });
  const cost = { batches: 0, statements: 0 };
  const counting = {
    dialect: database.dialect,
    batch: (statements: Parameters<typeof database.batch>[0]) => {
      cost.batches += 1;
      cost.statements += statements.length;
      return database.batch(statements);
    },
    close: () => database.close(),
  };
  // No action runs, because no entry is claimed. The clock is fixed, because each day has another key, which a separate
  // batch reads.
  const noon = Date.UTC(2026, 4, 1, 12);
  const site = await startSite({
    database: counting,
    forms: { queueConcurrency: 0, eventDelayMs: 3_600_000, now: () => noon },
  });
  for (const [index, slug] of ["none", "one", "two"].entries()) {
    const settings = { actions: Array.from({ length: index }, () => ACTION) };
    const { status } = await site.api("POST", "/forms", { title: slug, slug, markup: "<input name=answer>", settings });
    assert.equal(status, 201);
    // The first requests fill the instance's caches.
    await (await fetch(`${site.url}/forms/${slug}`)).text();
    await submit(site, slug);
    await get(site, `/forms/${index + 1}`);
  }
  // Waits for the end of the first purge.
  await site.settled();
  const measured = [];
  for (const [name, act] of COSTS) {
    [cost.batches, cost.statements] = [0, 0];
    await act(site);
    measured.push([name, { ...cost }]);
  }
  await site.close();
  assert.deepEqual(
    measured,
    COSTS.map(([name, , wanted]) => [name, wanted]),
  );
});
