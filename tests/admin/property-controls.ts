/** Steps with which users set a property in its control. */
import type { Locator, Page } from "playwright-core";
import { openSection } from "./admin-site.ts";

export type Step = (panel: Locator, page: Page) => Promise<void>;

export const type =
  (label: string, text: string): Step =>
  async (panel) =>
    panel.getByLabel(label, { exact: true }).fill(text);

export const pick =
  (label: string, option: string): Step =>
  async (panel, page) => {
    await panel.getByRole("button", { name: new RegExp(`${label}$`) }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
    await page.locator(".popover").waitFor({ state: "detached" });
  };

export const pickSeveral =
  (label: string, ...options: readonly string[]): Step =>
  async (panel, page) => {
    await panel.getByRole("button", { name: new RegExp(`${label}$`) }).click();
    for (const option of options) await page.getByRole("option", { name: option, exact: true }).click();
    await page.keyboard.press("Escape");
    await page.locator(".popover").waitFor({ state: "detached" });
  };

export const turn =
  (label: string): Step =>
  async (panel) =>
    panel.getByText(label, { exact: true }).click();

export const chip =
  (name: string): Step =>
  async (panel) =>
    panel
      .getByRole("radio", { name, exact: true })
      .or(panel.getByRole("checkbox", { name, exact: true }))
      .click();

export const press =
  (name: string): Step =>
  async (panel) =>
    panel.getByRole("button", { name, exact: true }).click();

export const open =
  (section: string): Step =>
  async (_, page) =>
    openSection(page, section);

/** Shows a field's panel within the app, like a link. */
export async function select(page: Page, id: number, name: string, label = `The ${name}`): Promise<Locator> {
  await page.evaluate((address) => {
    history.pushState(null, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
  }, `/admin/forms/${id}/build?field=${name}`);
  const panel = page.locator(".properties");
  await panel.getByRole("heading", { name: label, exact: true }).waitFor();
  return panel;
}
