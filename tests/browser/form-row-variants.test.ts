/** Rankings, telephone numbers, dates in parts, matrices, seats and unique values in the rows of a group. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { noChromium, takePicture, violations } from "./chromium.ts";
import { readTheForm, useStepsSite } from "./steps-site.ts";

const inRows = (field: object): object => ({ group: "g", ...field });

const SCHEMA = {
  fields: [
    {
      name: "g",
      type: "fieldset",
      label: "Guest",
      validation: { min: 1, max: 3 },
      attributes: { "data-repeat": "Add a guest" },
    },
    ...[
      { name: "email", type: "email", label: "Email", attributes: { "data-unique": "" } },
      { name: "p", type: "tel", label: "Phone", attributes: { "data-phone": "DE", "data-countries": "DE AT" } },
      { name: "d", type: "date", label: "Born", attributes: { "data-parts": "" } },
      {
        name: "best",
        type: "checkbox",
        label: "Rank",
        options: [
          { value: "a", label: "Ants" },
          { value: "b", label: "Bees" },
        ],
        attributes: { "data-rank": "" },
      },
      {
        name: "slot",
        type: "radio",
        label: "Slot",
        options: ["10:00", "11:00"],
        attributes: { "data-seats": '{"10:00":3}', "data-seats-left": "" },
      },
      { name: "m", type: "fieldset", label: "How?", css_class: "cf-matrix" },
    ].map(inRows),
    { name: "food", type: "radio", label: "Food", group: "m", options: ["Good", "Bad"] },
    { name: "room", type: "radio", label: "Room", group: "m", options: ["Good", "Bad"] },
    { name: "send", type: "submit", label: "Send" },
  ],
};

const WAYS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ["desktop", {}],
  ["phone", { viewport: { width: 390, height: 844 } }],
  ["no-script", { viewport: { width: 390, height: 844 }, javaScriptEnabled: false }],
];

async function look(page: Page, name: string): Promise<void> {
  if (!name.includes("no-script")) assert.deepEqual(await violations(page), [], name);
  await takePicture(page, `row-variants-${name}.png`, { fullPage: true });
}

describe("variants in rows in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    for (const [way, options] of WAYS)
      it(`each row has separate controls: ${way}`, async () => {
        const hasScript = options.javaScriptEnabled !== false;
        const { path, id } = await make({ schema: SCHEMA });
        const page = await open(path, options);
        const fillRow = async (row: number, email: string, phone: string): Promise<void> => {
          const of = (rest: string): string => `[name='g[${row}]${rest}']`;
          await page.fill(of("[email]"), email);
          await page.fill(of("[p]"), phone);
          for (const [part, text] of [
            ["day", "4"],
            ["month", "5"],
            ["year", "1990"],
          ])
            await page.fill(of(`[d][${part}]`), text ?? "");
          if (hasScript) {
            const list = page.locator(".cf-row").nth(row).locator(".cf-rank");
            await list.getByRole("button", { name: "Move Bees up" }).click();
          } else
            for (const [place, value] of ["b", "a"].entries())
              await page.locator(of("[best][]")).nth(place).selectOption(value);
          await page.check(`${of("[slot]")}[value='10:00']`);
          for (const name of ["food", "room"]) await page.check(`${of(`[${name}]`)}[value=Good]`);
        };
        await fillRow(0, "ada@example.org", "0151 12345678");
        await page.click("[name=_cf_add]");
        await page.waitForSelector("[name='g[1][email]']");
        await fillRow(1, "ADA@example.org", "12");
        await look(page, `${way}-filled`);
        await readTheForm(page);
        await page.click("button.cf-submit");
        await page.waitForSelector(".cf-summary");
        const phone = "Phone (Guest 2)";
        assert.match((await page.textContent(".cf-summary")) ?? "", new RegExp(phone.replace(/[()]/g, "\\$&")));
        await page.fill("[name='g[1][p]']", "0043 1 234567");
        await page.click("button.cf-submit");
        await page.waitForFunction(() =>
          /Email \(Guest 2\)/.test(document.querySelector(".cf-summary")?.textContent ?? ""),
        );
        await look(page, `${way}-used`);
        await page.fill("[name='g[1][email]']", "bob@example.org");
        await page.click("button.cf-submit");
        await page.waitForSelector(".cf-message-success,.cf-ending");
        const row = { d: "1990-05-04", best: ["b", "a"], slot: "10:00", food: "Good", room: "Good" };
        assert.deepEqual(await newest(id), {
          g: [
            { email: "ada@example.org", p: "+4915112345678", ...row },
            { email: "bob@example.org", p: "+431234567", ...row },
          ],
        });
        // Both rows took a seat.
        const next = await open(path, options);
        assert.match((await next.textContent(".cf-row")) ?? "", /10:00 \(1 left\)/);
        await look(next, `${way}-left`);
        for (const one of [page, next]) await one.context().close();
      });
  }),
);
