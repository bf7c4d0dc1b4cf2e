/**
 * Answers in later texts, fields that the page's URL fills in, and answers that can be cleared, with and without script.
 */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium, violations } from "./chromium.ts";
import { readTheForm, useStepsSite } from "./steps-site.ts";

const SCHEMA = {
  fields: [
    { name: "nick", label: "Name" },
    {
      name: "size",
      type: "radio",
      label: "Size",
      options: [
        { value: "L", label: "Large\nfor most" },
        { value: "S", label: "Small" },
      ],
      attributes: { "data-other": "Other" },
    },
    { name: "who", type: "name", label: "Guest" },
    { name: "day", type: "date", label: "Day" },
    { name: "secret", label: "Secret", conditions: [{ field: "nick", operator: "equals", value: "x" }] },
    {
      name: "shown",
      type: "heading",
      label: "[nick|You], [size|no size], [who.first|nobody], [day|no day], [secret|none]",
    },
    { name: "room", type: "select", label: "Room", options: [{ value: "x", label: "For [nick|you]" }] },
    { name: "note", label: "Note for [NICK|you]", required: true, placeholder: "Dear [nick|host]" },
    { name: "terms", type: "consent", label: "I, [nick|a guest], accept the [terms](/terms)." },
    { name: "send", type: "submit", label: "Send, [nick|you]" },
  ],
};

const SCALES = {
  fields: [
    { name: "n", type: "rating", label: "Likely?", css_class: "cf-nps", validation: { min: 0, max: 10 } },
    { name: "must", type: "rating", label: "Must?", required: true },
    { name: "mood", type: "range", label: "Mood" },
    { name: "paint", type: "color", label: "Paint" },
    {
      name: "often",
      type: "radio",
      label: "How often?",
      css_class: "cf-scale",
      options: ["Never", "Seldom", "Sometimes", "Often", "Always"],
    },
    { name: "send", type: "submit", label: "Send" },
  ],
};

const heading = (page: Page): Promise<string> => page.innerText("h2.cf-heading");

/** Waits until the heading has a text; a part of the script is loaded before. */
async function shows(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => (document.querySelector("h2.cf-heading") as HTMLElement | null)?.innerText === wanted,
    text,
  );
}

describe("answers in later texts in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    it("texts follow the answers at once", async () => {
      const { path, id } = await make({ schema: SCHEMA, settings: { success_summary: true } });
      const page = await open(path);
      await readTheForm(page);
      await shows(page, "You, no size, nobody, no day, none");
      await page.fill("[name=nick]", "<i>Ada</i>");
      await page.fill("[name='who[first]']", "  Grace ");
      await page.check("[value=L]");
      await page.fill("[name=day]", "2026-12-31");
      await shows(page, "<i>Ada</i>, Large, Grace, 2026-12-31, none");
      assert.equal(await page.textContent("option[value=x]"), "For <i>Ada</i>");
      assert.equal(await page.getAttribute("[name=note]", "placeholder"), "Dear <i>Ada</i>");
      assert.equal(await page.innerText("button.cf-submit"), "Send, <i>Ada</i>");
      assert.equal(await page.getAttribute(".cf-field-consent a", "href"), "/terms");
      await page.check(".cf-other [type=radio]");
      await page.fill("[name='size[other]']", "Huge");
      await shows(page, "<i>Ada</i>, Huge, Grace, 2026-12-31, none");
      // A field hidden by its conditions has no answer.
      await page.fill("[name=nick]", "x");
      await page.fill("[name=secret]", "s");
      await shows(page, "x, Huge, Grace, 2026-12-31, s");
      await page.fill("[name=nick]", "Ada");
      await shows(page, "Ada, Huge, Grace, 2026-12-31, none");
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-error");
      assert.match(await page.innerText(".cf-summary"), /Note for Ada/);
      assert.deepEqual(await violations(page), []);
      await page.fill("[name=note]", "n");
      await page.check("[name='terms[accepted]']");
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-ending");
      assert.match(await page.innerText(".cf-ending"), /Note for Ada/);
      const { terms } = (await newest(id)) as { terms?: unknown };
      assert.deepEqual(terms, { accepted: true, text: "I, Ada, accept the terms." });
      await page.context().close();
    });

    it("a URL fills in fields and the texts after them, also after a reload, and another URL replaces them", async () => {
      const { path } = await make({ schema: SCHEMA });
      const page = await open(`${path}?nick=Ada&size=huge`);
      await readTheForm(page);
      await shows(page, "Ada, huge, nobody, no day, none");
      assert.equal(await page.isChecked(".cf-other [type=radio]"), true);
      assert.equal(await page.inputValue("[name='size[other]']"), "huge");
      await page.goto(page.url().replace("Ada", "Bob"));
      await shows(page, "Bob, huge, nobody, no day, none");
      await page.context().close();
    });

    it("without script the page shows the answers that the server knows", async () => {
      const { path } = await make({ schema: SCHEMA });
      const page = await open(`${path}?nick=Ada&day=2026-12-31`, { javaScriptEnabled: false });
      assert.equal(await heading(page), "Ada, no size, nobody, 2026-12-31, none");
      await page.context().close();
    });
  }),
);

