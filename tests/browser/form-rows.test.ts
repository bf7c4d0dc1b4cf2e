/** Repeating groups with and without script, on wide and narrow screens. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium, violations } from "./chromium.ts";
import { readTheForm, useStepsSite } from "./steps-site.ts";

const SCHEMA = {
  fields: [
    {
      name: "guests",
      type: "fieldset",
      label: "Guests",
      validation: { min: 1, max: 3 },
      attributes: { "data-repeat": "Add a guest" },
    },
    { name: "who", type: "text", label: "Name", group: "guests", required: true },
    {
      name: "menu",
      type: "select",
      label: "Menu for [who|this guest]",
      group: "guests",
      options: [
        { value: "f", label: "Fish" },
        { value: "v", label: "Veg" },
      ],
      default_value: "f",
    },
    {
      name: "wishes",
      label: "Wishes",
      group: "guests",
      conditions: [{ field: "menu", operator: "equals", value: "v" }],
    },
    { name: "price", type: "number", label: "Price", group: "guests" },
    {
      name: "gross",
      type: "number",
      label: "With tax",
      group: "guests",
      attributes: { "data-calc": "price * 1.1 + row()", readonly: "" },
    },
    {
      name: "total",
      type: "number",
      label: "Total",
      attributes: { "data-calc": "sum(guests, gross)", readonly: "" },
    },
    {
      name: "veg",
      type: "text",
      label: "Allergies",
      conditions: [{ field: "menu", operator: "equals", value: "v" }],
    },
    { name: "all", type: "heading", label: "Welcome, [who|you]" },
    { name: "send", type: "submit", label: "Send" },
  ],
};

const legends = (page: Page): Promise<string[]> => page.locator(".cf-row > legend").allInnerTexts();
const nameOfFocus = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute("name") ?? null);
const heading = (page: Page, text: string): Promise<unknown> =>
  page.waitForFunction((wanted) => document.querySelector("h2.cf-heading")?.textContent === wanted, text);
const output = (page: Page, name: string, text: string): Promise<unknown> =>
  page.waitForFunction(
    ([of, wanted]) => document.querySelector<HTMLElement>(`[data-cf-calc="${of}"]`)?.innerText === wanted,
    [name, text],
  );

describe("repeating groups in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ])
      it(`rows are added and removed, and each reads its own answers (${viewport.width} px)`, async () => {
        const { path, id } = await make({ schema: SCHEMA });
        const page = await open(path, { viewport });
        await readTheForm(page);
        await page.waitForSelector("[name=_cf_add][type=button]");
        assert.deepEqual(await legends(page), ["Guests 1"]);
        await page.fill("[name='guests[0][who]']", "Ada");
        await page.fill("[name='guests[0][price]']", "10");
        await page.click("text=Add a guest");
        assert.equal(await nameOfFocus(page), "guests[1][who]");
        await page.keyboard.type("Bob");
        await page.fill("[name='guests[1][price]']", "20");
        await output(page, "guests[1][gross]", "24");
        await output(page, "total", "36");
        await heading(page, "Welcome, Ada, Bob");
        assert.equal(await page.isVisible("[name='guests[1][wishes]']"), false);
        await page.selectOption("[name='guests[1][menu]']", "v");
        await page.waitForSelector("[name='guests[1][wishes]']", { state: "visible" });
        assert.equal(await page.isVisible("[name='guests[0][wishes]']"), false);
        await page.waitForSelector("[name=veg]", { state: "visible" });
        await page.waitForFunction(() =>
          document.querySelector("label[for$='--guests--1--menu']")?.textContent?.includes("Menu for Bob"),
        );
        assert.deepEqual(await violations(page), []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);

        await page.click("text=Add a guest");
        assert.equal(await page.isVisible("[name=_cf_add]"), false, "three rows are the maximum");
        await page.fill("[name='guests[2][who]']", "Cyd");
        await page.click("[value='guests.0']");
        assert.deepEqual(await legends(page), ["Guests 1", "Guests 2"]);
        assert.equal(await nameOfFocus(page), "_cf_add");
        await output(page, "guests[1][gross]", "23");
        await page.click("text=Undo");
        assert.deepEqual(await legends(page), ["Guests 1", "Guests 2", "Guests 3"]);
        assert.equal(await page.inputValue("[name='guests[0][who]']"), "Ada");
        await page.click("[value='guests.2']");
        await page.fill("[name='guests[1][who]']", "");
        await page.click("button.cf-submit");
        await page.waitForSelector(".cf-error");
        assert.match(await page.innerText(".cf-error"), /required/);
        assert.equal(await nameOfFocus(page), "guests[1][who]");
        await page.fill("[name='guests[1][who]']", "Bob");
        await page.reload();
        await page.waitForSelector("[name='guests[1][who]']");
        await page.waitForFunction(
          () => document.querySelector<HTMLInputElement>("[name='guests[1][who]']")?.value === "Bob",
        );
        await page.click("button.cf-submit");
        await page.waitForSelector(".cf-message-success,.cf-ending");
        const { guests, total } = (await newest(id)) as { guests?: unknown; total?: unknown };
        assert.deepEqual(guests, [
          { who: "Ada", menu: "f", price: 10, gross: 12 },
          { who: "Bob", menu: "v", wishes: "", price: 20, gross: 24 },
        ]);
        assert.equal(total, 36);
        await page.context().close();
      });

    it("without script the page returns with one row more or fewer, and stores nothing", async () => {
      const { path, id } = await make({ schema: SCHEMA });
      const page = await open(path, { javaScriptEnabled: false });
      await page.fill("[name='guests[0][who]']", "Ada");
      await page.click("[name=_cf_add]");
      await page.waitForSelector("[name='guests[1][who]']");
      assert.equal(await page.inputValue("[name='guests[0][who]']"), "Ada");
      assert.equal(await page.locator(".cf-error,.cf-message-error").count(), 0);
      await page.fill("[name='guests[1][who]']", "Bob");
      await page.click("[name=_cf_add]");
      await page.waitForSelector("[name='guests[2][who]']");
      assert.equal(await page.locator("[name=_cf_add]").count(), 0);
      await page.click("[value='guests.0']");
      await page.locator("[name='guests[0][who]']").waitFor({ state: "detached" });
      assert.deepEqual(await legends(page), ["Guests 1", "Guests 2"]);
      assert.equal(await page.inputValue("[name='guests[1][who]']"), "Bob");
      await page.fill("[name='guests[1][who]']", "");
      await page.fill("[name='guests[1][price]']", "5");
      // Enter sends the form; it adds no row.
      await page.press("[name='guests[1][price]']", "Enter");
      await page.waitForSelector(".cf-summary");
      const link = await page.getAttribute(".cf-summary a", "href");
      assert.equal(link, `#${await page.getAttribute("[name='guests[1][who]']", "id")}`);
      await page.fill("[name='guests[1][who]']", "Eve");
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-message-success,.cf-ending");
      const { guests } = (await newest(id)) as { guests?: readonly { who: string }[] };
      assert.deepEqual(
        guests?.map(({ who }) => who),
        ["Eve"],
      );
      await page.context().close();
    });
  }),
);
