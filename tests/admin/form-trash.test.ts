/** The trash of forms: the text of the dialog, the restoration of all data, and the confirmation of a deletion. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { TRASH_DAYS } from "../../admin/shared/trash.ts";
import { noChromium, violations } from "../browser/chromium.ts";
import { api, makeForm, signIn, startBrowser, startSite, submit } from "./admin-site.ts";

it("states the days after which the engine deletes a form", () => {
  const source = readFileSync(new URL("../../src/store/purge.rs", import.meta.url), "utf8");
  assert.equal(Number(/const TRASH_DAYS: i64 = (\d+);/.exec(source)?.[1]), TRASH_DAYS);
});

it("moves forms to the trash, restores them with their submissions, and deletes after the title is typed", {
  skip: noChromium,
  timeout: 90_000,
}, async (t) => {
  const host = await startSite(t);
  const used = await makeForm(host.url, "Project brief");
  await makeForm(host.url, "Empty one");
  await api(host.url, "PATCH", `/forms/${used.id}`, {
    settings: { actions: [{ type: "email", to: "ada@example.com" }] },
  });
  const attachment = new File(["%PDF-1.4\n%%EOF\n"], "cv.pdf", { type: "application/pdf" });
  for (const name of ["Ada", "Bob"]) await submit(host.url, used.slug, { name, email: "a@example.com", attachment });
  await submit(host.url, used.slug, { name: "Cleo", email: "c@example.com" });
  const status = async () => (await fetch(`${host.url}/forms/${used.slug}`)).status;
  const { page } = await signIn(await startBrowser(t), host.url);
  const listed = page.getByRole("link", { name: "Project brief", exact: true });
  const dialog = page.getByRole("alertdialog");
  const openDialog = async () => {
    await page.getByRole("button", { name: "Options for Project brief" }).click();
    await page.getByRole("menuitem", { name: "Move to trash…" }).click();
    await dialog
      .getByText(
        "It has 3 submissions, 2 files and 1 action. Visitors will no longer find it. You can restore it for 30 days.",
      )
      .waitFor();
  };

  await page.goto(`${host.url}/admin/forms`);
  await openDialog();
  assert.deepEqual(await violations(page), []);
  // Enter deletes nothing, because Cancel has the focus.
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await listed.waitFor();
  assert.equal(await status(), 200);

  // The badge counts no submissions of forms in the trash.
  const badge = page.locator(".place-count").filter({ hasText: "3" });
  await badge.waitFor();
  await openDialog();
  await dialog.getByRole("button", { name: "Move to trash" }).click();
  await listed.waitFor({ state: "detached" });
  assert.equal(await status(), 404);
  await badge.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await listed.waitFor();
  await badge.waitFor();
  assert.equal(await status(), 200);

  await listed.click();
  await openDialog();
  await dialog.getByRole("button", { name: "Move to trash" }).click();
  await page.getByRole("heading", { name: "Forms", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Trash", exact: true }).click();
  const row = page.getByRole("listitem").filter({ hasText: "Project brief" });
  await row.getByText("3 submissions · 30 days left").waitFor();
  // React Aria announces a pending button by an image without a name, which a reload removes.
  await page.reload();
  await row.getByText("30 days left").waitFor();
  assert.deepEqual(await violations(page), []);
  await row.getByRole("button", { name: "Restore" }).click();
  await page.getByText("The trash is empty.").waitFor();
  assert.equal(await status(), 200);
  const kept = await api<readonly unknown[]>(host.url, "GET", `/submissions?form_id=${used.id}`);
  assert.equal(kept.length, 3);

  for (const title of ["Project brief", "Empty one"]) {
    await page.goto(`${host.url}/admin/forms`);
    await page.getByRole("button", { name: `Options for ${title}` }).click();
    await page.getByRole("menuitem", { name: "Move to trash…" }).click();
    await dialog.getByRole("button", { name: "Move to trash" }).click();
    await page.getByRole("link", { name: title, exact: true }).waitFor({ state: "detached" });
    await page.goto(`${host.url}/admin/forms?view=trash`);
    await page.getByRole("button", { name: "Delete permanently…" }).click();
    const remove = dialog.getByRole("button", { name: "Delete permanently" });
    if (title === "Project brief") {
      assert.ok(await remove.isDisabled());
      await dialog.getByRole("textbox").fill("Project");
      assert.ok(await remove.isDisabled());
      await dialog.getByRole("textbox").fill(title);
    }
    await remove.click();
    await page.getByText("The trash is empty.").waitFor();
  }
  assert.deepEqual(await api(host.url, "GET", "/forms?status=trash"), []);
  assert.deepEqual(await api(host.url, "GET", "/forms"), []);
});
