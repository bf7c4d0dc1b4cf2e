/** Analytics: the same numbers as the other pages, shares of a total, and no rate without a start. */
import assert from "node:assert/strict";
import { it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium } from "../browser/chromium.ts";
import { api, makeForm, show, signIn, startBrowser, startSite, submit } from "./admin-site.ts";

const AGENT = "Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0.0.0 Safari/537.36";

/** The value of a tile of the overview. */
const tile = async (page: Page, name: string): Promise<string> =>
  (await page.locator(".tile").filter({ hasText: name }).locator("dd").textContent()) ?? "";

/** The texts at the ends of a figure's bars. */
const barTexts = (page: Page, title: string): Promise<string[]> =>
  page.getByRole("figure").filter({ hasText: title }).locator("svg.chart .bar-label.number").allTextContents();

async function waitFor(read: () => Promise<string>, expected: string): Promise<void> {
  const until = Date.now() + 10_000;
  while (Date.now() < until && (await read()) !== expected) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(await read(), expected);
}

it("shows one count on all pages, shares of the total, and no rate without a start", {
  skip: noChromium,
  timeout: 90_000,
}, async (t) => {
  const host = await startSite(t);
  const [contact, embedded] = [await makeForm(host.url), await makeForm(host.url, "Embedded")];
  // One of four submissions is archived and still counts; one is in the trash and does not.
  for (const name of ["Ada", "Ben", "Cleo"]) await submit(host.url, contact.slug, { name, email: "a@example.com" });
  await submit(host.url, embedded.slug, { name: "Dan", email: "d@example.com" });
  for (const [id, status] of [
    [1, "archived"],
    [2, "trash"],
  ] as const)
    await api(host.url, "POST", "/submissions/bulk", { ids: [id], action: "set_status", status }, 200);
  const { page, faults } = await signIn(await startBrowser(t), host.url, { timezoneId: "America/New_York" });

  await show(page, "/forms");
  await page.getByText("2 in total").waitFor();
  await show(page, "/analytics");
  await page.getByText("All time, without spam and trash").waitFor();
  await waitFor(() => tile(page, "Submissions"), "3");
  assert.equal(await tile(page, "Completion rate"), "–");
  await page.getByText("Views are not counted where the form is embedded").waitFor();
  assert.deepEqual(await barTexts(page, "Top forms"), ["2 · 66.7%", "1 · 33.3%"]);
  const widths = await page
    .getByRole("figure")
    .filter({ hasText: "Top forms" })
    .locator("svg.chart")
    .evaluate((svg) =>
      [...svg.querySelectorAll("rect.bar")].map(
        (bar) => Number(bar.getAttribute("width")) / Number(svg.getAttribute("width")),
      ),
    );
  assert.deepEqual(
    widths.map((part) => part.toFixed(2)),
    ["0.67", "0.33"],
    "bars are parts of the total",
  );

  // A visitor who starts and leaves, and one whose start is known only from the submit.
  const events = [{ event_type: "view" }, { event_type: "start" }];
  const headers = { "user-agent": AGENT };
  const sent = { form_id: contact.id, events };
  await fetch(`${host.url}/forms/-/events`, { method: "POST", headers, body: JSON.stringify(sent) });
  const answers = new URLSearchParams({ name: "Eve", email: "e@example.com", _cf_seconds: "20" });
  const stored = await fetch(`${host.url}/forms/${contact.slug}`, {
    method: "POST",
    headers: { "user-agent": `${AGENT} Edg/126.0.0.0`, accept: "application/json" },
    body: answers,
  });
  assert.equal(stored.status, 200, await stored.text());
  await page.reload();
  await waitFor(() => tile(page, "Completion rate"), "50%");
  assert.equal(await tile(page, "Started"), "2");
  await show(page, `/forms/${contact.id}/analytics?from=2029-12-03&to=2030-01-01`);
  await page.getByText(/^A day begins at \d+:00 PM in your time zone\.$/).waitFor();
  await page.getByText("Days begin at midnight UTC.").waitFor();
  await waitFor(async () => (await barTexts(page, "Conversion")).join(), "1,2,4 · 50%");
  assert.deepEqual(faults, []);

  // In London a range in winter consists of the viewer's days, one in summer does not.
  const london = await signIn(await startBrowser(t), host.url, { timezoneId: "Europe/London" });
  for (const [range, notes] of [
    ["from=2029-12-03&to=2030-01-01", 0],
    ["from=2029-06-01&to=2029-06-30", 1],
  ] as const) {
    await show(london.page, `/forms/${contact.id}/analytics?${range}`);
    await london.page.getByRole("figure").filter({ hasText: "Over time" }).waitFor();
    assert.equal(await london.page.getByText("Days begin at midnight UTC.").count(), notes, range);
    assert.equal(await london.page.getByText(/^A day begins at .* in your time zone\.$/).count(), notes, range);
  }
});
