/** Actions of a form: the picker, and actions that lack a required setting. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { ACTION_GROUPS } from "../../admin/features/form/action-groups.ts";
import { noChromium, violations } from "../browser/chromium.ts";
import { api, draftSaved, makeForm, publishChanges, signIn, startBrowser, startSite } from "./admin-site.ts";

const TYPES = new URL("../../src/action_types/", import.meta.url);

it("has each built-in type of action in one group of the picker", () => {
  const files = ["definitions", "services"].flatMap((folder) => readdirSync(new URL(folder, TYPES)));
  const types = files.map((name) => name.replace(/\.json$/, "")).sort();
  assert.deepEqual(ACTION_GROUPS.flatMap((group) => group.types).toSorted(), types);
});

describe("in the browser", { skip: noChromium, timeout: 120_000 }, () => {
  it("picks an action by search and keyboard, and returns the focus", async (t) => {
    const host = await startSite(t);
    const form = await makeForm(host.url);
    const { page, faults } = await signIn(await startBrowser(t), host.url);
    await page.goto(`${host.url}/admin/forms/${form.id}/actions`);
    const add = page.getByRole("button", { name: "Add action" });
    await add.click();
    const picker = page.getByRole("dialog", { name: "Choose an action" });
    await picker.getByRole("option").first().waitFor();
    assert.deepEqual(
      await picker.getByRole("group").evaluateAll((groups) => groups.map((group) => group.textContent.slice(0, 9))),
      ["Most used", "ChatSlack", "Newslette", "Tables an", "Automatio", "Text mess"],
    );
    assert.equal(await picker.getByRole("option").first().textContent(), "Email notification");
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Escape");
    await picker.waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement?.textContent === "Add action");

    await page.keyboard.press("Enter");
    await picker.getByRole("option").first().waitFor();
    await page.keyboard.type("newsletter hub");
    await page.waitForFunction(() => document.querySelectorAll("[role=dialog] [role=option]").length === 1);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await picker.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^HubSpot: add a contact/ }).waitFor();
    await draftSaved(page);
    assert.deepEqual(faults, []);
  });

  it("keeps an action off until its required settings are complete, and says so in the action and in Publish", async (t) => {
    const host = await startSite(t);
    const form = await makeForm(host.url);
    await api(host.url, "PATCH", `/forms/${form.id}`, { settings: { actions: [{ type: "email", to: "" }] } });
    const { page, faults } = await signIn(await startBrowser(t), host.url);
    await page.goto(`${host.url}/admin/forms/${form.id}/actions`);
    await page.getByText("Add a recipient to turn this on").waitFor();
    await page.getByRole("button", { name: "Add action" }).click();
    await page.getByRole("option", { name: /^GitHub/ }).click();
    const on = page.getByRole("switch", { name: "On" });
    await page.getByText("Add “Access token”, “Owner”, and “Repository” to turn this on").waitFor();
    assert.ok(await on.isDisabled());
    assert.equal(await on.isChecked(), false);
    for (const [name, value] of [
      ["Access token *", "ghp_1234"],
      ["Owner *", "ada"],
    ] as const)
      await page.getByLabel(name, { exact: true }).fill(value);
    await page.getByText("Add “Repository” to turn this on").waitFor();
    await draftSaved(page);
    await page.getByRole("button", { name: "Publish changes", exact: true }).click();
    const publish = page.getByRole("dialog");
    await publish.getByText("These actions stay off:").waitFor();
    await publish.getByText("Email notification: Add a recipient to turn this on").waitFor();
    await publish.getByText("GitHub: open an issue: Add “Repository” to turn this on").waitFor();
    await page.keyboard.press("Escape");
    await publish.waitFor({ state: "detached" });
    assert.deepEqual(await violations(page), []);
    await page.getByLabel("Repository *", { exact: true }).fill("forms");
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>("input[role=switch]")?.disabled === false,
    );
    assert.ok(await on.isChecked());
    await draftSaved(page);
    await publishChanges(page);
    assert.deepEqual(faults, []);
  });
});
