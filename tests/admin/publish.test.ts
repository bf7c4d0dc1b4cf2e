/** Drafts, publishing, merging of two people's work, and restoring versions, in the admin. */
import assert from "node:assert/strict";
import { it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium } from "../browser/chromium.ts";
import {
  api,
  draftSaved,
  type FormRef,
  publishChanges,
  signIn,
  startBrowser,
  startSite,
  submit,
} from "./admin-site.ts";

interface Stored {
  readonly title: string;
  readonly status: string;
  readonly revision: number;
  readonly settings: { readonly actions: readonly object[]; readonly submission_limit: number };
  readonly messages: Readonly<Record<string, string>>;
}

interface StoredSchema {
  readonly fields: readonly { readonly name: string; readonly label: string; readonly required: boolean }[];
}

const SCHEMA = {
  fields: [
    { name: "name", type: "text", label: "Name" },
    { name: "phone", type: "tel", label: "Phone" },
    { name: "send", type: "submit", label: "Send" },
  ],
};
const ACTION = { type: "email", to: "owner@example.com" };

const badge = (page: Page, text: string | RegExp) => page.locator(".badge").filter({ hasText: text }).waitFor();

async function setLabel(page: Page, url: string, id: number, field: string, label: string): Promise<void> {
  await page.goto(`${url}/admin/forms/${id}?field=${field}`);
  await page.getByLabel("Label", { exact: true }).fill(label);
  await page.keyboard.press("Tab");
  await draftSaved(page);
}

