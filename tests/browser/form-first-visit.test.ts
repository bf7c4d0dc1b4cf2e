/** Faults that stopped a first-time visitor who filled in ten forms on a phone. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { member } from "../shim/site.ts";
import { noChromium } from "./chromium.ts";
import { next, progress, readTheForm, useStepsSite } from "./steps-site.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const SEND = { name: "send", type: "submit", label: "Send" };

const options = (...labels: readonly string[]): object[] =>
  labels.map((label) => ({ value: label.toLowerCase(), label }));

const box = async (place: Locator): Promise<{ x: number; y: number; width: number; height: number }> =>
  (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

/** Waits for a question of a conversational form. */
const question = (page: Page, text: string): Promise<void> =>
  page.locator(".cf-question:visible", { hasText: text }).waitFor();

/**
 * Goes to the next question by a click event, because two real taps at one place are a double tap, which advances only
 * once.
 */
const on = (page: Page): Promise<void> => page.locator(".cf-next").evaluate((one) => (one as HTMLElement).click());

/** Goes from the first question of {@link TALK} to the email. */
async function goToEmail(page: Page): Promise<void> {
  await on(page);
  await question(page, "Which parts?");
  await on(page);
  await question(page, "Your email?");
}

const TALK = {
  fields: [
    {
      name: "parts",
      type: "checkbox",
      label: "Which parts?",
      description: "Choose up to 2.",
      validation: { max: 2 },
      options: options("Design", "Texts", "Pictures"),
    },
    { name: "email", type: "email", label: "Your email?", required: true },
    { name: "phone", type: "tel", label: "Your phone?", attributes: { "data-phone": "DE" } },
    { name: "more", type: "textarea", label: "Anything else?" },
    {
      name: "terms",
      type: "consent",
      label: "I agree to the [terms](/terms) of this shop and its friends.",
      required: true,
    },
    SEND,
  ],
  layout: { type: "conversational" },
};

const WIZARD = {
  fields: [
    { name: "email", type: "email", label: "Email", required: true, attributes: { "data-twice": "Email again" } },
    { name: "born", type: "date", label: "Born", required: true, attributes: { "data-parts": "" } },
    { name: "town", type: "text", label: "Town" },
    SEND,
  ],
  layout: {
    type: "multi-step",
    steps: [
      { id: "a", title: "You", fields: ["email", "born"] },
      { id: "b", title: "Place", fields: ["town"] },
    ],
  },
};

async function fillDate(page: Page, day: string): Promise<void> {
  for (const [part, text] of Object.entries({ year: "1990", month: "2", day }))
    await page.fill(`[name='born[${part}]']`, text);
}

