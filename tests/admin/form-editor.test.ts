/** The form editor, used as people use it (host-shim/editor/src/features/form-editor). */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { noChromium, SCREENSHOTS, violations } from "../browser/chromium.ts";
import { api, type FormRef, signIn, startBrowser, startSite } from "./admin-site.ts";

interface Stored {
  readonly source: string;
  readonly markup: string;
  readonly title: string;
}

interface StoredSchema {
  readonly layout: { readonly type: string; readonly steps?: readonly { readonly fields: readonly string[] }[] };
  readonly fields: readonly { readonly name: string; readonly label: string; readonly type: string; readonly css_class: string; readonly conditions: readonly unknown[] }[];
}

describe("the form editor", { skip: noChromium }, () => {
  it("makes a form of two steps with a condition, columns and an upload, and leads back to the start", async (t) => {
    const host = await startSite(t);
    const { id } = await api<FormRef>(host.url, "POST", "/forms", { title: "Try", schema: { fields: [{ name: "kind", type: "radio", label: "I am", options: ["a person", "a business"] }, { name: "submit", type: "submit", label: "Send" }] } });
    const browser = await startBrowser(t);
    const { page, faults } = await signIn(browser, host.url);
    await page.goto(`${host.url}/admin/forms/${id}/build`);
    const rows = page.getByRole("grid", { name: "Fields of the form" }).getByRole("row");
    const search = page.getByRole("searchbox", { name: "Add a field" });
    const add = async (words: string, label: string, current: string) => {
      await search.fill(words);
      await search.press("Enter");
      await page.getByRole("heading", { name: current, level: 2, exact: true }).waitFor();
      await page.getByLabel("Label", { exact: true }).fill(label);
      await rows.filter({ hasText: label }).first().waitFor();
    };
    await rows.filter({ hasText: "I am" }).click();
    await add("short", "Company", "Short text");
    await page.getByRole("button", { name: "Add" }).first().click();
    await page.getByRole("button", { name: /^a person Value/ }).click();
    await page.getByRole("option", { name: "a business" }).click();
    await page.getByRole("button", { name: /Width/ }).last().click();
    await page.getByRole("option", { name: "Half" }).click();
    await add("file", "Papers", "File upload");
    const frame = page.frameLocator("iframe");
    await frame.locator("label.cf-label", { hasText: "Papers" }).waitFor();
    await frame.locator("fieldset input[type=radio]").first().waitFor({ state: "attached" });

    // Without a choice the inspector is the form's own; the layout becomes steps.
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: /Layout/ }).click();
    await page.getByRole("option", { name: "Steps" }).click();
    await page.getByRole("button", { name: "Add a step" }).click();
    await rows.filter({ hasText: "Papers" }).getByRole("button", { name: "More for Papers" }).click();
    await page.getByRole("menuitem", { name: "Move to Step 2" }).click();
    assert.deepEqual(await violations(page), []);
    await page.screenshot({ path: join(SCREENSHOTS, "editor-light.png"), fullPage: true });
    await page.getByRole("button", { name: "Publish changes" }).click();
    await page.getByText("The changes are published.").waitFor();
    const schema = await api<StoredSchema>(host.url, "GET", `/forms/${id}/schema`);
    assert.deepEqual(schema.fields.map(({ label }) => label), ["I am", "Company", "Papers", "Send"]);
    assert.deepEqual(schema.fields[1]?.conditions, [{ field: "kind", operator: "equals", value: "a business" }]);
    assert.equal(schema.fields[1]?.css_class, "cf-half");
    assert.deepEqual(schema.layout.steps?.map(({ fields }) => fields.length), [2, 1]);

    const undo = page.getByRole("button", { name: "Undo" });
    while (await undo.isEnabled()) await undo.click();
    await page.getByRole("button", { name: /Layout/ }).getByText("One page").waitFor();
    // A click in the picture of the form chooses the field.
    const box = await frame.locator("legend", { hasText: "I am" }).boundingBox();
    assert.ok(box !== null);
    await page.mouse.click(box.x + 5, box.y + 5);
    await page.getByRole("heading", { name: "I am", level: 2 }).waitFor();
    assert.deepEqual(faults.filter((fault) => !/style/.test(fault)), []);
  });

  it("changes a label of an author's HTML in place, and leaves every other byte", async (t) => {
    const host = await startSite(t);
    const markup = "<!-- mine -->\n<P CLASS=row><label>Name <input name=name></label></P>\n<p><label>Topic <select name=topic><option>Sales<option>Support</select></label></p><button>Go</button>\n";
    const { id } = await api<FormRef>(host.url, "POST", "/forms", { title: "By hand", markup });
    const browser = await startBrowser(t);
    const { page } = await signIn(browser, host.url, { colorScheme: "dark" });
    await page.goto(`${host.url}/admin/forms/${id}/build`);
    const rows = page.getByRole("grid", { name: "Fields of the form" }).getByRole("row");
    await rows.filter({ hasText: "Name" }).click();
    await page.getByLabel("Label", { exact: true }).fill("Your name");
    await rows.filter({ hasText: "Topic" }).click();
    await page.getByLabel("Options, one per line").fill("Buying\nSupport");
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.screenshot({ path: join(SCREENSHOTS, "editor-dark.png"), fullPage: true });
    await page.getByRole("button", { name: "Publish changes" }).click();
    await page.getByText("The changes are published.").waitFor();
    const form = await api<Stored>(host.url, "GET", `/forms/${id}`);
    assert.equal(form.source, "markup");
    assert.ok(form.markup.startsWith("<!-- mine -->\n<P CLASS=row><label>Your name <input name=name></label></P>\n<p><label>Topic <select name=topic>"), form.markup);
    assert.match(form.markup, /Buying/);
    assert.ok(form.markup.endsWith("</select></label></p><button>Go</button>\n"), form.markup);
  });
});
