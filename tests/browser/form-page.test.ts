/** The visitor's page in a real browser: look and accessibility, with and without script. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { items, member, type JsonValue, type Site } from "../shim/site.ts";
import { makeForm, useBrowserSite } from "./browser-site.ts";
import { noChromium, takePicture, violations } from "./chromium.ts";

/** One field of every type, with difficult settings. */
const EVERY_FIELD: readonly object[] = [
  { name: "intro", type: "heading", label: "Tell us about your visit" },
  { name: "hint", type: "paragraph", label: "It takes two minutes. Fields with a star are needed." },
  { name: "who", type: "name", label: "Your name", required: true },
  {
    name: "email",
    type: "email",
    label: "Email",
    required: true,
    placeholder: "you@example.org",
    description: "We answer to this address.",
  },
  { name: "site", type: "url", label: "Web site" },
  { name: "phone", type: "tel", label: "Phone" },
  { name: "guests", type: "number", label: "Guests", validation: { min: 1, max: 12 }, default_value: "2" },
  { name: "day", type: "date", label: "Day" },
  { name: "hour", type: "time", label: "Time" },
  { name: "moment", type: "datetime-local", label: "Arrival" },
  { name: "secret", type: "password", label: "Booking code" },
  { name: "colour", type: "color", label: "Colour of the table" },
  { name: "noise", type: "range", label: "How loud may it be?", validation: { min: 0, max: 10 } },
  {
    name: "topic",
    type: "select",
    label: "Topic",
    options: [
      { value: "", label: "Choose" },
      { value: "table", label: "A table" },
      { value: "other", label: "Something else" },
    ],
  },
  {
    name: "other",
    type: "text",
    label: "What else?",
    required: true,
    conditions: [{ field: "topic", operator: "equals", value: "other" }],
  },
  {
    name: "size",
    type: "radio",
    label: "Size",
    options: [
      { value: "s", label: "Small" },
      { value: "l", label: "Large" },
    ],
  },
  {
    name: "extras",
    type: "checkbox",
    label: "Extras",
    options: [
      { value: "chair", label: "High chair" },
      { value: "quiet", label: "Quiet corner" },
    ],
  },
  { name: "line", type: "divider" },
  { name: "home", type: "address", label: "Address" },
  { name: "stars", type: "rating", label: "How was your last visit?" },
  { name: "message", type: "textarea", label: "Message" },
  { name: "menu", type: "file", label: "A file for the kitchen" },
  { name: "campaign", type: "hidden", default_value: "spring" },
  { name: "terms", type: "consent", label: "I agree to the terms of the house.", required: true },
  { name: "send", type: "submit", label: "Book" },
];

let site: Site;
let browser: Browser;
let formId: number;
const slug = "book-a-table";

