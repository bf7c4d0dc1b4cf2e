/** The queue runner and its order of runs, with a fake engine. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as turn, setTimeout as delay } from "node:timers/promises";
import { QueueRunner, type Claim, type ClaimRequest } from "../../host-shim/src/queue-runner.ts";

interface Fake {
  readonly runner: QueueRunner;
  /** Due entries. */
  readonly due: Claim[];
  readonly begun: unknown[];
  readonly released: Claim[];
  /** Number of requests in progress. */
  requests: number;
  /** Called once, when a claim has read the due entries but not yet returned. */
  duringClaim: () => void;
  /** The largest number of concurrent runs. */
  peak(): number;
  /** The claims, in their order. */
  readonly claims: ClaimRequest[];
  finish(id: number, succeeded?: boolean): Promise<void>;
}

function fake(quick: number, total = quick): Fake {
  const due: Claim[] = [];
  const begun: unknown[] = [];
  const released: Claim[] = [];
  const claims: ClaimRequest[] = [];
  const running = new Map<unknown, (succeeded: boolean) => void>();
  let peak = 0;
  const runner = new QueueRunner(
    {
      get inFlight() {
        return made.requests + running.size;
      },
      async claim(request) {
        claims.push(request);
        const claimed = due.splice(0, request.limit);
        const { duringClaim } = made;
        made.duringClaim = () => {};
        await Promise.resolve();
        duringClaim();
        return claimed;
      },
      runEntry: ({ id }) => {
        begun.push(id);
        return new Promise((resolve) => {
          running.set(id, resolve);
          peak = Math.max(peak, running.size);
        });
      },
      release: async (claims) => void released.push(...claims),
    },
    { quick, total },
  );
  const made: Fake = {
    runner,
    due,
    begun,
    released,
    requests: 0,
    duringClaim() {},
    peak: () => peak,
    claims,
    async finish(id, succeeded = true) {
      const claimed = claims.length;
      running.get(id)?.(succeeded);
      running.delete(id);
      // The next claim stores the outcome.
      while (claims.length === claimed) await delay(1);
      await turn();
    },
  };
  return made;
}

const entries = (...ids: number[]): Claim[] => ids.map((id) => ({ id }));

