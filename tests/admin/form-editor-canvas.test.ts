/** The preview of the form editor: dividers of steps, the buttons between fields, moving by keyboard, field names. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium, violations } from "../browser/chromium.ts";
import { api, draftSaved, type FormRef, signIn, startBrowser, startSite, submit, tabTo } from "./admin-site.ts";

interface StoredDraft {
  readonly schema: {
    readonly fields: readonly {
      readonly name: string;
      readonly label: string;
      readonly conditions: readonly { readonly field?: string }[];
    }[];
  };
  readonly settings: { readonly actions?: readonly Readonly<Record<string, unknown>>[] };
}

const pageOf = (page: Page) => page.frameLocator(".build-frame iframe");
const fieldOf = (page: Page, label: string) => pageOf(page).locator(".cf-field", { hasText: label });

async function boxOf(page: Page, label: string): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await fieldOf(page, label).boundingBox();
  assert.ok(box !== null);
  return box;
}

async function clickField(page: Page, label: string): Promise<void> {
  const box = await boxOf(page, label);
  await page.mouse.click(box.x + 30, box.y + 4);
}

describe("the preview of the form editor", { skip: noChromium }, () => {
  it("divides steps, adds a field in any gap, and moves the selection with the arrow keys", async (t) => {
    const host = await startSite(t);
    const { id } = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Canvas",
      status: "published",
      schema: {
        fields: ["Ada", "Bob", "Cyd", "Dan"].map((label) => ({ name: label.toLowerCase(), type: "text", label })),
        layout: {
          type: "multi-step",
          steps: [
            { id: "one", title: "About you", fields: ["ada", "bob", "cyd"] },
            { id: "two", title: "", fields: ["dan"] },
          ],
        },
      },
    });
    const labels = async () => {
      await draftSaved(page);
      return (await api<StoredDraft>(host.url, "GET", `/forms/${id}/draft`)).schema.fields.map(({ label }) => label);
    };
    const { page } = await signIn(await startBrowser(t), host.url, { viewport: { width: 1280, height: 1100 } });
    await page.goto(`${host.url}/admin/forms/${id}/build`);
    await page.getByText("Step 1 of 2", { exact: true }).waitFor();
    await page.getByText("Step 2 of 2", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Step 2", exact: true }).click();
    await page.getByLabel("Step title").waitFor();
    assert.equal(await page.getByRole("button", { name: "Step 2", exact: true }).getAttribute("aria-pressed"), "true");

    // Under the pointer, the gap between two fields that are not selected offers a button.
    const bob = await boxOf(page, "Bob");
    await page.mouse.move(bob.x + 40, bob.y + bob.height + 6);
    await page.getByRole("button", { name: "Add a field after Bob" }).click();
    await page.keyboard.type("phone");
    await page.keyboard.press("Enter");
    await fieldOf(page, "Phone").waitFor();
    assert.deepEqual(await labels(), ["Ada", "Bob", "Phone", "Cyd", "Dan"]);

    // For the keyboard, all gaps are one tab stop.
    await page.getByRole("button", { name: "Form", exact: true }).click();
    await tabTo(page, /^Choose where to add a field|^Add a field after Ada/, "button");
    for (const name of ["Bob", "Phone", "Cyd"]) {
      await page.keyboard.press("ArrowDown");
      await page.getByRole("button", { name: `Add a field after ${name}`, exact: true }).waitFor();
    }
    await page.keyboard.press("Enter");
    await page.keyboard.type("number");
    await page.keyboard.press("Enter");
    await fieldOf(page, "Number").waitFor();
    assert.deepEqual(await labels(), ["Ada", "Bob", "Phone", "Cyd", "Number", "Dan"]);

    // Two fields move together, and the button keeps the focus.
    await clickField(page, "Ada");
    await page.keyboard.down("Shift");
    await clickField(page, "Bob");
    await page.keyboard.up("Shift");
    await page.getByRole("button", { name: "Move Ada, Bob" }).press("ArrowDown");
    assert.deepEqual(await labels(), ["Phone", "Ada", "Bob", "Cyd", "Number", "Dan"]);
    await page.keyboard.press("ArrowDown");
    assert.deepEqual(await labels(), ["Phone", "Cyd", "Ada", "Bob", "Number", "Dan"]);
    await page.keyboard.press("ArrowUp");
    assert.deepEqual(await labels(), ["Phone", "Ada", "Bob", "Cyd", "Number", "Dan"]);
    await page.getByRole("button", { name: /^Outline/ }).click();
    await page.getByRole("row", { name: /^Bob/ }).press("Alt+ArrowUp");
    assert.deepEqual(await labels(), ["Ada", "Bob", "Phone", "Cyd", "Number", "Dan"]);
    assert.deepEqual(await violations(page), []);
  });

  it("opens a button's text on a double click on the button, but no text below a tool", async (t) => {
    const host = await startSite(t);
    const { id } = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Texts",
      schema: {
        fields: [
          { name: "ada", type: "text", label: "Ada" },
          { name: "bob", type: "text", label: "Bob" },
          { name: "go", type: "submit", label: "Send" },
        ],
      },
    });
    const { page } = await signIn(await startBrowser(t), host.url);
    await page.goto(`${host.url}/admin/forms/${id}/build`);
    await pageOf(page).getByRole("button", { name: "Send" }).waitFor();
    // A style sheet of the preview that arrives later moves the button.
    await page.waitForLoadState("networkidle");
    const button = await pageOf(page).getByRole("button", { name: "Send" }).boundingBox();
    assert.ok(button !== null);
    await page.mouse.dblclick(button.x + 5, button.y + 5);
    const text = page.locator(".build-word");
    await text.waitFor();
    assert.equal(await text.inputValue(), "Send");
    await page.keyboard.press("Escape");
    await text.waitFor({ state: "detached" });
    // A double click beside the button opens no text and changes nothing.
    await page.mouse.dblclick(button.x + button.width + 40, button.y + 5);
    await page.getByRole("toolbar", { name: "Tools for Send" }).waitFor();
    assert.equal(await text.count(), 0);
    await clickField(page, "Bob");
    await page.getByRole("toolbar", { name: "Tools for Bob" }).getByRole("button", { name: "Duplicate" }).dblclick();
    await page.getByRole("row").nth(3).waitFor();
    assert.equal(await text.count(), 0);
  });

  it("lets a name follow its label in a published form until answers exist; conditions and actions follow", async (t) => {
    const host = await startSite(t);
    const { id, slug } = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Names",
      status: "published",
      schema: {
        fields: [
          { name: "topic", type: "text", label: "Topic" },
          { name: "more", type: "text", label: "More", conditions: [{ field: "topic", operator: "is_not_empty" }] },
        ],
      },
      settings: { actions: [{ type: "email", to: "owner@example.com", subject: "About [topic]" }] },
    });
    const stored = () => api<StoredDraft>(host.url, "GET", `/forms/${id}/draft`);
    const { page } = await signIn(await startBrowser(t), host.url);
    await page.goto(`${host.url}/admin/forms/${id}/build?field=topic`);
    await page.getByText("Saved as topic. It follows the label until answers exist.").waitFor();
    await page.getByLabel("Label", { exact: true }).fill("Your question");
    await page.keyboard.press("Tab");
    await page.getByText("Saved as your_question.", { exact: false }).waitFor();
    await draftSaved(page);
    const { schema, settings } = await stored();
    assert.deepEqual(
      schema.fields.map(({ name, conditions }) => [name, conditions.map(({ field }) => field)]),
      [
        ["your_question", []],
        ["more", ["your_question"]],
      ],
    );
    assert.equal(settings.actions?.[0]?.["subject"], "About [your_question]");
    // The publication names the field as changed, not as removed and added.
    await page.getByRole("button", { name: "Publish changes", exact: true }).click();
    await page.getByRole("dialog").getByText("Your question: label, field name", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await api(host.url, "DELETE", `/forms/${id}/draft`, undefined, 204).catch(() => undefined);

    await submit(host.url, slug, { topic: "Prices" });
    await page.goto(`${host.url}/admin/forms/${id}/build?field=topic`);
    await page.getByText("Saved as topic. It stays, because 1 answer uses it.").waitFor();
    await page.getByLabel("Label", { exact: true }).fill("Subject");
    await page.keyboard.press("Tab");
    await draftSaved(page);
    assert.deepEqual(
      (await stored()).schema.fields.map(({ name }) => name),
      ["topic", "more"],
    );
  });
});