describe("scales in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    it("an untouched slider and colour send nothing, and every answer of a scale can be cleared", async () => {
      const { path, id } = await make({ schema: SCALES, settings: { hide_after_success: true } });
      const page = await open(path);
      await readTheForm(page);
      const clear = (name: string) => page.getByRole("button", { name: new RegExp(`: ${name}`) });
      const mood = page.locator("[name=mood]");
      await page.waitForSelector(".cf-clear", { state: "attached" });
      assert.equal(await page.textContent(".cf-range output"), "–");
      assert.equal(await mood.getAttribute("aria-valuetext"), "–");
      assert.equal(await page.locator(".cf-clear:visible").count(), 0);
      // A tap on the middle counts, although it does not change the value.
      await mood.click();
      assert.equal(await page.textContent(".cf-range output"), "50");
      await clear("Mood").click();
      assert.equal(await page.textContent(".cf-range output"), "–");
      assert.equal(await mood.evaluate((one) => one === document.activeElement), true);
      await page.locator("[name=n][value='9']").check({ force: true });
      await clear("Likely").click();
      assert.equal(await page.locator("[name=n]:checked").count(), 0);
      await page.locator("[name=must][value='4']").check({ force: true });
      assert.equal(await clear("Must").count(), 0, "a required rating stays");
      await page.locator("[name=n][value='0']").check({ force: true });
      assert.deepEqual(await violations(page), []);
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-ending");
      assert.deepEqual(await newest(id), { n: 0, must: 4 });
      await page.context().close();
    });

    it("eleven points are in one line if they fit, and nothing is wider than a phone", async () => {
      const { path } = await make({ schema: SCALES });
      for (const [width, lines] of [
        [700, 1],
        [390, 2],
      ] as const) {
        const page = await open(path, { viewport: { width, height: 800 } });
        const tops = await page.$$eval(".cf-nps .cf-choice", (all) =>
          all.map((one) => Math.round(one.getBoundingClientRect().top)),
        );
        assert.equal(new Set(tops).size, lines, `${width} px`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${overflow} px too wide`);
        assert.deepEqual(await violations(page), []);
        await page.context().close();
      }
    });

    it("without script a slider is a number that may stay empty", async () => {
      const { path, id } = await make({ schema: SCALES, settings: { hide_after_success: true } });
      const page = await open(path, { javaScriptEnabled: false });
      assert.equal(await page.getAttribute("[name=mood]", "type"), "number");
      await page.locator("[name=must][value='4']").check({ force: true });
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-ending, .cf-message-success");
      assert.deepEqual(await newest(id), { must: 4, mood: null, paint: "" });
      await page.context().close();
    });
  }),
);