it("edits drafts, publishes them and merges changes of other users", {
  skip: noChromium,
  timeout: 240_000,
}, async (t) => {
  const host = await startSite(t);
  const browser = await startBrowser(t);
  await host.users.create("jana", "", "editor", "jana-password-12");
  const { page, faults } = await signIn(browser, host.url);
  const formOf = (id: number) => api<Stored>(host.url, "GET", `/forms/${id}`);
  const labelsOf = async (id: number) =>
    (await api<StoredSchema>(host.url, "GET", `/forms/${id}/schema`)).fields.map(({ label }) => label);
  const make = (title: string, more: object = {}) =>
    api<FormRef>(host.url, "POST", "/forms", {
      title,
      status: "published",
      schema: SCHEMA,
      settings: { actions: [ACTION] },
      ...more,
    });

  await t.test("a draft is published by one button, which lists the changes", async () => {
    const { id, slug } = await make("First", { status: "draft" });
    await page.goto(`${host.url}/admin/forms/${id}`);
    await badge(page, "Draft");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`/forms/${slug}`).waitFor();
    await dialog.getByText(/owner@example\.com/).waitFor();
    assert.equal((await formOf(id)).status, "draft");
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await dialog.getByRole("button", { name: "Done" }).click();
    await badge(page, /^(?:Live|Published)$/);
    await page.getByText("All changes are live").waitFor();
    assert.equal((await formOf(id)).status, "published");
  });

  await t.test(
    "settings, messages and fields stay a draft until they are published, and survive a reload",
    async () => {
      const { id } = await make("Changes");
      await page.goto(`${host.url}/admin/forms/${id}/settings`);
      await page.getByLabel("Submission limit", { exact: true }).fill("100");
      await page.keyboard.press("Tab");
      await draftSaved(page);
      await badge(page, "1 unpublished change");
      await setLabel(page, host.url, id, "phone", "Mobile");
      await badge(page, "2 unpublished changes");
      assert.equal((await formOf(id)).settings.submission_limit, 0);
      await page.getByRole("button", { name: "Publish changes" }).click();
      await page.getByRole("dialog").getByText("Mobile: label").waitFor();
      await page.getByRole("dialog").getByText("none → 100").waitFor();
      await page.keyboard.press("Escape");
      await publishChanges(page);
      await page.getByText("2 changes are live").waitFor();
      assert.equal((await formOf(id)).settings.submission_limit, 100);
      assert.deepEqual(await labelsOf(id), ["Name", "Mobile", "Send"]);
      await page.getByRole("button", { name: "Undo", exact: true }).last().click();
      await badge(page, /^(?:Live|Published)$/);
      await page.waitForFunction(() => !document.body.textContent?.includes("Mobile"));
      assert.deepEqual(await labelsOf(id), ["Name", "Phone", "Send"]);
    },
  );

  await t.test(
    "all tabs share one draft and one history; the user's publication is not reported as another's",
    async () => {
      const { id } = await make("Tabs");
      await setLabel(page, host.url, id, "phone", "Mobile");
      const tab = (name: string) => page.locator(`.tabs a[href$="/forms/${id}/${name}"]`).click();
      await tab("settings");
      await page.getByLabel("Submission limit", { exact: true }).fill("7");
      await page.keyboard.press("Tab");
      await draftSaved(page);
      await page.getByRole("button", { name: "Undo", exact: true }).click();
      await page.getByRole("button", { name: "Undo", exact: true }).click();
      await badge(page, /^(?:Live|Published)$/);
      await page.getByText("All changes are live").waitFor();
      assert.deepEqual(await labelsOf(id), ["Name", "Phone", "Send"]);
      await page.getByRole("button", { name: "Redo", exact: true }).click();
      await badge(page, "1 unpublished change");
      await publishChanges(page);
      await page.getByText("1 change is live").waitFor();
      await tab("history");
      await page.getByRole("button", { name: "Version 2" }).click();
      await page.getByRole("button", { name: "Restore", exact: true }).waitFor();
      await tab("build");
      await page.getByText("All changes are live").waitFor();
      assert.equal(await page.getByText(/published changes|merged into your draft/).count(), 0);
      assert.deepEqual(await labelsOf(id), ["Name", "Mobile", "Send"]);
    },
  );

  await t.test("a draft that equals the live form again is not a draft", async () => {
    const { id } = await make("Same");
    await setLabel(page, host.url, id, "phone", "Mobile");
    await badge(page, "1 unpublished change");
    await page.getByLabel("Label", { exact: true }).fill("Phone");
    await page.keyboard.press("Tab");
    await page.getByText("All changes are live").waitFor();
    await draftSaved(page);
    await api(host.url, "GET", `/forms/${id}/draft`, undefined, 404);
  });

  await t.test("closing and reopening applies at once and does not conflict with a draft", async () => {
    const { id } = await make("Status");
    await setLabel(page, host.url, id, "phone", "Mobile");
    await page.getByRole("button", { name: "Options for Status" }).click();
    await page.getByRole("menuitem", { name: "Close form…" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("See you in May.");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Close/ })
      .last()
      .click();
    await badge(page, "Closed");
    const closed = await formOf(id);
    assert.deepEqual([closed.status, closed.messages["form_closed"]], ["closed", "See you in May."]);
    await badge(page, "1 unpublished change");
    await page.getByRole("button", { name: "Reopen" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reopen" }).click();
    await badge(page, /^(?:Live|Published)$/);
    await publishChanges(page);
    assert.deepEqual(await labelsOf(id), ["Name", "Mobile", "Send"]);
    assert.equal(await page.getByText(/merged into your draft/).count(), 0);
  });

  await t.test("two users' edits of different fields merge, and the user resolves a conflict", async () => {
    const { id } = await make("Two people");
    await setLabel(page, host.url, id, "phone", "Mobile");
    const schema = { fields: SCHEMA.fields.map((field) => ({ ...field, label: `${field.label} (theirs)` })) };
    await api(host.url, "PUT", `/forms/${id}/schema`, schema);
    await page.reload();
    await page.getByText(/One needs your decision/).waitFor();
    await page.getByRole("button", { name: "Yours: Mobile" }).click();
    await publishChanges(page);
    assert.deepEqual(await labelsOf(id), ["Name (theirs)", "Mobile", "Send (theirs)"]);
  });

  await t.test(
    "an edit after another user published the shared draft is no conflict, and the bar keeps its tabs",
    async () => {
      const { id } = await make("Shared draft");
      const { page: other } = await signIn(browser, host.url, {}, { login: "jana", password: "jana-password-12" });
      await setLabel(page, host.url, id, "phone", "Mobile");
      await other.goto(`${host.url}/admin/forms/${id}`);
      await other.getByText("admin is editing too").waitFor({ state: "attached" });
      const tabs = other.getByRole("navigation").getByRole("link", { name: "History" });
      assert.ok(
        await tabs.evaluate(
          (tab) => tab.getBoundingClientRect().right <= (tab.closest(".tabs")?.getBoundingClientRect().right ?? 0) + 1,
        ),
      );
      await publishChanges(other);
      await page.getByLabel("Label", { exact: true }).fill("Cell phone");
      await page.keyboard.press("Tab");
      await badge(page, "1 unpublished change");
      await draftSaved(page);
      assert.equal(await page.getByText(/needs your decision/).count(), 0);
      await publishChanges(page);
      assert.deepEqual(await labelsOf(id), ["Name", "Cell phone", "Send"]);
      await other.context().close();
    },
  );

  await t.test("two tabs of one draft merge", async () => {
    const { id } = await make("Two tabs");
    const other = await page.context().newPage();
    await other.goto(`${host.url}/admin/forms/${id}?field=name`);
    await other.getByLabel("Label", { exact: true }).waitFor();
    await setLabel(page, host.url, id, "phone", "Mobile");
    await other.getByLabel("Label", { exact: true }).fill("Your name");
    await other.keyboard.press("Tab");
    await badge(other, "2 unpublished changes");
    await badge(page, "2 unpublished changes");
    await other.close();
    await publishChanges(page);
    assert.deepEqual(await labelsOf(id), ["Your name", "Mobile", "Send"]);
  });

  await t.test("an edit that the same account replaced in another browser is named, with a way back", async () => {
    const { id, slug } = await make("Shared account");
    // With answers, the field's name stays.
    await submit(host.url, slug, { name: "Ada", phone: "1" });
    await setLabel(page, host.url, id, "phone", "Mobile");
    const { page: other } = await signIn(browser, host.url);
    await setLabel(other, host.url, id, "phone", "Telephone");
    await other.context().close();
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    const notice = page.locator(".notice").filter({ hasText: "admin changed Telephone: label" });
    await notice.getByRole("button", { name: "Undo" }).click();
    await draftSaved(page);
    await publishChanges(page);
    assert.deepEqual(await labelsOf(id), ["Name", "Mobile", "Send"]);
  });

  await t.test("a version is restored by parts, and the live actions stay", async () => {
    const { id, slug } = await make("Restore", { settings: { actions: [] } });
    await api(host.url, "PATCH", `/forms/${id}`, { settings: { actions: [ACTION] } });
    const schema = { fields: SCHEMA.fields.filter(({ name }) => name !== "phone") };
    await api(host.url, "PUT", `/forms/${id}/schema`, schema);
    await page.goto(`${host.url}/admin/forms/${id}/history`);
    await page.getByRole("button", { name: /^(?:Version|Revision) 1$/ }).click();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore", exact: true }).click();
    await badge(page, "1 unpublished change");
    assert.deepEqual(await labelsOf(id), ["Name", "Send"]);
    await publishChanges(page);
    assert.deepEqual(await labelsOf(id), ["Name", "Phone", "Send"]);
    assert.equal((await formOf(id)).settings.actions.length, 1);
    await submit(host.url, slug, { name: "Ada" });
  });

  await t.test("fields without a label are listed by their type, and versions by their changes", async () => {
    const { id } = await make("Unnamed", { status: "draft" });
    await api(host.url, "PATCH", `/forms/${id}`, { status: "published" });
    await api(host.url, "PATCH", `/forms/${id}`, { status: "closed" });
    const unlabelled = [
      { name: "line_1", type: "divider" },
      { name: "postal_code", type: "text" },
    ];
    await api(host.url, "PUT", `/forms/${id}/draft`, {
      base_revision: 3,
      schema: { fields: [...SCHEMA.fields, ...unlabelled] },
    });
    await page.goto(`${host.url}/admin/forms/${id}/history`);
    const versions = page.locator(".history li");
    await versions.filter({ hasText: "Version 3" }).getByText("closed", { exact: true }).waitFor();
    await versions.filter({ hasText: "Version 2" }).getByText("published", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Publish changes" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Divider", { exact: true }).waitFor();
    await dialog.getByText("Postal code", { exact: true }).waitFor();
    assert.doesNotMatch(await dialog.innerText(), /line_1|postal_code/);
  });

  await t.test("extra rules for fields are set by the fields' labels", async () => {
    const { id } = await make("Rules", { settings: { required_fields: "gone, name" } });
    await page.goto(`${host.url}/admin/forms/${id}/settings`);
    await page.getByRole("button", { name: /Also required/ }).click();
    await page.getByRole("option", { name: "Phone", exact: true }).click();
    await page.getByRole("option", { name: "Gone", exact: true }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /Must be an email address/ }).click();
    await page.getByRole("option", { name: "Name", exact: true }).click();
    await page.keyboard.press("Escape");
    await draftSaved(page);
    const { settings } = await api<{ readonly settings: Readonly<Record<string, unknown>> }>(
      host.url,
      "GET",
      `/forms/${id}/draft`,
    );
    assert.equal(settings["required_fields"], "name, phone");
    assert.equal(settings["email_fields"], "name");
    await page.getByLabel("Confirmation title", { exact: true }).fill("Thanks, !");
    await page.getByLabel("Confirmation title", { exact: true }).press("ArrowLeft");
    await page.getByRole("button", { name: "Insert answer" }).first().click();
    await page.getByRole("menuitem", { name: "Name", exact: true }).click();
    assert.equal(await page.getByLabel("Confirmation title", { exact: true }).inputValue(), "Thanks, [name]!");
  });

  assert.deepEqual(
    faults.filter((fault) => !/style/.test(fault)),
    [],
  );
  await page.context().close();
});
