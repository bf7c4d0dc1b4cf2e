/** The menu of a form in the list opens the same dialogs as the form's header. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { noChromium, violations } from "../browser/chromium.ts";
import { api, type FormRef, signIn, startBrowser, startSite } from "./admin-site.ts";

it("publishes, closes and reopens a form from the list by the header's dialogs", {
  skip: noChromium,
  timeout: 90_000,
}, async (t) => {
  const host = await startSite(t);
  const { id, slug } = await api<FormRef>(host.url, "POST", "/forms", {
    title: "Workshop",
    status: "draft",
    markup: '<label>Name <input name="name"></label><button>Send</button>',
    settings: { actions: [{ type: "email", to: "owner@example.com" }] },
  });
  await api(host.url, "PUT", `/forms/${id}/draft`, { base_revision: 1, title: "Summer workshop" });
  const page = (await signIn(await startBrowser(t), host.url)).page;
  const dialog = page.getByRole("dialog");
  const choose = async (entry: string) => {
    await page.getByRole("button", { name: /^Options for/ }).click();
    await page.getByRole("menuitem", { name: entry, exact: true }).click();
    await dialog.waitFor();
  };
  const statusOf = async () => (await api<{ readonly status: string }>(host.url, "GET", `/forms/${id}`)).status;

  await choose("Publish…");
  await dialog.getByText("You’ll get an email at owner@example.com for each submission.").waitFor();
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  const panel = page.getByRole("dialog", { name: "Your form is live" });
  await panel.getByRole("img", { name: "QR code" }).waitFor();
  // The draft's content is live.
  await panel.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: "Summer workshop", exact: true }).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  assert.equal(await statusOf(), "published");

  await choose("Close form…");
  await dialog.getByLabel("Visitors will see this message instead of the form:").fill("Fully booked.");
  await dialog.getByRole("button", { name: "Close form" }).click();
  await page.getByText("Closed", { exact: true }).waitFor();
  assert.match(await (await fetch(`${host.url}/forms/${slug}`)).text(), /Fully booked\./);

  await choose("Reopen…");
  await dialog.getByRole("button", { name: "Reopen" }).click();
  await page.getByText("Live", { exact: true }).waitFor();

  await choose("Schedule…");
  await dialog.getByLabel("Opens", { exact: true }).fill("2099-05-01T10:00");
  await dialog.getByRole("button", { name: "Save schedule" }).click();
  await page.getByText("Scheduled", { exact: true }).waitFor();
  assert.equal(await statusOf(), "published");
});
