/**
 * The hourly purge runs beside the queue. A run of the queue does not wait for the purge, but `close` waits for the
 * current step of the purge. Errors of the purge are logged.
 */

import assert from "node:assert/strict";
import { it } from "node:test";
import type { Database } from "../../host-shim/src/index.ts";
import { Purger } from "../../host-shim/src/purger.ts";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { startSite } from "./site.ts";

const HOUR_MS = 3_600_000;

/** Returns a pending promise, and the function that resolves the promise. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

it("`runQueue` does not wait for a long purge, but `close` waits for the current step", async () => {
  const database = openSqlite({ path: ":memory:" });
  const { opened, open } = gate();
  let [held, released] = [0, false];
  // Delays the purge's first batch. With this batch, the process claims the purge of this hour.
  const slow: Database & { close(): Promise<void> } = {
    dialect: database.dialect,
    async batch(statements) {
      if (statements.some(({ sql }) => sql.includes("'purged_at'"))) {
        held += 1;
        await opened;
        released = true;
      }
      return database.batch(statements);
    },
    close: () => database.close(),
  };
  const site = await startSite({ database: slow });
  const impatient = setTimeout(open, 5_000);
  assert.deepEqual(await site.forms.runQueue(), { processed: 0 });
  assert.deepEqual([held, released], [1, false], "the purge is running");
  clearTimeout(impatient);
  let closed = false;
  const closing = site.forms.close().then(() => (closed = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(closed, false, "`close` waits for the current step");
  open();
  await closing;
  await site.settled();
  await site.close();
});

it("a failed purge is logged and starts again after an hour, and `close` still resolves", async () => {
  const errors: unknown[] = [];
  let now = HOUR_MS;
  let steps = 0;
  const fails = async (): Promise<boolean> => {
    steps += 1;
    throw new Error("no disk");
  };
  const purger = new Purger(
    fails,
    () => now,
    (error) => errors.push(String(error)),
  );
  await purger.start();
  assert.equal(purger.start(), null, "no purge starts within an hour");
  now += HOUR_MS;
  const again = purger.start();
  await purger.close();
  await again;
  assert.deepEqual([steps, errors], [2, ["Error: no disk", "Error: no disk"]]);
  now += HOUR_MS;
  assert.equal(purger.start(), null, "no purge starts after `close`");
});

it("a purge of many steps leaves no old row", async (t) => {
  const database = openSqlite({ path: ":memory:" });
  const site = await startSite({ database });
  t.after(() => site.close());
  await database.batch([
    {
      sql: `INSERT INTO cf_action_logs (queue_id, form_id, submission_id, action_type, status, message, attempt, duration_ms, created_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450) SELECT i, 1, i, 'email', 'completed', '', 1, 0, 0 FROM n`,
      params: [],
    },
  ]);
  await site.forms.runQueue();
  await site.settled();
  const [left] = await database.batch([{ sql: "SELECT COUNT(*) FROM cf_action_logs", params: [] }]);
  assert.deepEqual([left?.rows, site.faults], [[[0]], []]);
});
