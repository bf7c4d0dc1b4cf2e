/** The inbox (labels, edits, spam) and the privacy page (export and deletion of a person's data). */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { noChromium } from "../browser/chromium.ts";
import { api, type FormRef, show, signIn, startBrowser, startSite, submit } from "./admin-site.ts";

describe("submissions in the admin", { skip: noChromium }, () => {
  it("the inbox and the export show answers with the labels that visitors saw", { timeout: 60_000 }, async (t) => {
    const host = await startSite(t);
    const option = (value: string, label: string) => ({ value, label });
    const { id, slug } = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Order",
      status: "published",
      schema: {
        fields: [
          { name: "campaign", type: "hidden", default_value: "spring" },
          { name: "who", type: "text", label: "Who" },
          { name: "size", type: "select", label: "Size", options: [option("s", "Small"), option("l", "Large")] },
          { name: "agree", type: "consent", label: "I agree to the [terms](https://example.org/terms)." },
          { name: "act", type: "submit", options: [option("save", "Save for later"), option("send", "Order now")] },
        ],
      },
    });
    await submit(host.url, slug, { campaign: "spring", who: "Ada", size: "l", "agree[accepted]": "1", act: "save" });
    const { page, faults } = await signIn(await startBrowser(t), host.url);
    await show(page, `/inbox?form=${id}`);
    await page.getByRole("columnheader").getByText("Who").waitFor();
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("button", { name: /Separator/ }).click();
    await page.getByRole("option", { name: "Semicolon" }).click();
    await page.getByRole("button", { name: /Labels as column titles/ }).click();
    await page.getByRole("option", { name: "Field names as column titles" }).click();
    await page.locator(".checkbox", { hasText: "Choose columns" }).click();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download", exact: true }).click(),
    ]);
    const [header, row] = (await readFile(await saved.path(), "utf8")).replace("\ufeff", "").split("\r\n");
    assert.equal(header, "id;status;submitted_at;who;size;agree.accepted;agree.text");
    assert.match(row ?? "", /^1;new;[^;]+;Ada;Large;true;I agree to the terms\.$/);
    assert.deepEqual((await page.getByRole("columnheader").allTextContents()).slice(2), [
      "Who",
      "Size",
      "I agree to the terms.",
      "Status",
      "Received",
    ]);
    await show(page, `/inbox?form=${id}&open=1`);
    await page.locator("dl.answers").waitFor();
    assert.deepEqual(await page.locator("dl.answers dt").allTextContents(), [
      "campaign",
      "Who",
      "Size",
      "I agree to the terms.",
      "act",
    ]);
    const answers = await page.locator("dl.answers .answer").allTextContents();
    assert.deepEqual(answers, ["spring", "Ada", "Large", "✓ I agree to the terms.", "Save for later"]);
    await page.setViewportSize({ width: 390, height: 844 });
    await show(page, `/inbox?form=${id}`);
    await page.locator(".two-lines", { hasText: "Large" }).waitFor();
    assert.deepEqual(faults, []);
  });

  it("an owner edits answers of several types, and moves a submission out of spam", { timeout: 60_000 }, async (t) => {
    const host = await startSite(t);
    const { id, slug } = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Order",
      status: "published",
      schema: {
        fields: [
          { name: "who", type: "name", label: "Who" },
          { name: "agree", type: "consent", label: "I agree" },
          { name: "news", type: "checkbox", label: "News" },
          { name: "count", type: "number", label: "Count", validation: { max: 9 } },
          {
            name: "size",
            type: "select",
            label: "Size",
            options: [
              { value: "s", label: "Small" },
              { value: "l", label: "Large" },
            ],
          },
        ],
      },
    });
    await submit(host.url, slug, {
      "who[first]": "Ada",
      "who[last]": "Lovelace",
      "agree[accepted]": "1",
      count: "3",
      size: "s",
    });
    await submit(host.url, slug, { "who[first]": "Best", "who[last]": "SEO", size: "s", [`_cf_h${id}`]: "robot" });
    const browser = await startBrowser(t);
    const { page, faults } = await signIn(browser, host.url);
    // The printed page shows the list without the menu.
    await show(page, `/inbox?form=${id}`);
    await page.emulateMedia({ media: "print" });
    const printed = await page.getByRole("row").filter({ hasText: "Lovelace" }).boundingBox();
    assert.ok(printed !== null && printed.height > 20 && printed.y < 400);
    assert.equal(await page.getByRole("navigation", { name: "Main menu" }).isVisible(), false);
    await page.emulateMedia({ media: "screen" });
    await show(page, `/inbox?form=${id}&open=1`);
    await page
      .getByRole("region", { name: /^Submission \d/ })
      .getByRole("button", { name: "More" })
      .click();
    await page.getByRole("menuitem", { name: "Edit answers" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit answers" });
    await dialog.getByLabel("Last name").fill("King");
    await dialog.locator(".checkbox", { hasText: "News" }).click();
    await dialog.getByLabel("Count").fill("30");
    await dialog.getByRole("button", { name: /Size/ }).click();
    await page.getByRole("option", { name: "Large" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    // The fault is shown once, at the field, with the form's message. The dialog keeps the edited answers.
    await dialog.locator("[data-faulty] .fault").waitFor();
    assert.equal(await dialog.getByLabel("Count").evaluate((input) => input === document.activeElement), true);
    assert.equal(await page.locator(".fault, .notice, [role=alert]").filter({ hasText: /\S/ }).count(), 1);
    assert.doesNotMatch((await dialog.textContent()) ?? "", /data\.count|Some values aren’t valid/);
    await dialog.getByLabel("Count").fill("5");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page
      .locator(".timeline")
      .getByText(/^Edited: /)
      .waitFor();
    const { data } = await api<{ readonly data: Readonly<Record<string, unknown>> }>(host.url, "GET", "/submissions/1");
    assert.deepEqual(
      [data["who"], data["news"], data["count"], data["size"]],
      [{ first: "Ada", last: "King" }, true, 5, "l"],
    );

    // The list does not show submissions in spam, but a link opens one. “Not spam” moves the submission out of spam,
    // and runs the form's actions.
    await page.goto(`${host.url}/admin/inbox?form=${id}&open=2`);
    await page.locator(".hint").getByRole("listitem").first().waitFor();
    await Promise.all([
      page.waitForResponse(
        (response) => response.request().method() === "POST" && /bulk/.test(response.url()) && response.ok(),
      ),
      page
        .getByRole("region", { name: /^Submission \d/ })
        .getByRole("button", { name: "Not spam" })
        .click(),
    ]);
    await page.getByText("Its actions run now.").waitFor();
    const { status } = await api<{ readonly status: string }>(host.url, "GET", "/submissions/2");
    assert.equal(status, "read");
    assert.deepEqual(faults, []);
  });

  it("an owner cancels the export of a person's data", { timeout: 60_000 }, async (t) => {
    const host = await startSite(t);
    const browser = await startBrowser(t);
    const { page, faults } = await signIn(browser, host.url);
    let downloads = 0;
    page.on("download", () => {
      downloads += 1;
    });
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route("**/privacy/export*", async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await show(page, "/privacy");
    await page.getByLabel("Email address").fill("ada@example.com");
    const [stopped] = await Promise.all([
      page.waitForEvent("requestfailed"),
      page
        .getByRole("button", { name: "Export data" })
        .click()
        .then(() => page.getByText("Collecting data").waitFor())
        .then(() => page.getByRole("button", { name: "Cancel" }).click()),
    ]);
    assert.match(stopped.failure()?.errorText ?? "", /ABORTED/);
    await page.getByText("Collecting data").waitFor({ state: "detached" });
    goOn();
    await page.unroute("**/privacy/export*");
    assert.equal(await page.locator(".notice.wrong").count(), 0);
    assert.equal(downloads, 0);
    await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export data" }).click()]);
    assert.deepEqual(faults, []);
  });

  it("an owner deletes a person's submissions and the related emails", { timeout: 60_000 }, async (t) => {
    const host = await startSite(t);
    const { slug } = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Contact",
      markup: '<p><label>Email <input type="email" name="email"></label></p><p><button>Send</button></p>',
      settings: { actions: [{ type: "email", to: "owner@example.com" }] },
    });
    for (const email of ["ada@example.com", "ben@example.com", "Ada@example.com"])
      await submit(host.url, slug, { email });
    const outbox = async () =>
      (await api<{ readonly mails: readonly object[] }>(host.url, "GET", "/api/cf-host/v1/outbox")).mails.length;
    // The host runs the queue after a response, so emails arrive later than the response.
    while ((await outbox()) < 3) await setTimeout(20);
    const { page, faults } = await signIn(await startBrowser(t), host.url);
    await show(page, "/privacy");
    // A request deletes a limited number of submissions, so the page repeats the request. The id of each response is a
    // receipt. The page shows all receipts.
    const part = { id: "first", submissions: 1_000, files: 3, done: false };
    await page.route("**/privacy/erase*", (route) => route.fulfill({ json: part }), { times: 1 });
    await page.getByLabel("Email address").fill("ada@example.com");
    await page.getByRole("button", { name: "Delete data…" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    const sum = /^1,002 submissions and 3 files and 2 emails in the outbox deleted. Receipt: first, [\w-]{36}$/;
    await page.getByText(sum).waitFor();
    assert.equal(await outbox(), 1);
    assert.deepEqual(faults, []);
  });
});
