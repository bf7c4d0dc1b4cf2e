/** Editor of an action that sends a mail: recipients as chips, answers as chips, the preview, and a test mail. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { noChromium, violations } from "../browser/chromium.ts";
import { api, draftSaved, makeForm, signIn, startBrowser, startSite, submit, type FormRef } from "./admin-site.ts";
import type { TestHost } from "../shim/embedded-fixture.ts";

interface Opened {
  readonly host: TestHost;
  readonly form: FormRef;
  readonly page: Page;
  readonly faults: readonly string[];
  /** Action as the draft stores it. */
  readonly stored: () => Promise<Readonly<Record<string, string>>>;
}

async function openAction(t: TestContext, action: object, hasSubmission = true): Promise<Opened> {
  const host = await startSite(t);
  const form = await makeForm(host.url);
  await api(host.url, "PATCH", `/forms/${form.id}`, { settings: { actions: [action] } });
  if (hasSubmission) await submit(host.url, form.slug, { name: "Ada <b>", email: "ada@example.com", message: "Hi" });
  for (const { id } of await host.users.list()) await host.users.change(id, { email: "ann@example.org" });
  const { page, faults } = await signIn(await startBrowser(t), host.url);
  await page.goto(`${host.url}/admin/forms/${form.id}/actions`);
  await page.locator(".action .disclose").click();
  await page.locator(".mail-editor").waitFor();
  const stored = async () => {
    await draftSaved(page);
    const { settings } = await api<{ readonly settings: { readonly actions: readonly Record<string, string>[] } }>(
      host.url,
      "GET",
      `/forms/${form.id}/draft`,
    );
    return settings.actions[0] ?? {};
  };
  return { host, form, page, faults, stored };
}

const editorOf = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const previewOf = (page: Page) => page.getByRole("region", { name: "Preview" });
const mailOf = (page: Page) => previewOf(page).frameLocator("iframe");

