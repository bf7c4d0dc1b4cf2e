/** States of a delivery: accepted, only stored, or failed permanently; and who dismissed it. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { runInNewContext } from "node:vm";
import { mailFolder } from "../../host-shim/adapters/mail-folder.ts";
import type { Mailer } from "../../host-shim/src/ports.ts";
import { temporaryDirectory } from "./embedded-fixture.ts";
import { items, member, startSite } from "./site.ts";

async function startMailing(t: TestContext, mailer: Mailer) {
  const site = await startSite({ host: { mailer } });
  t.after(() => site.close());
  await site.api("POST", "/forms", {
    title: "Contact",
    slug: "contact",
    markup: "<input name=a>",
    settings: { actions: [{ type: "email", to: "desk@example.org" }] },
  });
  const submit = async () => {
    const headers = { accept: "application/json" };
    const body = new URLSearchParams({ a: crypto.randomUUID() });
    assert.equal((await fetch(`${site.url}/forms/contact`, { method: "POST", body, headers })).status, 200);
    await site.forms.runQueue();
    await site.settled();
  };
  return { site, submit };
}

const rejection = (message: string, members: object) => Object.assign(new Error(message), members);

test("a mail that is only stored is never shown as sent", async (t) => {
  const { site, submit } = await startMailing(t, mailFolder(await temporaryDirectory(t)));
  await submit();
  const { body: logs } = await site.api("GET", "/action-logs");
  const [log] = items(logs);
  assert.partialDeepStrictEqual(log, { status: "success", detail: "kept" });
  assert.doesNotMatch(String(member(log, "message")), /^Sent/);
  const { body: timeline } = await site.api("GET", "/submissions/1/timeline");
  assert.equal(member(items(timeline).at(-1), "detail"), "kept");
  const { body: tried } = await site.api("POST", "/actions/test", {
    action_type: "email",
    settings: { to: "a@example.org" },
  });
  assert.partialDeepStrictEqual(tried, { success: true, detail: "kept" });
});

for (const [name, error, status] of [
  ["a permanent rejection", rejection("550 No such user", { responseCode: 550 }), "failed"],
  [
    "a rejection wrapped in another error",
    new Error("not sent", { cause: rejection("554", { responseCode: 554 }) }),
    "failed",
  ],
  [
    "a permanent rejection of each recipient",
    rejection("All recipients were rejected", {
      responseCode: 550,
      rejectedErrors: [rejection("550", { responseCode: 550 }), rejection("551", { responseCode: 551 })],
    }),
    "failed",
  ],
  [
    "a rejection from another JavaScript realm",
    runInNewContext('Object.assign(new Error("550"), { responseCode: 550 })') as Error,
    "failed",
  ],
  ["a rejection as a plain object", { message: "550 No such user", responseCode: "550" }, "failed"],
  ["a temporary rejection", rejection("421 Try later", { responseCode: 421 }), "retrying"],
  [
    "a temporary rejection of one recipient",
    rejection("All recipients were rejected", {
      responseCode: 550,
      rejectedErrors: [rejection("550", { responseCode: 550 }), rejection("450", { responseCode: 450 })],
    }),
    "retrying",
  ],
  ["a lost connection", rejection("reset", { code: "ECONNRESET" }), "retrying"],
] as const) {
  test(`${name}: ${status}`, async (t) => {
    const { site, submit } = await startMailing(t, { send: () => Promise.reject(error) });
    await submit();
    const { body: entries } = await site.api("GET", "/action-queue");
    assert.equal(member(items(entries)[0], "status"), status);
  });
}

test("a failed delivery needs attention until it is dismissed, retried or a week old", async (t) => {
  const { site, submit } = await startMailing(t, {
    send: () => Promise.reject(rejection("550", { responseCode: 550 })),
  });
  const attention = async () => member((await site.api("GET", "/action-queue/stats")).body, "needs_attention");
  await submit();
  await submit();
  assert.equal(await attention(), 2);
  const dismissed = await site.api("POST", "/action-queue/1/dismiss");
  assert.equal(dismissed.status, 200);
  assert.match(String(member(dismissed.body, "dismissed_at")), /Z$/);
  assert.equal(await attention(), 1);
  const again = await site.api("POST", "/action-queue/1/dismiss");
  assert.equal(member(again.body, "dismissed_at"), member(dismissed.body, "dismissed_at"));
  const open = await site.api("GET", "/action-queue?status=failed&dismissed=false");
  assert.deepEqual(
    items(open.body).map((entry) => member(entry, "id")),
    [2],
  );
  const retried = await site.api("POST", "/action-queue/1/retry");
  assert.partialDeepStrictEqual(retried.body, { status: "pending", dismissed_at: null });
  await site.forms.runQueue();
  await site.settled();
  assert.equal(await attention(), 2);
  site.clock.ahead += 8 * 24 * 3_600_000;
  assert.equal(await attention(), 0);
});
