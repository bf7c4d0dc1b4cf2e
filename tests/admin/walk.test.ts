/** A new owner's path through the admin, from the first form to the erasure of a person's data. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { noChromium } from "../browser/chromium.ts";
import { ADMIN } from "../shim/embedded-fixture.ts";
import { api, makeForm, publishChanges, signIn, startBrowser, startSite, submit, tabTo } from "./admin-site.ts";

const PDF = {
  name: "cv.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from("%PDF-1.4\n%âãÏÓ\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n", "latin1"),
};

describe("a walk through the admin", { skip: noChromium }, () => {
  it("by mouse: a form from a template, an action, a visitor, the inbox, analytics, an erasure", {
    timeout: 120_000,
  }, async (t) => {
    const host = await startSite(t);
    const browser = await startBrowser(t);
    const { page, faults } = await signIn(browser, host.url);
    await page.getByText("Create your first form").waitFor();

    await page.getByRole("link", { name: "New form" }).first().click();
    await page.getByRole("button", { name: /^Job application/ }).click();
    await page.getByText("Email me each submission").click();
    await page.getByRole("button", { name: "Create form" }).click();
    await page.getByRole("heading", { name: "Job application", level: 1 }).waitFor();
    await page.frameLocator(".build-frame iframe").getByLabel("Position").waitFor();

    await page.getByRole("link", { name: "Actions", exact: true }).click();
    await page.getByRole("button", { name: "Add action" }).click();
    await page.getByRole("option", { name: "Email notification" }).click();
    await page.getByRole("textbox", { name: "To: add an address" }).fill("owner@example.com");
    await page.getByRole("textbox", { name: "To: add an address" }).press("Enter");
    await page.getByRole("textbox", { name: "Your email address" }).fill("ann@example.com");
    await page.getByRole("button", { name: "Send test to me" }).click();
    await page.getByRole("status").getByText("Kept in outbox", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Add action" }).click();
    await page.getByRole("option", { name: "Webhook" }).click();
    await page.getByRole("textbox", { name: /^URL/ }).fill("https://127.0.0.1:9/none");
    await publishChanges(page, "Publish");
    await page.getByText("All changes are live").waitFor();

    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(`${host.url}/forms/job-application`);
    await visitor.getByLabel("Position").fill("Gardener");
    await visitor.getByLabel("Your name").fill("Ada Lovelace");
    await visitor.getByLabel("Email").fill("ada@example.com");
    await visitor.locator("[name=cv]").setInputFiles(PDF);
    await visitor.getByLabel(/my application is stored/).check();
    await visitor.getByRole("button", { name: "Send application" }).click();
    await visitor.getByText("Thank you for your application. We’ll be in touch.").waitFor();

    await page.getByRole("link", { name: "Inbox", exact: true }).last().click();
    await page.getByRole("row").filter({ hasText: "Gardener" }).click();
    const detail = page.getByRole("region", { name: /^Submission \d/ });
    await detail.getByRole("heading", { name: "Ada Lovelace" }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      detail.getByRole("button", { name: "Download cv.pdf" }).click(),
    ]);
    assert.deepEqual(await readFile(await download.path()), PDF.buffer);
    await detail.getByLabel("Note").fill("Invite her.");
    await detail.getByRole("button", { name: "Add note" }).click();
    await detail.locator(".timeline").getByText("Invite her.").waitFor();

    // A second submission is marked as spam: first with an undo, then without.
    await submit(host.url, "job-application", {
      position: "Boss",
      name: "Bob",
      email: "bob@example.com",
      "consent[accepted]": "1",
      cv: new File([PDF.buffer], "cv.pdf", { type: "application/pdf" }),
    });
    await page.reload();
    await page.getByRole("row").filter({ hasText: "Boss" }).click();
    await detail.getByText("bob@example.com").first().waitFor();
    await detail.getByRole("button", { name: "Mark as spam", exact: true }).click();
    await page.getByText("Submission marked as spam").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("row").filter({ hasText: "Boss" }).waitFor();
    await detail.getByRole("button", { name: "Mark as spam", exact: true }).click();
    await page.getByRole("row").filter({ hasText: "Boss" }).waitFor({ state: "detached" });

    // The failure shows its request, and is retried with the old and with the current settings.
    await host.forms.runQueue();
    await page.goto(`${host.url}/admin/deliveries/failures`);
    const failure = page.getByRole("listitem").filter({ hasText: "Webhook" }).first();
    await failure.getByRole("button", { name: /^Details of attempt/ }).click();
    await page.getByRole("dialog").getByText("POST https://127.0.0.1:9/none").waitFor();
    await page.keyboard.press("Escape");
    await failure.getByRole("button", { name: "Retry", exact: true }).click();
    await page.getByText("Retry started").waitFor();
    await host.forms.runQueue();
    await page.goto(`${host.url}/admin/deliveries?status=failed`);
    await page
      .getByRole("listitem")
      .filter({ hasText: "Webhook" })
      .first()
      .getByRole("button", { name: "Retry with current settings" })
      .click();
    await page.getByText("Retry started").waitFor();
    await page.goto(`${host.url}/admin/deliveries?status=pending`);
    await page
      .getByRole("listitem")
      .filter({ hasText: "Webhook" })
      .first()
      .getByRole("button", { name: "Cancel" })
      .click();
    await page.goto(`${host.url}/admin/deliveries?status=cancelled`);
    await page.getByRole("listitem").filter({ hasText: "Webhook" }).waitFor();
    await page.goto(`${host.url}/admin/inbox?form=1&open=1`);
    await detail.getByRole("button", { name: "Run actions again…" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Run \d/ })
      .click();
    await page.getByText("Actions are running again").waitFor();

    // The host's clock differs from the browser's.
    await page.goto(`${host.url}/admin/forms/1/analytics?from=2029-12-03&to=2030-01-01`);
    await page.getByRole("figure").filter({ hasText: "Conversion" }).getByText("Submissions").first().waitFor();
    const funnel = page.getByRole("figure").filter({ hasText: "Conversion" });
    await funnel.getByRole("row", { name: /^Submissions 1$/ }).waitFor({ state: "attached", timeout: 10_000 });
    await funnel.getByRole("button", { name: /^Options for/ }).click();
    const [csv] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Save as CSV" }).click(),
    ]);
    assert.match(await readFile(await csv.path(), "utf8"), /"Submissions","1"/);

    // The sums of answers exclude spam.
    await page
      .getByRole("figure")
      .filter({ hasText: "my application is stored" })
      .getByRole("row", { name: /^(?:Yes|On) 1$/ })
      .waitFor({ state: "attached" });

    await page.goto(`${host.url}/admin/inbox?form=1`);
    await page.getByRole("button", { name: "Export" }).click();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download", exact: true }).click(),
    ]);
    assert.match(await readFile(await saved.path(), "utf8"), /Ada Lovelace/);

    await page.getByRole("link", { name: "Privacy" }).click();
    await page.getByLabel("Email address").fill("ada@example.com");
    await page.getByRole("button", { name: "Delete data…" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page
      .getByText(/^One submission and one file and (?:one email|\d+ emails) in the outbox deleted\. Receipt/)
      .waitFor();
    const { length } = await api<readonly unknown[]>(host.url, "GET", "/submissions?status=any&search=Lovelace");
    assert.equal(length, 0);
    assert.deepEqual(faults, []);
  });

  it("by keyboard only: a form, triage of the inbox, the list of shortcuts", { timeout: 120_000 }, async (t) => {
    const host = await startSite(t);
    const browser = await startBrowser(t);
    const page = await (await browser.newContext({ locale: "en-US" })).newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(`${host.url}/sign-in`);
    await tabTo(page, /^Username/);
    await page.keyboard.type(ADMIN.login);
    await tabTo(page, /^Password/);
    await page.keyboard.type(ADMIN.password);
    await page.keyboard.press("Enter");
    await page.getByText("Create your first form").waitFor();
    await tabTo(page, /^New form$/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New form" }).waitFor();
    await tabTo(page, /^Contact/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    // The title has the focus. Enter submits the form once the notification is off.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.getByRole("textbox", { name: "Email address" }).waitFor({ state: "detached" });
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Contact", level: 1 }).waitFor();
    await tabTo(page, /^Publish$/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await tabTo(page, /^Publish$/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Your form is live" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("All changes are live").waitFor();
    await tabTo(page, /^Actions$/);
    await page.keyboard.press("Enter");
    await page.getByText("No actions yet").waitFor();
    await tabTo(page, /^Add action$/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("email notif");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await tabTo(page, /^To: add an address$/);
    await page.keyboard.type("owner@example.com");
    await page.keyboard.press("Enter");
    await tabTo(page, /^Your email address$/);
    await page.keyboard.type("ann@example.com");
    await tabTo(page, /^Send test to me$/);
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("Kept in outbox", { exact: true }).waitFor();
    await tabTo(page, /^Publish changes$/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await tabTo(page, /^Publish changes$/);
    await page.keyboard.press("Enter");
    await page.getByText("All changes are live").waitFor();

    for (const name of ["Ada", "Bob", "Cleo"])
      await submit(host.url, "contact-form", { name, email: `${name}@example.com`, message: "Hello" });
    await page.keyboard.press("Escape");
    await tabTo(page, /^Inbox$/);
    await page.keyboard.press("Enter");
    await page.getByRole("row").filter({ hasText: "Cleo" }).waitFor();
    await tabTo(page, /^Unread ?\d*$/, "button");
    await page.keyboard.press("Enter");
    await page.waitForURL(/view=new/);
    await page.getByRole("row").filter({ hasText: "Cleo" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("e");
    await page.getByText("Submission archived").waitFor();
    // The submission left the view; the row at its position has the focus, and nothing is selected.
    await page.locator('[role="row"]:focus').filter({ hasText: "Ada" }).waitFor();
    await page.getByText("1 selected").waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await page
      .getByRole("region", { name: /^Submission \d/ })
      .getByRole("heading", { name: "Ada", exact: true })
      .waitFor();
    await page.keyboard.press("!");
    await page.getByText("Submission marked as spam").waitFor();
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await keys.waitFor();
    await page.keyboard.press("Escape");
    await keys.waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.keyboard.type("cleo");
    await page.waitForURL(/search=cleo/);
    const statuses = (
      await api<readonly { readonly status: string; readonly data: { readonly name: string } }[]>(
        host.url,
        "GET",
        "/submissions?status=any",
      )
    ).map(({ data, status }) => `${data.name} ${status}`);
    assert.deepEqual(statuses, ["Cleo read", "Bob archived", "Ada spam"]);
  });

  it("by keyboard only: an uploaded file, a note, a retry, analytics, an export, an erasure", {
    timeout: 120_000,
  }, async (t) => {
    const host = await startSite(t);
    const { id, slug } = await makeForm(host.url);
    const browser = await startBrowser(t);
    const visitor = await (await browser.newContext()).newPage();
    // The listener is registered early, so that the browser reports the file dialog instead of opening it.
    visitor.on("filechooser", () => {});
    await visitor.goto(`${host.url}/forms/${slug}`);
    await tabTo(visitor, /^Name/);
    await visitor.keyboard.type("Ada");
    await tabTo(visitor, /^Email/);
    await visitor.keyboard.type("ada@example.com");
    await tabTo(visitor, /Sales/, "select");
    await visitor.keyboard.type("Sales");
    await tabTo(visitor, /^Age/);
    await visitor.keyboard.type("36");
    await tabTo(visitor, /^Attachment/);
    const [chooser] = await Promise.all([visitor.waitForEvent("filechooser"), visitor.keyboard.press("Space")]);
    await chooser.setFiles(PDF);
    await tabTo(visitor, /^Send$/);
    await visitor.keyboard.press("Enter");
    await visitor
      .getByText(/thank you/i)
      .first()
      .waitFor();
    await host.forms.runQueue();

    const { page, faults } = await signIn(browser, host.url);
    await page.getByRole("link", { name: "Contact", exact: true }).waitFor();
    const press = async (name: RegExp, key = "Enter") => {
      await tabTo(page, name);
      await page.keyboard.press(key);
    };
    await press(/^Inbox$/);
    await page.getByRole("row").filter({ hasText: "Ada" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Download cv.pdf" }).waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), press(/^Download cv\.pdf/)]);
    assert.deepEqual(await readFile(await download.path()), PDF.buffer);
    await tabTo(page, /^Note/);
    await page.keyboard.type("Invite her.");
    await press(/^Add note$/);
    await page.locator(".timeline").getByText("Invite her.").waitFor();

    await press(/^Deliveries$/);
    await page.getByRole("heading", { name: "Deliveries" }).waitFor();
    await press(/^Failed$/);
    await page.getByRole("button", { name: "Retry", exact: true }).waitFor();
    await press(/^Retry$/);
    await page.getByText("Retry started").waitFor();

    await page.goto(`${host.url}/admin/forms/${id}/analytics?from=2029-12-03&to=2030-01-01`);
    const funnel = page.getByRole("figure").filter({ hasText: "Conversion" });
    await funnel.getByRole("row", { name: /^Submissions 1$/ }).waitFor({ state: "attached" });
    // Choices are bars, numbers are a histogram, each with its table.
    await page
      .getByRole("figure")
      .filter({ hasText: "Topic" })
      .getByRole("row", { name: /^Sales 1$/ })
      .waitFor({ state: "attached" });
    await page.getByRole("figure").filter({ hasText: "Age" }).getByText("one answer, average 36").waitFor();
    await press(/^Options for Conversion/);
    await page.getByRole("menu").waitFor();
    await page.keyboard.type("Save as C");
    const [csv] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    assert.match(await readFile(await csv.path(), "utf8"), /"Submissions","1"/);

    await page.goto(`${host.url}/admin/inbox?form=${id}`);
    await page.getByRole("row").filter({ hasText: "Ada" }).waitFor();
    await press(/^Export$/);
    await page.getByRole("dialog").waitFor();
    const [saved] = await Promise.all([page.waitForEvent("download"), press(/^Download$/)]);
    assert.match(await readFile(await saved.path(), "utf8"), /ada@example\.com/);
    await page.keyboard.press("Escape");

    await press(/^Privacy$/);
    await tabTo(page, /^Email address/);
    await page.keyboard.type("ada@example.com");
    await press(/^Delete data…$/);
    await page.getByRole("alertdialog").waitFor();
    await press(/^Delete$/);
    await page
      .getByText(/^One submission and one file and (?:one email|\d+ emails) in the outbox deleted\. Receipt/)
      .waitFor();
    assert.deepEqual(faults, []);
  });
});
