/** Every form keeps its answers and its submission key, but no secrets, in the tab until they are sent. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium, violations } from "./chromium.ts";
import { readTheForm, useStepsSite } from "./steps-site.ts";

const MARKUP = `<label>Name <input name=name></label><label>Secret <input name=secret type=password></label>
  <label><input type=checkbox name=news value=yes> News</label><button>Send</button>`;

const key = (page: Page): Promise<string> => page.inputValue("[name=_submission_key]");

describe("kept answers in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, open, site }) => {
    it("a reload keeps the answers of a single page with their key, and shifts nothing", async () => {
      const { path } = await make({ markup: MARKUP });
      const page = await open(path);
      await page.fill("[name=name]", "Ada");
      await page.fill("[name=secret]", "hunter2");
      await page.check("[name=news]");
      const first = await key(page);
      await page.reload();
      await page.waitForSelector("text=Your answers are still here.");
      assert.deepEqual(
        [await page.inputValue("[name=name]"), await page.inputValue("[name=secret]"), await key(page)],
        ["Ada", "", first],
      );
      assert.ok(await page.isChecked("[name=news]"));
      assert.deepEqual(await violations(page), []);
      const shifts = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let sum = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
            }).observe({ type: "layout-shift", buffered: true });
            requestAnimationFrame(() => setTimeout(() => resolve(sum), 50));
          }),
      );
      assert.equal(shifts, 0);
      await page.context().close();
    });

    it("“Start again” empties the form, creates a new key and discards the kept answers", async () => {
      const { path } = await make({ markup: MARKUP });
      const page = await open(path);
      await page.fill("[name=name]", "Ada");
      const first = await key(page);
      await page.reload();
      await page.click("text=Start again");
      assert.equal(await page.inputValue("[name=name]"), "");
      assert.notEqual(await key(page), first);
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("name")), "name");
      await page.reload();
      assert.equal(await page.locator("text=Your answers are still here.").count(), 0);
      await page.context().close();
    });

    it("sent answers are discarded, even when the ending is another page", async () => {
      const { path: thanks } = await make({ markup: "<p>Thanks</p>" });
      const { path } = await make({ markup: MARKUP, settings: { redirect_url: thanks } });
      const page = await open(path);
      await page.fill("[name=name]", "Ada");
      await readTheForm(page);
      await page.click("button:text('Send')");
      await page.waitForURL(`**${thanks}`);
      await page.goto(new URL(path, page.url()).href);
      assert.equal(await page.inputValue("[name=name]"), "");
      await page.context().close();
    });

    it("without storage in the browser, the form shows a notice and works", async () => {
      const { path } = await make({ markup: MARKUP });
      const page = await open("about:blank");
      await page.addInitScript(() => {
        Object.defineProperty(window, "sessionStorage", {
          get() {
            throw new DOMException("denied", "SecurityError");
          },
        });
      });
      await page.goto(new URL(path, site().url).href);
      await page.fill("[name=name]", "Ada");
      await page.waitForSelector("text=This browser can’t keep your answers after a reload.");
      await readTheForm(page);
      await page.click("button:text('Send')");
      await page.waitForSelector(".cf-message-success");
      await page.context().close();
    });
  }),
);
