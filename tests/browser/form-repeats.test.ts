/** One submit is one submission, and two visitors are two, despite cached pages and network failures. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { items } from "../shim/site.ts";
import { noChromium } from "./chromium.ts";
import { next, readTheForm, useStepsSite } from "./steps-site.ts";

const key = (page: Page): Promise<string> => page.inputValue("[name=_submission_key]");

const TWO_STEPS = `<section data-step="a"><label>One <input name="one"></label></section>
  <section data-step="b"><label>Two <input name="two"></label><button>Send</button></section>`;

describe("repeats in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ site, make, open }) => {
    const stored = async (id: number): Promise<number> =>
      items((await site().api("GET", `/forms/${id}/submissions`)).body).length;

    it("visitors of one cached page with equal answers make one submission each", async () => {
      const { path, id } = await make({ markup: "<label>Vote <input name=vote></label><button>Send</button>" });
      const cached = await (await fetch(new URL(path, site().url))).text();
      const [ofPage = ""] = /(?<=name="_submission_key" value=")\w+/.exec(cached) ?? [];
      const keys = new Set<string>();
      for (let visitor = 0; visitor < 3; visitor += 1) {
        const page = await open("about:blank");
        await page.route(new URL(path, site().url).href, (route) =>
          route.request().method() === "GET"
            ? route.fulfill({ contentType: "text/html", body: cached })
            : route.continue(),
        );
        await page.goto(new URL(path, site().url).href);
        await readTheForm(page);
        keys.add(await key(page));
        await page.fill("[name=vote]", "Yes");
        await page.click("text=Send");
        await page.waitForSelector(".cf-message-success");
        assert.equal(await stored(id), visitor + 1);
        await page.context().close();
      }
      assert.equal(keys.size, 3);
      assert.ok(!keys.has(ofPage) && [...keys].every((one) => /^s-[0-9a-f]{32}$/.test(one)), [...keys].join());
    });

    it("a submit with a lost response is sent again from another network, also after a reload, and is stored once", async () => {
      const { path, id } = await make({ markup: TWO_STEPS });
      const page = await open(path);
      await readTheForm(page);
      await page.fill("[name=one]", "1");
      await next(page);
      await page.fill("[name=two]", "2");
      const first = await key(page);
      // The submit arrives, but its response is lost.
      let address = 0;
      const lost = async (isLost: boolean): Promise<void> => {
        await page.unroute("**/forms/*");
        await page.route("**/forms/*", async (route) => {
          if (route.request().method() !== "POST") return route.continue();
          address += 1;
          const headers = { ...route.request().headers(), "x-test-address": `192.0.2.${address}` };
          if (!isLost) return route.continue({ headers });
          await route.fetch({ headers });
          await route.abort();
        });
      };
      await lost(true);
      for (const isReloaded of [false, true]) {
        if (isReloaded) await page.reload();
        assert.equal(await key(page), first, `reloaded: ${isReloaded}`);
        await page.click("text=Send");
        await page.waitForSelector(".cf-message-error");
        assert.equal(await stored(id), 1);
      }
      await lost(false);
      await page.reload();
      await page.click("text=Send");
      await page.waitForSelector(".cf-message-success");
      assert.deepEqual([await stored(id), address], [1, 3]);
      // Stored answers and key are deleted: the next visitor of this tab has another key.
      await page.reload();
      assert.notEqual(await key(page), first);
      await page.context().close();
    });

    it("a form that is shown again keeps its key, because its answers may already be stored", async () => {
      const { path } = await make({ markup: "<label>Mail <input name=mail type=email></label><button>Send</button>" });
      const page = await open("about:blank");
      await page.route("**/-/assets/*.js", (route) => route.abort());
      await page.goto(new URL(path, site().url).href);
      const first = await key(page);
      await page.unroute("**/-/assets/*.js");
      await page.evaluate(() => {
        document.querySelector("form")?.setAttribute("novalidate", "");
      });
      await page.fill("[name=mail]", "nonsense");
      await page.click("text=Send");
      await page.waitForSelector(".cf-summary");
      assert.equal(await key(page), first);
      await page.context().close();
    });
  }),
);
