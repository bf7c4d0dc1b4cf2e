/**
 * The OpenAPI document is correct: `schemathesis` sends allowed and forbidden requests, and finds no 5xx and no
 * undescribed response. With CI set it tries twice as many, and every boundary. `SCHEMATHESIS_SEED` and
 * `SCHEMATHESIS_EXAMPLES` select other and more requests.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ADMIN, APP_PASSWORD } from "../shim/embedded-fixture.ts";
import { installSchemathesis, runSchemathesis } from "./schemathesis.ts";
import { createNumberForm, startClientsHost, submitNumbers } from "./site.ts";

const installed = installSchemathesis();
const isThorough = process.env["CI"] !== undefined;
const phases = isThorough ? "coverage,fuzzing,stateful" : "fuzzing,stateful";

test("every route responds as the OpenAPI document says", "skip" in installed ? installed : {}, async (t) => {
  if ("skip" in installed) return;
  const host = await startClientsHost(t);
  // The forms and submissions that schemathesis.toml names.
  for (const slug of ["one", "two", "three", "four", "five"]) {
    await createNumberForm(host, slug);
    await submitNumbers(host, slug, 2);
  }
  await host.forms.runQueue();
  const { SCHEMATHESIS_SEED: seed = "1", SCHEMATHESIS_EXAMPLES: examples = isThorough ? "6" : "3" } = process.env;
  const { status, output } = await runSchemathesis(installed.program, [
    `${host.url}/api/cf/v1/openapi.json`,
    `--auth=${ADMIN.login}:${APP_PASSWORD}`,
    `--phases=${phases}`,
    `--seed=${seed}`,
    `--max-examples=${examples}`,
  ]);
  const summary = output.slice(output.lastIndexOf("API Operations:"));
  for (const line of summary.split("\n").filter((line) => /Tested|generated/.test(line))) t.diagnostic(line.trim());
  assert.equal(status, 0, output);
  assert.match(summary, /(\d+) generated, \1 passed/);
  assert.deepEqual(
    host.events.filter(({ level }) => level === "error"),
    [],
  );
});
