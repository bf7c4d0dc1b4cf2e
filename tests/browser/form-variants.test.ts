/** Matrices, rankings and telephone numbers with a country, with and without script. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium, violations } from "./chromium.ts";
import { readTheForm, useStepsSite } from "./steps-site.ts";

const option = (value: string, label: string): object => ({ value, label });
const SCALE = [option("1", "Poor"), option("2", "Fair"), option("3", "Good"), option("4", "Very good")];
const ANIMALS = [option("a", "Ants"), option("b", "Bees"), option("c", "Cats"), option("d", "Dogs")];

const SCHEMA = {
  fields: [
    { name: "m", type: "fieldset", label: "How was it?", css_class: "cf-matrix" },
    { name: "food", type: "radio", label: "Food", group: "m", options: SCALE, required: true },
    { name: "room", type: "radio", label: "The room and its view", group: "m", options: SCALE },
    { name: "used", type: "checkbox", label: "Used", group: "m", options: SCALE },
    {
      name: "best",
      type: "checkbox",
      label: "Your favourites",
      required: true,
      options: ANIMALS,
      attributes: { "data-rank": "" },
    },
    { name: "why", label: "Why cats?", conditions: [{ field: "best", operator: "contains", value: "c" }] },
    { name: "p", type: "tel", label: "Phone", attributes: { "data-phone": "DE" } },
    {
      name: "abroad",
      label: "From abroad",
      conditions: [{ field: "p", operator: "starts_with", value: "+43" }],
    },
    { name: "shown", type: "heading", label: "We call [p|nobody]" },
    { name: "send", type: "submit", label: "Send" },
  ],
};

const MARKUP = `<fieldset class="cf-matrix"><legend>How?</legend>
<fieldset><legend>Food</legend><label><input type="radio" name="food" value="1"> Poor</label><label><input type="radio" name="food" value="2"> Good</label></fieldset>
<fieldset><legend>Room</legend><label><input type="radio" name="room" value="1"> Poor</label><label><input type="radio" name="room" value="2"> Good</label></fieldset></fieldset>
<fieldset data-rank><legend>Best</legend><label><input type="checkbox" name="r[]" value="a"> Ants</label><label><input type="checkbox" name="r[]" value="b"> Bees</label></fieldset>
<p><label>Phone <input type="tel" name="p" data-phone="" data-countries="DE AT"></label></p><button>Send</button>`;

const shots = process.env["CF_SHOTS"];
async function shoot(page: Page, name: string): Promise<void> {
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
}

const order = (page: Page): Promise<string> =>
  page
    .locator(".cf-rank > li")
    .evaluateAll((items) =>
      items.map((item) => (item as HTMLElement).innerText.split("\n").slice(0, 2).join(" ")).join(", "),
    );

const sent = (page: Page): Promise<unknown> => page.waitForSelector(".cf-message-success,.cf-ending");

/** Whether the labels of the first row's choices can be seen. */
const showsLabels = (page: Page): Promise<boolean> =>
  page
    .locator(".cf-matrix .cf-choice label")
    .first()
    .evaluate((label) => getComputedStyle(label).fontSize !== "0px");

