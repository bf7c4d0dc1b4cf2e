import assert from "node:assert/strict";
import { test } from "node:test";
import moduleSize from "../../benches/module-size.bench.ts";

/**
 * The module is over its budget (`npm run bench` says by how much, and fails for it). Until it
 * keeps the budget, this holds what was reached: a change that makes the module larger is seen.
 */
const REACHED_KB = 1_105;

/** The same for what `cf-forms/browser` loads, whose budget is 350. */
const BROWSER_REACHED_KB = 363;

test("the modules are no larger than they were", async (t) => {
  for (const { what, value, unit, budget } of await moduleSize.run()) {
    t.diagnostic(`${what}: ${value} ${unit}; the budget is ${JSON.stringify(budget)}`);
    const reached = what.startsWith("browser") ? BROWSER_REACHED_KB : REACHED_KB;
    assert.ok(value <= reached, `${what}: ${value} ${unit}, more than ${reached}`);
  }
});