describe("the email editor", { skip: noChromium, timeout: 300_000 }, () => {
  it("turns typed and pasted recipients and the visitor's address into chips, and removes chips by keyboard", async (t) => {
    const { page, faults, stored } = await openAction(t, { type: "email", to: "owner@example.com" });
    const to = page.getByRole("textbox", { name: "To: add an address" });
    const chips = page.getByRole("grid", { name: /^To/ }).getByRole("row");
    await to.fill("jana@example.com");
    await to.press("Enter");
    await to.evaluate((input: HTMLInputElement) => {
      input.focus();
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", '"Doe, Jane" <jane@example.com>; bo@example.com\nowner@example.com');
      input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.getByRole("button", { name: "Visitor’s email" }).first().click();
    assert.deepEqual(await chips.allTextContents(), [
      "owner@example.com",
      "jana@example.com",
      '"Doe, Jane" <jane@example.com>',
      "bo@example.com",
      "Visitor’s email",
    ]);
    await chips.nth(1).focus();
    await page.keyboard.press("Delete");
    await to.focus();
    await page.keyboard.press("Backspace");
    await page.waitForFunction(() => document.querySelectorAll(".mail-editor .addresses .address").length === 3);
    assert.equal((await stored())["to"], 'owner@example.com, "Doe, Jane" <jane@example.com>, bo@example.com');
    assert.deepEqual(await violations(page), []);
    await to.fill("nobody");
    await to.press("Enter");
    await page.getByText("One of these isn’t an email address.").waitFor();
    assert.deepEqual(faults, []);
  });

  it("inserts answers as chips by “/” and by a button, and stores them by name", async (t) => {
    const { page, faults, stored } = await openAction(t, { type: "email", to: "owner@example.com" });
    const subject = editorOf(page, "Subject");
    await subject.click();
    await page.keyboard.type("From /");
    const list = page.getByRole("dialog", { name: "Insert answer" });
    await list.waitFor();
    await page.keyboard.type("nam");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await list.waitFor({ state: "detached" });
    await subject.locator(".answer-chip").waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "textbox");
    await page.keyboard.type(", and/or me");
    assert.equal(await subject.textContent(), "From Name, and/or me");
    assert.equal((await stored())["subject"], "From [name], and/or me");
    await previewOf(page).getByText("From Ada <b>, and/or me").waitFor();

    await page.locator(".radio").filter({ hasText: "Own text" }).click();
    const message = editorOf(page, "Own text");
    await message.locator(".answer-chip").waitFor();
    await message.press("ControlOrMeta+End");
    await page.keyboard.type(", dear ");
    await page.getByRole("button", { name: "Insert answer" }).last().click();
    await list.getByRole("option", { name: "Email" }).click();
    await list.waitFor({ state: "detached" });
    await message.locator(".answer-chip").nth(1).waitFor();
    await page.keyboard.type(" & co");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Bulleted list" }).click();
    await page.keyboard.type("one");
    await page.keyboard.press("Enter");
    await page.keyboard.type("two");
    // An empty item ends the list.
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Bold" }).click();
    await page.keyboard.type("strong");
    assert.equal(
      (await stored())["message"],
      "[all:table], dear [email] &amp; co\n<ul><li>one</li><li>two</li></ul>\n<b>strong</b>",
    );
    await mailOf(page).locator("li").nth(1).waitFor();
    assert.match(await mailOf(page).locator("body").innerText(), /, dear ada@example\.com & co\s+one\s+two\s+strong$/);
    assert.deepEqual(await violations(page), []);

    // The stored text is shown as it was written.
    await page.reload();
    await page.locator(".action .disclose").click();
    await editorOf(page, "Own text").locator("li").nth(1).waitFor();
    assert.deepEqual(await editorOf(page, "Own text").locator(".answer-chip").allTextContents(), [
      "All answers",
      "Email",
    ]);
    await page.locator(".radio").filter({ hasText: "All answers" }).click();
    assert.equal((await stored())["message"], "");
    assert.deepEqual(faults, []);
  });

  it("links the selected text, undoes that, and does not change HTML that it cannot show", async (t) => {
    const html = "<table><tr><td>[name]</td></tr></table>";
    const { page, faults, stored } = await openAction(t, { type: "email", to: "owner@example.com", message: html });
    const source = page.getByRole("textbox", { name: "HTML" });
    assert.equal(await source.inputValue(), html);
    await source.fill("Read the terms");
    const message = editorOf(page, "Own text");
    await message.dblclick({ position: { x: 20, y: 14 } });
    await page.getByRole("button", { name: "Link" }).click();
    const address = page.getByRole("textbox", { name: "URL" });
    await address.fill("javascript:alert(1)");
    assert.ok(await page.getByRole("button", { name: "Add link" }).isDisabled());
    await address.fill("https://example.org/a?b=1&c=2");
    await page.getByRole("button", { name: "Add link" }).click();
    await message.locator("a").waitFor();
    assert.equal((await stored())["message"], '<a href="https://example.org/a?b=1&amp;c=2">Read</a> the terms');
    await message.press("ControlOrMeta+z");
    await message.locator("a").waitFor({ state: "detached" });
    assert.equal((await stored())["message"], "Read the terms");
    assert.deepEqual(faults, []);
  });

  it("previews with sample answers until a submission exists, sends a test only to the user, and changes rare settings", async (t) => {
    const action = { type: "email", to: "owner@example.com", cc: "boss@example.com" };
    const { host, page, faults, stored } = await openAction(t, action, false);
    await previewOf(page).getByText("With sample answers").waitFor();
    await mailOf(page).getByText("Ada Lovelace").waitFor();
    await page.getByRole("button", { name: "Send test to me" }).click();
    await page.getByRole("status").getByText("Kept in outbox", { exact: true }).waitFor();
    const { mails } = await api<{ readonly mails: readonly { readonly to: readonly string[] }[] }>(
      host.url,
      "GET",
      "/api/cf-host/v1/outbox",
    );
    assert.deepEqual(
      mails.map(({ to }) => to),
      [["ann@example.org"]],
    );
    // “More” is open if a copy is set.
    await page.locator(".checkbox").filter({ hasText: "Attachment" }).click();
    await page.getByRole("textbox", { name: "Extra headers" }).fill("X-Source: web");
    const { attachments, headers, cc } = await stored();
    assert.deepEqual([attachments, headers, cc], ["attachment", "X-Source: web", "boss@example.com"]);
    assert.deepEqual(faults, []);
  });

  it("previews a field that only the draft has", async (t) => {
    const { host, form, page } = await openAction(t, { type: "email", to: "owner@example.com" }, false);
    const mobile = { name: "mobile", type: "tel", label: "Mobile number" };
    await api(host.url, "PUT", `/forms/${form.id}/draft`, {
      base_revision: 2,
      source: "schema",
      schema: { fields: [mobile] },
    });
    await page.reload();
    await page.locator(".action .disclose").click();
    await mailOf(page).getByText("Mobile number", { exact: true }).waitFor();
  });

  it("sends the confirmation to the address in a field of the visitor", async (t) => {
    const { page, faults } = await openAction(t, { type: "autoresponder" });
    await page.getByRole("button", { name: /Visitor’s email field/ }).waitFor();
    await previewOf(page).getByText("We’ve received your answers").waitFor();
    await previewOf(page).getByText("ada@example.com").first().waitFor();
    await mailOf(page).getByText("Thank you. Here is a copy of your answers:").waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
  });
});
