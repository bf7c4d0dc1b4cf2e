import assert from "node:assert/strict";
import { test } from "node:test";
import moduleSize from "../../benches/module-size.bench.ts";

test("the module keeps within its size budget", async () => {
  for (const { what, value, unit, budget } of await moduleSize.run()) {
    assert.ok("atMost" in budget && value <= budget.atMost, `${what}: ${value} ${unit}, not ${JSON.stringify(budget)}`);
  }
});
