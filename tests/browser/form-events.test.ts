/** Analytics events of a visitor's browser: view, start, fields, abandonment, submit. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { items, member, type JsonValue, type Site } from "../shim/site.ts";
import { makeForm, useBrowserSite } from "./browser-site.ts";
import { noChromium } from "./chromium.ts";

let site: Site;
let browser: Browser;
let formId: number;

describe("events from Chromium", { skip: noChromium }, () => {
  useBrowserSite(async (started) => {
    ({ site, browser } = started);
    const fields = [
      { name: "who", type: "name" },
      { name: "email", type: "email" },
      { name: "send", type: "submit" },
    ];
    formId = await makeForm(site, { title: "Seen", slug: "seen", schema: { fields } });
  });

  async function open(query = "", referer?: string): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${site.url}/forms/seen${query}`, referer === undefined ? {} : { referer });
    return page;
  }

  async function numbers(path: string): Promise<JsonValue> {
    return (await site.api("GET", `/analytics/${formId}/${path}`)).body;
  }

  /** Waits until a number of the funnel has the expected value. */
  async function reaches(name: string, expected: number): Promise<void> {
    for (let waited = 0; waited < 30_000; waited += 50) {
      if (member(await numbers("funnel"), name) === expected) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal(member(await numbers("funnel"), name), expected, name);
  }

  it("a view counts after one second, and not earlier", async () => {
    const hasty = await (await browser.newContext()).newPage();
    // The page has a fake clock, because on a busy machine more than a second could pass.
    await hasty.clock.install({ time: 0 });
    await hasty.clock.pauseAt(86_400_000);
    await hasty.goto(`${site.url}/forms/seen`);
    await hasty.waitForTimeout(300);
    await hasty.clock.runFor(900);
    await hasty.goto("about:blank");
    const patient = await open();
    await reaches("views", 1);
    assert.equal(member(await numbers("funnel"), "starts"), 0);
    await patient.context().close();
  });

  it("the first input is a start, each field counts once, and leaving is an abandonment at the last field", async () => {
    const page = await open();
    await page.locator('input[name="who[first]"]').pressSequentially("Ann");
    await page.locator('input[name="who[last]"]').pressSequentially("Lee");
    await page.locator("input[name=email]").pressSequentially("ann@example.org");
    await page.goto("about:blank");
    await reaches("abandonments", 1);
    assert.equal(member(await numbers("funnel"), "starts"), 1);
    const touched = items(await numbers("field-dropoff")).map((field) =>
      ["field_name", "interactions", "drop_offs"].map((name) => member(field, name)),
    );
    assert.deepEqual(touched, [
      ["who", 1, 0],
      ["email", 1, 1],
    ]);
  });

  it("a submit records the visitor's source, and does not count as an abandonment", async () => {
    const page = await open("?utm_source=letter&utm_medium=mail", "https://news.example/story");
    await page.locator("input[name=email]").fill("ann@example.org");
    await page.waitForTimeout(400);
    await page.locator("[type=submit]").click();
    await page.locator(".cf-message-success").waitFor();
    await page.goto("about:blank");
    await reaches("starts", 2);
    assert.equal(member(await numbers("funnel"), "submissions"), 1);
    assert.equal(member(await numbers("funnel"), "abandonments"), 1);
    assert.deepEqual(await numbers("attribution"), {
      utm_sources: [{ utm_source: "letter", utm_medium: "mail", utm_campaign: "", count: 1 }],
      referrers: [{ referrer_domain: "news.example", count: 1 }],
    });
    assert.deepEqual(site.faults, []);
  });
});
