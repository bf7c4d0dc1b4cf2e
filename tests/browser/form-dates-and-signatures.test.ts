/** Dates in three parts, periods and signatures, with and without script, on wide and narrow screens. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium, violations } from "./chromium.ts";
import { readTheForm, useStepsSite } from "./steps-site.ts";

const DATES = {
  fields: [
    {
      name: "born",
      type: "date",
      label: "Date of birth",
      description: "For example 4 5 1990.",
      required: true,
      attributes: { "data-parts": "", "data-max": "today()" },
    },
    {
      name: "guardian",
      label: "Guardian",
      conditions: [{ field: "born", operator: "after", value: "2015-01-01" }],
    },
    { name: "stay", type: "fieldset", label: "Your stay", css_class: "cf-period" },
    { name: "from", type: "date", label: "From", group: "stay" },
    { name: "to", type: "date", label: "To", group: "stay", attributes: { "data-min": "from" } },
    { name: "birthday", type: "heading", label: "Born on [born|a day]" },
    { name: "send", type: "submit", label: "Send" },
  ],
};

const SIGNATURE = {
  fields: [
    { name: "place", label: "Place", required: true },
    {
      name: "sign",
      type: "file",
      label: "Signature",
      required: true,
      attributes: { "data-signature": "", accept: "image/*" },
    },
    { name: "send", type: "submit", label: "Send" },
  ],
};

const VIEWPORTS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

async function fillDate(page: Page, day: string, month: string, year: string): Promise<void> {
  await page.fill("[name='born[day]']", day);
  await page.fill("[name='born[month]']", month);
  await page.fill("[name='born[year]']", year);
}

const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

/** Whether the pad has ink. */
const isSigned = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".cf-pad canvas");
    const pixels = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    return [...pixels].some((value, index) => index % 4 === 0 && value < 128);
  });

const stored = (page: Page): Promise<unknown> =>
  page.waitForSelector("li.cf-file[data-state=done]", { state: "attached" });

describe("dates in three parts, in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    for (const viewport of VIEWPORTS)
      it(`conditions, texts and the server read the date (${viewport.width} px)`, async () => {
        const { path, id } = await make({ schema: DATES });
        const page = await open(path, { viewport });
        await readTheForm(page);
        assert.equal(await page.isVisible("[name=guardian]"), false);
        await fillDate(page, "4", "5", "2020");
        await page.waitForSelector("[name=guardian]", { state: "visible" });
        await page.waitForFunction(() => document.querySelector("h2.cf-heading")?.textContent === "Born on 2020-05-04");
        await fillDate(page, "30", "2", "1990");
        await page.waitForSelector("[name=guardian]", { state: "hidden" });
        assert.deepEqual(await violations(page), []);
        assert.equal(await isTooWide(page), false);
        await page.click("button.cf-submit");
        await page.waitForSelector(".cf-error");
        assert.equal(await page.getAttribute("[name='born[day]']", "aria-invalid"), "true");
        assert.equal(await page.getAttribute("[name='born[month]']", "aria-invalid"), null);
        await fillDate(page, "04", "5", "1990");
        await page.click("button.cf-submit");
        await page.waitForSelector(".cf-message-success,.cf-ending");
        assert.equal(((await newest(id)) as { born?: unknown }).born, "1990-05-04");
        await page.context().close();
      });

    it("without script, the page after a rejected submit marks the wrong part and keeps the others", async () => {
      const { path, id } = await make({ schema: DATES });
      const page = await open(path, { javaScriptEnabled: false });
      await fillDate(page, "4", "13", "1990");
      await page.fill("[name=guardian]", "Eve");
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-summary");
      assert.equal(await page.getAttribute("[name='born[month]']", "aria-invalid"), "true");
      assert.equal(await page.inputValue("[name='born[year]']"), "1990");
      const link = await page.getAttribute(".cf-summary a", "href");
      assert.equal(link, `#${await page.getAttribute("[name='born[month]']", "id")}`);
      await page.fill("[name='born[month]']", "5");
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-message-success,.cf-ending");
      assert.equal(((await newest(id)) as { born?: unknown }).born, "1990-05-04");
      await page.context().close();
    });
  }),
);

