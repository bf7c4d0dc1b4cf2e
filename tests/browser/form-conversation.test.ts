/**
 * Conversational forms: one question at a time by keyboard and pointer, with a review; an ordinary form without script.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { items, member } from "../shim/site.ts";
import { noChromium, takePicture, violations } from "./chromium.ts";
import { readTheForm, useStepsSite } from "./steps-site.ts";

const TALK = {
  fields: [
    { name: "intro", type: "paragraph", label: "A few questions about what you need." },
    { name: "who", type: "name", label: "What is your name?", required: true },
    { name: "hello", type: "heading", label: "Now about the work" },
    {
      name: "kind",
      type: "radio",
      label: "What do you need?",
      required: true,
      options: ["Website", "Shop", "App"].map((label) => ({ value: label.toLowerCase(), label })),
    },
    {
      name: "products",
      type: "number",
      label: "How many products?",
      conditions: [{ field: "kind", operator: "equals", value: "shop" }],
    },
    {
      name: "parts",
      type: "checkbox",
      label: "Which parts?",
      options: ["Design", "Texts"].map((label) => ({ value: label.toLowerCase(), label })),
    },
    { name: "urgent", type: "rating", label: "How urgent is it?", validation: { min: 0, max: 10 } },
    { name: "more", type: "textarea", label: "Anything else?" },
    { name: "email", type: "email", label: "Your email address?", required: true },
    { name: "send", type: "submit", label: "Ask for an offer" },
  ],
  layout: { type: "conversational" },
};

const question = async (page: Page): Promise<string> =>
  (
    (await page.locator(".cf-question:visible, .cf-title:visible, .cf-heading:visible").first().textContent()) ?? ""
  ).trim();

const count = (page: Page): Promise<string | null> => page.textContent(".cf-count");

const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.getAttribute("name") ?? document.activeElement?.localName ?? "");

/** Waits until a question has been visible long enough for Enter to count. */
async function at(page: Page, text: string): Promise<void> {
  await page.locator(".cf-question:visible, .cf-heading:visible", { hasText: text }).waitFor();
  await page.waitForTimeout(260);
}

/** Moves to the first choice by keyboard. */
async function toKind(page: Page): Promise<void> {
  await page.click(".cf-next");
  await at(page, "What is your name?");
  await page.keyboard.type("Ada");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Lovelace");
  await page.keyboard.press("Enter");
  await at(page, "Now about the work");
  await page.keyboard.press("Enter");
  await at(page, "What do you need?");
}

