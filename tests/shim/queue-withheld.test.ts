/**
 * Submissions are marked as spam while workers run their actions. The actions are withheld, never lost, and never run
 * twice.
 */

import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import type { Forms } from "../../host-shim/src/index.ts";
import { postgresForTests } from "./postgres-server.ts";
import { member, startSite, type Site } from "./site.ts";

const SUBMISSIONS = 12;
const ACTIONS = 3;

const postgres = await postgresForTests();
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
});

/** Counts runs by `submission/action`; a gate can hold runs back. */
class Notes {
  readonly runs = new Map<string, number>();
  hold: Promise<void> | null = null;
  begun = 0;

  plugInto(forms: Forms): void {
    const label = "Note";
    forms.registerAction({
      type: "note",
      label,
      settings: () => "",
      process: async (settings, submission) => {
        this.begun += 1;
        await this.hold;
        const key = `${submission.id}/${String(settings["name"])}`;
        this.runs.set(key, (this.runs.get(key) ?? 0) + 1);
        return true;
      },
    });
  }
}

function withheld(start: () => Promise<Site[]>): void {
  let sites: Site[] = [];
  const notes = new Notes();
  after(() => Promise.all(sites.map((site) => site.close())));

  async function submissions(count: number): Promise<number[]> {
    const [site] = sites;
    assert.ok(site);
    const actions = Array.from({ length: ACTIONS }, (_, n) => ({ type: "note", name: `note ${n}` }));
    const { body } = await site.api("POST", "/forms", {
      title: "Notes",
      markup: "<input name=a>",
      settings: { actions },
    });
    const ids = [];
    for (let n = 0; n < count; n += 1) {
      const sent = await fetch(`${site.url}/forms/${String(member(body, "slug"))}`, {
        method: "POST",
        body: new URLSearchParams({ a: String(n) }),
        headers: { accept: "application/json" },
      });
      ids.push(Number(member(await sent.json(), "submission_id")));
    }
    return ids;
  }

  const set = async (site: Site | undefined, ids: readonly number[], status: string) => {
    const response = await site?.api("POST", "/submissions/bulk", { ids, action: "set_status", status });
    assert.equal(response?.status, 200, JSON.stringify(response?.body));
  };
  const runAll = () => Promise.all(sites.map((site) => site.forms.runQueue()));

  it("the sites start", async () => {
    sites = await start();
    for (const { forms } of sites) notes.plugInto(forms);
  });

  it("running actions end, waiting ones are withheld", async () => {
    let release = () => {};
    notes.hold = new Promise((resolve) => {
      release = resolve;
    });
    // One worker with one slot: the first action runs, the others wait.
    const [id = 0] = await submissions(1);
    while (notes.begun === 0) await new Promise((resolve) => setImmediate(resolve));
    await set(sites[0], [id], "spam");
    notes.hold = null;
    release();
    await runAll();
    const begun = notes.runs.size;
    assert.equal(begun, notes.begun, "no action began after the change");
    await set(sites[0], [id], "read");
    await runAll();
    assert.deepEqual(
      [...notes.runs.values()],
      Array.from({ length: ACTIONS }, () => 1),
    );
  });

  it("each action runs once, for any timing of changes and claims", async () => {
    notes.runs.clear();
    const ids = await submissions(SUBMISSIONS);
    let done = false;
    const working = (async () => {
      while (!done) {
        await runAll();
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(ids.map((id, n) => set(sites[n % sites.length], [id], (n + round) % 2 === 0 ? "spam" : "new")));
    }
    await set(sites[0], ids, "read");
    done = true;
    await working;
    await runAll();
    assert.equal(notes.runs.size, SUBMISSIONS * ACTIONS, "no action was lost");
    assert.deepEqual(
      [...notes.runs].filter(([, times]) => times !== 1),
      [],
      "no action ran twice",
    );
    const { body } = (await sites[0]?.api("GET", "/action-queue/stats")) ?? {};
    assert.deepEqual([member(body, "pending"), member(body, "processing"), member(body, "retrying")], [0, 0, 0]);
    assert.deepEqual(
      sites.flatMap(({ faults }) => faults),
      [],
    );
  });
}

describe("actions of submissions that become spam, on SQLite", () => {
  withheld(async () => [await startSite({ forms: { queueConcurrency: 1 } })]);
});

describe("actions of submissions that become spam, with two processes on PostgreSQL", {
  skip: "skip" in postgres && postgres.skip,
}, () => {
  withheld(async () => {
    assert.ok("server" in postgres);
    const { url } = postgres.server;
    const options = () => ({ database: openPostgres({ url, max: 6 }), forms: { queueConcurrency: 2 } });
    return [await startSite(options()), await startSite(options())];
  });
});
