/** Journeys through the form editor: only by keyboard, and inside another platform's page. */
import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { servePlatform } from "../../examples/admin-in-a-page/serve.ts";
import { ADMIN, APP_PASSWORD, basic } from "../shim/embedded-fixture.ts";
import { api, draftSaved, type FormRef, publishChanges, tabTo } from "./admin-site.ts";

export interface StoredField {
  readonly name: string;
  readonly type: string;
  readonly label: string;
  readonly css_class: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly conditions: readonly unknown[];
}

export interface StoredSchema {
  readonly fields: readonly StoredField[];
  readonly layout: { readonly steps?: readonly { readonly fields: readonly string[] }[] };
}

export const rowsOf = (page: Page) => page.getByRole("grid", { name: "Form fields" }).getByRole("row");

/** Builds two steps with a condition, columns and an upload only by keyboard, publishes them, and undoes all. */
export async function buildsByKeyboard(page: Page, url: string): Promise<void> {
  const { id } = await api<FormRef>(url, "POST", "/forms", {
    title: "Keyboard shortcuts",
    schema: { fields: [] },
  });
  await page.goto(`${url}/admin/forms/${id}/build`);
  await page.getByRole("toolbar").first().waitFor();
  const keys = page.keyboard;
  await addFieldsByKeyboard(page);
  await makeStepsByKeyboard(page);
  const { fields, layout } = await api<StoredSchema>(url, "GET", `/forms/${id}/schema`);
  assert.deepEqual(
    fields.map(({ label, type, css_class: width }) => `${label} ${type} ${width}`),
    ["I am radio ", "Company text cf-half", "Mail email cf-half", "Papers file ", "Go submit "],
  );
  assert.deepEqual(fields[1]?.conditions, [{ field: fields[0]?.name, operator: "equals", value: "a business" }]);
  assert.deepEqual(
    layout.steps?.map((step) => step.fields.length),
    [3, 1],
  );
  await keys.press("ControlOrMeta+z");
  while (await page.getByRole("button", { name: "Undo", exact: true }).first().isEnabled())
    await keys.press("ControlOrMeta+z");
  await page.getByText("No fields yet. Pick one of the field types, or search and press Enter.").waitFor();
}

async function chooseByKeyboard(page: Page, name: RegExp, downs: number): Promise<void> {
  const keys = page.keyboard;
  await tabTo(page, name, "button");
  await keys.press("Enter");
  await page.getByRole("listbox").last().waitFor();
  for (let press = 0; press < downs; press += 1) await keys.press("ArrowDown");
  await keys.press("Enter");
  await page.locator(".popover").waitFor({ state: "detached" });
}

async function addFieldByKeyboard(page: Page, words: string, label: string, kind: string, control = /^Label$/) {
  const keys = page.keyboard;
  await tabTo(page, /^Add field$/, "input");
  await keys.type(words);
  await keys.press("Enter");
  await page.getByRole("heading", { name: kind, level: 2, exact: true }).waitFor();
  await tabTo(page, control, "input");
  await keys.press("ControlOrMeta+a");
  await keys.type(label);
}

async function addFieldsByKeyboard(page: Page): Promise<void> {
  const keys = page.keyboard;
  await addFieldByKeyboard(page, "single choice", "I am", "Single choice");
  await tabTo(page, /^Paste a list$/, "button");
  await keys.press("Enter");
  await tabTo(page, /^One option per line/, "textarea");
  await keys.press("ControlOrMeta+a");
  await keys.type("a person\na business");
  await tabTo(page, /^Use 2 options$/, "button");
  await keys.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await addFieldByKeyboard(page, "short", "Company", "Short text");
  await tabTo(page, /^Full$/, "input");
  await keys.press("ArrowRight");
  await tabTo(page, /^Visibility/, "summary");
  await keys.press("Enter");
  await tabTo(page, /^Add condition/, "button");
  await keys.press("Enter");
  await chooseByKeyboard(page, /Value/, 1);
  await addFieldByKeyboard(page, "email", "Mail", "Email");
  await tabTo(page, /^Full$/, "input");
  await keys.press("ArrowRight");
  await addFieldByKeyboard(page, "file", "Papers", "File upload");
  await addFieldByKeyboard(page, "submit", "Go", "Submit button", /^Button text$/);
}

/** Puts the upload into a second step, and publishes. */
async function makeStepsByKeyboard(page: Page): Promise<void> {
  const keys = page.keyboard;
  await tabTo(page, /^Outline/, "button");
  await keys.press("Enter");
  // Without a selection, the inspector shows the form.
  await tabTo(page, /./, "row");
  await keys.press("Escape");
  await chooseByKeyboard(page, /Layout/, 1);
  await tabTo(page, /^Add step/, "button");
  await keys.press("Enter");
  await rowsOf(page).filter({ hasText: "Step 2" }).waitFor();
  await tabTo(page, /./, "row");
  await keys.press("Home");
  for (let press = 0; press < 4; press += 1) await keys.press("ArrowDown");
  await keys.press("Alt+ArrowDown");
  await page.getByRole("status").filter({ hasText: "Papers moved at the beginning." }).waitFor({ state: "attached" });
  await draftSaved(page);
  await tabTo(page, /^Publish changes/, "button");
  await keys.press("Enter");
  await page.getByRole("dialog").waitFor();
  await tabTo(page, /^Publish changes/, "button");
  await keys.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

export async function editsInShadowRoot(browser: Browser, url: string): Promise<void> {
  const server = servePlatform({ site: url, ...basic(ADMIN.login, APP_PASSWORD) });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await api<FormRef>(url, "POST", "/forms", {
      title: "Shadow",
      schema: {
        fields: [
          { name: "one", type: "text", label: "One" },
          { name: "two", type: "text", label: "Two" },
        ],
      },
    });
    const other = await browser.newPage({ locale: "en-US", viewport: { width: 1280, height: 900 } });
    other.setDefaultTimeout(15_000);
    await other.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await other.getByRole("link", { name: "Shadow", exact: true }).click();
    await other.getByRole("link", { name: "Build" }).click();
    const rows = rowsOf(other);
    await rows.filter({ hasText: "One" }).click();
    await other.getByRole("searchbox", { name: "Add field" }).fill("email");
    await other.keyboard.press("Enter");
    await rows.filter({ hasText: "Email" }).first().click();
    await other.keyboard.press("ArrowRight");
    await other.keyboard.press("Enter");
    await other.keyboard.press("ArrowDown");
    await other.keyboard.press("Enter");
    await other.locator(".build-frame iframe").waitFor();
    await other.getByRole("button", { name: "HTML", exact: true }).click();
    await other.getByRole("textbox", { name: "HTML code" }).waitFor();
    assert.equal(await other.locator(".cm-editor").evaluate((editor) => getComputedStyle(editor).position), "relative");
    await other.getByRole("button", { name: "Use this HTML" }).click();
    await publishChanges(other);
    await other.close();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Navigates within the app to a field of a form, like a link. */
export async function openField(
  page: Page,
  id: number,
  { name, label }: Pick<StoredField, "name" | "label">,
): Promise<void> {
  await page.evaluate(
    (address) => {
      history.pushState(null, "", address);
      dispatchEvent(new PopStateEvent("popstate"));
    },
    `/admin/forms/${id}/build?field=${encodeURIComponent(name)}`,
  );
  await page.locator(".build-inspector h2").filter({ hasText: label }).waitFor();
}