describe("the visitor's page in Chromium", { skip: noChromium }, () => {
  useBrowserSite(async (started) => {
    ({ site, browser } = started);
    formId = await makeForm(site, { title: "Book a table", slug, schema: { fields: EVERY_FIELD } });
  });

  async function open(options: BrowserContextOptions = {}, path = `/forms/${slug}`): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 900, height: 1200 }, ...options });
    const page = await context.newPage();
    page.on("console", (message) => {
      // The browser reports every 4xx response; these tests cause them.
      if (message.type() === "error" && !message.text().includes("status of 400")) faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    await page.goto(`${site.url}${path}`);
    return page;
  }

  const faults: string[] = [];

  /** A submit earlier than this counts as a robot's. */
  const readTheForm = (page: Page): Promise<void> => page.waitForTimeout(200);

  async function submissions(): Promise<JsonValue[]> {
    return items((await site.api("GET", `/forms/${formId}/submissions`)).body);
  }

  async function fillRequired(page: Page): Promise<void> {
    await page.fill('[name="who[first]"]', "Ada");
    await page.fill('[name="who[last]"]', "Lovelace");
    await page.fill('[name="email"]', "ada@example.org");
    await page.locator('input[type=checkbox][name^="terms"]').check();
  }

  describe("the page", () => {
    it("obeys its content security policy and causes no error", async () => {
      await open();
      assert.deepEqual(faults, []);
    });
  });

  describe("without JavaScript", () => {
    it("shows each fault beside its field, keeps the input, then accepts the corrected form", async () => {
      const page = await open({ javaScriptEnabled: false });
      await readTheForm(page);
      await page.fill('[name="phone"]', "030 1234567");
      await page.fill('[name="message"]', 'Less than 5 < 6 & "quotes"');
      await page.selectOption('[name="topic"]', "table");
      // A browser would block an empty required field, but an old one would not.
      await page.evaluate("document.querySelector('form.cf-form').noValidate = true");
      await page.locator("form.cf-form button, form.cf-form input[type=submit]").first().click();
      await page.waitForSelector(".cf-error");
      await takePicture(page, "form-faults.png", { fullPage: true });
      assert.equal(await page.inputValue('[name="message"]'), 'Less than 5 < 6 & "quotes"');
      assert.equal(await page.inputValue('[name="phone"]'), "030 1234567");
      assert.equal(await page.inputValue('[name="topic"]'), "table");
      const invalid = page.locator('[name="email"]');
      assert.equal(await invalid.getAttribute("aria-invalid"), "true");
      const described = (await invalid.getAttribute("aria-describedby")) ?? "";
      const texts = await Promise.all(described.split(" ").map((id) => page.locator(`[id="${id}"]`).textContent()));
      assert.ok(texts.some((text) => (text ?? "").length > 0));

      await fillRequired(page);
      await page.locator("form.cf-form button, form.cf-form input[type=submit]").first().click();
      await page.waitForSelector(".cf-message-success");
      await takePicture(page, "form-success.png");
      const stored = (await submissions())[0];
      assert.equal(member(member(stored, "data"), "email"), "ada@example.org");
      assert.equal(member(member(member(stored, "data"), "who"), "first"), "Ada");
    });
  });

  describe("with JavaScript", () => {
    it("shows a conditional field only while its condition holds", async () => {
      const page = await open();
      assert.equal(await page.isVisible('[name="other"]'), false);
      await page.selectOption('[name="topic"]', "other");
      assert.equal(await page.isVisible('[name="other"]'), true);
      await page.selectOption('[name="topic"]', "table");
      assert.equal(await page.isVisible('[name="other"]'), false);
    });

    it("sends only by keyboard, stays on the page and shows the success message", async () => {
      const before = (await submissions()).length;
      const page = await open();
      await readTheForm(page);
      await fillRequired(page);
      // A low window simulates a long form, whose button is far below the message.
      await page.setViewportSize({ width: 900, height: 300 });
      await page.focus("form.cf-form [type=submit]");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".cf-message-success");
      const message = await page.locator(".cf-messages").boundingBox();
      assert.ok(message !== null && message.y >= 0 && message.y < 300, `the message is at ${message?.y}`);
      assert.ok(page.url().endsWith(`/forms/${slug}`));
      assert.deepEqual(await violations(page), []);
      assert.equal((await submissions()).length, before + 1);
    });

    it("shows the server's faults and moves the focus to their list", async () => {
      const page = await open();
      await readTheForm(page);
      await page.evaluate("document.querySelector('form.cf-form').noValidate = true");
      await page.fill('[name="email"]', "nonsense");
      await page.focus('[name="email"]');
      await page.keyboard.press("Enter");
      await page.waitForSelector(".cf-error");
      assert.equal(await page.locator('[name="email"]').getAttribute("aria-invalid"), "true");
      assert.equal(await page.evaluate("document.activeElement.className"), "cf-summary");
      assert.deepEqual(await violations(page), []);
    });
  });

  it("the script sends a form whose controls are named like properties of forms", async () => {
    const names = [
      "action",
      "children",
      "classList",
      "dataset",
      "enctype",
      "id",
      "method",
      "name",
      "noValidate",
      "querySelector",
      "reset",
    ];
    const inputs = names.map((name) => `<label>${name} <input name="${name}"></label>`).join("");
    const markup = `${inputs}<div data-show-if="reset=shown"><label>More <input name="more"></label></div><button name="submit" value="sent">Send</button>`;
    const id = await makeForm(site, { slug: "shadows", markup, settings: { hide_after_success: true } });
    faults.length = 0;
    const page = await open({}, "/forms/shadows");
    await readTheForm(page);
    for (const name of names) await page.fill(`input[name="${name}"]`, `my ${name}`);
    assert.equal(await page.isVisible('[name="more"]'), false);
    await page.evaluate("document.kept = true");
    await page.click("button");
    await page.waitForSelector(".cf-message-success");
    assert.equal(await page.evaluate("document.kept"), true, "the script sent it, and the page stayed");
    assert.equal(await page.inputValue('input[name="action"]'), "", "the form is reset");
    assert.equal(await page.isVisible('input[name="action"]'), false, "the form's content is hidden");
    const stored = items((await site.api("GET", `/forms/${id}/submissions`)).body);
    assert.equal(stored.length, 1);
    for (const name of names) assert.equal(member(member(stored[0] ?? null, "data"), name), `my ${name}`);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it("a form embedded in a page of another site is sent from there", async () => {
    const before = (await submissions()).length;
    const program = fileURLToPath(new URL("../../examples/embed-in-a-page/serve.ts", import.meta.url));
    const server = spawn(process.execPath, [program], {
      env: { ...process.env, BASE_URL: site.url, SLUG: slug },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const address = await new Promise<string>((resolve) =>
        server.stdout.once("data", (line) => resolve(String(line).trim())),
      );
      const page = await (await browser.newContext()).newPage();
      await page.goto(address);
      await page.waitForSelector("form.cf-form");
      await readTheForm(page);
      await fillRequired(page);
      await takePicture(page, "form-embedded.png", { fullPage: true });
      await page.focus('[name="email"]');
      await page.keyboard.press("Enter");
      await page.waitForSelector(".cf-message-success");
      assert.equal((await submissions()).length, before + 1);
    } finally {
      server.kill("SIGTERM");
    }
  });
});
