/** Progress is saved and resumed, with and without script; taken seats are shown and cannot be chosen. */

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { randomOf } from "../shim/random-expressions.ts";
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

const pickLetter = (random: () => number): string => "abcdefghij"[Math.floor(random() * 10)] ?? "a";

/** Waits until the part of the script that saves is loaded. */
const savesAnswers = (page: Page): Promise<unknown> => page.waitForSelector(".cf-saved", { state: "attached" });

describe("saved progress in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ site, make, newest, open }) => {
    it("a visitor saves with the button, leaves, resumes and submits", async () => {
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

    it("saves while the visitor answers, and shows that the progress is saved", async () => {
      const { path } = await make({ schema: SCHEMA, settings: { save: "auto" } });
      const page = await open(path);
      assert.match((await page.textContent("form.cf-form")) ?? "", /saved on this website/);
      await savesAnswers(page);
      const saved = page.waitForResponse((response) => response.url().endsWith("/saved"));
      await page.fill("[name=wish]", "A yak");
      assert.equal((await saved).status(), 201);
      await page.context().close();
    });

    it("a browser that crashes loses at most the last ten seconds", async () => {
      const { path } = await make({ schema: SCHEMA, settings: { save: "auto" } });
      const address = new URL(path, site().url).href;
      const random = randomOf(7);
      const KEY_MS = 400;
      for (const isPausing of [false, true]) {
        const page = await open("about:blank");
        await page.clock.install();
        await page.goto(address);
        await savesAnswers(page);
        let pending = 0;
        page.on("request", (request) => (pending += request.url().endsWith("/saved") ? 1 : 0));
        page.on("requestfinished", (request) => (pending -= request.url().endsWith("/saved") ? 1 : 0));
        const keys = 40 + Math.floor(random() * 60);
        let [typed, elapsed] = ["", 0];
        const typedBy: [elapsed: number, text: string][] = [];
        for (let key = 0; key < keys; key += 1) {
          const letter = pickLetter(random);
          await page.locator("[name=wish]").press(letter);
          typed += letter;
          typedBy.push([elapsed, typed]);
          const pause = isPausing && random() < 0.1 ? 4_000 : KEY_MS;
          await page.clock.runFor(pause);
          elapsed += pause;
          // The clock stands still while the server responds.
          while (pending > 0) await page.waitForEvent("requestfinished");
        }
        const context = page.context();
        const protocol = await context.newCDPSession(page);
        const crashed = page.waitForEvent("crash");
        // The browser does not respond to this command.
        protocol.send("Page.crash").catch(() => {});
        await crashed;
        const next = await context.newPage();
        await next.goto(address);
        await next.click(".cf-saved button >> nth=0");
        await next.waitForURL(/saved\/read$/);
        const kept = await next.inputValue("[name=wish]");
        assert.ok(typed.startsWith(kept));
        const [, least = ""] = typedBy.findLast(([time]) => time <= elapsed - 10_000) ?? [];
        assert.ok(kept.length >= least.length, `${kept.length} of ${typed.length} letters, at least ${least.length}`);
        await context.close();
      }
    });

    it("resumes without script by the link, whose page shows no answer", async () => {
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