describe("variants in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    it("visitors rank by buttons, choose in a matrix, and write a number as they like", async () => {
      const { path, id } = await make({ schema: SCHEMA });
      const page = await open(path);
      await readTheForm(page);
      await page.waitForSelector(".cf-rank");
      assert.equal(await order(page), "– Ants, – Bees, – Cats, – Dogs");
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-summary");
      assert.equal(await page.locator(".cf-summary li").count(), 2);
      await shoot(page, "faults");
      await page.getByRole("button", { name: "Move Cats up" }).click();
      assert.equal(await order(page), "1 Ants, 2 Cats, 3 Bees, 4 Dogs");
      assert.equal(await page.locator(".cf-rank + .cf-clear + [role=status]").innerText(), "Cats: place 2 of 4");
      await page.keyboard.press("Enter");
      assert.equal(await order(page), "1 Cats, 2 Ants, 3 Bees, 4 Dogs");
      await page.waitForSelector("[name=why]", { state: "visible" });
      assert.equal(await showsLabels(page), false);
      // The whole cell chooses.
      const cell = page.locator(".cf-matrix .cf-choice").nth(2);
      await cell.click({ position: { x: 4, y: 4 } });
      assert.equal(await page.isChecked("[name=food][value='3']"), true);
      await page.fill("[name=p]", "12");
      await page.locator("[name=p]").blur();
      await page.waitForSelector(".cf-phone .cf-error");
      await page.fill("[name=p]", "0043 1 234567");
      await page.locator("[name=p]").blur();
      await page.waitForSelector("[name=abroad]", { state: "visible" });
      assert.equal(await page.inputValue("select.cf-country"), "AT");
      await page.waitForFunction(() => document.querySelector("h2.cf-heading")?.textContent === "We call +431234567");
      assert.equal(await page.locator(".cf-error").count(), 0);
      assert.deepEqual(await violations(page), []);
      await shoot(page, "desktop");
      await page.click("button.cf-submit");
      await sent(page);
      const { best, food, p } = (await newest(id)) as Record<string, unknown>;
      assert.deepEqual([best, food, p], [["c", "a", "b", "d"], "3", "+431234567"]);
      await page.context().close();
    });

    it("a dragged option moves, and a reload keeps the order", async () => {
      const { path } = await make({ schema: SCHEMA });
      const page = await open(path);
      await page.waitForSelector(".cf-rank");
      await page.locator(".cf-rank > li").nth(3).dragTo(page.locator(".cf-rank > li").nth(0));
      assert.match(await order(page), /^1 Dogs/);
      await page.context().close();
    });

    it("a narrow form repeats the labels of the columns", async () => {
      const { path } = await make({ schema: SCHEMA });
      const page = await open(path, { viewport: { width: 390, height: 800 }, hasTouch: true });
      await page.waitForSelector(".cf-rank");
      assert.equal(await showsLabels(page), true);
      assert.equal(await page.isVisible(".cf-heads"), false);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
      assert.deepEqual(await violations(page), []);
      await shoot(page, "390");
      await page.context().close();
    });

    it("without script each place has a select, and faults are shown at their fields", async () => {
      const { path, id } = await make({ schema: SCHEMA });
      const page = await open(path, { javaScriptEnabled: false });
      const places = page.locator("select[name='best[]']");
      assert.equal(await places.count(), 4);
      for (const [index, value] of ["b", "b", "a", ""].entries()) await places.nth(index).selectOption(value);
      await page.fill("[name=p]", "12");
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-summary");
      await shoot(page, "no-script");
      assert.deepEqual(await page.locator(".cf-error").allInnerTexts(), [
        "Choose an option.",
        "Choose each option only once.",
        "Enter a complete phone number, with the area code.",
      ]);
      assert.equal(await places.nth(2).inputValue(), "a");
      assert.equal(await page.getAttribute("select.cf-country", "aria-invalid"), null);
      for (const [index, value] of ["b", "c", "a", "d"].entries()) await places.nth(index).selectOption(value);
      await page.check("[name=food][value='2']");
      await page.selectOption("select.cf-country", "GB");
      await page.fill("[name=p]", "020 7946 0958");
      await page.click("button.cf-submit");
      await sent(page);
      const { best, p } = (await newest(id)) as Record<string, unknown>;
      assert.deepEqual([best, p], [["b", "c", "a", "d"], "+442079460958"]);
      await page.context().close();
    });

    it("an author's HTML has the same parts", async () => {
      const { path, id } = await make({ markup: MARKUP });
      const page = await open(path);
      await page.waitForSelector(".cf-rank");
      await shoot(page, "author");
      assert.equal(await page.locator(".cf-heads span").count(), 2);
      await page.getByRole("button", { name: "Move Bees up" }).click();
      await page.selectOption("select.cf-country", "AT");
      await page.fill("[name=p]", "01 234567");
      assert.deepEqual(await violations(page), []);
      await page.click("button:not([type])");
      await sent(page);
      const { r, p } = (await newest(id)) as Record<string, unknown>;
      assert.deepEqual([r, p], [["b", "a"], "+431234567"]);
      await page.context().close();
    });
  }),
);
