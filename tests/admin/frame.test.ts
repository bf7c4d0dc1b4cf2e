/** The frame around the screens: menu, former addresses, notifications, unsaved changes, session, access. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium } from "../browser/chromium.ts";
import { ADMIN } from "../shim/embedded-fixture.ts";
import { api, makeForm, show, signIn, startBrowser, startSite, submit } from "./admin-site.ts";

const titleOf = (page: Page) => page.locator("h1 .page-name").textContent();

/** The accessible descriptions of the menu's links, by name. */
const menuOf = (page: Page): Promise<readonly (readonly [name: string, description: string])[]> =>
  page
    .getByRole("navigation", { name: "Main menu" })
    .getByRole("link")
    .evaluateAll((links) =>
      links.map((link) => {
        const id = link.getAttribute("aria-describedby");
        return [link.textContent ?? "", id === null ? "" : (document.getElementById(id)?.textContent ?? "")];
      }),
    );

describe("the frame of the admin", { skip: noChromium }, () => {
  it("has a menu with counters, and redirects former addresses to the new ones", { timeout: 90_000 }, async (t) => {
    const host = await startSite(t);
    const { id, slug } = await makeForm(host.url);
    await submit(host.url, slug, { email: "ada@example.com" });
    const { page, faults } = await signIn(await startBrowser(t), host.url);
    await page.getByRole("link", { name: "Contact", exact: true }).waitFor();
    await page.waitForFunction(() => document.title.startsWith("(1) "));
    const menu = await menuOf(page);
    assert.deepEqual(
      menu.map(([name]) => name),
      ["Forms", "Inbox", "Analytics", "Deliveries", "Privacy", "Users", "Settings"],
    );
    assert.deepEqual(new Map(menu).get("Inbox"), "1 unread");

    const former = [
      [`/forms/${id}`, `/forms/${id}/build`],
      [`/forms/${id}/content`, `/forms/${id}/build`],
      [`/forms/${id}/messages`, `/forms/${id}/settings`],
      [`/forms/${id}/numbers?days=30`, `/forms/${id}/analytics?days=30`],
      [`/forms/${id}/submissions`, `/inbox?form=${id}`],
      ["/workflows", "/deliveries"],
      ["/workflows/failures?x=1", "/deliveries/failures?x=1"],
      ["/health", "/settings/status"],
    ] as const;
    for (const [before, now] of former) {
      await show(page, before);
      await page.waitForURL((url) => url.pathname + url.search === `/admin${now}`);
    }
    assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
    assert.deepEqual(faults, []);
  });

  it("puts title, tabs and buttons of a form into one bar, and the menu into a rail", {
    timeout: 60_000,
  }, async (t) => {
    const host = await startSite(t);
    const { id } = await makeForm(host.url);
    const { page } = await signIn(await startBrowser(t), host.url, { viewport: { width: 1300, height: 800 } });
    await show(page, `/forms/${id}/settings`);
    const box = async (selector: string) =>
      (await page.locator(selector).first().boundingBox()) ?? { height: 0, width: 0 };
    assert.ok((await box(".page-head")).height <= 54, "the bar is 52 px and its border");
    assert.equal(Math.round((await box(".side")).width), 56);
    assert.deepEqual(await page.getByRole("navigation", { name: "Contact" }).getByRole("link").allTextContents(), [
      "Build",
      "Actions2",
      "Settings",
      "Share",
      "Submissions",
      "Analytics",
      "History",
    ]);
    // All tabs are visible with unpublished changes too.
    await page.getByLabel("Submission limit", { exact: true }).fill("7");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Publish changes" }).waitFor();
    for (const width of [1190, 1280, 1366, 1470]) {
      await page.setViewportSize({ width, height: 800 });
      assert.ok((await box(".page-head")).height <= 54, `one bar at ${width} px`);
      const hidden = await page.locator(".tabs").evaluate((tabs) => tabs.scrollWidth - tabs.clientWidth);
      assert.ok(hidden <= 0, `${hidden} px of the tabs are out of sight at ${width} px`);
    }
    await page.setViewportSize({ width: 1100, height: 800 });
    assert.ok((await box(".page-head")).height > 80, "the tabs have a separate row");
    assert.deepEqual(await menuOf(page).then((links) => links.map(([name]) => name)), [
      "Forms",
      "Inbox",
      "Analytics",
      "Deliveries",
      "Privacy",
      "Users",
      "Settings",
    ]);
  });

  it("keeps notifications long enough to read, within reach of the keyboard", {
    timeout: 90_000,
  }, async (t) => {
    const host = await startSite(t);
    const { slug } = await makeForm(host.url);
    for (const name of ["Ada", "Bob", "Cleo", "Dora"]) await submit(host.url, slug, { email: "a@example.com", name });
    const { page, faults } = await signIn(await startBrowser(t), host.url);
    await page.clock.install();
    const region = page.getByRole("region", { name: "Notifications (F6)" });

    // A notification without a button stays for 8 seconds, not counting the time under the pointer or with the focus.
    await page.getByRole("button", { name: "Export all" }).click();
    const exported = region.getByText(/^Export downloaded/);
    await exported.waitFor();
    await exported.hover();
    await page.clock.fastForward(20_000);
    assert.equal(await exported.count(), 1);
    await page.mouse.move(5, 5);
    await page.keyboard.press("F6");
    assert.equal(await region.locator(":focus").getAttribute("aria-label"), "Dismiss");
    await page.clock.fastForward(20_000);
    assert.equal(await exported.count(), 1);
    await page.keyboard.press("F6");
    assert.equal(await region.locator(":focus").count(), 0, "F6 returns");
    await page.clock.fastForward(9_000);
    await exported.waitFor({ state: "detached" });

    // A notification with a button stays until it is used or dismissed; at most three are shown.
    await show(page, "/inbox");
    for (const name of ["Dora", "Cleo", "Bob", "Ada"]) {
      await page.getByRole("row").filter({ hasText: name }).first().click();
      await page
        .getByRole("region", { name: /Submission|Dora|Cleo|Bob|Ada/ })
        .first()
        .waitFor();
      await page.keyboard.press("#");
      await page.getByRole("row").filter({ hasText: name }).waitFor({ state: "detached" });
    }
    await page.clock.fastForward(60_000);
    assert.equal(await region.getByRole("button", { name: "Undo" }).count(), 3);

    await page.keyboard.press("F6");
    await page.keyboard.press("Escape");
    assert.equal(await region.getByRole("button", { name: "Undo" }).count(), 2, "Esc dismisses the newest");
    await page.keyboard.press("F6");
    await page.locator("h1").first().click();
    await page.keyboard.press("Control+z");
    await page.getByRole("row").filter({ hasText: "Bob" }).waitFor();
    assert.equal(await region.getByRole("button", { name: "Undo" }).count(), 1);
    assert.deepEqual(faults, []);
  });

  it("asks before a link or the browser leaves unsaved changes", { timeout: 60_000 }, async (t) => {
    const host = await startSite(t);
    await makeForm(host.url);
    const { page } = await signIn(await startBrowser(t), host.url);
    await page.getByRole("link", { name: "Contact", exact: true }).waitFor();
    await show(page, "/account");
    await page.getByLabel("Current password").fill("a");
    const question = page.getByRole("alertdialog", { name: "Unsaved changes" });
    const ways = {
      link: () => page.getByRole("link", { name: "Forms", exact: true }).click(),
      back: () => page.goBack(),
    };
    for (const [way, leave] of Object.entries(ways)) {
      await leave();
      await question.getByText("You have unsaved changes. Leave without saving?").waitFor();
      await question.getByRole("button", { name: "Cancel" }).click();
      assert.equal(await titleOf(page), "Account", way);
      assert.equal(await page.getByLabel("Current password").inputValue(), "a", way);
      assert.ok(page.url().endsWith("/admin/account"), way);
    }
    await ways.back();
    await question.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("link", { name: "Contact", exact: true }).waitFor();
    assert.ok(page.url().endsWith("/admin/forms"));

    // A changed role is saved by a button, so leaving asks for confirmation too.
    const { login } = await api<{ readonly login: string }>(host.url, "POST", "/api/cf-host/v1/users", {
      login: "eve",
      role: "editor",
    });
    await show(page, "/users");
    await page.getByRole("button", { name: new RegExp(`Role of ${login}`) }).click();
    await page.getByRole("option", { name: "Viewer" }).click();
    await ways.link();
    await question.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await ways.link();
    await page.getByRole("link", { name: "Contact", exact: true }).waitFor();
    const users = await api<readonly { readonly login: string; readonly role: string }[]>(
      host.url,
      "GET",
      "/api/cf-host/v1/users",
    );
    assert.equal(users.find((user) => user.login === login)?.role, "reader");
  });

  it("removes the notice of an ended session after a new sign-in", { timeout: 60_000 }, async (t) => {
    const host = await startSite(t);
    await makeForm(host.url);
    const { page } = await signIn(await startBrowser(t), host.url);
    await page.getByRole("link", { name: "Contact", exact: true }).waitFor();
    await page.context().clearCookies();
    await show(page, "/deliveries");
    const notice = page.getByRole("dialog", { name: "You’ve been signed out" });
    await notice.waitFor();
    const other = await page.context().newPage();
    await other.goto(`${host.url}/sign-in`);
    await other.locator("[name=login]").fill(ADMIN.login);
    await other.locator("[name=password]").fill(ADMIN.password);
    await other.keyboard.press("Enter");
    await other.waitForURL(/\/admin/);
    await page.bringToFront();
    await notice.waitFor({ state: "detached" });
    await page.getByText("No failed deliveries").or(page.locator(".tile").first()).first().waitFor();
    assert.equal(await page.locator(".trouble").count(), 0);
  });

  it("says in the viewer's language which screens the account can’t open", { timeout: 60_000 }, async (t) => {
    const host = await startSite(t);
    const { id } = await makeForm(host.url);
    const { password } = await api<{ readonly password: string }>(host.url, "POST", "/api/cf-host/v1/users", {
      login: "rita",
      role: "reader",
    });
    const { page } = await signIn(await startBrowser(t), host.url, { locale: "de-DE" }, { login: "rita", password });
    assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
    for (const path of [
      "/forms",
      `/forms/${id}/build`,
      "/analytics",
      "/deliveries",
      "/privacy",
      "/users",
      "/settings",
    ]) {
      await page.goto(`${host.url}/admin${path}`);
      await page.getByRole("heading", { name: "Ihr Konto kann das nicht öffnen" }).waitFor();
      assert.equal(await page.locator(".waiting").count(), 0, path);
    }
  });

  it("shows title, state and Publish of a form side by side on a phone, and the preview in its menu", {
    timeout: 60_000,
  }, async (t) => {
    const host = await startSite(t);
    const { id } = await makeForm(host.url);
    const { page, faults } = await signIn(await startBrowser(t), host.url, { viewport: { width: 390, height: 844 } });
    await show(page, `/forms/${id}/settings`);
    await page.getByRole("textbox", { name: "Submission limit" }).first().fill("100");
    const publish = page.getByRole("button", { name: "Publish changes", exact: true });
    await publish.waitFor();
    const boxes = await Promise.all(
      [page.locator("h1 .page-name"), page.locator(".page-head .badge").first(), publish].map((part) =>
        part.boundingBox(),
      ),
    );
    for (const [index, box] of boxes.entries()) {
      const next = boxes[index + 1];
      assert.ok(box !== null && box.width > 40, JSON.stringify(boxes));
      assert.ok(next === undefined || next === null || box.x + box.width <= next.x, JSON.stringify(boxes));
    }
    await page.getByRole("button", { name: "Options for Contact" }).click();
    await page.getByRole("menuitem", { name: "Preview" }).click();
    await page.getByRole("dialog", { name: "Preview" }).waitFor();
    assert.deepEqual(faults, []);
  });
});
