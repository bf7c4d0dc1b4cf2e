/** Calculated values follow the answers at once, with and without script. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium, violations } from "./chromium.ts";
import { readTheForm, useStepsSite } from "./steps-site.ts";

const SCHEMA = {
  fields: [
    { name: "qty", type: "number", label: "Pieces" },
    {
      name: "size",
      type: "radio",
      label: "Size",
      options: ["S", "L"],
      attributes: { "data-weights": '{"S":10,"L":12.5}' },
    },
    {
      name: "gift",
      type: "checkbox",
      label: "Gift wrap",
      options: ["yes"],
      attributes: { "data-weights": '{"yes":4.5}' },
    },
    {
      name: "net",
      type: "number",
      label: "Net",
      attributes: { "data-calc": "qty * size + gift", "data-format": "currency EUR", readonly: "" },
    },
    {
      name: "total",
      type: "number",
      label: "Total",
      attributes: { "data-calc": "net * 1.19", "data-format": "currency EUR", readonly: "" },
    },
    {
      name: "why",
      label: "Why so much?",
      conditions: [{ field: "total", operator: "greater_than", value: 1000 }],
      required: true,
    },
    { name: "from", type: "date", label: "From" },
    { name: "to", type: "date", label: "To", attributes: { "data-min": "from + 1" } },
    { name: "sum", type: "heading", label: "You pay [total|nothing]" },
    { name: "send", type: "submit", label: "Send" },
  ],
};

const outputs = (page: Page): Promise<string[]> => page.locator("output.cf-output").allInnerTexts();

/** Waits until the outputs have texts; the part of the script is loaded before. */
async function shows(page: Page, ...texts: string[]): Promise<void> {
  const wanted = JSON.stringify(texts);
  await page.waitForFunction(
    (expected) =>
      JSON.stringify([...document.querySelectorAll<HTMLElement>("output.cf-output")].map((one) => one.innerText)) ===
      expected,
    wanted,
  );
}

describe("calculations in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    it("values follow the answers, conditions and texts follow values, and the server stores the values that it calculates", async () => {
      const { path, id } = await make({ schema: SCHEMA });
      const page = await open(path);
      await readTheForm(page);
      await shows(page, "€0.00", "€0.00");
      await page.fill("[name=qty]", "3");
      await page.check("[value=L]");
      await page.check("[value=yes]");
      await shows(page, "€42.00", "€49.98");
      await page.waitForFunction(() => document.querySelector("h2.cf-heading")?.textContent === "You pay €49.98");
      assert.equal(await page.isVisible("[name=why]"), false);
      await page.fill("[name=qty]", "100");
      await shows(page, "€1,254.50", "€1,492.86");
      await page.waitForSelector("[name=why]", { state: "visible" });
      await page.fill("[name=from]", "2027-05-01");
      assert.equal(await page.getAttribute("[name=to]", "min"), "2027-05-02");
      assert.deepEqual(await violations(page), []);
      await page.fill("[name=why]", "A party");
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-message-success,.cf-ending");
      const { net, total } = (await newest(id)) as { net?: unknown; total?: unknown };
      assert.deepEqual([net, total], [1254.5, 1492.86]);
      await page.context().close();
    });

    it("without script, the page after a rejected submit shows the values", async () => {
      const { path } = await make({ schema: SCHEMA });
      const page = await open(path, { javaScriptEnabled: false });
      await page.fill("[name=qty]", "100");
      await page.check("[value=S]");
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-error");
      assert.deepEqual(await outputs(page), ["€1,000.00", "€1,190.00"]);
      await page.context().close();
    });
  }),
);
