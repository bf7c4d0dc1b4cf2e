/** The admin in another site's pages: as an element in an open shadow root, and as a React component. */
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

/** Whether a violation is expected: one style of React Aria, and WebAssembly when the policy forbids it. */
const isExpected = (violation: string): boolean => /style-src|WebAssembly/.test(violation);

describe("the admin in pages of other sites", { skip: noChromium }, () => {
  it("works as an element in an open shadow root: presses, menus, dialogs, keys, separate styles", async (t) => {
    const url = await startPlatform(t);
    const browser = await launchChromium(isExpected);
    t.after(() => browser.close());
    const page = await browser.newPage({ locale: "en-US" });
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(url);
    await page.getByRole("link", { name: "Contact", exact: true }).waitFor();
    assert.equal(await page.evaluate(() => document.querySelector("cf-forms-admin")?.shadowRoot?.mode), "open");

    await page.getByRole("button", { name: "Options for Contact" }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
    // Overlays stay inside the shadow root, which has the styles.
    assert.equal(
      await page.evaluate(
        () => document.body.querySelectorAll(":scope > :not(script):not(h1):not(cf-forms-admin) .menu").length,
      ),
      0,
    );
    await page.keyboard.press("Escape");
    await page.getByRole("menuitem", { name: "Duplicate" }).waitFor({ state: "detached" });
    // The focus goes back to the button, also across the shadow root.
    await page.waitForFunction(
      () =>
        document.querySelector("cf-forms-admin")?.shadowRoot?.activeElement?.getAttribute("aria-label") ===
        "Options for Contact",
    );
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor({ state: "detached" });

    await page.getByRole("link", { name: "Inbox", exact: true }).first().click();
    await page.getByRole("row").filter({ hasText: "Ada" }).click();
    await page.getByRole("button", { name: "Archive", exact: true }).click();
    await page.getByText("Submission archived").waitFor();
    const background = await page
      .getByRole("button", { name: "Undo" })
      .evaluate((button) => getComputedStyle(button).borderTopStyle);
    assert.notEqual(background, "dotted");
    assert.deepEqual(errors, []);
  });

  it("parses typed HTML in the page if its policy allows WebAssembly, else by the API, with equal results", async (t) => {
    const url = await startPlatform(t);
    const browser = await launchChromium(isExpected);
    t.after(() => browser.close());
    const read = async (isAllowed: boolean) => {
      const page = await browser.newPage({ locale: "en-US" });
      if (!isAllowed)
        await page.route(`${url}/`, async (route) => {
          const response = await route.fetch();
          const policy = response.headers()["content-security-policy"]?.replace(" 'wasm-unsafe-eval'", "") ?? "";
          await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
        });
      const modules: string[] = [];
      let conversions = 0;
      page.on("request", (request) => {
        if (request.url().endsWith(".wasm")) modules.push(request.url());
        if (request.url().endsWith("/forms/preview?convert=true")) conversions += 1;
      });
      await page.goto(`${url}/#/forms/1/build`);
      await page.getByRole("button", { name: "HTML", exact: true }).click();
      await page.getByRole("textbox", { name: "HTML" }).click();
      await page.keyboard.press("Control+Home");
      conversions = 0;
      const isPreview = (response: { url(): string }): boolean =>
        response.url().endsWith("/forms/preview?convert=true");
      const converted = isAllowed ? null : page.waitForResponse(isPreview);
      await page.keyboard.insertText(
        '<label>Größe <input name="size"></label><!-- none --><table><tr><td><button name=x>',
      );
      const remarks = page.locator(".build-markup .bullets li");
      await converted;
      await remarks.first().waitFor();
      const shown = { remarks: await remarks.allTextContents(), rows: [] as readonly string[] };
      const requested = conversions;
      // The API confirms the result of the local module.
      const confirmed = isAllowed ? page.waitForResponse(isPreview) : null;
      await page.getByRole("button", { name: "Fields", exact: true }).click();
      await confirmed;
      shown.rows = await page.getByRole("grid", { name: "Form fields" }).getByRole("row").allTextContents();
      await page.context().close();
      return { shown, requested, modules };
    };
    const local = await read(true);
    assert.equal(local.modules.length, 1);
    assert.equal(local.requested, 0);
    assert.ok(local.shown.rows.some((row) => row.includes("Größe")));
    // The draft that the first page saved would be read again.
    const discarded = await fetch(`${url}/api/cf/v1/forms/1/draft`, { method: "DELETE" });
    assert.ok(discarded.ok);
    const remote = await read(false);
    assert.deepEqual(remote.modules, []);
    assert.ok(remote.requested > 0);
    assert.deepEqual(local.shown, remote.shown);
  });

  it("works as a component of a page with its own React", async (t) => {
    const url = await startPlatform(t);
    const { outputFiles } = await build({
      stdin: {
        contents: `import { createElement } from "react"; import { createRoot } from "react-dom/client"; import { FormsAdmin } from "cf-forms/admin";
          createRoot(document.body.appendChild(document.createElement("div"))).render(createElement(FormsAdmin, { apiRoot: "/api", routing: "memory", language: "en" }));`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      format: "esm",
      write: false,
      logLevel: "error",
      define: { "process.env.NODE_ENV": '"production"' },
    });
    const browser = await launchChromium(isExpected);
    t.after(() => browser.close());
    const page = await browser.newPage({ bypassCSP: true, locale: "en-US" });
    await page.goto(`${url}/page.css`);
    await page.addScriptTag({ content: outputFiles[0]?.text ?? "", type: "module" });
    await page.getByRole("link", { name: "Contact", exact: true }).waitFor();
    await page.getByRole("link", { name: "New form" }).click();
    await page.getByRole("button", { name: /^Newsletter/ }).click();
    await page.getByLabel("Email address").fill("ada@example.com");
    await page.getByRole("dialog").getByRole("button", { name: "Create form" }).click();
    await page.getByRole("heading", { name: "Newsletter", level: 1 }).waitFor();
  });
});
