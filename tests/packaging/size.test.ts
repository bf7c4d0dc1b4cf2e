import assert from "node:assert/strict";
import { test } from "node:test";
import moduleSize from "../../benches/module-size.bench.ts";

/**
 * The module is over its budget (`npm run bench` says by how much, and fails for it). Until it
 * keeps the budget, this holds what was reached: a change that makes the module larger is seen.
 */
const REACHED_KB = 1_250;

test("the module is no larger than it was", async (t) => {
  for (const { what, value, unit, budget } of await moduleSize.run()) {
    t.diagnostic(`${what}: ${value} ${unit}; the budget is ${JSON.stringify(budget)}`);
    assert.ok(value <= REACHED_KB, `${what}: ${value} ${unit}, more than ${REACHED_KB}`);
  }
});
