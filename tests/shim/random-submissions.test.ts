/** Random submissions get the same result from the module for browsers and from a submit. */

import assert from "node:assert/strict";
import { it } from "node:test";
import { compareSubmissions } from "./random-submissions.ts";
import { startSite } from "./site.ts";

it("the module for browsers and a submit agree on 2,000 random submissions", async (t) => {
  const site = await startSite();
  t.after(() => site.close());
  const { found, stored } = await compareSubmissions(site, 2_000, 33);
  assert.deepEqual(found, []);
  assert.ok(stored > 300, `only ${stored} were stored`);
});
