/** Adding and moving fields in the form editor: by mouse, by keyboard, between groups, steps and forms. */
import assert from "node:assert/strict";
import { it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium } from "../browser/chromium.ts";
import { api, draftSaved, type FormRef, signIn, startBrowser, startSite } from "./admin-site.ts";

interface DraftSchema {
  readonly schema: {
    readonly fields: readonly {
      readonly name: string;
      readonly label: string;
      readonly group: string | null;
      readonly css_class: string;
    }[];
    readonly layout: { readonly steps?: readonly { readonly title?: string; readonly fields: readonly string[] }[] };
  };
}

const rowsOf = (page: Page) => page.getByRole("grid", { name: "Form fields" }).getByRole("row");

/** Drags like a user: press, move a little, move to the target, release. */
async function drag(
  page: Page,
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 6, from.y + 6, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.mouse.move(to.x, to.y + 1);
  await page.mouse.up();
}

/** Returns a point near the middle, because a press on the exact middle counts as a screen reader's. */
async function middleOf(
  locator: { boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null> },
  share = 0.4,
): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  assert.ok(box !== null);
  return { x: box.x + box.width * share, y: box.y + box.height / 2 };
}

it("moves fields by mouse, keyboard, menu and clipboard", { skip: noChromium, timeout: 120_000 }, async (t) => {
  const host = await startSite(t);
  const browser = await startBrowser(t);
  const make = (title: string, fields: readonly object[], layout?: object) =>
    api<FormRef>(host.url, "POST", "/forms", {
      title,
      schema: { fields, ...(layout === undefined ? {} : { layout }) },
    });
  const named = (...names: readonly string[]) =>
    names.map((name) => ({ name: name.toLowerCase(), type: "text", label: name }));
  const draftOf = (id: number) => api<DraftSchema>(host.url, "GET", `/forms/${id}/draft`);
  const labelsOf = async (id: number) => (await draftOf(id)).schema.fields.map(({ label }) => label);
  const { page, faults } = await signIn(browser, host.url, { permissions: ["clipboard-read", "clipboard-write"] });
  const open = async ({ id }: FormRef, last: string) => {
    await page.goto(`${host.url}/admin/forms/${id}/build`);
    await page.frameLocator("iframe").locator("label", { hasText: last }).first().waitFor();
  };

  await t.test("from the palette into the preview, after and beside a field, and within the preview", async () => {
    const form = await make("Mouse", [
      ...named("Ada", "Bob", "Cyd"),
      { name: "submit", type: "submit", label: "Send" },
    ]);
    await open(form, "Cyd");
    await page.getByRole("button", { name: "Field types" }).click();
    const frame = page.frameLocator("iframe");
    const type = page.getByRole("listbox", { name: "Field types" }).getByRole("option", { name: "Email", exact: true });
    const field = (label: string) => frame.locator(".cf-field", { hasText: label });
    const low = async (label: string) => {
      const box = await field(label).boundingBox();
      assert.ok(box !== null);
      return { x: box.x + box.width / 2, y: box.y + box.height - 3 };
    };
    await drag(page, await middleOf(type), await low("Ada"));
    await field("Email").waitFor();
    await draftSaved(page);
    assert.deepEqual(await labelsOf(form.id), ["Ada", "Email", "Bob", "Cyd", "Send"]);
    await drag(
      page,
      await middleOf(page.getByRole("option", { name: "Phone", exact: true })),
      await middleOf(field("Bob"), 0.95),
    );
    await field("Phone").waitFor();
    await draftSaved(page);
    assert.deepEqual(
      (await draftOf(form.id)).schema.fields.map(({ label, css_class: width }) => `${label} ${width}`),
      ["Ada ", "Email ", "Bob cf-half", "Phone cf-half", "Cyd ", "Send "],
    );
    // One undo reverts the drop and both changes of widths.
    await page.getByRole("button", { name: "Undo" }).click();
    await field("Phone").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Outline/ }).click();
    await rowsOf(page).filter({ hasText: "Cyd" }).click();
    await page.locator(".build-mark-handle").waitFor();
    const above = await field("Ada").boundingBox();
    assert.ok(above !== null);
    await drag(page, await middleOf(page.locator(".build-mark-handle")), {
      x: above.x + above.width / 2,
      y: above.y + 3,
    });
    await rowsOf(page).first().filter({ hasText: "Cyd" }).waitFor();
    await draftSaved(page);
    assert.deepEqual(
      (await draftOf(form.id)).schema.fields.map(({ label, css_class: width }) => `${label}${width}`),
      ["Cyd", "Ada", "Email", "Bob", "Send"],
    );
  });

  await t.test("in a virtualized list of 300 rows, by mouse and by keyboard", async () => {
    const form = await make(
      "Long",
      named(...Array.from({ length: 300 }, (_, index) => `Field ${index}`)).map((field, index) => ({
        ...field,
        name: `f${index}`,
      })),
    );
    await open(form, "Field 299");
    const rows = rowsOf(page);
    assert.ok((await rows.count()) < 60);
    await drag(page, await middleOf(rows.filter({ hasText: /^Field 2\D/ }).first(), 0.3), {
      ...(await middleOf(rows.filter({ hasText: /^Field 6\D/ }).first())),
      y: (await middleOf(rows.filter({ hasText: /^Field 6\D/ }).first())).y + 16,
    });
    await draftSaved(page);
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll(".build-row-label")]
          .slice(0, 7)
          .map((label) => label.textContent)
          .join() === "Field 0,Field 1,Field 3,Field 4,Field 5,Field 6,Field 2",
    );
    // Keyboard only: handle, Enter, arrow keys to the position, Enter.
    await rows.first().click();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    // Each key waits until the previous position has the focus.
    const place = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label")?.startsWith("Insert "));
    while (!(await place()).startsWith("Insert between Field 1 and ")) {
      const before = await place();
      await page.keyboard.press("ArrowDown");
      await page.waitForFunction((was) => document.activeElement?.getAttribute("aria-label") !== was, before);
    }
    await page.keyboard.press("Enter");
    await page.waitForFunction(
      () =>
        document.querySelector(".build-row-label")?.textContent !== "Field 0" &&
        document.activeElement?.closest(".build-row")?.querySelector(".build-row-label")?.textContent === "Field 0",
    );
    await page.keyboard.press("Alt+ArrowDown");
    await page
      .getByRole("status")
      .filter({ hasText: /^Field 0 moved after Field \d+\.$/ })
      .waitFor({ state: "attached" });
  });

  await t.test("between steps and groups by menu and by Alt with the arrows", async () => {
    const form = await make(
      "Steps",
      [...named("Ada", "Bob"), { name: "box", type: "container", label: "Box" }, ...named("Cyd")],
      {
        type: "multi-step",
        steps: [
          { id: "one", title: "One", fields: ["ada", "bob", "box"] },
          { id: "two", title: "Two", fields: ["cyd"] },
        ],
      },
    );
    await open(form, "Cyd");
    const menu = async (row: string, item: string) => {
      await page.getByRole("button", { name: `Options for ${row}`, exact: true }).click();
      await page.getByRole("menuitem", { name: item, exact: true }).click();
    };
    await menu("Ada", "Move to Two");
    await menu("Bob", "Move to Box");
    await rowsOf(page).filter({ hasText: "Cyd" }).click();
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByRole("status").filter({ hasText: "Cyd moved after Box." }).waitFor({ state: "attached" });
    await menu("Two", "Move up");
    await draftSaved(page);
    const { schema } = await draftOf(form.id);
    assert.deepEqual(
      schema.layout.steps?.map(({ title, fields }) => [title, ...fields]),
      [
        ["Two", "ada"],
        ["One", "box", "bob", "cyd"],
      ],
    );
    assert.equal(schema.fields.find(({ name }) => name === "bob")?.group, "box");
  });

  await t.test("deletes the field that was clicked last, even right after the click", async () => {
    const form = await make("Soon", named("Ada", "Bob", "Cyd"));
    await open(form, "Cyd");
    await rowsOf(page).filter({ hasText: "Ada" }).click();
    // Both events happen in one task, without a render between them.
    await rowsOf(page)
      .filter({ hasText: "Bob" })
      .evaluate((row) => {
        const press = { bubbles: true, pointerType: "mouse", button: 0 };
        row.dispatchEvent(new PointerEvent("pointerdown", press));
        row.dispatchEvent(new KeyboardEvent("keydown", { key: "Delete", bubbles: true }));
        row.dispatchEvent(new PointerEvent("pointerup", press));
      });
    await rowsOf(page).nth(2).waitFor({ state: "detached" });
    assert.deepEqual(await rowsOf(page).locator(".build-row-label").allTextContents(), ["Ada", "Cyd"]);
  });

  await t.test("moves several fields at once, and copies them into another form", async () => {
    const from = await make("From", named("Ada", "Bob", "Cyd"));
    await open(from, "Cyd");
    await rowsOf(page).filter({ hasText: "Ada" }).click();
    await rowsOf(page)
      .filter({ hasText: "Bob" })
      .click({ modifiers: ["ControlOrMeta"] });
    await page.getByRole("heading", { name: "2 fields selected" }).waitFor();
    await page.getByRole("radio", { name: "Half" }).click();
    await rowsOf(page).filter({ hasText: "Bob" }).getByRole("button", { name: /^Move/ }).focus();
    await page.keyboard.press("ControlOrMeta+c");
    await page.getByText("Copied").first().waitFor();
    const to = await make("To", named("Bob", "Zoe"));
    await open(to, "Zoe");
    await rowsOf(page).filter({ hasText: "Zoe" }).click();
    await page.keyboard.press("ControlOrMeta+v");
    await rowsOf(page).nth(3).waitFor();
    await draftSaved(page);
    assert.deepEqual(
      (await draftOf(to.id)).schema.fields.map(({ name, css_class: width }) => `${name} ${width}`),
      ["bob ", "zoe ", "ada cf-half", "bob_2 cf-half"],
    );
    await page.keyboard.press("Delete");
    await rowsOf(page).nth(2).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).first().click();
    await rowsOf(page).nth(3).waitFor();
  });
  assert.deepEqual(
    faults.filter((fault) => !/style/.test(fault)),
    [],
  );
});