describe("a first visit on a phone, in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    it("a question states its limit before the choices, and reports an excess choice at once", async () => {
      const { path } = await make({ schema: TALK });
      const page = await open(path, PHONE);
      await on(page);
      await question(page, "Which parts?");
      const [help, first] = [page.locator(".cf-description:visible"), page.locator(".cf-choice:visible").first()];
      assert.ok((await box(help)).y < (await box(first)).y);
      for (const value of ["design", "texts"]) await page.check(`[value=${value}]`);
      assert.equal(await page.locator(".cf-error:visible").count(), 0);
      await page.check("[value=pictures]");
      await page.waitForSelector(".cf-error:text('no more than 2')");
      await page.uncheck("[value=texts]");
      await page.waitForSelector(".cf-error", { state: "detached" });
      await page.context().close();
    });

    it("a misspelt address gets a hint while the visitor types, and the first tap on OK goes on", async () => {
      const { path } = await make({ schema: TALK });
      const page = await open(path, PHONE);
      await goToEmail(page);
      const hint = page.locator("text=Did you mean ada@gmail.com?").first();
      // The aids load on demand, and only a later letter reaches them. They show the hint 0.8 s after it.
      for (let tries = 0; tries < 30 && !(await hint.isVisible()); tries += 1) {
        await page.fill("[name=email]", "ada@gmial.com");
        await page.waitForTimeout(1_000);
      }
      await hint.waitFor();
      await page.fill("[name=email]", "ada@gmial.com");
      await page.tap(".cf-next");
      await question(page, "Your phone?");
      await page.context().close();
    });

    it("an optional telephone number can be skipped, and the review shows the number alone", async () => {
      const { path } = await make({ schema: TALK });
      const page = await open(path, PHONE);
      await goToEmail(page);
      await page.fill("[name=email]", "ada@example.org");
      await on(page);
      await question(page, "Your phone?");
      assert.equal(await page.textContent(".cf-next"), "Skip");
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("name")), "phone");
      await page.locator("input[name=phone]").fill("0151 12345678");
      await on(page);
      await question(page, "Anything else?");
      assert.ok((await box(page.locator("textarea"))).height >= 100, "room for more than a line");
      await on(page);
      await question(page, "I agree");
      const [consent, label] = [
        await box(page.locator("[type=checkbox]:visible")),
        await box(page.locator("label:visible")),
      ];
      assert.ok(consent.x < label.x && consent.y - label.y < 12, "the box is before the first line");
      await page.locator("[type=checkbox]:visible").check();
      await on(page);
      await page.waitForSelector(".cf-answers:visible");
      const answers = await page.locator(".cf-answers dd:nth-child(2)").allTextContents();
      assert.equal(answers[2], "+4915112345678");
      await page.context().close();
    });

    it("Next stops at a day that does not exist, and any part corrects it", async () => {
      const { path } = await make({ schema: WIZARD });
      const page = await open(path, PHONE);
      await next(page);
      await page.waitForSelector(".cf-error");
      assert.equal(await page.locator(".cf-error").count(), 3, "a date without an answer has one fault");
      for (const name of ["email", "_cf_again[email]"]) await page.fill(`[name='${name}']`, "ada@example.org");
      await fillDate(page, "31");
      await next(page);
      await page.waitForSelector(".cf-error:visible:text('Enter a valid date')");
      assert.match((await progress(page)) ?? "", /Step 1/);
      assert.ok((await box(page.locator(".cf-error"))).width > 120, "the fault has room");
      await page.fill("[name='born[month]']", "3");
      await page.waitForSelector(".cf-error", { state: "detached" });
      await next(page);
      await page.waitForSelector("[name=town]:visible");
      await page.context().close();
    });

    it("a reload keeps the step, because it keeps the repeated address", async () => {
      const { path } = await make({ schema: WIZARD });
      const page = await open(path, PHONE);
      await page.fill("[name=email]", "ada@example.org");
      await page.fill("[name='_cf_again[email]']", "ada@example.com");
      await fillDate(page, "3");
      await next(page);
      await page.waitForSelector(".cf-error:text-is('The two entries don’t match.')");
      await page.fill("[name='_cf_again[email]']", "ada@example.org");
      await next(page);
      await page.waitForSelector("[name=town]:visible");
      await page.reload();
      await page.waitForSelector("[name=town]:visible");
      await page.context().close();
    });

    it("an address that is completed loses its fault", async () => {
      const { path } = await make({ schema: { fields: [{ name: "site", type: "url", label: "Site" }, SEND] } });
      const page = await open(path, PHONE);
      await page.fill("[name=site]", "example");
      await page.press("[name=site]", "Tab");
      await page.waitForSelector(".cf-error");
      await page.fill("[name=site]", "example.com");
      await page.press("[name=site]", "Tab");
      await page.waitForSelector(".cf-error", { state: "detached" });
      assert.equal(await page.inputValue("[name=site]"), "https://example.com");
      await page.context().close();
    });

    const GUESTS = {
      fields: [
        { name: "guests", type: "fieldset", label: "Guests", attributes: { "data-repeat": "Add a guest" } },
        { name: "who", type: "text", label: "Name", group: "guests", required: true },
        SEND,
      ],
    };

    it("a removed row takes its faults out of the list", async () => {
      const { path } = await make({ schema: GUESTS });
      const page = await open(path, PHONE);
      // Before the part for rows is loaded, the button adds a row on the server.
      await page.waitForSelector("[name=_cf_add][type=button]");
      const [group, add] = [await box(page.locator(".cf-group")), await box(page.locator(".cf-add"))];
      assert.ok(group.y + group.height - add.y - add.height < 28, "nothing is below the button");
      await page.tap("text=Add a guest");
      await page.tap("text=Send");
      await page.waitForSelector(".cf-summary li:nth-child(2)");
      await page.locator(".cf-remove").last().tap();
      await page.waitForFunction(() => document.querySelectorAll(".cf-summary li").length === 1);
      await page.context().close();
    });

    it("without script the buttons of rows can be read", async () => {
      const { path } = await make({ schema: GUESTS });
      const page = await open(path, { ...PHONE, javaScriptEnabled: false });
      await page.click("text=Add a guest");
      await page.locator(".cf-remove").nth(1).waitFor({ state: "attached" });
      await page.waitForLoadState("domcontentloaded");
      const looks = await page.locator(".cf-remove,.cf-add").evaluateAll((all) =>
        all.map((one) => {
          const { color, backgroundColor } = getComputedStyle(one);
          return [color, backgroundColor];
        }),
      );
      assert.equal(looks.length, 3);
      for (const [color, background] of looks) assert.notEqual(color, background);
      await page.context().close();
    });

    it("a missing signature asks to sign, and its buttons have the size of a finger and keep their places", async () => {
      const signature = { "data-signature": "", accept: "image/*" };
      const { path, id } = await make({
        schema: {
          fields: [{ name: "sign", type: "file", label: "Signature", required: true, attributes: signature }, SEND],
        },
      });
      const page = await open(path, PHONE);
      const buttons = page.locator(".cf-pad > .cf-pad-buttons > button");
      await buttons.first().waitFor();
      await readTheForm(page);
      await page.tap("text=Send");
      await page.waitForSelector(".cf-error:text-is('Sign here')");
      const before = await buttons.allTextContents();
      const [pad, line] = [await box(page.locator(".cf-pad")), await box(page.locator(".cf-error"))];
      assert.ok(line.y - (pad.y + pad.height) < 16, "the fault is close to the pad");
      for (const one of await buttons.all()) assert.ok((await box(one)).height >= 44);
      await buttons.first().tap();
      const { x, y } = await box(page.locator("dialog canvas"));
      await page.touchscreen.tap(x + 40, y + 40);
      const done = page.locator("dialog button", { hasText: "Done" });
      assert.ok((await box(done)).height >= 44);
      await done.tap();
      // The buttons return in a later task, when the dialog reports that it is closed.
      await page.waitForSelector(".cf-pad dialog:not([open])", { state: "attached" });
      await buttons.nth(before.length - 1).waitFor({ state: "attached" });
      assert.deepEqual(await buttons.allTextContents(), before);
      await page.waitForSelector(".cf-error", { state: "detached" });
      await page.tap("text=Send");
      await page.waitForSelector(".cf-ending");
      assert.ok(JSON.stringify(member(await newest(id), "sign")).includes("signature.png"));
      await page.context().close();
    });

    it("the link to saved progress is in view", async () => {
      const more = ["a", "b", "c", "d", "e", "f"].map((name) => ({ name, type: "text", label: name }));
      const settings = { save: "button", save_mail: true };
      const { path } = await make({ schema: { fields: [...more, SEND] }, settings });
      const page = await open(path, PHONE);
      // Before the part that saves is loaded, the button submits to the server.
      await page.waitForSelector(".cf-saved", { state: "attached" });
      await page.tap("text=Save and continue later");
      const buttons = page.locator(".cf-saved button");
      await buttons.last().waitFor();
      for (const one of await buttons.all()) {
        const { y, height } = await box(one);
        assert.ok(height >= 44 && y >= 0 && y + height <= PHONE.viewport.height, `${y} ${height}`);
      }
      await page.context().close();
    });

    it("fields leave no gaps, and only the focused element has a ring", async () => {
      const { path } = await make({
        schema: {
          fields: [
            { name: "colour", type: "color", label: "Colour" },
            { name: "pass", type: "password", label: "Password" },
            {
              name: "how",
              type: "checkbox",
              label: "How?",
              options: options("Bell", "Door"),
              attributes: { "data-other": "Else" },
            },
            {
              name: "fair",
              type: "radio",
              label: "Fair?",
              css_class: "cf-scale",
              options: options("Not", "Fair", "Very"),
            },
            SEND,
          ],
        },
      });
      const page = await open(path, PHONE);
      await page.waitForSelector(".cf-eye");
      for (const name of ["colour", "pass"])
        assert.equal(
          await page.locator(`[name=${name}]`).evaluate((one) => getComputedStyle(one).marginBlockEnd),
          "0px",
        );
      assert.equal(
        await page.locator(".cf-eye").evaluate((one) => getComputedStyle(one).borderInlineStartWidth),
        "0px",
      );
      await page.check(".cf-other [type=checkbox]");
      await page.focus(".cf-other [type=text]");
      assert.equal(await page.locator(".cf-other").evaluate((one) => getComputedStyle(one).outlineStyle), "none");
      const radii = await page
        .locator(".cf-scale .cf-choice")
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).borderRadius));
      assert.equal(new Set(radii).size, 1, radii.join(" "));
      await page.context().close();
    });
  }),
);
