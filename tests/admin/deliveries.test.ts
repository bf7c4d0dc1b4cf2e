/** Deliveries in the admin: the same words for a state on every screen, and marks for failed deliveries. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { noChromium, violations } from "../browser/chromium.ts";
import { deliveryProblem } from "../../client/delivery-problem.ts";
import { freePort } from "../free-port.ts";
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

  // A dismissed failure is not retried with the others.
  await show(page, "/deliveries/failures");
  await page.getByRole("button", { name: "Retry all failed" }).click();
  await page
    .locator(".notices")
    .getByText(/^Retrying .* deliver/)
    .waitFor();
  const left = await api<readonly Entry[]>(host.url, "GET", "/action-queue?status=failed&dismissed=true");
  assert.deepEqual(
    left.map(({ id }) => id),
    [failed?.id],
  );
  assert.deepEqual(faults, []);
});

it("explains an error of a connection, and keeps its text in the details", {
  skip: noChromium,
  timeout: 120_000,
}, async (t) => {
  const host = await startSite(t, { WEBHOOK_NETWORKS: "127.0.0.1/32" });
  const port = await freePort();
  const form = await makeForm(host.url);
  await api(host.url, "PATCH", `/forms/${form.id}`, {
    settings: { actions: [{ type: "webhook", url: `http://127.0.0.1:${port}/` }] },
  });
  await submit(host.url, form.slug, { name: "Ada", email: "ada@example.com" });
  for (let entries: readonly Entry[] = []; !entries.some(({ status }) => status === "retrying"); ) {
    await host.forms.runQueue();
    entries = await api<readonly Entry[]>(host.url, "GET", "/action-queue");
  }
  const { page, faults } = await signIn(await startBrowser(t), host.url);
  for (const address of ["/deliveries", "/deliveries/log"]) {
    await show(page, address);
    const entry = page.locator(".entry");
    await entry.getByText("Nothing answers at this address.").first().waitFor();
    assert.doesNotMatch(await entry.innerText(), /ECONNREFUSED/);
    await entry.getByRole("button", { name: /Details/ }).click();
    await page.getByRole("dialog").getByText(`connect ECONNREFUSED 127.0.0.1:${port}`).waitFor();
    assert.deepEqual(await violations(page), []);
  }
  assert.deepEqual(faults, []);
});

it("finds the cause in messages of Node and nodemailer, and leaves servers' replies alone", () => {
  for (const [message, problem] of [
    ["getaddrinfo ENOTFOUND smtp.example.invalid", "host"],
    ["getaddrinfo EAI_AGAIN example.invalid", "host"],
    ["connect ECONNREFUSED ::1:9; connect ECONNREFUSED 127.0.0.1:9", "port"],
    ["connect EHOSTUNREACH 203.0.113.1:443", "port"],
    ["connect ETIMEDOUT 203.0.113.1:443", "timeout"],
    ["no response within 10000 ms", "timeout"],
    ["the mailer gave no response in 30000 ms", "timeout"],
    ["Greeting never received", "timeout"],
    ["socket hang up", "timeout"],
    ["self-signed certificate in certificate chain", "certificate"],
    ["unable to get local issuer certificate", "certificate"],
    ["unable to verify the first certificate", "certificate"],
    ["certificate has expired", "certificate"],
    ["Hostname/IP does not match certificate's altnames: Host: localhost.", "certificate"],
    [
      "Error initiating TLS - 80:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number",
      "security",
    ],
    ["Error upgrading connection with STARTTLS: 454 4.7.0 not available", "security"],
    ["Invalid login: 535 5.7.8 Authentication failed", "sign_in"],
    ["The server responded with 502: connect ECONNREFUSED 10.0.0.1:80", null],
    ["Accepted by the mail server for certificate.expired@example.org.", null],
    ["“first certificate” is not an email address.", null],
    ["The conditions were not met.", null],
  ] as const)
    assert.equal(deliveryProblem(message), problem, message);
});
