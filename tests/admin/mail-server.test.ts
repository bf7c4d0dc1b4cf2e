/** The mail server set up in the admin, against a real SMTP server: notice, settings, test mail, and a submission's mail. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { noChromium, violations } from "../browser/chromium.ts";
import { startSmtp } from "../shim/smtp-server.ts";
import { api, makeForm, signIn, startBrowser, startSite, submit } from "./admin-site.ts";

it("is set up in the admin, tested, and gets the next mail", { skip: noChromium, timeout: 90_000 }, async (t) => {
  const smtp = await startSmtp({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ password }, _session, callback) {
      callback(password === "s3cret" ? null : new Error("Invalid login"), { user: "forms" });
    },
    onRcptTo({ address }, _session, callback) {
      callback(address.startsWith("nobody@") ? Object.assign(new Error("No such user"), { responseCode: 550 }) : null);
    },
  });
  t.after(() => smtp.close());
  const host = await startSite(t);
  const form = await makeForm(host.url);
  await api(host.url, "PATCH", `/forms/${form.id}`, {
    settings: { actions: [{ type: "email", to: "owner@example.com", subject: "New", message: "[all]" }] },
  });
  const { page } = await signIn(await startBrowser(t), host.url);

  for (const address of ["forms", "deliveries", `forms/${form.id}/actions`]) {
    await page.goto(`${host.url}/admin/${address}`);
    await page.getByText("Emails are not sent yet.").waitFor();
  }
  await page.getByRole("link", { name: "Set up mail" }).click();
  await page.getByRole("textbox", { name: "Host" }).fill("127.0.0.1");
  await page.getByRole("spinbutton", { name: "Port" }).fill(new URL(smtp.url).port);
  await page.getByRole("button", { name: /Security/ }).click();
  await page.getByRole("option", { name: "None" }).click();
  await page.getByRole("textbox", { name: "Username" }).fill("forms");
  await page.getByLabel("Password").fill("wrong");
  await page.getByRole("textbox", { name: "From address" }).fill("desk@example.org");
  const test = page.getByRole("button", { name: "Send test email" });
  await page.getByRole("textbox", { name: "To" }).fill("ann@example.org");
  // A test uses the stored settings.
  assert.ok(await test.isDisabled());
  assert.deepEqual(await violations(page), []);

  // Leaving asks for confirmation.
  await page.getByRole("link", { name: "Forms", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Mail server saved").waitFor();
  await test.click();
  await page.getByText("The server didn’t accept the username or the password.").waitFor();
  await page.getByLabel("Password").fill("s3cret");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await test.click();
  await page.getByText("Accepted by the mail server").waitFor();
  assert.deepEqual(smtp.mails[0]?.recipients, ["ann@example.org"]);
  await page.getByRole("textbox", { name: "To" }).fill("nobody@example.org");
  await test.click();
  await page.getByText("Not sent").waitFor();
  await page.getByText(/No such user/).waitFor();
  await page.getByText("The server didn’t accept the address in To.").waitFor();

  // Mails about failed deliveries need an administrator's address.
  await page.getByText("No administrator has an email address").waitFor();
  await page.getByRole("link", { name: "Add yours" }).click();
  await page.getByRole("textbox", { name: "Email" }).fill("ann@example.org");
  await page.getByRole("button", { name: "Save email" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  // React Aria announces a pending button by an image without a name, for some seconds.
  await page.waitForFunction(() => document.querySelector("[data-live-announcer] [role=img]") === null);
  assert.deepEqual(await violations(page), []);
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  assert.equal(await page.getByRole("textbox", { name: "To" }).inputValue(), "ann@example.org");
  assert.equal(await page.getByText("No administrator has an email address").count(), 0);

  await submit(host.url, form.slug, { name: "Ada", email: "ada@example.com" });
  // The host runs the queue after its response.
  while (smtp.mails.length < 2) await setTimeout(20);
  assert.deepEqual(smtp.mails[1]?.recipients, ["owner@example.com"]);
  await page.getByRole("link", { name: "Forms", exact: true }).click();
  await page.getByRole("link", { name: "Contact", exact: true }).waitFor();
  assert.equal(await page.getByText("Emails are not sent yet.").count(), 0);
});
