/** Permissions of the roles, in the API and in the admin. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { noChromium } from "../browser/chromium.ts";
import { signIn as session } from "../shim/embedded-fixture.ts";
import { api, draftSaved, makeForm, publishChanges, signIn, startBrowser, startSite, submit } from "./admin-site.ts";

const PASSWORD = "correct horse battery";

describe("roles in the admin", () => {
  it("an editor cannot manage users, an administrator can, and at least one administrator always remains", async (t) => {
    const host = await startSite(t);
    const made = await api<{ readonly id: number; readonly password: string }>(
      host.url,
      "POST",
      "/api/cf-host/v1/users",
      { login: "eve", role: "editor", email: "eve@example.com" },
    );
    assert.equal(made.password.length, 24);
    const { cookie, nonce } = await session(host, { login: "eve", password: made.password });
    const headers = { cookie, "x-wp-nonce": nonce, "content-type": "application/json" };
    const asEditor = async (method: string, path: string, body?: unknown) =>
      (
        await fetch(`${host.url}/api${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
      ).status;
    assert.equal(await asEditor("GET", "/cf/v1/forms"), 200);
    assert.equal(await asEditor("GET", "/cf-host/v1/outbox"), 200);
    for (const [method, path, body] of [
      ["GET", "/cf-host/v1/users"],
      ["POST", "/cf-host/v1/users", { login: "x", role: "administrator" }],
      ["PATCH", `/cf-host/v1/users/${made.id}`, { role: "administrator" }],
      ["DELETE", "/cf-host/v1/users/1"],
      ["POST", "/cf-host/v1/users/1/password", {}],
      ["GET", "/cf-host/v1/health"],
    ] as const)
      assert.equal(await asEditor(method, path, body), 403, `${method} ${path}`);
    assert.equal((await fetch(`${host.url}/api/cf-host/v1/users`)).status, 401);

    await api(host.url, "POST", "/api/cf-host/v1/users", { login: "eve", role: "editor" }, 409);
    await api(host.url, "POST", "/api/cf-host/v1/users", { login: "a:b", role: "king", email: "x" }, 400);
    await api(host.url, "PATCH", "/api/cf-host/v1/users/1", { role: "editor" }, 409);
    await api(host.url, "DELETE", "/api/cf-host/v1/users/1", undefined, 409);
    await api(host.url, "DELETE", `/api/cf-host/v1/users/${made.id}`);
    assert.equal(await asEditor("GET", "/cf/v1/forms"), 403);
  });

  it("an editor sees forms, analytics and mails, but no users", { skip: noChromium }, async (t) => {
    const host = await startSite(t);
    const { id } = await makeForm(host.url);
    const { password } = await api<{ readonly password: string }>(host.url, "POST", "/api/cf-host/v1/users", {
      login: "eve",
      role: "editor",
    });
    const browser = await startBrowser(t);
    const { page, faults } = await signIn(browser, host.url, {}, { login: "eve", password });
    await page.getByRole("link", { name: "Contact", exact: true }).waitFor();
    assert.deepEqual(await page.getByRole("navigation", { name: "Main menu" }).getByRole("link").allTextContents(), [
      "Forms",
      "Inbox",
      "Analytics",
      "Deliveries",
      "Privacy",
    ]);
    for (const path of ["/users", "/settings"]) {
      await page.goto(`${host.url}/admin${path}`);
      await page.getByRole("heading", { name: "Your account can’t open this" }).waitFor();
    }
    await page.goto(`${host.url}/admin/nowhere`);
    await page.getByText("Page not found").waitFor();
    await page.goto(`${host.url}/admin/forms/${id}/settings`);
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("By the editor");
    await page.keyboard.press("Tab");
    await page.getByRole("heading", { name: "By the editor", level: 1 }).waitFor();
    await draftSaved(page);
    // A script in an editor's markup is removed, with a warning.
    await page.goto(`${host.url}/admin/forms/${id}`);
    await page.getByRole("button", { name: "HTML", exact: true }).click();
    await page
      .getByRole("textbox", { name: "HTML code" })
      .fill('<input name="name"><script>alert(1)</script><button>Send</button>');
    await draftSaved(page);
    await publishChanges(page);
    const { title, markup } = await api<{ readonly title: string; readonly markup: string }>(
      host.url,
      "GET",
      `/forms/${id}`,
    );
    assert.equal(title, "By the editor");
    assert.doesNotMatch(markup, /script/);
    assert.deepEqual(
      faults.filter((fault) => !/style/.test(fault)),
      [],
    );
  });

  it("names the authors of a published draft and the parts that were removed", { skip: noChromium }, async (t) => {
    const host = await startSite(t);
    const { id } = await makeForm(host.url);
    const { password } = await api<{ readonly password: string }>(host.url, "POST", "/api/cf-host/v1/users", {
      login: "eve",
      role: "editor",
    });
    const { cookie, nonce } = await session(host, { login: "eve", password });
    const markup = '<input name="name"><script>alert(1)</script><button>Send</button>';
    const kept = await fetch(`${host.url}/api/cf/v1/forms/${id}/draft`, {
      method: "PUT",
      headers: { cookie, "x-wp-nonce": nonce, "content-type": "application/json" },
      body: JSON.stringify({ base_revision: 1, markup }),
    });
    assert.equal(kept.status, 200);
    const browser = await startBrowser(t);
    const { page } = await signIn(browser, host.url);
    // An administrator's later save still contains the other author's changes.
    const before = await api<{ readonly markup: string }>(host.url, "GET", `/forms/${id}/draft`);
    await api(host.url, "PUT", `/forms/${id}/draft`, {
      base_revision: 1,
      markup: before.markup.replace("Send", "Send it"),
    });
    await page.goto(`${host.url}/admin/forms/${id}/build`);
    await page.getByRole("button", { name: "Publish changes" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("eve saved these changes.").waitFor();
    await dialog.getByText("The element `script` is removed.").waitFor();
    await dialog.getByRole("button", { name: "Publish changes" }).click();
    await dialog.waitFor({ state: "detached" });
    const { markup: published } = await api<{ readonly markup: string }>(host.url, "GET", `/forms/${id}`);
    assert.doesNotMatch(published, /script/);
    assert.match(published, /Send it/);
  });

  it("changes a user's password only with the current one", async (t) => {
    const host = await startSite(t);
    const path = "/api/wp/v2/users/me/password";
    await api(host.url, "POST", path, { current_password: "wrong", new_password: PASSWORD }, 403);
    await api(host.url, "POST", path, { current_password: "correct horse battery staple", new_password: "short" }, 400);
    await api(
      host.url,
      "POST",
      path,
      { current_password: "correct horse battery staple", new_password: PASSWORD },
      200,
    );
    assert.notEqual((await session(host, { login: "admin", password: PASSWORD })).cookie, "");
  });

  it("shows how many sessions a new password ended, for oneself and for a colleague", {
    skip: noChromium,
  }, async (t) => {
    const host = await startSite(t);
    const { password } = await api<{ readonly password: string }>(host.url, "POST", "/api/cf-host/v1/users", {
      login: "eve",
      role: "editor",
    });
    await session(host, { login: "eve", password });
    await session(host);
    const browser = await startBrowser(t);
    const { page, faults } = await signIn(browser, host.url);
    await page.goto(`${host.url}/admin/users`);
    await page.getByRole("listitem").filter({ hasText: "eve" }).getByRole("button", { name: "Reset password" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset password" }).click();
    await page.getByText("One browser is signed out, no application password was revoked.").waitFor();
    await page.goto(`${host.url}/admin/account`);
    await page.getByLabel("Current password").fill("correct horse battery staple");
    await page.getByLabel("New password").fill(PASSWORD);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("One other browser is signed out, one application password is revoked.").waitFor();
    await page.getByText("No application passwords yet").waitFor();
    assert.deepEqual(faults, []);
  });

  it("a reader sees only the inbox, without any change", { skip: noChromium }, async (t) => {
    const host = await startSite(t);
    const { id, slug } = await makeForm(host.url);
    await submit(host.url, slug, { name: "Ada", email: "ada@example.com", topic: "Sales" });
    await host.forms.runQueue();
    const other = await makeForm(host.url, "Support");
    await submit(host.url, other.slug, { name: "Bob", email: "bob@example.com", topic: "Support" });
    const { password } = await api<{ readonly password: string }>(host.url, "POST", "/api/cf-host/v1/users", {
      login: "rita",
      role: "reader",
    });
    const { cookie, nonce } = await session(host, { login: "rita", password });
    const headers = { cookie, "x-wp-nonce": nonce, "content-type": "application/json" };
    const change = await fetch(`${host.url}/api/cf/v1/submissions/1`, {
      method: "PATCH",
      headers,
      body: '{"status":"spam"}',
    });
    assert.equal(change.status, 403, await change.text());
    assert.equal((await fetch(`${host.url}/api/cf-host/v1/outbox`, { headers })).status, 403);
    const browser = await startBrowser(t);
    const { page, faults } = await signIn(browser, host.url, {}, { login: "rita", password });
    await page.getByRole("row").filter({ hasText: "Ada" }).click();
    await page
      .getByRole("region", { name: /^Submission \d/ })
      .getByText("ada@example.com")
      .first()
      .waitFor();
    const detail = page.getByRole("region", { name: /^Submission \d/ });
    // The timeline names actions, although readers may read neither actions nor their types.
    await detail.locator(".timeline").getByText("Webhook: Failed").waitFor();
    // Answers have labels, although readers may not read the form.
    assert.deepEqual((await detail.locator("dt").allTextContents()).slice(0, 3), ["Name", "Email", "Topic"]);
    assert.equal(await detail.getByRole("button", { name: /Spam|Archive|Edit answers|Add note|Star/ }).count(), 0);
    assert.equal(await page.getByRole("checkbox").count(), 0);
    assert.equal(await page.getByRole("link", { name: /^(?:Forms|Users|Deliveries)$/ }).count(), 0);
    // Filtering by form, columns and export use only the members of submissions that describe their form.
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /All forms/ }).click();
    await page.getByRole("option", { name: "Contact" }).click();
    await page.getByRole("columnheader", { name: "Topic" }).waitFor();
    await page.getByRole("row").filter({ hasText: "Bob" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("dialog").locator(".checkbox", { hasText: "Topic" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("columnheader", { name: "Topic" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Export" }).click();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download", exact: true }).click(),
    ]);
    assert.match(await readFile(await saved.path(), "utf8"), /ada@example\.com/);
    await page.goto(`${host.url}/admin/inbox?form=${id}&view=spam`);
    await page.getByRole("button", { name: /^Contact/ }).waitFor();
    assert.deepEqual(faults, []);
  });
});
