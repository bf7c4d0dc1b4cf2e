/** A fault shows the step of its field. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { member } from "../shim/site.ts";
import { noChromium, takePicture, violations } from "./chromium.ts";
import {
  STEPS,
  answerTwoSteps,
  fillAddress,
  focused,
  next,
  progress,
  readTheForm,
  useStepsSite,
} from "./steps-site.ts";

const DAYS = [
  { value: "sat", label: "Saturday" },
  { value: "sun", label: "Sunday" },
];

/** A required set of checkboxes in the first step, and a conditional one in the second. */
const BOXES = {
  fields: [
    { name: "days", type: "checkbox", label: "Which days?", required: true, options: DAYS },
    { name: "more", type: "text", label: "More" },
    {
      name: "nights",
      type: "checkbox",
      label: "Nights",
      required: true,
      options: DAYS,
      conditions: [{ field: "more", operator: "equals", value: "yes" }],
    },
    { name: "send", type: "submit", label: "Send" },
  ],
  layout: {
    type: "multi-step",
    steps: [
      { id: "a", title: "A", fields: ["days"] },
      { id: "b", title: "B", fields: ["more", "nights", "send"] },
    ],
  },
};

const BOXES_MARKUP = `<fieldset data-step="a"><legend>Which days?</legend>
    <label><input type="checkbox" name="days[]" value="sat" data-cf-required> Saturday</label> <label><input type="checkbox" name="days[]" value="sun"> Sunday</label></fieldset>
  <div data-step="b"><label>More <input name="more"></label><button>Send</button></div>`;

describe("faults in steps in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    it("a fault that the server finds shows the first step that has one", async () => {
      const { path } = await make({ schema: STEPS });
      const page = await open(path);
      await readTheForm(page);
      await page.evaluate(() => {
        // An address that browsers accept and the server rejects.
        document.querySelector<HTMLInputElement>("[name=email]")?.setAttribute("type", "text");
      });
      await page.fill("[name=email]", "ada@");
      await next(page);
      await fillAddress(page);
      await next(page);
      await page.check('[name="extras[]"][value=a]');
      await page.check('[name="terms[accepted]"]');
      await page.click(".cf-submit");
      await page.waitForSelector(".cf-error");
      assert.deepEqual([await progress(page), await focused(page)], ["Step 1 of 3", "email"]);
      assert.deepEqual(await violations(page), []);
      await takePicture(page, "steps-fault.png", { fullPage: true });
      await page.context().close();
    });

    it("the missing part of an address is marked", async () => {
      const { path } = await make({ schema: { ...STEPS, layout: { type: "single" } } });
      const page = await open(path);
      await readTheForm(page);
      await fillAddress(page);
      await page.fill('[name="home[city]"]', "");
      await page.fill("[name=email]", "ada@example.org");
      await page.check('[name="extras[]"][value=a]');
      await page.check('[name="terms[accepted]"]');
      await page.evaluate(() => document.querySelector("form")?.setAttribute("novalidate", ""));
      await page.click(".cf-submit");
      await page.waitForSelector(".cf-error");
      assert.equal(await focused(page), "home[city]");
      assert.equal(await page.locator('[name="home[city]"] + .cf-error').count(), 1);
      await page.context().close();
    });

    it("a fault that the browser finds in an earlier step shows that step", async () => {
      const { path } = await make({ schema: STEPS });
      const page = await open(path);
      await answerTwoSteps(page);
      await page.check('[name="extras[]"][value=a]');
      await page.check('[name="terms[accepted]"]');
      await page.evaluate(() => {
        const email = document.querySelector<HTMLInputElement>("[name=email]");
        if (email !== null) email.value = "";
      });
      await page.click(".cf-submit");
      assert.deepEqual([await progress(page), await focused(page)], ["Step 1 of 3", "email"]);
      await page.context().close();
    });

    it("a page with faults that was sent without script opens at the first fault, and its list links to the others", async () => {
      const { path } = await make({ schema: STEPS });
      const page = await open(path);
      await readTheForm(page);
      await page.fill("[name=email]", "ada@example.org");
      await page.evaluate(() => {
        const form = document.querySelector("form");
        if (form !== null) HTMLFormElement.prototype.submit.call(form);
      });
      await page.waitForSelector(".cf-summary");
      assert.equal(await progress(page), "Step 2 of 3");
      await page.click(".cf-summary a >> text=/terms/i");
      assert.equal(await progress(page), "Step 3 of 3");
      assert.ok(await page.isVisible('[name="terms[accepted]"]'));
      await page.context().close();
    });

    for (const [kind, form] of Object.entries({
      schema: { schema: BOXES, messages: { required_choice_missing: "{label}: bitte wählen" } },
      markup: { markup: BOXES_MARKUP, messages: { required_choice_missing: "{label}: bitte wählen" } },
    })) {
      it(`regression: Next skipped a required set of boxes without a ticked one, in a ${kind} form`, async () => {
        const { path, id } = await make(form);
        const page = await open(path);
        await readTheForm(page);
        await next(page);
        assert.deepEqual([await progress(page), await focused(page)], ["Step 1 of 2", "days[]"]);
        assert.equal(
          await page.$eval('[name="days[]"]', (box) => box instanceof HTMLInputElement && box.validationMessage),
          "Which days: bitte wählen",
        );
        await page.check('[name="days[]"][value=sun]');
        await next(page);
        assert.equal(await progress(page), "Step 2 of 2");
        // The set of this step is hidden, so it is not required.
        await page.click("text=Send");
        await page.waitForSelector(".cf-message-success");
        assert.deepEqual(member(await newest(id), "days"), ["sun"]);
        // The form is empty again, and requires an answer again.
        await page.click(".cf-again");
        await next(page);
        assert.equal(await progress(page), "Step 1 of 2");
        await page.context().close();
      });
    }
  }),
);
