/** The editor's panes: field types and outline, the tools in the preview, and the frame at each width. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium, violations } from "../browser/chromium.ts";
import { api, draftSaved, type FormRef, signIn, startBrowser, startSite } from "./admin-site.ts";

interface StoredDraft {
  readonly schema: { readonly fields: readonly { readonly label: string }[] };
}

const LABELS = ["Ada", "Bob", "Cyd", "Dan"] as const;

const rowsOf = (page: Page) => page.getByRole("grid", { name: "Form fields" }).getByRole("row");
const marksOf = (page: Page) => page.locator(".build-mark");

/** Clicks a field in the preview by its position, because the preview's elements receive no clicks. */
async function clickField(page: Page, label: string): Promise<void> {
  const box = await page.frameLocator("iframe").locator(".cf-field", { hasText: label }).boundingBox();
  assert.ok(box !== null);
  await page.mouse.click(box.x + 30, box.y + 4);
}

describe("the panes of the form editor", { skip: noChromium }, () => {
  it("select a range in the preview and change it as a whole; each change is one undo step", async (t) => {
    const host = await startSite(t);
    const { id } = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Panes",
      status: "published",
      schema: { fields: LABELS.map((label) => ({ name: label.toLowerCase(), type: "text", label })) },
    });
    const labels = async () =>
      (await api<StoredDraft>(host.url, "GET", `/forms/${id}/draft`)).schema.fields.map(({ label }) => label);
    const { page, faults } = await signIn(await startBrowser(t), host.url, { viewport: { width: 1280, height: 900 } });
    await page.goto(`${host.url}/admin/forms/${id}/build`);
    await page.frameLocator("iframe").locator(".cf-field", { hasText: "Dan" }).waitFor();

    await clickField(page, "Bob");
    await marksOf(page).waitFor();
    await page.keyboard.down("Shift");
    await clickField(page, "Dan");
    await page.keyboard.up("Shift");
    await marksOf(page).nth(2).waitFor();
    assert.equal(await marksOf(page).count(), 3);
    await page.getByRole("heading", { name: "3 fields selected" }).waitFor();

    await page
      .getByRole("toolbar", { name: "Tools for Bob, Cyd, Dan" })
      .getByRole("button", { name: "Delete" })
      .click();
    await rowsOf(page).nth(1).waitFor({ state: "detached" });
    await draftSaved(page);
    assert.deepEqual(await labels(), ["Ada"]);
    await page.getByRole("toolbar", { name: "Editor toolbar" }).getByRole("button", { name: "Undo" }).click();
    await rowsOf(page).nth(3).waitFor();

    await clickField(page, "Ada");
    await page.getByRole("toolbar", { name: "Tools for Ada" }).getByRole("button", { name: "Duplicate" }).click();
    await rowsOf(page).nth(4).waitFor();
    await draftSaved(page);
    assert.deepEqual(await labels(), ["Ada", "Ada", "Bob", "Cyd", "Dan"]);
    // Only the copy is marked as changed, because the live form lacks it.
    assert.equal(await rowsOf(page).filter({ hasText: "Changed since published" }).count(), 1);

    await clickField(page, "Bob");
    await page.getByRole("button", { name: "Add a field here" }).click();
    await page.getByRole("listbox", { name: "Field types" }).waitFor();
    await page.keyboard.type("phone");
    await page.keyboard.press("Enter");
    await draftSaved(page);
    assert.deepEqual(await labels(), ["Ada", "Ada", "Bob", "Phone", "Cyd", "Dan"]);
    assert.deepEqual(await violations(page), []);
    // React Aria and the preview set styles that the policy drops.
    assert.deepEqual(
      faults.filter((fault) => !fault.includes("inline style")),
      [],
    );
  });

  it("offer the field types in six groups; / moves to the search", async (t) => {
    const host = await startSite(t);
    const { id } = await api<FormRef>(host.url, "POST", "/forms", { title: "Empty", schema: { fields: [] } });
    const { page } = await signIn(await startBrowser(t), host.url);
    await page.goto(`${host.url}/admin/forms/${id}/build`);
    const types = page.getByRole("listbox", { name: "Field types" });
    await types.waitFor();
    assert.deepEqual(
      await types
        .getByRole("group")
        .evaluateAll((groups) => groups.map((group) => group.querySelector("header")?.textContent)),
      ["Contact", "Text and numbers", "Choices", "Dates", "Files and more", "Layout"],
    );
    await page.keyboard.press("/");
    await page.keyboard.type("zzz");
    await page.getByText("No field type matches “zzz”.").waitFor();
    assert.deepEqual(await violations(page), []);
  });

  it("show every tab of a form at each width", async (t) => {
    const host = await startSite(t);
    const { id } = await api<FormRef>(host.url, "POST", "/forms", {
      title: "A form whose title is longer than most that people choose",
      status: "published",
      schema: { fields: [{ name: "one", type: "text", label: "One" }] },
    });
    const { page } = await signIn(await startBrowser(t), host.url);
    await page.goto(`${host.url}/admin/forms/${id}/build`);
    const tabs = page.getByRole("navigation", { name: "Form" }).getByRole("link");
    await tabs.first().waitFor();
    for (const width of [320, 390, 899, 901, 1000, 1181, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      for (const tab of await tabs.all()) {
        await tab.scrollIntoViewIfNeeded();
        const box = await tab.boundingBox();
        assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, `${await tab.textContent()} at ${width}`);
        const isOnTop = await tab.evaluate((element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        });
        assert.ok(isOnTop, `${await tab.textContent()} at ${width}`);
      }
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `at ${width}`);
    }
  });
});
