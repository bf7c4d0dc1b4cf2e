/** Long lists with a search, and the countries of an address; native controls without script. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium, takePicture, violations } from "./chromium.ts";
import { readTheForm, useStepsSite } from "./steps-site.ts";

const CITIES = [
  "Aachen",
  "Berlin",
  "Bremen",
  "Dresden",
  "Erfurt",
  "Essen",
  "Frankfurt",
  "Gera",
  "Halle",
  "Hamburg",
  "Jena",
  "Kassel",
  "Kiel",
  "Köln",
  "Leipzig",
  "Lübeck",
  "Mainz",
  "München",
  "Münster",
  "Potsdam",
  "Rostock",
  "Stuttgart",
  "Ulm",
  "Weimar",
];
const SCHEMA = {
  fields: [
    {
      name: "city",
      type: "select",
      label: "City",
      required: true,
      placeholder: "Choose a city",
      options: CITIES.map((label, index) => ({ value: `c${index}`, label })),
    },
    { name: "why", label: "Why Münster?", conditions: [{ field: "city", operator: "equals", value: "c18" }] },
    {
      name: "few",
      type: "select",
      label: "Few",
      options: [
        { value: "a", label: "A" },
        { value: "b", label: "B" },
      ],
    },
    { name: "home", type: "address", label: "Address" },
    { name: "send", type: "submit", label: "Send" },
  ],
};
const MARKUP = `<label>City <select name="city" required><option value="">–</option>${CITIES.map((city) => `<option>${city}</option>`).join("")}</select></label><button>Send</button>`;

const shown = (page: Page): Promise<string[]> => page.locator(".cf-list:visible [role=option]").allTextContents();

/** Waits until the part of the script for lists is loaded. Before, the native select has the same role and name. */
const isSearchable = (page: Page): Promise<unknown> => page.waitForSelector(".cf-searched", { state: "attached" });