describe("conversational forms in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open, site }) => {
    it("a form is filled in only by keyboard, from the start screen to the ending, and the focus is never lost", async () => {
      const { path, id } = await make({ schema: TALK });
      const page = await open(path);
      await readTheForm(page);
      assert.equal(await page.isVisible("text=A few questions about what you need."), true);
      assert.equal(await count(page), "Up to 7 questions");
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press("Enter");
      await at(page, "What is your name?");
      assert.deepEqual([await count(page), await focusedName(page)], ["Question 1 of up to 7", "who[first]"]);
      await page.keyboard.type("Ada");
      await page.keyboard.press("Enter");
      assert.equal(await focusedName(page), "who[last]", "the next part");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".cf-error:visible");
      assert.deepEqual(await violations(page), []);
      await page.keyboard.type("Lovelace");
      assert.equal(await page.locator(".cf-error:visible").count(), 0, "mended");
      await page.keyboard.press("Enter");
      await at(page, "Now about the work");
      assert.equal(await count(page), "", "a statement has no number");
      await page.keyboard.press("Enter");
      await at(page, "What do you need?");
      // The page itself measures the pause, because a slow machine may ask for the question too late.
      await page.evaluate(() => {
        const pause = new Promise<number>((resolve) => {
          let pressedAt = Infinity;
          const options = { capture: true, once: true };
          document.addEventListener("keydown", () => (pressedAt = performance.now()), options);
          document.addEventListener("cf-step", () => resolve(performance.now() - pressedAt), options);
        });
        Object.assign(window, { pause });
      });
      await page.keyboard.press("b");
      await at(page, "How many products?");
      const pause = await page.evaluate(() => (window as unknown as { pause: Promise<number> }).pause);
      assert.ok(pause > 150, `the pause of ${pause} ms shows the choice`);
      assert.equal(await count(page), "Question 3 of 7");
      await page.keyboard.type("12");
      await page.keyboard.press("Enter");
      await at(page, "Which parts?");
      await page.keyboard.press("a");
      await page.keyboard.press("b");
      assert.equal(await page.locator(":checked:visible").count(), 2);
      await page.keyboard.press("Enter");
      await at(page, "How urgent is it?");
      await page.keyboard.press("7");
      await at(page, "Anything else?");
      await page.keyboard.type("One");
      await page.keyboard.press("Enter");
      await page.keyboard.type("Two");
      await page.keyboard.press("Control+Enter");
      await at(page, "Your email address?");
      assert.equal(await page.textContent(".cf-next"), "Check your answers");
      await page.keyboard.type("ada@example.org");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".cf-answers:visible");
      assert.match(
        (await page.textContent(".cf-answers")) ?? "",
        /Ada\nLovelace.+Shop.+12.+Design, Texts.+7.+One\nTwo/s,
      );
      assert.deepEqual(await violations(page), []);
      assert.notEqual(await focusedName(page), "body");
      await page.click("text=Ask for an offer");
      await page.waitForSelector(".cf-ending");
      assert.deepEqual(await violations(page), []);
      const data = await newest(id);
      assert.deepEqual([member(data, "kind"), member(data, "urgent"), member(data, "more")], ["shop", 7, "One\nTwo"]);
      await page.goBack();
      await page.waitForSelector("text=This form has been sent. Nothing was sent again.");
      assert.ok(await page.isVisible(".cf-ending"));
      await page.context().close();
    });

    it("arrow keys, a held Enter, a double click and an early Enter never skip a question", async () => {
      const { path } = await make({ schema: TALK });
      const page = await open(path);
      await toKind(page);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Space");
      await page.waitForTimeout(900);
      assert.equal(await question(page), "What do you need?");
      await page.keyboard.down("Enter");
      for (let repeat = 0; repeat < 5; repeat += 1) await page.keyboard.down("Enter");
      await page.keyboard.up("Enter");
      assert.match(await question(page), /Which parts|How many/, "one step");
      await page.waitForTimeout(300);
      await page.dblclick(".cf-next");
      assert.equal(await question(page), "How urgent is it?", "a double click is one step");
      await page.context().close();
    });

    it("a choice by pointer goes to the next question once; after Back, the choice has the focus and waits for OK", async () => {
      const { path } = await make({ schema: TALK });
      const page = await open(path);
      await toKind(page);
      assert.match((await page.textContent(".cf-go-hint")) ?? "", /press its letter to go on/);
      await page.click("label:has-text('App')");
      await at(page, "Which parts?");
      await page.click(".cf-back");
      await at(page, "What do you need?");
      assert.equal(await page.evaluate(() => (document.activeElement as HTMLInputElement).value), "app");
      await page.click("label:has-text('Website')");
      await page.waitForTimeout(700);
      assert.equal(await question(page), "What do you need?");
      await page.keyboard.press("Enter");
      await at(page, "Which parts?");
      await page.evaluate(() => {
        for (let click = 0; click < 3; click += 1) document.querySelector<HTMLElement>(".cf-back")?.click();
      });
      await at(page, "What do you need?");
      await page.context().close();
    });

    it("the setting auto_advance turns off the advance after a choice", async () => {
      const { path } = await make({ schema: TALK, settings: { auto_advance: false } });
      const page = await open(path);
      await toKind(page);
      await page.click("label:has-text('App')");
      await page.waitForTimeout(700);
      assert.equal(await question(page), "What do you need?");
      await page.context().close();
    });

    it("each screen has a URL for Back, Forward, a reload and typing, but no URL skips a missing answer", async () => {
      const { path } = await make({ schema: TALK });
      const page = await open(path);
      await toKind(page);
      assert.match(page.url(), /#\/kind$/);
      await page.goBack();
      await page.goBack();
      await at(page, "What is your name?");
      assert.equal(await page.inputValue("[name='who[first]']"), "Ada");
      await page.goForward();
      await at(page, "Now about the work");
      await page.reload();
      await at(page, "Now about the work");
      assert.ok(await page.isVisible("text=Your answers are still here."));
      await page.evaluate("location.hash = '#/email'");
      await at(page, "What do you need?");
      assert.match(page.url(), /#\/kind$/, "the address is that of the screen");
      await page.context().close();
    });

    it("“Change” goes to the question and back to the review; a rejection goes to its question", async () => {
      const { path, id } = await make({ schema: TALK });
      const page = await open(path);
      await toKind(page);
      await page.click("label:has-text('App')");
      for (const text of ["Which parts?", "How urgent is it?", "Anything else?"]) {
        await at(page, text);
        assert.equal(await page.textContent(".cf-next"), "Skip");
        await page.click(".cf-next");
      }
      await at(page, "Your email address?");
      await page.fill("[name=email]", "ada@example.org");
      await page.click(".cf-next");
      await page.waitForSelector(".cf-answers:visible");
      assert.match((await page.textContent(".cf-answers")) ?? "", /Not answered/);
      await page.click("a:has-text('Change'):right-of(:text('What do you need?'))");
      await at(page, "What do you need?");
      await page.click("label:has-text('Shop')");
      await page.click(".cf-next");
      await at(page, "How many products?");
      await page.click(".cf-next");
      await page.waitForSelector(".cf-answers:visible");
      await page.route("**/forms/*", (route) =>
        route.request().method() === "POST"
          ? route.fulfill({
              status: 400,
              json: {
                message: { type: "error", text: "Check." },
                errors: [{ field: "email", message: "Email: unknown.", short: "Unknown." }],
              },
            })
          : route.continue(),
      );
      await page.click("text=Ask for an offer");
      await at(page, "Your email address?");
      assert.ok(await page.isVisible(".cf-error:text('Unknown.')"));
      await page.unroute("**/forms/*");
      await page.fill("[name=email]", "ada@example.com");
      await page.click(".cf-next");
      await page.waitForSelector(".cf-answers:visible");
      await page.click("text=Ask for an offer");
      await page.waitForSelector(".cf-ending");
      assert.equal(items((await site().api("GET", `/forms/${id}/submissions`)).body).length, 1);
      await page.context().close();
    });

    for (const options of [
      { name: "phone", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
      { name: "narrow", viewport: { width: 320, height: 640 }, forcedColors: "active" as const },
      {
        name: "dark",
        viewport: { width: 1280, height: 800 },
        colorScheme: "dark" as const,
        reducedMotion: "reduce" as const,
      },
    ]) {
      it(`every screen is accessible and fits, ${options.name}`, async () => {
        const { name, ...rest } = options;
        const { path } = await make({ schema: TALK });
        const page = await open(path, rest);
        for (let screen = 0; screen < 12; screen += 1) {
          assert.deepEqual(await violations(page), [], await question(page));
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no overflow");
          await takePicture(page, `talk-${name}-${screen}.png`);
          const first = page.locator("input:visible").first();
          const type = (await first.count()) === 0 ? null : await first.getAttribute("type");
          if (await page.isVisible("[name='who[first]']")) await page.fill("[name='who[last]']", "Lovelace");
          if (type === "radio" || type === "checkbox") await first.check({ force: true });
          else if (type !== null)
            await first.fill(type === "email" ? "ada@example.org" : type === "number" ? "1" : "Ada");
          if (await page.isVisible(".cf-answers")) break;
          const before = await page.evaluate(() => location.hash);
          if (await page.isVisible(".cf-next")) await page.click(".cf-next");
          await page.waitForFunction((hash) => location.hash !== hash, before);
          await page.waitForTimeout(500);
        }
        assert.ok(await page.isVisible(".cf-answers"));
        await page.context().close();
      });
    }

    it("without script it is an ordinary form that marks optional fields, and can be sent", async () => {
      const { path, id } = await make({ schema: TALK });
      const page = await open(path, { javaScriptEnabled: false });
      await readTheForm(page);
      assert.equal(await page.locator(".cf-optional:visible").count(), 4);
      assert.ok(await page.isVisible("text=Only if this applies to you."));
      await page.fill("[name='who[first]']", "Ada");
      await page.fill("[name='who[last]']", "Lovelace");
      await page.check("[value=app]");
      await page.fill("[name=email]", "ada@example.org");
      await page.click("text=Ask for an offer");
      await page.waitForSelector(".cf-ending");
      assert.equal(member(await newest(id), "kind"), "app");
      await page.context().close();
    });
  }),
);
