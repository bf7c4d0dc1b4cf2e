/** Deliveries in the admin: the same words for a state on every screen, and marks for failed deliveries. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { noChromium, violations } from "../browser/chromium.ts";
import { api, makeForm, show, signIn, startBrowser, startSite, submit } from "./admin-site.ts";

interface Entry {
  readonly id: number;
  readonly status: string;
}

it("uses the same name for a delivery's state in the queue, the log, the failures, the outbox and the inbox", {
  skip: noChromium,
  timeout: 120_000,
}, async (t) => {
  const host = await startSite(t);
  const form = await makeForm(host.url);
  await api(host.url, "PATCH", `/forms/${form.id}`, {
    settings: {
      actions: [
        { type: "email", to: "owner@example.com" },
        { type: "webhook", url: "https://127.0.0.1:9/none" },
        { type: "autoresponder", email_field: "name" },
      ],
    },
  });
  await submit(host.url, form.slug, { name: "Ada", email: "ada@example.com" });
  for (let entries: readonly Entry[] = []; entries.filter(({ status }) => status !== "pending").length < 3; ) {
    await host.forms.runQueue();
    entries = await api<readonly Entry[]>(host.url, "GET", "/action-queue");
  }
  const { page, faults } = await signIn(await startBrowser(t), host.url);
  const rowOf = (name: string) => page.locator(".entry").filter({ hasText: name });

  for (const address of ["/deliveries", "/deliveries/log"]) {
    await show(page, address);
    const mail = rowOf("Email notification");
    await mail.getByText("Kept in outbox", { exact: true }).waitFor();
    assert.match((await mail.locator(".badge").getAttribute("class")) ?? "", /\bwait\b/);
    await rowOf("Webhook").getByText("Failed", { exact: true }).waitFor();
    await rowOf("Confirmation email").getByText("Skipped", { exact: true }).waitFor();
    await rowOf("Confirmation email").getByText("The answer in name is not an email address.").waitFor();
    assert.doesNotMatch((await page.locator(".entries").textContent()) ?? "", /(?<!not )\bsent\b/i);
    assert.deepEqual(await violations(page), []);
  }
  await show(page, "/deliveries/failures");
  await rowOf("Webhook").getByText("Failed", { exact: true }).waitFor();
  await show(page, "/deliveries/outbox");
  await rowOf("New submission: Contact").getByText("Kept in outbox", { exact: true }).waitFor();
  await show(page, "/inbox?open=1");
  const line = page.locator(".timeline");
  for (const state of ["Kept in outbox", "Failed", "Skipped"]) await line.getByText(state, { exact: true }).waitFor();
  await page.getByRole("row").getByText("Delivery failed").waitFor();

  // The dot links to the failures, and disappears with them.
  await show(page, "/forms");
  const dot = page.getByRole("link", { name: "Delivery failed" });
  await dot.click();
  await page.waitForURL(/\/deliveries\/failures$/);
  const [failed] = await api<readonly Entry[]>(host.url, "GET", "/action-queue?status=failed");
  await api(host.url, "POST", `/action-queue/${failed?.id}/dismiss`, undefined, 200);
  await page.goto(`${host.url}/admin/forms`);
  await page.getByRole("link", { name: "Contact", exact: true }).waitFor();
  await dot.waitFor({ state: "detached" });
  assert.deepEqual(faults, []);
});