describe("signatures in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    it("a visitor draws, clears, or types a name instead", async () => {
      const { path, id } = await make({ schema: SIGNATURE });
      const page = await open(path);
      const canvas = page.locator(".cf-pad canvas");
      await canvas.waitFor();
      await page.waitForSelector(".cf-drop", { state: "attached" });
      assert.equal(await isSigned(page), false);
      assert.deepEqual(await violations(page), []);
      const box = await canvas.boundingBox();
      assert.ok(box !== null);
      await page.mouse.move(box.x + 60, box.y + 60);
      await page.mouse.down();
      await page.mouse.move(box.x + 200, box.y + 120, { steps: 8 });
      await page.mouse.move(box.x + 260, box.y + 50, { steps: 8 });
      await page.mouse.up();
      assert.equal(await isSigned(page), true);
      await page.click("text=Clear");
      assert.equal(await isSigned(page), false);
      await page.click("text=Type instead");
      await page.keyboard.type("Ada Lovelace");
      assert.equal(await isSigned(page), true);
      await page.fill("[name=place]", "London");
      await stored(page);
      // A narrower window loses no stroke.
      await page.setViewportSize({ width: 500, height: 800 });
      assert.equal(await isSigned(page), true);
      assert.equal(await isTooWide(page), false);
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-message-success,.cf-ending");
      assert.equal(((await newest(id)) as { sign?: unknown }).sign, "signature.png");
      await page.context().close();
    });

    it("an unsigned form is not sent, and the pad shows the fault", async () => {
      const { path } = await make({ schema: SIGNATURE });
      const page = await open(path);
      await page.waitForSelector(".cf-pad canvas");
      await page.waitForSelector(".cf-drop", { state: "attached" });
      await page.fill("[name=place]", "London");
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-error");
      assert.equal(await page.evaluate(() => document.activeElement?.closest(".cf-pad") !== null), true);
      await page.context().close();
    });

    it("on a touch screen the pad is a dialog", async () => {
      const { path, id } = await make({ schema: SIGNATURE });
      const page = await open(path, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
      await page.waitForSelector(".cf-pad canvas");
      await page.waitForSelector(".cf-drop", { state: "attached" });
      await page.fill("[name=place]", "London");
      assert.equal(await isTooWide(page), false);
      assert.deepEqual(await violations(page), []);
      await page.tap(".cf-pad-buttons >> text=Sign");
      const canvas = page.locator("dialog[open] canvas");
      await canvas.waitFor();
      const box = await canvas.boundingBox();
      assert.ok(box !== null);
      await page.mouse.move(box.x + 40, box.y + 40);
      await page.mouse.down();
      await page.mouse.move(box.x + 150, box.y + 80, { steps: 8 });
      await page.mouse.up();
      await page.tap("dialog >> text=Done");
      assert.equal(await isSigned(page), true);
      await stored(page);
      await page.tap("button.cf-submit");
      await page.waitForSelector(".cf-message-success,.cf-ending");
      assert.equal(((await newest(id)) as { sign?: unknown }).sign, "signature.png");
      await page.context().close();
    });

    it("without script a visitor uploads a picture", async () => {
      const { path, id } = await make({ schema: SIGNATURE });
      const page = await open(path, { javaScriptEnabled: false });
      await page.fill("[name=place]", "London");
      const png = Buffer.from(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
        "base64",
      );
      await page.setInputFiles("[name=sign]", { name: "mine.png", mimeType: "image/png", buffer: png });
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-message-success,.cf-ending");
      assert.equal(((await newest(id)) as { sign?: unknown }).sign, "mine.png");
      await page.context().close();
    });
  }),
);
