/** The quote calculator, the class booking and the quiz among the templates, filled in with and without script. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { inLanguage } from "../../admin/templates/in-language.ts";
import { TEMPLATES } from "../../admin/templates/index.ts";
import { noChromium, takePicture, violations } from "./chromium.ts";
import { readTheForm, useStepsSite } from "./steps-site.ts";

/** Checks a state for accessibility, and takes its picture. Axe needs script. */
async function checkState(page: Page, name: string): Promise<void> {
  if (!name.includes("no-script")) assert.deepEqual(await violations(page), [], name);
  await takePicture(page, `template-${name}.png`, { fullPage: true });
}

const WAYS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ["desktop", {}],
  ["phone", { viewport: { width: 390, height: 800 } }],
  ["no-script", { viewport: { width: 390, height: 800 }, javaScriptEnabled: false }],
];

const send = async (page: Page): Promise<void> => {
  await readTheForm(page);
  await page.click("button.cf-submit");
  await page.waitForSelector(".cf-message-success,.cf-ending");
};

const ending = async (page: Page): Promise<string> => (await page.textContent(".cf-message-success,.cf-ending")) ?? "";

describe("templates in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    const makeFrom = (name: string, language: string): ReturnType<typeof make> => {
      const template = TEMPLATES[name];
      assert.ok(template !== undefined);
      const { schema, settings = {}, messages = {} } = template;
      const content = inLanguage({ schema, messages, settings: { ...settings, language } }, language);
      return make(content as Parameters<typeof make>[0]);
    };

    for (const [way, options] of WAYS) {
      const language = way === "phone" ? "de" : "en";
      const hasScript = options.javaScriptEnabled !== false;

      it(`a quote of two items: ${way}`, async () => {
        const { path, id } = await makeFrom("quote", language);
        const page = await open(path, options);
        await checkState(page, `quote-${way}`);
        await page.selectOption("[name='items[0][product]']", "flyers");
        await page.fill("[name='items[0][quantity]']", "6");
        await page.click("[name=_cf_add]");
        await page.waitForSelector("[name='items[1][product]']");
        // The text of this button has the colour of the form's own button.
        const remove = page.locator("[name=_cf_remove]").first();
        assert.equal(await remove.evaluate((button) => getComputedStyle(button).backgroundColor), "rgba(0, 0, 0, 0)");
        await page.selectOption("[name='items[1][product]']", "posters");
        await page.fill("[name='items[1][quantity]']", "2");
        if (hasScript) {
          const total = page.locator("[data-cf-calc=total]");
          await total.filter({ hasText: /360[.,]63/ }).waitFor();
        }
        await page.fill("[name=name]", "Ada");
        await page.fill("[name=email]", "ada@example.org");
        await checkState(page, `quote-${way}-filled`);
        await send(page);
        assert.match(await ending(page), /Ada.*360[.,]63/s);
        await checkState(page, `quote-${way}-sent`);
        const data = (await newest(id)) as { readonly items: unknown; readonly total: unknown };
        assert.deepEqual(data.items, [
          { product: "flyers", quantity: 6, price: 294 },
          { product: "posters", quantity: 2, price: 25 },
        ]);
        assert.equal(data.total, 360.63);
        await page.context().close();
      });

      it(`a booking until the class is full: ${way}`, async () => {
        const { path, id } = await makeFrom("class-booking", language);
        const book = async (places: number): Promise<Page> => {
          const page = await open(path, options);
          await page.check("[value=sat]");
          await page.fill("[name=places]", String(places));
          await page.fill("[name=name]", "Ada");
          await page.fill("[name=email]", "ada@example.org");
          await page.fill("[name=phone]", language === "de" ? "0151 12345678" : "07400 123456");
          return page;
        };
        const first = await book(4);
        if (hasScript) await first.locator("[data-cf-calc=price]").filter({ hasText: "88" }).waitFor();
        await checkState(first, `class-${way}`);
        await send(first);
        assert.match(await ending(first), /Ada.*4 ×/s);
        await checkState(first, `class-${way}-sent`);
        const { phone } = (await newest(id)) as { readonly phone: string };
        assert.equal(phone, language === "de" ? "+4915112345678" : "+447400123456");
        const [late, second] = [await book(2), await book(3)];
        await send(second);
        await readTheForm(late);
        await late.click("button.cf-submit");
        await late.waitForSelector("[name=class][aria-invalid],[aria-invalid] [name=class],.cf-error:has-text('1')");
        await checkState(late, `class-${way}-sold-out`);
        const last = await book(1);
        await send(last);
        await first.goto(last.url());
        assert.equal(await first.isDisabled("[value=sat]"), true);
        await checkState(first, `class-${way}-full`);
        for (const page of [first, second, late, last]) await page.context().close();
      });

      it(`a quiz and its outcomes: ${way}`, async () => {
        const { path, id } = await makeFrom("quiz", language);
        for (const [points, capital, planet, year] of [
          [3, "canberra", "jupiter", "1969"],
          [1, "sydney", "jupiter", "1970"],
          [0, "sydney", "earth", "1970"],
        ] as const) {
          const page = await open(path, options);
          // Random numbers in hidden inputs may contain the digits of an answer.
          const readable = (await page.content()).replace(/<input type="hidden"[^>]*>/g, "");
          assert.match(readable, /<input [^>]*name="year"/);
          assert.doesNotMatch(readable, /1969|data-weights|canberra&quot;:1/);
          if (points === 3) await checkState(page, `quiz-${way}`);
          await page.check(`[value=${capital}]`);
          await page.check(`[value=${planet}]`);
          await page.fill("[name=year]", year);
          await send(page);
          const titles = { 3: /Full marks|Alles richtig/, 1: /Well done|Gut gemacht/, 0: /No points|kein Punkt/ };
          assert.match(await ending(page), titles[points]);
          await checkState(page, `quiz-${way}-${points}`);
          assert.equal(((await newest(id)) as { readonly score: unknown }).score, String(points));
          await page.context().close();
        }
      });
    }
  }),
);
