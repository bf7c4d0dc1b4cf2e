/** Steps in authors' HTML, with or without the author's buttons. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isOfAuthor, noChromium } from "./chromium.ts";
import { focused, next, progress, readTheForm, showsStep, useStepsSite } from "./steps-site.ts";

describe("steps in authors' HTML in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    it("Next shows the last step and does not send it unseen when the form's button is before it", async () => {
      const markup = `<fieldset data-step="one"><legend>You</legend><label>Name <input name="name"></label><button>Join</button></fieldset>
      <fieldset data-step="two"><legend>Wishes</legend><label>Wish <input name="wish"></label></fieldset>`;
      const { path, id } = await make({ markup });
      const page = await open(path);
      await readTheForm(page);
      await next(page);
      assert.deepEqual([await focused(page), await page.isVisible("[name=wish]")], ["Wishes", true]);
      await page.fill("[name=wish]", "More");
      assert.equal(await page.textContent(".cf-next"), "Join");
      await next(page);
      await page.waitForSelector(".cf-message-success");
      assert.deepEqual(await newest(id), { name: "", wish: "More" });
      await page.context().close();
    });

    it("a button whose text only resembles a step button is not one", async () => {
      const markup = `<fieldset data-step="one"><legend>You</legend><label>Name <input name="name"></label><button type="button" id="kin">Add next of kin</button></fieldset>
      <fieldset data-step="two"><legend>Wishes</legend><label>Wish <input name="wish"></label><button type="button" id="show">Preview</button><button>Join</button></fieldset>`;
      const { path } = await make({ markup });
      const page = await open(path);
      await readTheForm(page);
      await page.click("#kin");
      assert.ok(await page.isVisible("[name=name]"));
      await next(page);
      await page.click("#show");
      assert.deepEqual([await page.isVisible("[name=wish]"), await page.isVisible(".cf-back")], [true, true]);
      await page.context().close();
    });

    it("steps in an author's HTML work without step buttons", async () => {
      const markup = `<h3>Join us</h3>
      <fieldset data-step="one"><legend>You</legend><p><label>Name <input name="name" required></label></p></fieldset>
      <fieldset data-step="two"><legend>Wishes</legend><p><label>Wish <input name="wish"></label></p></fieldset>
      <p><button>Join</button></p>`;
      const { path, id } = await make({
        markup,
        messages: { next_step: "Weiter", previous_step: "Zurück", step_progress: "Schritt {step} von {steps}" },
      });
      const page = await open(path);
      await readTheForm(page);
      assert.equal(await progress(page), "Schritt 1 von 2");
      assert.deepEqual(
        await Promise.all(
          ["text=Join us", "text=Weiter", "text=Wishes", "button:has-text('Join')"].map((one) => page.isVisible(one)),
        ),
        [true, true, false, false],
      );
      await page.fill("[name=name]", "Ada");
      await page.click("text=Weiter");
      assert.deepEqual([await focused(page), await page.isVisible("text=Zurück")], ["Wishes", true]);
      await page.fill("[name=wish]", "More");
      await page.click("button:has-text('Join')");
      await page.waitForSelector(".cf-message-success");
      assert.deepEqual(await newest(id), { name: "Ada", wish: "More" });
      await page.context().close();
    });

    for (const [name, markup] of Object.entries({
      "that are called steps": `<section data-step="1" data-title="You"><label>Name <input name="name" required></label><button type="button" onclick="next()">Next</button></section>
      <section data-step="2" hidden><label>Wish <input name="wish"></label><button type="button">Back</button> <button>Join</button></section>`,
      "that nobody calls so": `<fieldset><legend>You</legend><label>Name <input name="name" required></label><input type="button" class="next" value="Weiter"></fieldset>
      <fieldset><legend>Wishes</legend><label>Wish <input name="wish"></label><input type="button" name="previous" value="Zurück"><input type="submit" value="Join"></fieldset>`,
    })) {
      it(`an author's buttons go from step to step without the author's script: steps ${name}`, async () => {
        const { path, id } = await make({ markup });
        const bare = await open(path, { javaScriptEnabled: false });
        assert.ok(await bare.isVisible("[name=wish]"), "without script both steps are visible");
        await bare.context().close();
        const page = await open(path);
        await readTheForm(page);
        assert.match((await progress(page)) ?? "", /^Step 1 of 2/);
        assert.deepEqual(await Promise.all(["[name=wish]", ".cf-next"].map((one) => page.isVisible(one))), [
          false,
          false,
        ]);
        await page.locator("[type=button]:visible").click();
        assert.equal(await focused(page), "name", "the required field is empty");
        await page.fill("[name=name]", "Ada");
        await page.locator("[type=button]:visible").click();
        assert.equal(await progress(page), "Step 2 of 2");
        assert.equal(await page.locator(".cf-back").isVisible(), false);
        await page.locator("[type=button]:visible").click();
        await page.waitForFunction(() =>
          document.querySelector(".cf-progress-text")?.textContent?.startsWith("Step 1"),
        );
        await page.press("[name=name]", "Enter");
        await page.fill("[name=wish]", "More");
        await page.locator("button:not([type]):visible, [type=submit]:visible").click();
        await page.waitForSelector(".cf-message-success");
        assert.deepEqual(await newest(id), { name: "Ada", wish: "More" });
        await page.context().close();
      });
    }

    it("tabs with one common pair of buttons are steps, even if the page's style hides them", async () => {
      const markup = `<style>.tab { display: none }</style>
      <div class="tab"><h3>You</h3><p><label>Name <input name="name" required></label></p></div>
      <div class="tab"><h3>Wishes</h3><p><label>Wish <input name="wish"></label></p></div>
      <p><button type="button" id="prevBtn" onclick="nextPrev(-1)">Previous</button> <button type="button" id="nextBtn" onclick="nextPrev(1)">Next</button></p>`;
      const { path, id } = await make({ markup });
      // As on an embedding page with other styles.
      const page = await open(path, { bypassCSP: true });
      await page.evaluate("window.nextPrev = () => undefined");
      await readTheForm(page);
      const shown = (): Promise<string[]> =>
        page
          .locator("button:visible, input:visible")
          .evaluateAll((all) => all.map((one) => one.getAttribute("name") ?? one.textContent));
      assert.match((await progress(page)) ?? "", /^Step 1 of 2/);
      assert.deepEqual(await shown(), ["name", "Next"]);
      await page.fill("[name=name]", "Ada");
      await next(page);
      assert.deepEqual(await shown(), ["wish", "Previous", "Send"]);
      await page.click("#prevBtn");
      await showsStep(page, "Step 1 of 2");
      assert.deepEqual(await shown(), ["name", "Next"]);
      await next(page);
      await page.fill("[name=wish]", "More");
      await page.click("text=Send");
      await page.waitForSelector(".cf-message-success");
      assert.deepEqual(await newest(id), { name: "Ada", wish: "More" });
      await page.context().close();
    });

    it("a step without buttons gets ours, with the author's captions", async () => {
      const markup = `<fieldset data-step="one"><legend>A</legend><label>A <input name="a"></label><button type="button">Next step</button></fieldset>
      <fieldset data-step="two"><legend>B</legend><label>B <input name="b"></label><button type="button">Previous</button> <button type="button">Next</button></fieldset>
      <fieldset data-step="three"><legend>C</legend><label>C <input name="c"></label></fieldset>
      <fieldset data-step="four"><legend>D</legend><label>D <input name="d"></label> <button>Go</button></fieldset>`;
      const { path } = await make({ markup });
      const page = await open(path);
      await readTheForm(page);
      const words = (): Promise<string[]> => page.locator("button:visible").allTextContents();
      assert.deepEqual(await words(), ["Next step"]);
      await page.click("button:visible");
      await page.locator("button:visible", { hasText: "Next" }).click();
      assert.deepEqual(await words(), ["Previous", "Next step"]);
      await next(page);
      assert.deepEqual(await words(), ["Previous", "Go"]);
      await page.context().close();
    });

    it("a form that disappears after the submit hides its steps too", async () => {
      const markup = `<div data-step="1"><label>A <input name="a"></label></div><div data-step="2"><label>B <input name="b"></label> <button>Go</button></div>`;
      const { path } = await make({ markup, settings: { hide_after_success: true } });
      const page = await open(path);
      await readTheForm(page);
      await next(page);
      await page.click("button:has-text('Go')");
      await page.waitForSelector(".cf-message-success");
      await page.waitForFunction(() =>
        [...document.querySelectorAll("input,button,.cf-progress")].every((one) => !one.checkVisibility()),
      );
      await page.context().close();
    });

    it("a form with its button in the first step can be sent from the last", async () => {
      const markup = `<div data-step="1"><label>A <input name="a"></label> <button>Go</button></div><div data-step="2"><label>B <input name="b"></label></div>`;
      const { path, id } = await make({ markup });
      const page = await open(path);
      await readTheForm(page);
      await page.fill("[name=a]", "1");
      await page.click("button:has-text('Go')");
      assert.equal(await progress(page), "Step 2 of 2");
      await page.fill("[name=b]", "2");
      await page.click(".cf-next:has-text('Go')");
      await page.waitForSelector(".cf-message-success");
      assert.deepEqual(await newest(id), { a: "1", b: "2" });
      await page.context().close();
    });

    it("the steps and their titles are those that the engine reads", async () => {
      const layout = `<div data-layout="multi-step"><fieldset><legend>You</legend><label>Name <input name="name"></label></fieldset>
      <fieldset><legend>Wishes</legend><label>Wish <input name="wish"></label></fieldset><button>Go</button></div>`;
      const titled = `<div data-step="a" data-title="You"><p>Who?</p><h3>No title</h3><label>Name <input name="name"></label></div>
      <div data-step="b"><h3>Wishes</h3><label>Wish <input name="wish"></label></div><button>Go</button>`;
      for (const [markup, first] of [
        [layout, "Step 1 of 2"],
        [titled, "Step 1 of 2: You"],
      ] as const) {
        const page = await open((await make({ markup })).path);
        assert.equal(await progress(page), first);
        await next(page);
        assert.deepEqual([await progress(page), await focused(page)], ["Step 2 of 2", "Wishes"]);
        await page.context().close();
      }
      // In a form with one step, neither a fieldset nor a heading is a step.
      const single = await open((await make({ markup: layout.replace("multi-step", "single") })).path);
      assert.equal(await single.locator(".cf-progress").count(), 0);
      await single.context().close();
    });

    it("a form with too many steps for marks shows all its fields at once, and can be sent", async () => {
      const markup = `<div data-step="a"><label>Kind <input name="kind"></label></div><div data-step="b"><p data-show-if="kind=x"><label>Why <input name="why" required></label></p><button>Go</button></div><p hidden>${"Terms. ".repeat(160_000)}</p>`;
      const { path, id } = await make({ markup });
      const page = await open(path);
      await readTheForm(page);
      assert.deepEqual(
        [
          await page.locator(".cf-progress").count(),
          await page.isVisible("[name=kind]"),
          await page.isVisible("[name=why]"),
        ],
        [0, true, true],
      );
      await page.fill("[name=kind]", "y");
      await page.click("button:has-text('Go')");
      await page.waitForSelector(".cf-message-success");
      assert.deepEqual(await newest(id), { kind: "y" });
      await page.context().close();
    });
  }, isOfAuthor),
);
