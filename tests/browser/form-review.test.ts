/** The step that lists the answers before they are sent, and answers that survive a reload. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noChromium, takePicture, violations } from "./chromium.ts";
import { next, progress, readTheForm, useStepsSite } from "./steps-site.ts";

const SCHEMA = {
  fields: [
    { name: "who", label: "Your name", required: true },
    { name: "secret", type: "password", label: "Code" },
    {
      name: "kind",
      type: "radio",
      label: "Kind",
      options: [
        { value: "a", label: "A question" },
        { value: "b", label: "An order" },
      ],
    },
    { name: "send", type: "submit", label: "Send it" },
  ],
  layout: {
    type: "multi-step",
    steps: [
      { id: "a", title: "You", fields: ["who", "secret"] },
      { id: "b", title: "What", fields: ["kind", "send"] },
    ],
  },
};

describe("review in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    it("the last step lists the answers with a link to each, and sends them", async () => {
      // The answer of a searchable list is listed too.
      const row = {
        name: "row",
        type: "select",
        label: "Row",
        options: Array.from({ length: 30 }, (_, index) => ({ value: `${index}`, label: `Row ${index}` })),
      };
      const [first, second] = SCHEMA.layout.steps;
      const schema = {
        fields: [row, ...SCHEMA.fields],
        layout: { type: "multi-step", steps: [{ ...first, fields: ["row", "who", "secret"] }, second] },
      };
      const { path, id } = await make({ schema, settings: { review: true, hide_after_success: true } });
      const page = await open(path);
      await readTheForm(page);
      assert.equal(await progress(page), "Step 1 of 3");
      await page.getByRole("combobox", { name: "Row" }).and(page.locator("input")).fill("Row 7");
      await page.keyboard.press("Enter");
      const [back, on] = await Promise.all([page.isVisible(".cf-back"), page.locator(".cf-next").boundingBox()]);
      assert.equal(back, false);
      await page.fill("[name=who]", "Ada");
      await page.fill("[name=secret]", "s3cret");
      await next(page);
      const [left, right] = await Promise.all([".cf-back", ".cf-next"].map((one) => page.locator(one).boundingBox()));
      assert.ok(
        (left?.x ?? 0) < (right?.x ?? 0) &&
          Math.abs((right?.x ?? 0) + (right?.width ?? 0) - (on?.x ?? 0) - (on?.width ?? 0)) < 40,
        "Back at the left, Next at the right",
      );
      await page.check("[value=b]");
      await next(page);
      const answers = (): Promise<string[]> =>
        page.$$eval(".cf-answers dd:nth-child(2)", (list) => list.map((one) => one.textContent ?? ""));
      assert.deepEqual(await answers(), ["Row 7", "Ada", "An order"], "no password");
      assert.deepEqual(await violations(page), []);
      await takePicture(page, "review.png", { fullPage: true });
      await page.locator(".cf-change").first().click();
      assert.equal(
        await page.getByRole("combobox", { name: "Row" }).evaluate((one) => one === document.activeElement),
        true,
      );
      assert.equal(await progress(page), "Step 1 of 3: You".split(":")[0]);
      await page.fill("[name=who]", "Grace");
      await next(page);
      await next(page);
      assert.deepEqual(await answers(), ["Row 7", "Grace", "An order"]);
      assert.equal(await page.textContent(".cf-next"), "Send it");
      await next(page);
      await page.waitForSelector(".cf-ending");
      assert.deepEqual([((await newest(id)) as { who?: string }).who], ["Grace"]);
      await page.context().close();
    });

    it("without script a further page lists the answers, which can be changed there, and sends them", async () => {
      const fields = SCHEMA.fields.filter(({ name }) => name !== "secret");
      const steps = [
        { id: "a", title: "You", fields: ["who"] },
        { id: "b", title: "What", fields: ["kind", "send"] },
      ];
      const { path, id } = await make({
        schema: { fields, layout: { type: "multi-step", steps } },
        settings: { review: true, hide_after_success: true },
      });
      const page = await open(path, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
      const send = async (): Promise<void> => {
        await readTheForm(page);
        await page.locator("button:visible").first().click();
      };
      const answers = (): Promise<string[]> => page.locator(".cf-answers dd").allTextContents();
      await page.fill("[name=who]", "Ada <b>");
      await page.check("[value=b]");
      await send();
      await page.locator(".cf-answers dd").nth(1).waitFor({ state: "attached" });
      assert.deepEqual(await answers(), ["Ada <b>", "An order"]);
      assert.equal(await newest(id).catch(() => null), null, "nothing is stored yet");
      await takePicture(page, "review-no-script.png", { fullPage: true });
      await page.click("summary");
      await page.fill("[name=who]", "");
      await page.evaluate("document.querySelector('form').noValidate = true");
      await send();
      await page.waitForSelector(".cf-error");
      await page.fill("[name=who]", "Grace");
      await send();
      await page.waitForSelector(".cf-answers dd:text-is('Grace')", { state: "attached" });
      await page.locator(".cf-answers dd").nth(1).waitFor({ state: "attached" });
      assert.deepEqual(await answers(), ["Grace", "An order"]);
      await send();
      await page.waitForSelector(".cf-ending");
      assert.equal(((await newest(id)) as { who?: string }).who, "Grace");
      await page.context().close();
    });

    for (const [kind, form] of Object.entries({
      "a schema": {
        schema: {
          fields: [
            { name: "who", label: "Your name" },
            {
              name: "act",
              type: "submit",
              options: [
                { value: "save", label: "Save" },
                { value: "send", label: "Save and send" },
              ],
            },
          ],
        },
      },
      "an author's HTML": {
        markup: `<label>Your name <input name="who"></label><button name="act" value="save">Save</button><button name="act" value="send">Save and send</button>`,
      },
    })) {
      it(`without script the pressed button is an answer also after the review, in ${kind}`, async () => {
        const { path, id } = await make({ ...form, settings: { review: true } });
        const page = await open(path, { javaScriptEnabled: false });
        await readTheForm(page);
        await page.fill("[name=who]", "Ada");
        await page.getByRole("button", { name: "Save", exact: true }).click();
        assert.deepEqual(await page.locator(".cf-answers dd").allTextContents(), ["Ada", "Save"]);
        await readTheForm(page);
        await page.locator("button:visible").first().click();
        await page.waitForSelector(".cf-message-success");
        assert.deepEqual(await newest(id), { who: "Ada", act: "save" });
        await page.context().close();
      });
    }

    it("answers, except passwords, survive a reload, and are deleted after the submit", async () => {
      const { path } = await make({ schema: SCHEMA });
      const page = await open(path);
      await readTheForm(page);
      await page.fill("[name=secret]", "s3cret");
      await page.fill("[name=who]", "Ada");
      await page.reload();
      assert.deepEqual([await page.inputValue("[name=who]"), await page.inputValue("[name=secret]")], ["Ada", ""]);
      await readTheForm(page);
      await next(page);
      await page.check("[value=a]");
      await page.click(".cf-submit");
      await page.waitForSelector(".cf-message-success");
      await page.reload();
      assert.equal(await page.inputValue("[name=who]"), "");
      await page.context().close();
    });

    it("answers and choices in an author's HTML have the engine's labels", async () => {
      const markup = `<table><tr><td>Your name</td><td><input name="n"></td></tr></table>
      <fieldset><legend>Fruit</legend><p><input type="radio" name="fruit" value="a"> An apple</p><p><input type="radio" name="fruit" value="b"> A pear</p></fieldset>
      <fieldset><legend>Mail</legend><label><input type="checkbox" name="news" value="1"> News</label><p><label>Address <input name="mail"></label></p></fieldset><button>Send</button>`;
      const { path } = await make({ markup, settings: { review: true } });
      const page = await open(path);
      await readTheForm(page);
      await page.fill("[name=n]", "Ada");
      await page.check("[name=fruit][value=b]");
      await page.check("[name=news]");
      await next(page);
      const rows = await page.$$eval(".cf-answers > div", (all) =>
        all.map((row) => [...row.children].slice(0, 2).map((one) => one.textContent)),
      );
      assert.deepEqual(rows, [
        ["Your name", "Ada"],
        ["Fruit", "A pear"],
        ["News", "Yes"],
      ]);
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Check your answers");
      await page.context().close();
    });
  }),
);
