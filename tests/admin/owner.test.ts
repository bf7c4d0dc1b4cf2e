/** Occasional tasks of an owner: names in the log, import and export, and the admin in German. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noChromium } from "../browser/chromium.ts";
import {
  api,
  type FormRef,
  makeForm,
  publishChanges,
  show,
  signIn,
  startBrowser,
  startSite,
  submit,
} from "./admin-site.ts";

const titles = async (url: string): Promise<readonly string[]> =>
  (await api<readonly { readonly title: string }[]>(url, "GET", "/forms")).map(({ title }) => title);

describe("an owner", { skip: noChromium }, () => {
  it("shows the current name of an action wherever its runs are listed", { timeout: 60_000 }, async (t) => {
    const host = await startSite(t);
    host.forms.registerAction({
      type: "later",
      label: "Later",
      settings: [],
      process() {
        throw new Error("not yet");
      },
    });
    const { id, slug } = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Contact",
      markup: '<label>Name <input name="name"></label><button>Send</button>',
      settings: { actions: [{ type: "webhook", action_name: "Tell the CRM", url: "https://127.0.0.1:9/none" }] },
    });
    const gone = await makeForm(host.url, "Gone");
    await submit(host.url, slug, { name: "Ada" });
    await submit(host.url, gone.slug, { name: "Bob", email: "bob@example.com" });
    await host.forms.runQueue();
    const { settings } = await api<{ readonly settings: { readonly actions: readonly object[] } }>(
      host.url,
      "GET",
      `/forms/${id}`,
    );
    await api(host.url, "PATCH", `/forms/${id}`, {
      settings: {
        actions: [
          ...settings.actions.map((action) => ({ ...action, action_name: "Tell sales" })),
          { type: "later", action_name: "Not yet" },
        ],
      },
    });
    await api(host.url, "PATCH", `/forms/${gone.id}`, { settings: { actions: [] } });
    const browser = await startBrowser(t);
    const { page, faults } = await signIn(browser, host.url);
    for (const address of ["/deliveries/log", "/deliveries/failures"]) {
      await show(page, address);
      await page.getByRole("listitem").filter({ hasText: "Tell sales" }).first().waitFor();
      // A removed action is named by its type.
      await page.getByRole("listitem").filter({ hasText: "Webhook" }).first().waitFor();
    }
    await show(page, `/inbox?form=${id}&open=1`);
    const line = page.locator(".timeline-entry", { hasText: "Tell sales: Failed" });
    // A permanent failure can be retried; only a waiting entry can be cancelled.
    await line.getByRole("button", { name: "Cancel" }).waitFor({ state: "detached" });
    await Promise.all([page.waitForResponse(/retry$/), line.getByRole("button", { name: "Retry" }).click()]);
    await host.forms.runQueue();
    await page.reload();
    await line.nth(1).getByRole("button", { name: "Retry" }).waitFor();
    assert.equal(await line.getByRole("button", { name: "Retry" }).count(), 1);
    // Waiting entries are listed too, with a button that cancels them.
    await page.getByRole("button", { name: "Run actions again…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Run 2 actions" }).click();
    const waiting = page.locator(".timeline-entry", { hasText: "Not yet: Will retry at" });
    await waiting.getByRole("button", { name: "Cancel" }).click();
    await waiting.waitFor({ state: "detached" });
    assert.equal(
      (await api<readonly unknown[]>(host.url, "GET", "/action-queue?submission_id=1&status=cancelled")).length,
      1,
    );
    assert.deepEqual(faults, []);
  });

  it("restores a removed action and keeps later changes", { timeout: 60_000 }, async (t) => {
    const host = await startSite(t);
    const { id } = await makeForm(host.url);
    const browser = await startBrowser(t);
    const { page, faults } = await signIn(browser, host.url);
    await show(page, `/forms/${id}/actions`);
    await page.getByRole("button", { name: "Remove Email notification" }).click();
    await page.getByRole("button", { name: /^Webhook/ }).click();
    await page.getByRole("textbox", { name: /^URL/ }).fill("https://example.com/new");
    await page.getByRole("button", { name: "Undo", exact: true }).last().click();
    await page.getByRole("button", { name: /^Email notification/ }).waitFor();
    await publishChanges(page);
    const { settings } = await api<{
      readonly settings: { readonly actions: readonly { readonly type: string; readonly url?: string }[] };
    }>(host.url, "GET", `/forms/${id}`);
    assert.deepEqual(
      settings.actions.map(({ type, url = "" }) => [type, url]),
      [
        ["email", ""],
        ["webhook", "https://example.com/new"],
      ],
    );
    // After a discard, the action is already back.
    await page.getByRole("button", { name: "Remove Email notification" }).click();
    await page.getByRole("button", { name: /^Email notification/ }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Options for/ }).click();
    await page.getByRole("menuitem", { name: /^Discard changes/ }).click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: /^Discard/ })
      .click();
    await page.getByRole("button", { name: /^Email notification/ }).waitFor();
    await page.getByText("All changes are live").waitFor();
    assert.equal(await page.getByRole("button", { name: /^Email notification/ }).count(), 1);
    assert.deepEqual(faults, []);
  });

  it("moves forms from one site to another by a file, after a preview of its warnings", {
    timeout: 60_000,
  }, async (t) => {
    const [from, to] = [await startSite(t), await startSite(t)];
    await makeForm(from.url, "Moved");
    await api(from.url, "POST", "/forms", {
      title: "Second",
      markup: '<input name="name" aria-label="Name"><button>Send</button>',
      settings: { actions: [{ type: "webhook", url: "https://example.com/", secret: "hidden" }] },
    });
    const browser = await startBrowser(t);
    const { page } = await signIn(browser, from.url);
    await page.getByRole("button", { name: "Options for Moved" }).click();
    const [one] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Export" }).click(),
    ]);
    assert.equal(one.suggestedFilename(), "moved.json");
    const [all] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export all" }).click(),
    ]);

    const { page: other, faults } = await signIn(browser, to.url);
    const finished = () => other.getByRole("heading", { name: "Import finished" }).waitFor();
    const choose = async (file: string | { name: string; mimeType: string; buffer: Buffer }) => {
      await show(other, "/forms/import");
      const another = other.getByRole("button", { name: "Import another file" });
      await other.getByLabel("File").or(another).waitFor();
      if (await another.isVisible()) await another.click();
      await other.getByLabel("File").setInputFiles(file);
    };
    await choose({ name: "x.json", mimeType: "application/json", buffer: Buffer.from('{"no": "forms"}') });
    await other.locator(".notice.wrong").waitFor();
    await other.getByRole("heading", { name: "This file can’t be imported" }).waitFor();
    await other.getByText("Contact Form 7: WordPress, Tools → Export").waitFor();
    assert.equal(await other.getByRole("button", { name: "Import forms" }).count(), 0);
    await choose(await one.path());
    await other.getByRole("heading", { name: "One form to import" }).waitFor();
    await other.getByRole("heading", { name: "Everything can be imported" }).waitFor();
    assert.deepEqual(await titles(to.url), []);
    await other.getByRole("button", { name: "Import forms" }).click();
    await finished();
    await other.getByRole("link", { name: "Open" }).click();
    await other.getByRole("heading", { name: "Moved", level: 1 }).waitFor();
    assert.deepEqual(await titles(to.url), ["Moved"]);

    await choose(await all.path());
    await other.getByRole("heading", { name: "2 forms to import" }).waitFor();
    await other
      .getByRole("cell", { name: /secret/ })
      .first()
      .waitFor();
    await other.getByRole("button", { name: "Import forms" }).click();
    await finished();
    await other.getByRole("link", { name: "Second", exact: true }).waitFor();
    assert.equal((await titles(to.url)).length, 3);

    // Known forms are not created again, and each form shows the result for its submissions.
    const form = {
      id: 7,
      title: "Apply",
      createdAt: "2025-01-01T00:00:00.000Z",
      fields: [{ blockType: "text", name: "first", label: "First name" }],
      emails: [],
    };
    const sent = (count: number) => ({
      name: "submissions.json",
      mimeType: "application/json",
      buffer: Buffer.from(
        JSON.stringify({
          totalDocs: count,
          docs: Array.from({ length: count }, (_, id) => ({
            id,
            form,
            createdAt: `2025-02-0${id + 1}T08:00:00.000Z`,
            updatedAt: "2025-02-01T08:00:00.000Z",
            submissionData: [{ id: "x", field: "first", value: `Ada ${id}` }],
          })),
        }),
      ),
    });
    await choose(sent(1));
    await other.getByText("One submission in the file", { exact: true }).waitFor();
    await other.getByRole("button", { name: "Import forms" }).click();
    await finished();
    await other.getByText("One submission imported now").waitFor();
    await other.getByRole("link", { name: "Inbox", exact: true }).click();
    await other.getByRole("row").filter({ hasText: "Ada 0" }).waitFor();
    await other.getByRole("link", { name: "Forms", exact: true }).click();
    await other.getByRole("link", { name: "Import" }).click();
    await other.getByRole("button", { name: "Import another file" }).click();
    await other.getByLabel("File").setInputFiles(sent(3));
    await other.getByRole("heading", { name: "No forms to import" }).waitFor();
    await other.getByText("Already imported").waitFor();
    await other.getByRole("button", { name: "Import submissions" }).click();
    await finished();
    await other.getByText("2 submissions imported now").waitFor();
    // The cached inbox is loaded again.
    await other.getByRole("link", { name: "Inbox", exact: true }).click();
    await other.getByRole("row").filter({ hasText: "Ada 2" }).waitFor();
    assert.deepEqual(faults, []);
  });

  it("lists each message by where it appears, never by its key", { timeout: 60_000 }, async (t) => {
    const host = await startSite(t);
    const { id } = await api<FormRef>(host.url, "POST", "/forms", { title: "Words", markup: "<input name=a>" });
    const { messages } = await api<{ readonly messages: object }>(host.url, "GET", `/forms/${id}`);
    const { page } = await signIn(await startBrowser(t), host.url);
    await show(page, `/forms/${id}/settings`);
    await page.getByLabel("Submit button", { exact: true }).waitFor();
    const labels = await page.locator(".flowing label").allTextContents();
    assert.ok(labels.length > Object.keys(messages).length, labels.join());
    assert.deepEqual(
      labels.filter((label) => label.includes("_")),
      [],
    );
    assert.equal(await page.getByText("Added by plugins.").count(), 0);
  });

  it("creates a blank form in the admin's language, which its page declares", { timeout: 60_000 }, async (t) => {
    const host = await startSite(t);
    const browser = await startBrowser(t);
    const { page, faults } = await signIn(browser, host.url, { locale: "de-DE" });
    assert.equal(await page.locator(".cf-admin").getAttribute("lang"), "de-DE");
    await show(page, "/forms/new");
    await page.getByRole("button", { name: /^Leer/ }).click();
    await page.getByRole("textbox", { name: "Titel", exact: true }).fill("Anfrage");
    await page.getByLabel("E-Mail-Adresse").fill("ada@example.com");
    await page.getByRole("button", { name: "Formular erstellen" }).click();
    await page.getByRole("heading", { name: "Anfrage", level: 1 }).waitFor();
    await page.frameLocator(".build-frame iframe").getByRole("button", { name: "Absenden" }).waitFor();
    // Errors of the API and health checks are shown in German.
    await show(page, "/forms/1/settings");
    await page.getByLabel("Öffnet am", { exact: true }).fill("2031-05-01T10:00");
    await page.getByLabel("Schließt").fill("2031-04-01T10:00");
    await page.getByText("Das Ende muss nach dem Beginn liegen.").waitFor();
    await page.getByRole("textbox", { name: "Titel", exact: true }).fill("A".repeat(300));
    await page.getByRole("button", { name: "Veröffentlichen", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Veröffentlichen", exact: true }).click();
    await page.getByRole("alert").getByRole("listitem").filter({ hasText: "Titel ist zu lang" }).waitFor();
    await show(page, "/settings/status");
    await page.getByText("E-Mails werden noch nicht versandt").waitFor();
    assert.deepEqual(faults, []);
  });
});