describe("the queue runner", () => {
  it("respects the limit of concurrent runs, and starts more as entries end", async () => {
    const { runner, due, begun, peak, finish } = fake(2);
    due.push(...entries(1, 2, 3, 4));
    const ran = runner.run();
    await turn();
    assert.deepEqual(begun, [1, 2]);
    await finish(2);
    assert.deepEqual(begun, [1, 2, 3]);
    for (const id of [3, 4, 1]) await finish(id);
    assert.equal(await ran, 4);
    assert.equal(peak(), 2);
  });

  it("lets many requests go first, but not for ever", async () => {
    const made = fake(1);
    made.due.push(...entries(1, 2));
    const ran = made.runner.run();
    await turn();
    made.requests = 100;
    const since = performance.now();
    await made.finish(1);
    const waited = performance.now() - since;
    made.requests = 0;
    await made.finish(2);
    assert.equal(await ran, 2);
    assert.equal(made.claims.length, 3);
    assert.ok(waited >= 200, `the second claim came after ${waited} ms`);
  });

  it("claims for many submits at once", async () => {
    const made = fake(200);
    made.requests = 1;
    const passes: Promise<number>[] = [];
    for (let id = 1; id <= 100; id += 1) {
      made.due.push(...entries(id));
      passes.push(made.runner.run());
      await turn();
    }
    made.requests = 0;
    while (made.begun.length < 100) await delay(1);
    // On a busy machine the hundred submits may take longer than the time between two claims.
    assert.ok(made.claims.length <= 20, `${made.claims.length} claims`);
    for (let id = 1; id <= 100; id += 1) await made.finish(id);
    assert.equal(
      (await Promise.all(passes)).reduce((sum, count) => sum + count),
      100,
    );
  });

  it("runs an entry that must run alone without others", async () => {
    const { runner, due, begun, finish } = fake(5);
    due.push({ id: 1, alone: true });
    const ran = runner.run();
    await turn();
    due.push(...entries(2));
    void runner.run();
    await turn();
    assert.deepEqual(begun, [1]);
    await finish(1);
    assert.deepEqual(begun, [1, 2]);
    await finish(2);
    assert.equal(await ran, 2);
  });

  it("starts entries that become due while a slow entry runs", async () => {
    const { runner, due, begun, finish } = fake(5);
    due.push(...entries(1));
    const ran = runner.run();
    await turn();
    due.push(...entries(2));
    const second = runner.run();
    await turn();
    assert.deepEqual(begun, [1, 2], "the second entry did not wait for the first");
    await finish(2);
    assert.equal(await second, 1, "the second call did not wait either");
    due.push(...entries(3));
    while (begun.length < 3) await delay(20);
    assert.deepEqual(begun, [1, 2, 3], "the third entry ran without a further call");
    await finish(3);
    await finish(1);
    assert.equal(await ran, 2);
  });

  it("a call runs due entries while another call never ends", async () => {
    // As on Workers, where the promises of an aborted request never settle.
    const site = fake(5);
    const claim = Promise.withResolvers<void>();
    let isFirst = true;
    const runner = new QueueRunner(
      {
        inFlight: 0,
        async claim({ limit }) {
          const [hangs, claimed] = [isFirst, site.due.splice(0, limit)];
          isFirst = false;
          if (hangs) await claim.promise;
          return claimed;
        },
        runEntry: async ({ id }) => site.begun.push(id) > 0,
        release: async () => {},
      },
      { quick: 1, total: 1 },
    );
    void runner.run();
    site.due.push(...entries(1));
    assert.equal(await runner.run(), 1);
    assert.deepEqual(site.begun, [1]);
  });

  it("a call without room leaves due entries to the next entry that ends", async () => {
    const { runner, due, begun, peak, finish } = fake(1);
    due.push(...entries(1));
    const ran = runner.run();
    await turn();
    due.push(...entries(2));
    assert.equal(await runner.run(), 0);
    await finish(1);
    assert.deepEqual(begun, [1, 2], "at once");
    await finish(2);
    assert.deepEqual([await ran, peak()], [2, 1]);
  });

  it("claims again after each entry, because the engine limits claims so that no form uses all room", async () => {
    const [due, begun]: [Claim[], unknown[]] = [entries(1, 2, 3), []];
    const one = {
      claim: async () => due.splice(0, 1),
      runEntry: async ({ id }: Claim) => begun.push(id) > 0,
      release: async () => {},
      inFlight: 0,
    };
    assert.equal(await new QueueRunner(one, { quick: 10, total: 10 }).run(), 3);
    assert.deepEqual(begun, [1, 2, 3]);
  });

  it("two concurrent calls share one limit: the second waits for the first one's claim", async () => {
    const { runner, due, begun, released, peak, finish } = fake(2);
    due.push(...entries(1, 2, 3));
    const both = Promise.all([runner.run(), runner.run()]);
    while (begun.length < 2) await turn();
    assert.deepEqual([begun, released], [[1, 2], []]);
    for (const id of [1, 2, 3]) await finish(id);
    assert.deepEqual([(await both).reduce((sum, count) => sum + count), peak()], [3, 2]);
  });

  it("claims again at once for entries that became due during a claim", async () => {
    const site = fake(5);
    const { runner, due, begun, finish } = site;
    const calls: Promise<number>[] = [];
    const become = (id: number) => () => {
      due.push(...entries(id));
      calls.push(runner.run());
    };
    due.push(...entries(1));
    site.duringClaim = become(2);
    calls.push(runner.run());
    while (begun.length < 2) await delay(1);
    assert.deepEqual(begun, [1, 2], "while another entry runs");
    site.duringClaim = become(3);
    calls.push(runner.run());
    while (begun.length < 3) await delay(1);
    assert.deepEqual(begun, [1, 2, 3], "while another call claims");
    for (const id of [1, 2, 3]) await finish(id);
    assert.equal(
      (await Promise.all(calls)).reduce((sum, count) => sum + count),
      3,
    );
  });

  it("continues with the next call after a failed claim", async () => {
    const site = fake(1);
    site.duringClaim = () => {
      throw new Error("the database is gone");
    };
    await assert.rejects(site.runner.run(), /is gone/);
    site.due.push(...entries(1));
    const ran = site.runner.run();
    await turn();
    assert.deepEqual(site.begun, [1]);
    await site.finish(1);
    assert.equal(await ran, 1);
  });

  it("waits for running entries when it closes, and starts no more", async () => {
    const { runner, due, begun, finish } = fake(1);
    due.push(...entries(1, 2));
    void runner.run();
    await turn();
    let closed = false;
    const closing = runner.close().then(() => {
      closed = true;
    });
    await turn();
    assert.equal(closed, false);
    await finish(1);
    await closing;
    assert.deepEqual(begun, [1]);
  });

  it("releases entries that it claimed while it closed", async () => {
    const { runner, due, begun, released } = fake(1);
    due.push(...entries(1));
    void runner.run();
    await runner.close();
    assert.deepEqual(begun, []);
    assert.deepEqual(released, entries(1));
  });

  it("stores the outcome of its last entry, also at its limit and at its close", async () => {
    const { runner, due, claims, finish } = fake(5);
    due.push(...entries(1, 2));
    const ran = runner.run(1);
    await turn();
    await finish(1);
    assert.equal(await ran, 1);
    assert.deepEqual(
      claims.map(({ limit }) => limit),
      [1, 0],
    );
    void runner.run();
    await turn();
    const closing = runner.close();
    await finish(2);
    await closing;
    assert.equal(claims.at(-1)?.limit, 0);
  });

  it("stores the outcome of an entry that ends while its pass claims nothing", async () => {
    const site = fake(2);
    const { runner, due, claims, finish } = site;
    due.push(...entries(1, 2));
    const ran = runner.run();
    await turn();
    site.duringClaim = () => void finish(2);
    await finish(1);
    assert.equal(await ran, 2);
    assert.equal(claims.length, 3);
  });

  it("a slow entry takes no room from quick ones, up to a limit on all", async () => {
    const { runner, due, begun, peak, finish } = fake(1, 2);
    due.push(...entries(1, 2, 3));
    const ran = runner.run();
    await turn();
    assert.deepEqual(begun, [1]);
    while (begun.length < 2) await delay(20);
    await finish(2);
    for (const id of [1, 3]) await finish(id);
    assert.deepEqual([await ran, peak()], [3, 2]);
  });

  it("large entries wait for those of their lane, but not for those of other lanes", async () => {
    const { runner, due, begun, finish } = fake(9);
    for (const [id, lane] of [
      [1, "a"],
      [2, "a"],
      [3, "b"],
    ])
      due.push({ id, lane, large: true });
    const ran = runner.run();
    await turn();
    assert.deepEqual(begun, [1, 3]);
    await finish(1);
    assert.deepEqual(begun, [1, 3, 2]);
    for (const id of [2, 3]) await finish(id);
    assert.equal(await ran, 3);
  });

  it("claims more of a lane that responds quickly", async () => {
    const { runner, due, claims, finish } = fake(9);
    due.push({ id: 1, lane: "a" });
    void runner.run();
    await turn();
    await finish(1);
    assert.deepEqual(
      claims.map((claim) => [claim.lane_limit, claim.lane_limits]),
      [
        [1, []],
        [1, [["a", 2]]],
      ],
    );
    await runner.close();
  });
});
