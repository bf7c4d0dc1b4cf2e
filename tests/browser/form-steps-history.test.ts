/** Going back through the steps, by the form's buttons and the browser's. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noChromium } from "./chromium.ts";
import { STEPS, answerTwoSteps, next, progress, readTheForm, useStepsSite } from "./steps-site.ts";

describe("going back through steps in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, open }) => {
    it("a double click on Back goes one step back and never leaves the page", async () => {
      const { path } = await make({ schema: STEPS });
      const page = await open(path);
      await readTheForm(page);
      await page.fill("[name=email]", "ada@example.org");
      await next(page);
      await page.dblclick(".cf-back");
      // By then, the browser would have left the page.
      await page.waitForTimeout(500);
      assert.equal(await progress(page), "Step 1 of 3");
      assert.ok(page.url().endsWith(path), page.url());
      await page.context().close();
    });

    it("the browser's buttons go from step to step and keep the answers", async () => {
      const { path } = await make({ schema: STEPS });
      const page = await open(path);
      await page.fill("[name=email]", "ada@example.org");
      await next(page);
      await page.fill('[name="home[city]"]', "London");
      await page.goBack();
      assert.equal(await progress(page), "Step 1 of 3");
      assert.equal(await page.inputValue("[name=email]"), "ada@example.org");
      await page.goForward();
      assert.equal(await progress(page), "Step 2 of 3");
      assert.equal(await page.inputValue('[name="home[city]"]'), "London");
      assert.equal(new URL(page.url()).pathname, path);
      await page.context().close();
    });

    for (const hide of [true, false]) {
      it(`after the submit, the browser's Back shows no empty later step${hide ? " and hidden" : ""}`, async () => {
        const { path } = await make({
          markup: `<section data-step="a"><label>One <input name="one"></label></section>
          <section data-step="b"><label>Two <input name="two"></label></section>
          <section data-step="c"><label>Three <input name="three"></label><button>Send</button></section>`,
          settings: { hide_after_success: hide },
        });
        const page = await open(path);
        await readTheForm(page);
        await next(page);
        await next(page);
        await page.click("text=Send");
        await page.waitForSelector(".cf-message-success");
        const sent = [hide, "Step 1 of 3"];
        const now = async (): Promise<unknown[]> => [
          !(await page.isVisible(".cf-progress-text")),
          await progress(page),
        ];
        assert.deepEqual(await now(), sent);
        await page.goBack();
        assert.deepEqual(await now(), sent);
        await page.goBack();
        assert.deepEqual(await now(), sent);
        await page.context().close();
      });
    }

    it("each step has a URL, to which a reload returns with the answers, and which cannot skip a step", async () => {
      const { path } = await make({ schema: STEPS });
      const page = await open(path);
      const now = async (): Promise<unknown[]> => [await progress(page), new URL(page.url()).hash];
      assert.deepEqual(await now(), ["Step 1 of 3", ""]);
      await answerTwoSteps(page);
      // The third step is hidden by its condition.
      assert.deepEqual(await now(), ["Step 3 of 3", "#step-4"]);
      await page.reload();
      assert.deepEqual(await now(), ["Step 3 of 3", "#step-4"]);
      await page.goBack();
      assert.deepEqual(await now(), ["Step 2 of 3", "#step-2"]);
      assert.equal(await page.inputValue('[name="home[city]"]'), "city");
      await page.goBack();
      assert.deepEqual(await now(), ["Step 1 of 3", ""]);
      await page.context().close();
      const other = await open(`${path}#step-4`);
      assert.deepEqual([await progress(other), new URL(other.url()).hash], ["Step 1 of 3", ""]);
      await other.context().close();
    });

    it("after a reload the browser's Back does not show a later step when the earlier answers are gone", async () => {
      const { path } = await make({ schema: STEPS });
      const page = await open(path);
      await answerTwoSteps(page);
      assert.equal(await progress(page), "Step 3 of 3");
      await page.evaluate(() => sessionStorage.clear());
      await page.reload();
      assert.equal(await progress(page), "Step 1 of 3");
      await page.goBack();
      assert.equal(await progress(page), "Step 1 of 3");
      await page.fill("[name=email]", "ada@example.org");
      await next(page);
      assert.equal(await progress(page), "Step 2 of 3");
      await page.goBack();
      assert.equal(await progress(page), "Step 1 of 3");
      await page.context().close();
    });
  }),
);
