/** The limits on the entries of a lane that run at once. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FIRST_LIMIT, LaneLimits } from "../../host-shim/src/lane-limits.ts";

describe("the limits of lanes", () => {
  const after = (...runs: readonly (readonly [ms: number, succeeded: boolean])[]): number => {
    const limits = new LaneLimits();
    for (const [ms, succeeded] of runs) limits.ended("a", ms, succeeded);
    return limits.known().get("a") ?? FIRST_LIMIT;
  };
  const times = <T>(count: number, run: T): T[] => Array.from({ length: count }, () => run);
  const [quick, usual, slow, failed, hung] = [
    [5, true],
    [200, true],
    [3_000, true],
    [5, false],
    [15_000, false],
  ] as const;

  it("double with each success, up to 64 for local sinks and 16 for servers nearby", () => {
    const limits = [1, 2, 3, 4, 5, 9];
    assert.deepEqual(
      limits.map((count) => after(...times(count, quick))),
      [2, 4, 8, 16, 32, 64],
    );
    assert.deepEqual(
      limits.map((count) => after(...times(count, usual))),
      [2, 4, 8, 16, 16, 16],
    );
    assert.equal(after(...times(9, quick), usual, usual), 16);
  });

  it("are 4 for a slow endpoint, and 1 for an endpoint that hangs", () => {
    assert.deepEqual(
      [1, 3, 9].map((count) => after(...times(count, slow))),
      [2, 4, 4],
    );
    assert.equal(after(...times(9, quick), ...times(5, slow)), 4);
    assert.equal(after(...times(9, quick), hung), 1);
    assert.equal(after(...times(2, quick), failed), 4, "a quick failure changes nothing");
  });

  it("are remembered for a thousand lanes", () => {
    const limits = new LaneLimits();
    for (let lane = 0; lane < 1_500; lane += 1) limits.ended(String(lane), 5, true);
    assert.equal(limits.known().size, 1_000);
    assert.equal(limits.known().has("1499"), true);
  });
});
