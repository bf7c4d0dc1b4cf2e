/**
 * Concurrent submits for a few seats and for unique values. Exactly one submit per seat or value is accepted, on SQLite
 * and PostgreSQL. `CF_RACE_SUBMITS` sets the number of submits (default: 400).
 */
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { postgresForTests } from "./postgres-server.ts";
import { member, startSite, type Site } from "./site.ts";

const SUBMITS = Number(process.env["CF_RACE_SUBMITS"] ?? 400);
const SEATS = Math.min(100, SUBMITS / 4);
const VALUES = 50;
/** Number of concurrent connections. */
const PARALLEL = 200;

const postgres = await postgresForTests();
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
});

const FIELDS = [
  { name: "party", type: "number" },
  {
    name: "slot",
    type: "radio",
    options: ["a", "b"],
    attributes: { "data-seats": JSON.stringify({ a: SEATS, b: 0 }), "data-seats-by": "party" },
  },
  { name: "code", type: "text", attributes: { "data-unique": "" } },
];

/** Submits as one of many visitors, because each address gets only a few rejections for used values. */
async function submit(site: Site, index: number, fields: Record<string, string>): Promise<string> {
  const response = await fetch(`${site.url}/forms/race`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { accept: "application/json", "x-test-address": `2001:db8:0:${index.toString(16)}::1` },
  });
  const body: unknown = await response.json();
  return response.status === 200 ? "accepted" : `${response.status} ${String(member(body as never, "code"))}`;
}

/** Sends submits to the sites in turn, some of them at a time, and counts the outcomes. */
async function outcomes(
  sites: readonly Site[],
  fieldsOf: (index: number) => Record<string, string>,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < SUBMITS; index = next++) {
      const site = sites[index % sites.length];
      assert.ok(site);
      const outcome = await submit(site, index, fieldsOf(index));
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return counts;
}

async function total(site: Site, sql: string): Promise<number> {
  const [result] = await site.database.batch([{ sql, params: [] }]);
  return Number(result?.rows[0]?.[0]);
}

function races(start: () => Promise<Site[]>): void {
  let sites: Site[] = [];
  after(() => Promise.all(sites.map((site) => site.close())));

  it("the sites start", async () => {
    sites = await start();
    const form = { title: "Race", slug: "race", schema: { fields: FIELDS } };
    assert.equal((await sites[0]?.api("POST", "/forms", form))?.status, 201);
  });

  it("every seat is given exactly once", { timeout: 600_000 }, async () => {
    const counts = await outcomes(sites, () => ({ slot: "a", party: "1" }));
    assert.deepEqual(counts, { accepted: SEATS, "400 sold_out": SUBMITS - SEATS });
    const [first] = sites;
    assert.ok(first);
    assert.equal(await total(first, "SELECT taken FROM cf_seats WHERE option = 'a'"), SEATS);
    assert.equal(await total(first, "SELECT COUNT(*) FROM cf_submissions"), SEATS);
  });

  it("no value is accepted twice", { timeout: 600_000 }, async () => {
    const counts = await outcomes(sites, (index) => ({ code: `Code ${index % VALUES}` }));
    assert.deepEqual(counts, { accepted: VALUES, "400 not_unique": SUBMITS - VALUES });
    const [first] = sites;
    assert.ok(first);
    assert.equal(await total(first, "SELECT COUNT(*) FROM cf_unique WHERE taken = 1"), VALUES);
    assert.equal(await total(first, "SELECT COUNT(*) FROM cf_unique"), VALUES);
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
