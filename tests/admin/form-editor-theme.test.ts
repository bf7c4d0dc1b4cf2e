/** The theme in the form editor: effective colors, contrast, and the theme in each preview. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { noChromium, violations } from "../browser/chromium.ts";
import { api, draftSaved, type FormRef, signIn, startBrowser, startSite } from "./admin-site.ts";

it("shows the effective colors of every theme, and says where text is hard to read", {
  skip: noChromium,
}, async (t) => {
  const host = await startSite(t);
  const { id } = await api<FormRef>(host.url, "POST", "/forms", {
    title: "Colors",
    status: "published",
    schema: { fields: [{ name: "one", type: "text", label: "One" }] },
    settings: { theme: "paper", theme_values: { backdrop: "#224466" } },
  });
  const { page } = await signIn(await startBrowser(t), host.url);
  await page.goto(`${host.url}/admin/forms/${id}/build`);
  const swatch = (name: string) => page.getByLabel(`Choose ${name}`, { exact: true });
  assert.equal(await swatch("Accent color").inputValue(), "#1d5c46");
  // This theme's card has the color of the page behind it, on which the text has too little contrast.
  await page
    .getByText(/^Low contrast: \d\.\d/)
    .first()
    .waitFor();
  assert.equal(await page.getByLabel("Form background", { exact: true }).getAttribute("placeholder"), "#224466");
  assert.deepEqual(await violations(page), []);

  // A version's preview has the form's colors too.
  await page.goto(`${host.url}/admin/forms/${id}/history`);
  await page.getByRole("button", { name: /^Version 1/ }).click();
  const body = page.frameLocator("iframe.preview-frame").locator("body.cf-page");
  await body.waitFor();
  assert.equal(
    await body.evaluate((element) => getComputedStyle(element).getPropertyValue("--cf-backdrop").trim()),
    "#224466",
  );

  await page.goto(`${host.url}/admin/forms/${id}/build`);
  await page.getByLabel("Page background", { exact: true }).fill("");
  await page.getByRole("button", { name: /^Paper/ }).click();
  await page.getByRole("option", { name: "Bold" }).click();
  await draftSaved(page);
  assert.equal(await swatch("Accent color").inputValue(), "#1a1405");
  assert.equal(await swatch("Text on accent color").inputValue(), "#ffd34d");
  assert.equal(await page.getByText(/^Low contrast/).count(), 0);
  await swatch("Accent color").fill("#ffcc00");
  await page.getByText(/^Low contrast: 1\.\d/).waitFor();
  // In dark mode the theme's text on the accent is dark, so a dark accent needs another color of text.
  await page.getByRole("button", { name: /^Bold/ }).click();
  await page.getByRole("option", { name: "Calm" }).click();
  await swatch("Accent color").fill("#b3261e");
  await page.getByText(/^Low contrast in dark mode: 2\.\d/).waitFor();
  await page.getByLabel("Text on accent color", { exact: true }).fill("#ffffff");
  await page.getByText(/^Low contrast/).waitFor({ state: "detached" });
});
