import assert from "node:assert/strict";
import { test } from "node:test";
import moduleSize from "../../benches/module-size.bench.ts";

test("the modules are within their budgets", async (t) => {
  for (const { what, value, unit, budget } of await moduleSize.run()) {
    t.diagnostic(`${what}: ${value} ${unit}; the budget is ${JSON.stringify(budget)}`);
    assert.ok("atMost" in budget && value <= budget.atMost, `${what}: ${value} ${unit}, more than its budget`);
  }
});
