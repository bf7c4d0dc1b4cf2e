/**
 * Regenerates the pictures of fields in `docs/pictures`: `node --test tests/browser/pictures.ts`, with the project's own
 * Node. Each is a part of a visitor's page.
 */
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { startSite } from "../shim/site.ts";
import { makeForm } from "./browser-site.ts";
import { launchChromium } from "./chromium.ts";

const FOLDER = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
const MAX_BYTES = 60_000;
const MARGIN = 12;

interface Picture {
  readonly name: string;
  readonly fields: readonly object[];
  readonly settings?: object;
  /** Fills in the form. */
  readonly fill: (page: Page) => Promise<unknown>;
  /** The part of the page; by default all fields. */
  readonly part?: string;
}

const SCALE = ["Poor", "Fair", "Good"];
const ANIMALS = ["Ants", "Bees", "Cats"];

const PICTURES: readonly Picture[] = [
  {
    name: "field-matrix",
    fields: [
      { name: "m", type: "fieldset", label: "How was it?", css_class: "cf-matrix" },
      ...["Food", "Room", "Staff"].map((label) => ({
        name: label.toLowerCase(),
        type: "radio",
        label,
        group: "m",
        options: SCALE,
      })),
    ],
    fill: async (page) => {
      await page.check("[name=food][value=Good]");
      await page.check("[name=room][value=Fair]");
    },
  },
  {
    name: "field-phone",
    fields: [
      { name: "p", type: "tel", label: "Phone", attributes: { "data-phone": "DE", "data-countries": "DE AT CH" } },
    ],
    fill: (page) => page.fill("[name=p]", "0151 12345678"),
  },
  {
    name: "field-ranking",
    fields: [
      {
        name: "best",
        type: "checkbox",
        label: "Which do you like best?",
        options: ANIMALS,
        attributes: { "data-rank": "" },
      },
    ],
    fill: (page) => page.getByRole("button", { name: "Move Cats up" }).click(),
  },
  {
    name: "field-dates",
    fields: [
      { name: "born", type: "date", label: "Born", attributes: { "data-parts": "" } },
      { name: "stay", type: "fieldset", label: "Your stay", css_class: "cf-period" },
      { name: "from", type: "date", label: "From", group: "stay" },
      { name: "to", type: "date", label: "To", group: "stay", attributes: { "data-min": "from" } },
    ],
    fill: async (page) => {
      await page.fill("[name='born[day]']", "4");
      await page.fill("[name='born[month]']", "5");
      await page.fill("[name='born[year]']", "1990");
      await page.fill("[name=from]", "2026-12-01");
      await page.fill("[name=to]", "2026-12-08");
    },
  },
  {
    name: "field-signature",
    fields: [
      { name: "sign", type: "file", label: "Signature", attributes: { "data-signature": "", accept: "image/*" } },
    ],
    fill: async (page) => {
      const { x, y, width, height } = (await page.locator(".cf-pad canvas").boundingBox()) ?? assert.fail();
      await page.mouse.move(x + width * 0.2, y + height * 0.6);
      await page.mouse.down();
      for (let at = 0; at <= 40; at += 1)
        await page.mouse.move(x + width * (0.2 + at * 0.012), y + height * (0.55 + 0.25 * Math.sin(at * 0.6)));
      await page.mouse.up();
      await page.waitForSelector("li.cf-file[data-state=done]", { state: "attached" });
    },
  },
  {
    name: "field-repeat",
    fields: [
      { name: "guests", type: "fieldset", label: "Guests", attributes: { "data-repeat": "Add a guest" } },
      { name: "who", label: "Name", group: "guests", css_class: "cf-half" },
      { name: "menu", type: "select", label: "Menu", group: "guests", css_class: "cf-half", options: ["Fish", "Veg"] },
    ],
    fill: async (page) => {
      await page.fill("[name='guests[0][who]']", "Ada");
      await page.selectOption("[name='guests[0][menu]']", "Veg");
      await page.click(".cf-add");
      await page.fill("[name='guests[1][who]']", "Bob");
    },
  },
  {
    name: "field-calculation",
    fields: [
      { name: "qty", type: "number", label: "Boxes" },
      {
        name: "total",
        type: "number",
        label: "Total with postage",
        attributes: { "data-calc": "qty * 19.99 + 4.90", "data-format": "currency EUR", readonly: "" },
      },
    ],
    fill: async (page) => {
      await page.fill("[name=qty]", "3");
      await page.locator("[data-cf-calc=total]").filter({ hasText: "64.87" }).waitFor();
    },
  },
  {
    name: "saved-progress",
    fields: [{ name: "wish", label: "Your wish" }],
    settings: { save: "button", save_mail: true },
    fill: async (page) => {
      await page.waitForSelector(".cf-saved", { state: "attached" });
      await page.fill("[name=wish]", "A zebra");
      await page.click(".cf-save");
      const link = page.locator(".cf-saved:not([hidden]) input[readonly]");
      await link.waitFor();
      // The address of the test's site changes with each run.
      await link.evaluate((input: HTMLInputElement) => {
        input.value = input.value.replace(/^.*(?=\/forms\/)/, "https://example.org");
      });
    },
    part: "form",
  },
  {
    name: "field-seats",
    fields: [
      {
        name: "slot",
        type: "radio",
        label: "When do you come?",
        options: ["10:00", "11:00", "12:00"],
        attributes: { "data-seats": '{"10:00":20,"11:00":0,"12:00":3}', "data-seats-left": "" },
      },
    ],
    fill: (page) => page.check("[value='12:00']"),
  },
];

it("generates the pictures of fields", { timeout: 120_000 }, async (t) => {
  const site = await startSite();
  t.after(() => site.close());
  const browser = await launchChromium();
  t.after(() => browser.close());
  for (const { name, fields, settings = {}, fill, part = ".cf-fields" } of PICTURES) {
    const schema = { fields: [...fields, { name: "send", type: "submit", label: "Send" }] };
    await makeForm(site, { title: name, slug: name, schema, settings });
    const page = await browser.newPage({ viewport: { width: 640, height: 900 }, reducedMotion: "reduce" });
    await page.goto(`${site.url}/forms/${name}`);
    await page.waitForLoadState("networkidle");
    await fill(page);
    await page.mouse.move(0, 0);
    if (part === ".cf-fields")
      await page.locator("button.cf-submit").evaluate((button) => button.closest(".cf-field")?.remove());
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const { x, y, width, height } = (await page.locator(part).first().boundingBox()) ?? assert.fail(name);
    const clip = { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
    await page.screenshot({ path: `${FOLDER}${name}.png`, clip, animations: "disabled" });
    assert.ok(statSync(`${FOLDER}${name}.png`).size <= MAX_BYTES, name);
    await page.context().close();
  }
});
