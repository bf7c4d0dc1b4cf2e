/** Answers are saved and go on, with and without script; places that are taken are shown and cannot be chosen. */

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { member } from "../shim/site.ts";
import { noChromium, violations } from "./chromium.ts";
import { useStepsSite } from "./steps-site.ts";

const SCHEMA = {
  fields: [
    { name: "wish", label: "Wish", required: true },
    { name: "tone", type: "checkbox", label: "Tone", options: ["Warm", "Cold"] },
    { name: "pass", type: "password", label: "Password" },
    {
      name: "slot",
      type: "radio",
      label: "Slot",
      options: ["10:00", "11:00"],
      attributes: { "data-seats": '{"10:00":3,"11:00":0}', "data-seats-left": "" },
    },
    { name: "send", type: "submit", label: "Send" },
  ],
};

const PICTURES = process.env["CF_PICTURES"];

const picture = async (page: Page, name: string): Promise<void> => {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
};

const PHONE = { viewport: { width: 390, height: 800 } };

/** Waits until the part of the script that saves is there. */
const savesAnswers = (page: Page): Promise<unknown> => page.waitForSelector(".cf-saved", { state: "attached" });

describe("saved answers in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ site, make, newest, open }) => {
    it("a visitor saves by the button, leaves, goes on and sends", async () => {
      const { path, id } = await make({ schema: SCHEMA, settings: { save: "button", save_mail: true } });
      const page = await open(path, PHONE);
      await savesAnswers(page);
      await page.fill("[name=wish]", "A zebra");
      await page.check("[value=Cold]");
      await page.fill("[name=pass]", "secret");
      await page.click(".cf-save");
      await page.waitForSelector(".cf-saved:not([hidden]) input[readonly]");
      const link = await page.inputValue(".cf-saved input[readonly]");
      assert.match(link, /\/saved\/[\w-]{43}$/);
      assert.deepEqual(await violations(page), []);
      await picture(page, "saved");
      await page.evaluate(() => sessionStorage.clear());
      await page.goto(new URL(path, site().url).href);
      await page.waitForSelector(".cf-saved:not([hidden]) button");
      await picture(page, "found");
      await page.click(".cf-saved button >> nth=0");
      await page.waitForURL(/saved\/read$/);
      assert.equal(await page.inputValue("[name=wish]"), "A zebra");
      assert.equal(await page.isChecked("[value=Cold]"), true);
      assert.equal(await page.inputValue("[name=pass]"), "");
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-message-success,.cf-ending");
      assert.equal(((await newest(id)) as { wish?: string }).wish, "A zebra");
      const left = await site().api("GET", `/forms/${id}/saved`);
      assert.equal(member(left.body, "open"), 0);
      await page.context().close();
    });

    it("saves as the visitor answers, and says so", async () => {
      const { path } = await make({ schema: SCHEMA, settings: { save: "auto" } });
      const page = await open(path);
      assert.match((await page.textContent("form.cf-form")) ?? "", /saved on this website/);
      await savesAnswers(page);
      const saved = page.waitForResponse((response) => response.url().endsWith("/saved"));
      await page.fill("[name=wish]", "A yak");
      assert.equal((await saved).status(), 201);
      await page.context().close();
    });

    it("goes on without script by the link, whose page shows no answer", async () => {
      const { path } = await make({ schema: SCHEMA, settings: { save: "button" } });
      const page = await open(path, { ...PHONE, javaScriptEnabled: false });
      assert.equal(await page.isDisabled("[value='11:00']"), true);
      assert.match((await page.textContent("form.cf-form")) ?? "", /10:00 \(3 left\)/);
      await picture(page, "seats");
      await page.fill("[name=wish]", "A zebra");
      await page.click(".cf-save");
      const link = await page.getAttribute("a.cf-saved-link", "href");
      await picture(page, "link");
      await page.goto(link ?? "");
      assert.doesNotMatch(await page.content(), /zebra/);
      await page.click("button.cf-submit");
      assert.equal(await page.inputValue("[name=wish]"), "A zebra");
      await page.context().close();
    });
  }),
);
