/** The admin in pages of others: as an element in an open shadow root, and as a component of React. */
import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { build } from "esbuild";
import { launchChromium, noChromium } from "../../tests/browser/chromium.ts";
import { makeForm, startSite, submit } from "../../tests/admin/admin-site.ts";
import { ADMIN, APP_PASSWORD, basic } from "../../tests/shim/embedded-fixture.ts";
import { servePlatform } from "./serve.ts";

async function startPlatform(t: TestContext): Promise<string> {
  const site = await startSite(t);
  const { slug } = await makeForm(site.url);
  await submit(site.url, slug, { name: "Ada", email: "ada@example.com" });
  const server = servePlatform({ site: site.url, ...basic(ADMIN.login, APP_PASSWORD) });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("the admin in pages of others", { skip: noChromium }, () => {
  it("is an element in an open shadow root: presses, menus, dialogs and keys work, and styles stay apart", async (t) => {
    const url = await startPlatform(t);
    const browser = await launchChromium();
    t.after(() => browser.close());
    const page = await browser.newPage({ locale: "en-US" });
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(url);
    await page.getByRole("link", { name: "Contact", exact: true }).waitFor();
    assert.equal(await page.evaluate(() => document.querySelector("cf-forms-admin")?.shadowRoot?.mode), "open");

    await page.getByRole("button", { name: "More for Contact" }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
    // Overlays stay inside, where the style is.
    assert.equal(await page.evaluate(() => document.body.querySelectorAll(":scope > :not(script):not(h1):not(cf-forms-admin) .menu").length), 0);
    await page.keyboard.press("Escape");
    await page.getByRole("menuitem", { name: "Duplicate" }).waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });

    await page.getByRole("link", { name: "Inbox", exact: true }).first().click();
    await page.getByRole("row").filter({ hasText: "Ada" }).click();
    await page.getByRole("button", { name: "Archive", exact: true }).click();
    await page.getByText("One submission: Archived.").waitFor();
    const background = await page.getByRole("button", { name: "Undo" }).evaluate((button) => getComputedStyle(button).borderTopStyle);
    assert.notEqual(background, "dotted");
    assert.deepEqual(errors, []);
  });

  it("is a component of a page with its own React", async (t) => {
    const url = await startPlatform(t);
    const { outputFiles } = await build({
      stdin: {
        contents: `import { createElement } from "react"; import { createRoot } from "react-dom/client"; import { FormsAdmin } from "cf-forms/editor";
          createRoot(document.body.appendChild(document.createElement("div"))).render(createElement(FormsAdmin, { apiRoot: "/api", routing: "memory", language: "en" }));`,
        resolveDir: import.meta.dirname,
      },
      bundle: true, format: "esm", write: false, logLevel: "error", define: { "process.env.NODE_ENV": '"production"' },
    });
    const browser = await launchChromium();
    t.after(() => browser.close());
    const page = await browser.newPage({ bypassCSP: true, locale: "en-US" });
    await page.goto(`${url}/page.css`);
    await page.addScriptTag({ content: outputFiles[0]?.text ?? "", type: "module" });
    await page.getByRole("link", { name: "Contact", exact: true }).waitFor();
    await page.getByRole("link", { name: "New form" }).click();
    await page.getByRole("button", { name: /^Newsletter/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Create as a draft" }).click();
    await page.getByRole("heading", { name: "Newsletter", level: 1 }).waitFor();
  });
});
