/** Causes of first-time visitors' hesitation on a phone, with and without script: targets, dates in messages, rows. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium } from "./chromium.ts";
import { useStepsSite } from "./steps-site.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const PLAIN = { ...PHONE, javaScriptEnabled: false };
const MOUSE = { viewport: { width: 900, height: 844 } };

const SEND = { name: "send", type: "submit", label: "Send" };

const moment = (name: string, type: string, min: string): object =>
  type === "month" || type === "week"
    ? { name, type: "text", label: name, attributes: { type, min } }
    : { name, type, label: name, attributes: { min } };

const MOMENTS = {
  fields: [
    moment("day", "date", "2027-05-05"),
    moment("month", "month", "2027-05"),
    moment("week", "week", "2027-W09"),
    moment("time", "time", "09:00"),
    moment("start", "datetime-local", "2027-05-05T09:00"),
    SEND,
  ],
};

const EARLY = { day: "2027-01-01", month: "2027-01", week: "2027-W02", time: "08:00", start: "2027-01-01T08:00" };

const ROWS = {
  fields: [
    ...Array.from({ length: 12 }, (_, index) => ({ name: `t${index}`, type: "text", label: `Text ${index}` })),
    {
      name: "items",
      type: "fieldset",
      label: "Items",
      validation: { min: 1, max: 3 },
      attributes: { "data-repeat": "" },
    },
    { name: "what", type: "text", label: "Item", group: "items", required: true },
    { name: "color", type: "radio", label: "Colour", required: true, options: ["Red", "Green"] },
    SEND,
  ],
};

/** The heights of elements, rounded to pixels. */
const heights = (page: Page, selector: string): Promise<number[]> =>
  page.locator(selector).evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().height)));

const send = async (page: Page): Promise<void> => {
  await page.click("button.cf-submit");
  await page.waitForSelector(".cf-error");
};

const focusInSight = (page: Page): Promise<{ readonly text: string; readonly isInSight: boolean }> =>
  page.evaluate(() => {
    const { top = -1, bottom = 1e9 } = document.activeElement?.getBoundingClientRect() ?? {};
    return { text: document.activeElement?.textContent ?? "", isInSight: top >= 0 && bottom <= innerHeight };
  });

describe("hesitations on a phone, in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, site, open }) => {
    it("choices and the links of the summary are large enough for fingers, and for a mouse", async () => {
      const { path } = await make({ schema: ROWS });
      for (const [context, least] of [
        [PHONE, 44],
        [MOUSE, 24],
      ] as const) {
        const page = await open(path, context);
        await send(page);
        for (const selector of [".cf-choice > label", ".cf-summary a"]) {
          const found = await heights(page, selector);
          assert.ok(found.length > 1 && Math.min(...found) >= least, `${selector}: ${found.join(", ")}`);
        }
        await page.context().close();
      }
    });

    for (const [language, expected] of [
      ["", ["5 May 2027", "May 2027", "week 9, 2027", "09:00", "5 May 2027 09:00"]],
      ["en", ["5 May 2027", "May 2027", "week 9, 2027", "09:00", "5 May 2027 09:00"]],
      ["de", ["05.05.2027", "05.2027", "2027-W09", "09:00", "05.05.2027 09:00"]],
    ] as const) {
      it(`a message writes a date in the visitor's language, with and without script: ${language || "none"}`, async () => {
        const settings = language === "en" ? { language } : {};
        const messages = language === "de" ? { date_format: "{day}.{month}.{year}" } : {};
        const { path } = await make({ schema: MOMENTS, settings, messages });
        for (const context of [PHONE, PLAIN]) {
          const page = await open(path, context);
          // Without script the browser's own check would stop the submit.
          await page.locator("form.cf-form").evaluate((form) => form.setAttribute("novalidate", ""));
          for (const [name, value] of Object.entries(EARLY)) await page.fill(`[name=${name}]`, value);
          await send(page);
          const shown = await page.locator(".cf-error").allTextContents();
          assert.equal(shown.length, expected.length);
          for (const [index, text] of expected.entries())
            assert.ok(shown[index]?.replace(/\.$/, "").endsWith(` ${text}`), `${shown[index]} without ${text}`);
          await page.context().close();
        }
      });
    }

    it("without script, an added row and the button after a removal are in sight and focused", async () => {
      const { path } = await make({ schema: ROWS });
      const page = await open(path, PLAIN);
      for (const count of [2, 3]) {
        await page.click("button[name=_cf_add]");
        await page.waitForSelector(`.cf-row >> nth=${count - 1}`);
        const { text, isInSight } = await focusInSight(page);
        assert.ok(text.includes(`Items ${count}`) && isInSight, `${text}: ${isInSight}`);
      }
      await page.click("button[name=_cf_remove] >> nth=0");
      await page.waitForFunction(() => document.querySelectorAll(".cf-row").length === 2);
      const { text, isInSight } = await focusInSight(page);
      assert.ok(text.includes("Add another") && isInSight, `${text}: ${isInSight}`);
      await page.context().close();
    });

    it("each button of a review has a name, and a form without questions has no review", async () => {
      const one = { name: "who", type: "text", label: "Name" };
      const reviewed = await make({ schema: { fields: [one, SEND] }, settings: { review: true } });
      const page = await open(reviewed.path, PHONE);
      await page.waitForSelector(".cf-next:visible");
      assert.equal(await page.textContent(".cf-next"), "Next");
      await page.fill("[name=who]", "Ada");
      await page.click(".cf-next");
      await page.waitForSelector(".cf-answers");
      assert.deepEqual(await page.locator("button:visible").allTextContents(), ["Change", "Back", "Send"]);
      await page.context().close();
      const heading = { name: "hello", type: "heading", label: "Confirm that you were here" };
      const bare = await make({ schema: { fields: [heading] }, settings: { review: true } });
      for (const context of [PHONE, PLAIN]) {
        const confirming = await open(bare.path, context);
        assert.deepEqual(await confirming.locator("button:visible").allTextContents(), ["Send"]);
        await confirming.click("button.cf-submit");
        await confirming.waitForSelector(".cf-ending");
        await confirming.context().close();
      }
    });

    it("progress saved without script is mailed without an error, and resumed in another browser", async () => {
      const schema = { fields: [{ name: "who", type: "text", label: "Name", required: true }, SEND] };
      const { path } = await make({ schema, settings: { save: "button", save_mail: true } });
      const page = await open(path, PLAIN);
      await page.fill("[name=who]", "Ada");
      await page.click(".cf-save");
      const days = await page.textContent("h2 + p");
      assert.match(days ?? "", /until \d{1,2} [A-Z][a-z]+ \d{4}\./);
      await page.fill("[name=email]", "ada@example.org");
      await page.click("button:has-text('Email me the link')");
      const notice = page.locator(".cf-message");
      assert.equal(await notice.textContent(), "The link is on its way to you.");
      assert.match((await notice.getAttribute("class")) ?? "", /success/);
      await page.context().close();
      await site().forms.runQueue();
      const [mailed] = /https?:\S+/.exec(site().mails[0]?.text ?? "") ?? [];
      assert.ok(mailed !== undefined, "the mail has the link");
      const second = await open(new URL(mailed).pathname, PLAIN);
      await second.click("button:has-text('Continue')");
      assert.equal(await second.inputValue("[name=who]"), "Ada");
      await second.click("button.cf-submit");
      await second.waitForSelector(".cf-ending");
      await second.context().close();
    });
  }),
);
