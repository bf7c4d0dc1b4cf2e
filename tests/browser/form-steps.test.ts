/** Forms of several steps in a real browser: one step at a time with script, all of them without. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { items, member } from "../shim/site.ts";
import { noChromium, violations } from "./chromium.ts";
import {
  STEPS,
  fillAddress,
  focused,
  next,
  progress,
  readTheForm,
  showsStep,
  useStepsSite,
  visible,
} from "./steps-site.ts";

describe("steps in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open, site }) => {
    it("without script all steps are visible at once, without buttons between them", async () => {
      const { path } = await make({ schema: STEPS });
      const page = await open(path, { javaScriptEnabled: false });
      for (const title of ["Who you are", "Where you live", "Your company", "Terms"])
        assert.ok(await page.isVisible(`text=${title}`), title);
      assert.equal(await page.locator(".cf-next,.cf-back,.cf-progress").count(), 0);
    });

    it("with script one step is visible at a time, and all steps make one submission", async () => {
      const { path, id } = await make({ schema: STEPS });
      const page = await open(path);
      await readTheForm(page);
      assert.deepEqual(await visible(page), ["Who you are", "Email", "You are"]);
      assert.equal(await progress(page), "Step 1 of 3");
      assert.deepEqual(await Promise.all([".cf-back", ".cf-submit"].map((one) => page.isVisible(one))), [false, false]);
      assert.deepEqual(await violations(page), []);

      await next(page);
      assert.equal(await progress(page), "Step 1 of 3", "an empty required field keeps the step");
      assert.equal(await focused(page), "email");
      await page.fill("[name=email]", "ada@example.org");
      await next(page);
      assert.deepEqual([await progress(page), await focused(page)], ["Step 2 of 3", "Where you live"]);
      assert.deepEqual(await violations(page), []);
      await fillAddress(page);
      await next(page);
      assert.deepEqual([await progress(page), await focused(page)], ["Step 3 of 3", "Terms"]);
      assert.deepEqual(await Promise.all([".cf-back", ".cf-submit", ".cf-next"].map((one) => page.isVisible(one))), [
        true,
        true,
        false,
      ]);

      await page.click(".cf-back");
      await showsStep(page, "Step 2 of 3");
      assert.equal(await page.inputValue('[name="home[city]"]'), "city");
      await next(page);
      await page.check('[name="extras[]"][value=a]');
      await page.check('[name="terms[accepted]"]');
      await page.click(".cf-submit");
      await page.waitForSelector(".cf-message-success");
      const data = await newest(id);
      assert.deepEqual([member(data, "email"), member(member(data, "home"), "city")], ["ada@example.org", "city"]);
      assert.equal(await progress(page), "Step 1 of 3", "the next visit begins at the first step");
      await page.context().close();
    });

    it("a step that conditions hide is skipped and not counted", async () => {
      const { path } = await make({ schema: STEPS });
      const page = await open(path);
      await page.fill("[name=email]", "ada@example.org");
      await page.check("[name=kind][value=company]");
      assert.equal(await progress(page), "Step 1 of 4");
      await next(page);
      await fillAddress(page);
      await next(page);
      assert.deepEqual(await visible(page), ["Your company", "Company"]);
      await page.click(".cf-back");
      // The script ignores a second click before the browser has gone back.
      await showsStep(page, "Step 2 of 4");
      await page.click(".cf-back");
      await showsStep(page, "Step 1 of 4");
      await page.check("[name=kind][value=person]");
      await next(page);
      await next(page);
      assert.deepEqual([await progress(page), await focused(page)], ["Step 3 of 3", "Terms"]);
      await page.context().close();
    });

    it("Enter in a field goes to the next step, and only the last one sends the form", async () => {
      const { path, id } = await make({ schema: STEPS });
      const page = await open(path);
      await readTheForm(page);
      await page.fill("[name=email]", "ada@example.org");
      await page.press("[name=email]", "Enter");
      assert.equal(await progress(page), "Step 2 of 3");
      await fillAddress(page);
      await page.press('[name="home[city]"]', "Enter");
      assert.equal(await progress(page), "Step 3 of 3");
      await page.check('[name="extras[]"][value=b]');
      await page.check('[name="terms[accepted]"]');
      await page.press('[name="terms[accepted]"]', "Enter");
      await page.waitForSelector(".cf-message-success");
      assert.equal(member(await newest(id), "email"), "ada@example.org");
      await page.context().close();
    });

    it("a second click on Next does not go back", async () => {
      const { path } = await make({
        markup:
          "<div data-step=1><label>A <input name=a></label></div><div data-step=2><label>B <input name=b></label></div><div data-step=3><label>C <input name=c></label></div><button>Send</button>",
      });
      const page = await open(path);
      await page.dblclick(".cf-next");
      assert.equal(await progress(page), "Step 3 of 3");
      assert.equal(await page.locator(".cf-message-success").count(), 0);
      await page.context().close();
    });

    it("only the fields that were touched are reported, not all fields of shown steps", async () => {
      const { path, id } = await make({ schema: STEPS });
      const page = await open(path);
      await page.fill("[name=email]", "ada@example.org");
      await next(page);
      await page.goto("about:blank");
      const dropoff = async (): Promise<unknown[][]> =>
        items((await site().api("GET", `/analytics/${id}/field-dropoff`)).body).map((field) =>
          ["field_name", "interactions", "drop_offs"].map((name) => member(field, name)),
        );
      const hasEmailDrop = (reported: unknown[][]): boolean =>
        reported.some(([name, , drops]) => name === "email" && drops === 1);
      for (let waited = 0; waited < 30_000 && !hasEmailDrop(await dropoff()); waited += 50)
        await new Promise((resolve) => setTimeout(resolve, 50));
      const reported = (await dropoff()).filter(([, interactions]) => interactions !== 0);
      assert.deepEqual(reported, [["email", 1, 1]]);
      await page.context().close();
    });

    it("nothing moves with reduced motion", async () => {
      const { path } = await make({ schema: STEPS });
      const page = await open(path, { reducedMotion: "reduce" });
      await page.fill("[name=email]", "ada@example.org");
      await next(page);
      assert.equal(await page.evaluate("document.getAnimations().length"), 0);
      await page.context().close();
    });

    it("regression: a page without our stylesheet showed all steps at once", async () => {
      const { path } = await make({ schema: STEPS });
      const page = await open("about:blank");
      await page.route("**/*.css", (route) => route.fulfill({ contentType: "text/css", body: "" }));
      await page.goto(`${site().url}${path}`);
      // A part of the script shows the steps.
      await page.waitForSelector("form.cf-started");
      assert.deepEqual(await visible(page), ["Who you are", "Email", "You are"]);
      await page.fill("[name=email]", "ada@example.org");
      await next(page);
      assert.deepEqual((await visible(page))[0], "Where you live");
      await page.context().close();
    });

    it("on paper every step is visible", async () => {
      const { path } = await make({ schema: STEPS });
      const page = await open(path);
      await page.emulateMedia({ media: "print" });
      assert.deepEqual(
        (await visible(page)).filter((text) => ["Who you are", "Terms"].includes(text)),
        ["Who you are", "Terms"],
      );
      assert.equal(await page.isVisible(".cf-progress"), false);
      await page.context().close();
    });
  }),
);