describe("long lists in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open, site }) => {
    it("a long select can be searched only by keyboard and without accents, and follows faults, conditions and a reset", async () => {
      const { path, id } = await make({ schema: SCHEMA, settings: { hide_after_success: true } });
      const page = await open(path);
      await readTheForm(page);
      const city = page.getByRole("combobox", { name: "City" });
      await isSearchable(page);
      assert.equal(await page.locator(".cf-searched").count(), 1, "a short list is native");
      await page.getByRole("button", { name: "Send" }).click();
      await page.waitForSelector(".cf-error");
      assert.equal(
        await city.evaluate((one) => one === document.activeElement && one.getAttribute("aria-invalid") === "true"),
        true,
        "the input has the focus and is marked as invalid",
      );
      await page.keyboard.type("mun");
      assert.deepEqual(await shown(page), ["München", "Münster"]);
      assert.deepEqual(await violations(page), []);
      await takePicture(page, "list-open.png", { fullPage: true });
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      assert.deepEqual(
        [await city.inputValue(), await page.inputValue("[name=city]"), await page.locator(".cf-error").count()],
        ["Münster", "c18", 0],
      );
      assert.equal(await page.isVisible("[name=why]"), true, "conditions follow");
      await city.fill("nowhere");
      assert.deepEqual(await shown(page), []);
      await page.keyboard.press("Tab");
      assert.deepEqual(
        [await city.inputValue(), await page.inputValue("[name=city]")],
        ["nowhere", ""],
        "a text that is not an option is rejected, and stays for correction",
      );
      assert.ok(await page.isVisible(".cf-search >> text=No results"));
      await page.getByRole("button", { name: "Send" }).click();
      await page.waitForSelector(".cf-error >> text=No results");
      await city.fill("drés");
      await page.keyboard.press("Tab");
      assert.deepEqual(
        [await city.inputValue(), await page.inputValue("[name=city]"), await page.locator(".cf-error").count()],
        ["Dresden", "c3", 0],
        "Tab takes the option that matches",
      );
      await page.click("label:has-text('City')");
      await page.keyboard.type("ber");
      await page.click("[role=option]:visible");
      assert.equal(await page.inputValue("[name=city]"), "c1");
      await page.getByRole("button", { name: "Send" }).click();
      await page.waitForSelector(".cf-ending");
      assert.equal(((await newest(id)) as { city?: string }).city, "c1");
      await page.click(".cf-again");
      assert.deepEqual([await city.inputValue(), await city.getAttribute("placeholder")], ["", "Choose a city"]);
      await page.context().close();
    });

    it("an address offers the countries in the form's language, and accepts other texts", async () => {
      const { path } = await make({ schema: SCHEMA, settings: { language: "de" } });
      const page = await open(path, { viewport: { width: 320, height: 700 }, colorScheme: "dark" });
      const country = page.locator('[name="home[country]"]');
      await page.waitForSelector('[name="home[country]"][role=combobox]');
      await country.click();
      assert.equal((await shown(page)).length, 100, "only the first 100 entries are listed");
      await page.keyboard.type("oster");
      assert.deepEqual(await shown(page), ["Österreich"]);
      assert.deepEqual(await violations(page), []);
      await takePicture(page, "list-countries.png", { fullPage: true });
      await page.keyboard.press("Enter");
      assert.equal(await country.inputValue(), "Österreich");
      await country.fill("ch");
      assert.equal((await shown(page))[0], "Schweiz", "by its code");
      await country.fill("Atlantis");
      await page.keyboard.press("Tab");
      assert.equal(await country.inputValue(), "Atlantis");
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} px too wide`);
      await page.context().close();
    });

    it("a select in its label, right to left and in forced colours", async () => {
      const { path } = await make({ markup: MARKUP, settings: { language: "ar" } });
      const page = await open(path, { forcedColors: "active" });
      await isSearchable(page);
      await page.getByRole("combobox", { name: "City" }).click();
      await page.keyboard.type("ul");
      assert.deepEqual(await shown(page), ["Ulm"]);
      assert.deepEqual(await violations(page), []);
      await takePicture(page, "list-rtl.png", { fullPage: true });
      await page.click("[role=option]:visible");
      assert.equal(await page.inputValue("[name=city]"), "Ulm");
      await page.context().close();
    });

    it("a phone has the native list", async () => {
      const { path } = await make({ schema: SCHEMA });
      const page = await open(path, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
      await page.waitForSelector('[name="home[country]"][role=combobox]');
      assert.equal(await page.locator(".cf-searched").count(), 0);
      await page.selectOption("[name=city]", "c18");
      assert.equal(await page.isVisible("[name=why]"), true);
      await page.context().close();
    });

    it("without script long lists are native", async () => {
      const { path, id } = await make({ schema: SCHEMA });
      const page = await open(path, { javaScriptEnabled: false });
      await readTheForm(page);
      await page.selectOption("[name=city]", "c3");
      for (const [part, value] of Object.entries({
        street: "One",
        city: "Town",
        postal_code: "1",
        country: "Atlantis",
      }))
        await page.fill(`[name="home[${part}]"]`, value);
      await page.locator("button").click();
      await page.waitForSelector(".cf-message-success");
      const { city, home } = (await newest(id)) as { city?: string; home?: { country?: string } };
      assert.deepEqual([city, home?.country], ["c3", "Atlantis"], "the server does not know the list of countries");
      // A listed country is checked.
      const refused = await fetch(`${site().url}${path}`, {
        method: "POST",
        headers: { accept: "application/json" },
        body: new URLSearchParams({ city: "Atlantis" }),
      });
      assert.deepEqual(
        [
          refused.status,
          ((await refused.json()) as { errors: { field: string; code: string }[] }).errors.map(
            ({ field, code }) => `${field} ${code}`,
          ),
        ],
        [400, ["city invalid_option"]],
      );
      await page.context().close();
    });
  }),
);
