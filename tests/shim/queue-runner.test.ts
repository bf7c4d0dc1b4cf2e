/** The queue runner: the order of runs, without an engine. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as turn, setTimeout as delay } from "node:timers/promises";
import { QueueRunner, type Claim } from "../../host-shim/src/queue-runner.ts";

interface Fake {
  readonly runner: QueueRunner;
  /** Due entries. */
  readonly due: Claim[];
  readonly begun: unknown[];
  readonly released: Claim[];
  /** Called once, when a claim has read the due entries but not yet returned. */
  duringClaim: () => void;
  /** The largest number of concurrent runs. */
  peak(): number;
  finish(id: number): Promise<void>;
}

function fake(concurrency: number): Fake {
  const due: Claim[] = [];
  const begun: unknown[] = [];
  const released: Claim[] = [];
  const running = new Map<unknown, () => void>();
  let peak = 0;
  const runner = new QueueRunner(
    {
      async claim(limit) {
        const claimed = due.splice(0, limit);
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
    concurrency,
  );
  const made: Fake = {
    runner,
    due,
    begun,
    released,
    duringClaim() {},
    peak: () => peak,
    async finish(id) {
      running.get(id)?.();
      running.delete(id);
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
    assert.equal(await second, 1, "its call did not wait either");
    due.push(...entries(3));
    while (begun.length < 3) await delay(20);
    assert.deepEqual(begun, [1, 2, 3], "and no call had to request it");
    await finish(3);
    await finish(1);
    assert.equal(await ran, 2);
  });

  it("a call runs due entries while another never ends", async () => {
    // As on Workers, where the promises of an aborted request never settle.
    const site = fake(5);
    const claim = Promise.withResolvers<void>();
    let isFirst = true;
    const runner = new QueueRunner(
      {
        async claim(limit) {
          const [hangs, claimed] = [isFirst, site.due.splice(0, limit)];
          isFirst = false;
          if (hangs) await claim.promise;
          return claimed;
        },
        runEntry: async ({ id }) => void site.begun.push(id),
        release: async () => {},
      },
      1,
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
      runEntry: async ({ id }: Claim) => void begun.push(id),
      release: async () => {},
    };
    assert.equal(await new QueueRunner(one, 10).run(), 3);
    assert.deepEqual(begun, [1, 2, 3]);
  });

  it("two concurrent calls share the limit, and release surplus entries", async () => {
    const { runner, due, begun, released, peak, finish } = fake(2);
    due.push(...entries(1, 2, 3));
    const both = Promise.all([runner.run(), runner.run()]);
    await turn();
    assert.deepEqual([begun, released], [[1, 2], entries(3)]);
    due.push(...released);
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
    await turn();
    assert.deepEqual(begun, [1, 2], "while another runs");
    site.duringClaim = become(3);
    calls.push(runner.run());
    await turn();
    assert.deepEqual(begun, [1, 2, 3], "while another claims");
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
});
