/** The form editor as users use it (admin/features/form-editor). */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Locator } from "playwright-core";
import { noChromium, takePicture, violations } from "../browser/chromium.ts";
import {
  api,
  changeOptions,
  draftSaved,
  type FormRef,
  publishChanges,
  signIn,
  startBrowser,
  startSite,
} from "./admin-site.ts";

interface Stored {
  readonly source: string;
  readonly markup: string;
  readonly title: string;
}

interface StoredSchema {
  readonly layout: { readonly type: string; readonly steps?: readonly { readonly fields: readonly string[] }[] };
  readonly fields: readonly {
    readonly name: string;
    readonly label: string;
    readonly type: string;
    readonly css_class: string;
    readonly conditions: readonly unknown[];
  }[];
}

describe("the form editor", { skip: noChromium }, () => {
  it("creates a form with two steps, a condition, columns and an upload by mouse, and undoes it to the start", async (t) => {
    const host = await startSite(t);
    const { id } = await api<FormRef>(host.url, "POST", "/forms", { title: "Try", schema: { fields: [] } });
    const browser = await startBrowser(t);
    const { page, faults } = await signIn(browser, host.url);
    await page.goto(`${host.url}/admin/forms/${id}/build`);
    await page.getByRole("button", { name: /^Outline/ }).click();
    const rows = page.getByRole("grid", { name: "Form fields" }).getByRole("row");
    // Numbers of the user's clicks and key presses.
    let clicks = 0;
    let keys = 0;
    const click = async (what: Locator) => {
      clicks += 1;
      await what.click();
    };
    const write = async (what: Locator, text: string) => {
      await click(what);
      keys += 2 + text.length;
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(text);
    };
    const choose = async (what: RegExp, option: string) => {
      await click(page.getByRole("button", { name: what }).last());
      await click(page.getByRole("option", { name: option, exact: true }));
    };
    const add = async (words: string, name: string, current: string, label = "Label") => {
      await write(page.getByRole("searchbox", { name: "Add field" }), words);
      keys += 1;
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: current, level: 2, exact: true }).waitFor();
      await write(page.getByLabel(label, { exact: true }), name);
      await rows.filter({ hasText: name }).first().waitFor();
    };
    await add("single", "I am", "Single choice");
    await click(page.getByRole("button", { name: "Paste a list" }));
    await write(page.getByLabel("One option per line"), "a person\na business");
    await click(page.getByRole("button", { name: "Use 2 options" }));
    await add("short", "Company", "Short text");
    await click(page.getByText("Visibility", { exact: true }));
    await click(page.getByRole("button", { name: "Add condition" }));
    await choose(/Value/, "a business");
    await click(page.getByRole("radio", { name: "Half" }));
    await add("email", "Mail", "Email");
    await click(page.getByRole("radio", { name: "Half" }));
    await add("file", "Papers", "File upload");
    await add("submit", "Send", "Submit button", "Button text");
    await click(page.getByRole("button", { name: "Form", exact: true }));
    await choose(/Layout/, "Multiple steps");
    await click(page.getByRole("button", { name: "Add step" }));
    await click(rows.filter({ hasText: "Papers" }).getByRole("button", { name: "Options for Papers" }));
    await click(page.getByRole("menuitem", { name: "Move to Step 2" }));
    const frame = page.frameLocator("iframe");
    await frame.locator("[data-step=step-2] label", { hasText: "Papers" }).waitFor();
    await click(page.getByRole("button", { name: "Publish changes" }));
    await click(page.getByRole("dialog").getByRole("button", { name: "Publish changes" }));
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // A user needs 1.1 s to point, 0.2 s to click, 0.28 s for a key, and 1.35 s to think before each click (Card,
    // Moran, Newell).
    const seconds = clicks * (1.1 + 0.2 + 1.35) + keys * 0.28;
    t.diagnostic(`${clicks} clicks and ${keys} keys, ${Math.round(seconds)} s of a person`);
    assert.ok(seconds < 120, `${seconds} s`);
    const schema = await api<StoredSchema>(host.url, "GET", `/forms/${id}/schema`);
    assert.deepEqual(
      schema.fields.map((field) => `${field.label} ${field.css_class}`),
      ["I am ", "Company cf-half", "Mail cf-half", "Papers ", "Send "],
    );
    assert.deepEqual(schema.fields[1]?.conditions, [
      { field: schema.fields[0]?.name, operator: "equals", value: "a business" },
    ]);
    assert.deepEqual(
      schema.layout.steps?.map(({ fields }) => fields.length),
      [3, 1],
    );
    assert.deepEqual(await violations(page), []);
    await takePicture(page, "editor-light.png", { fullPage: true });

    // A click in the preview selects the field; a click outside all fields selects the form.
    const box = await frame.locator("legend", { hasText: "I am" }).boundingBox();
    assert.ok(box !== null);
    await page.mouse.click(box.x + 5, box.y + 5);
    await page.getByRole("heading", { name: "I am", level: 2 }).waitFor();
    const title = await frame.locator("h1").boundingBox();
    assert.ok(title !== null);
    await page.mouse.click(title.x + 5, title.y + 5);
    await page.getByRole("heading", { name: "Form", level: 2 }).waitFor();
    const undo = page.getByRole("button", { name: "Undo", exact: true }).first();
    while (await undo.isEnabled()) await undo.click();
    await page.getByText("No fields yet. Pick one of the field types, or search and press Enter.").waitFor();
    assert.deepEqual(
      faults.filter((fault) => !/style/.test(fault)),
      [],
    );
  });

  it("changes a label of an author's HTML in place, and no other byte", async (t) => {
    const host = await startSite(t);
    const markup =
      "<!-- mine -->\n<P CLASS=row><label>Name <input name=name></label></P>\n<p><label>Topic <select name=topic><option>Sales<option>Support</select></label></p><button>Go</button>\n";
    const { id } = await api<FormRef>(host.url, "POST", "/forms", { title: "By hand", markup });
    const browser = await startBrowser(t);
    const { page } = await signIn(browser, host.url, { colorScheme: "dark" });
    await page.goto(`${host.url}/admin/forms/${id}/build`);
    const rows = page.getByRole("grid", { name: "Form fields" }).getByRole("row");
    await rows.filter({ hasText: "Name" }).click();
    await page.getByLabel("Label", { exact: true }).fill("Your name");
    await rows.filter({ hasText: "Topic" }).click();
    await changeOptions(page, () => "Buying\nSupport");
    await draftSaved(page);
    await takePicture(page, "editor-dark.png", { fullPage: true });
    await publishChanges(page);
    const form = await api<Stored>(host.url, "GET", `/forms/${id}`);
    assert.equal(form.source, "markup");
    assert.ok(
      form.markup.startsWith(
        "<!-- mine -->\n<P CLASS=row><label>Your name <input name=name></label></P>\n<p><label>Topic <select name=topic>",
      ),
      form.markup,
    );
    assert.match(form.markup, /Buying/);
    assert.ok(form.markup.endsWith("</select></label></p><button>Go</button>\n"), form.markup);
  });
});
