/** The embedded host's pages in a real browser: accessible, under their strict policy. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { createForms } from "../../host-shim/src/index.ts";
import { ADMIN, APP_PASSWORD, basic, startTestHost } from "../shim/embedded-fixture.ts";
import { launchChromium, noChromium, violations } from "./chromium.ts";

describe("the embedded host's pages", { skip: noChromium }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser.close());

  /** Opens a page and collects its errors, such as violations of its policy. */
  async function open(url: string): Promise<{ readonly page: Page; readonly errors: readonly string[] }> {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(url);
    return { page, errors };
  }

  it("sign in after a wrong password, and out again, only by keyboard and without script", async (t) => {
    const host = await startTestHost(t);
    const { page, errors } = await open(`${host.url}/`);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("link", { name: "Sign in" }).click();

    assert.deepEqual(await violations(page), []);
    await page.getByLabel("Username").focus();
    await page.keyboard.type(ADMIN.login);
    await page.keyboard.press("Tab");
    await page.keyboard.type("wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    assert.equal(await page.getByRole("alert").textContent(), "Incorrect username or password.");
    assert.equal(await page.getByLabel("Username").inputValue(), ADMIN.login);
    assert.deepEqual(await violations(page), []);

    await page.getByLabel("Password").fill(ADMIN.password);
    await page.keyboard.press("Enter");
    // Signing in opens the admin, which has other tests; without script, the home page allows to sign out.
    await page.waitForURL(`${host.url}/admin**`);
    await page.goto(`${host.url}/`);
    await page.getByText("You are signed in as admin.").waitFor();
    assert.equal(page.url(), `${host.url}/`);
    assert.deepEqual(await violations(page), []);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    // The rejected attempt is an error in the browser's console; any other error would come from the policy.
    assert.deepEqual(
      errors.filter((error) => /Content.Security.Policy/i.test(error)),
      [],
    );
  });

  it("a form for signed-in users redirects to the sign-in, which redirects back to the form", async (t) => {
    const host = await startTestHost(t, { createForms });
    const response = await fetch(`${host.url}/api/cf/v1/forms`, {
      method: "POST",
      headers: { "content-type": "application/json", ...basic(ADMIN.login, APP_PASSWORD) },
      body: JSON.stringify({
        title: "Members",
        slug: "members",
        markup: "<label>A <input name=a></label><button>Send</button>",
        settings: { require_user_logged_in: true },
      }),
    });
    assert.equal(response.status, 201, await response.text());
    const { page } = await open(`${host.url}/forms/members`);
    assert.equal(await page.locator("form").count(), 0);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Username").fill(ADMIN.login);
    await page.getByLabel("Password").fill(ADMIN.password);
    await page.keyboard.press("Enter");
    await page.getByLabel("A", { exact: true }).waitFor();
    assert.equal(page.url(), `${host.url}/forms/members`);
  });

  it("have their style, which the policy allows", async (t) => {
    const host = await startTestHost(t);
    const { page } = await open(`${host.url}/sign-in`);
    const background = await page.getByRole("button").evaluate((button) => getComputedStyle(button).backgroundColor);
    assert.equal(background, "rgb(51, 70, 196)");
    await page.setViewportSize({ width: 320, height: 640 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 320));
  });
});
