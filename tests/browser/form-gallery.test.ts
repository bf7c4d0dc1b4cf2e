/** Ten forms in every setting: they fit, are accessible, do not shift, and look right. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { languages } from "../../visitor/languages/index.ts";
import type { Site } from "../shim/site.ts";
import { makeForm, useBrowserSite } from "./browser-site.ts";
import { fillByKeyboard } from "./by-keyboard.ts";
import { noChromium, takePicture, violations } from "./chromium.ts";
import { GALLERY } from "./gallery-forms.ts";

/** Settings that a page can switch to are checked on the same page. */
const DESKTOP = { viewport: { width: 900, height: 900 }, colorScheme: "light", forcedColors: "none" } as const;
const ON_ONE_PAGE = {
  desktop: DESKTOP,
  dark: { ...DESKTOP, colorScheme: "dark" },
  320: { ...DESKTOP, viewport: { width: 320, height: 640 } },
  "forced-colours": { ...DESKTOP, forcedColors: "active" },
} as const;
const SEPARATE_SETTINGS = {
  390: { viewport: { width: 390, height: 800 }, hasTouch: true },
  "no-script": { viewport: { width: 900, height: 900 }, javaScriptEnabled: false },
} as const;

let site: Site;
let browser: Browser;

describe("ten forms in Chromium", { skip: noChromium }, () => {
  useBrowserSite(
    async (started) => {
      ({ site, browser } = started);
      for (const [slug, { fields, layout, ...form }] of Object.entries(GALLERY))
        await makeForm(site, { slug, ...form, ...(fields === undefined ? {} : { schema: { fields, layout } }) });
    },
    { forms: { languages } },
  );

  async function open(slug: string, options: BrowserContextOptions): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage();
    await page.goto(`${site.url}/forms/${slug}`);
    return page;
  }

  async function change(
    page: Page,
    { viewport, ...media }: (typeof ON_ONE_PAGE)[keyof typeof ON_ONE_PAGE],
  ): Promise<void> {
    await page.setViewportSize(viewport);
    await page.emulateMedia(media);
  }

  /** Asserts that the form is not wider than its page, and takes a picture. */
  async function fits(page: Page, name: string): Promise<void> {
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await takePicture(page, `gallery-${name}.png`, { fullPage: true });
    assert.ok(overflow <= 0, `${name}: ${overflow} px too wide`);
  }

  for (const slug of Object.keys(GALLERY)) {
    it(`${slug} fits and is accessible, in every setting`, async () => {
      for (const [setting, options] of Object.entries(SEPARATE_SETTINGS)) {
        const page = await open(slug, options);
        await fits(page, `${slug}-${setting}`);
        await page.context().close();
      }
      const page = await open(slug, DESKTOP);
      for (const [setting, options] of Object.entries(ON_ONE_PAGE)) {
        await change(page, options);
        await fits(page, `${slug}-${setting}`);
      }
      await change(page, ON_ONE_PAGE.desktop);
      await page.locator("button:visible").last().click();
      await fits(page, `${slug}-desktop-faults`);
      // form-every-field.test.ts checks the rest.
      assert.deepEqual(await violations(page), [], "with faults");
      await change(page, ON_ONE_PAGE[320]);
      await fits(page, `${slug}-320-faults`);
      await page.context().close();
    });
  }

  it("a scale of 0 to 10 is on one line at 360 px, with wide enough targets", async () => {
    const page = await open("survey", { viewport: { width: 360, height: 800 } });
    const boxes = await page.$$eval("[name=nps]", (points) =>
      points.map((point) => point.getBoundingClientRect().toJSON() as { top: number; width: number; height: number }),
    );
    assert.deepEqual([boxes.length, new Set(boxes.map(({ top }) => Math.round(top))).size], [11, 1], "one line");
    assert.ok(
      boxes.every(({ width, height }) => width >= 24 && height >= 44),
      JSON.stringify(boxes[0]),
    );
    await page.context().close();
  });

  /** Features that form-every-field.test.ts does not cover: conditions, a review and authors' HTML. */
  for (const slug of ["medical", "booking", "bootstrap"]) {
    it(`${slug} is filled in and sent only by keyboard, and shows the focus`, async () => {
      const page = await open(slug, { viewport: { width: 900, height: 900 } });
      await fillByKeyboard(page);
      await page.context().close();
    });
  }

  it("two cards are in one row", async () => {
    const page = await open("arabic", { viewport: { width: 900, height: 900 }, colorScheme: "dark" });
    const [cards, row] = await page.evaluate(() => {
      const widths = [...document.querySelectorAll(".cf-cards .cf-choice")].map(
        (card) => card.getBoundingClientRect().width,
      );
      return [
        widths.reduce((sum, width) => sum + width, 0),
        document.querySelector(".cf-cards .cf-choices")?.getBoundingClientRect().width ?? 0,
      ];
    });
    assert.ok(cards > row - 16, `${cards} of ${row} px`);
    await page.context().close();
  });

  it("options show their pictures on cards of equal height, which are clickable as a whole, with and without script", async () => {
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path fill="teal" d="M0 0h4v3H0z"/></svg>`;
    const options = ["Garden", "Street", "Roof"].map((label, index) => ({
      value: label,
      label: index === 1 ? `${label}\nWith a balcony` : label,
      image: `/pictures/${index}.svg`,
    }));
    const fields = [
      { name: "room", type: "radio", label: "Your room", required: true, css_class: "cf-cards", options },
      { name: "send", type: "submit", label: "Book" },
    ];
    await makeForm(site, { title: "A room", slug: "room", schema: { fields } });
    const { desktop, dark, "forced-colours": forced } = ON_ONE_PAGE;
    for (const [setting, options] of Object.entries({
      desktop,
      ...SEPARATE_SETTINGS,
      dark,
      "forced-colours": forced,
    })) {
      const page = await (await browser.newContext(options)).newPage();
      await page.route("**/pictures/*", (route) => route.fulfill({ contentType: "image/svg+xml", body: picture }));
      await page.goto(`${site.url}/forms/room`);
      assert.equal(
        await page.$$eval(
          ".cf-picture",
          (all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0 && one.checkVisibility()).length,
        ),
        3,
        setting,
      );
      if (setting === "desktop") {
        const boxes = await page.$$eval(".cf-choice", (cards) =>
          cards.map((card) => card.getBoundingClientRect().height),
        );
        assert.equal(new Set(boxes.map(Math.round)).size, 1, boxes.join());
      }
      await page.locator(".cf-picture").nth(1).click();
      assert.equal(await page.isChecked("[value=Street]"), true, setting);
      await takePicture(page, `gallery-room-${setting}.png`, { fullPage: true });
      if (setting !== "no-script") assert.deepEqual(await violations(page), [], setting);
      await page.context().close();
    }
  });

  /** Rounds of a measurement. Other suites run at the same time, so the fastest round counts. */
  const ROUNDS = 5;
  /** Rounds while a measurement is above its limit, because a busy machine may disturb each of the first rounds. */
  const MAX_ROUNDS = 20;
  const MAX_KEYSTROKE_MS = 16;
  const MAX_PAINT_MS = 500;

  it("the largest contentful paint is within half a second, and nothing shifts", async (t) => {
    for (const slug of ["contact", "medical", "bootstrap"]) {
      const paints: number[] = [];
      while (paints.length < MAX_ROUNDS && !paints.some((paint) => paint < MAX_PAINT_MS)) {
        // A new context has an empty cache.
        const page = await open(slug, { viewport: { width: 390, height: 800 } });
        const found = await page.evaluate(
          () =>
            new Promise<{ paint: number; shift: number }>((resolve) => {
              let [paint, shift] = [0, 0];
              new PerformanceObserver((list) => {
                // A slow machine reports the first paint late. Later entries and shifts follow within 700 ms.
                if (paint === 0) setTimeout(() => resolve({ paint, shift }), 700);
                for (const entry of list.getEntries()) paint = entry.startTime;
              }).observe({ type: "largest-contentful-paint", buffered: true });
              new PerformanceObserver((list) => {
                for (const entry of list.getEntries()) shift += (entry as unknown as { value: number }).value;
              }).observe({ type: "layout-shift", buffered: true });
              setTimeout(() => resolve({ paint, shift }), 30_000);
            }),
        );
        assert.ok(found.paint > 0, "something was painted");
        assert.ok(found.shift < 0.01, `${slug}: ${found.shift}`);
        paints.push(found.paint);
        await page.context().close();
      }
      t.diagnostic(`${slug}: ${paints.map(Math.round).join(", ")} ms`);
      assert.ok(Math.min(...paints) < MAX_PAINT_MS, `${slug}: ${paints.join()} ms`);
    }
  });

  it("a keystroke in a page with ten forms of 50 conditional fields takes less than a frame, including layout", async (t) => {
    // Half of the fields depend on each other, and half appear and disappear with a letter.
    const conditions = (index: number): object =>
      index % 2 === 0
        ? { field: index === 0 ? "a" : `c${index - 2}`, operator: "not_equals", value: `x${index}` }
        : { field: "a", operator: "contains", value: "e" };
    const fields = [
      { name: "a", label: "A" },
      ...Array.from({ length: 50 }, (_, index) => ({
        name: `c${index}`,
        label: `C ${index}`,
        conditions: [conditions(index)],
      })),
    ];
    for (let index = 0; index < 10; index += 1)
      await makeForm(site, { title: `Many ${index}`, slug: `many-${index}`, schema: { fields } });
    // The test writes the other forms into the page itself.
    const page = await open("many-0", { bypassCSP: true });
    const limits = { least: ROUNDS, most: MAX_ROUNDS, limit: MAX_KEYSTROKE_MS };
    const { took, shown, rounds } = await page.evaluate(async ({ least: leastRounds, most, limit }) => {
      for (let index = 1; index < 10; index += 1)
        document
          .querySelector("main")
          ?.insertAdjacentHTML("beforeend", await (await fetch(`/forms/many-${index}/embed`)).text());
      (window as unknown as { cfForms: { enhance(root: ParentNode): void } }).cfForms.enhance(document);
      const least = new Map<string, number>();
      const shown = new Set<number>();
      const isSlow = (): boolean => Math.max(...least.values()) >= limit;
      let rounds = 0;
      for (; rounds < leastRounds || (rounds < most && isSlow()); rounds += 1) {
        for (const [form, input] of document.querySelectorAll<HTMLInputElement>("[name=a]").entries()) {
          for (const letter of "abcdefghij") {
            input.value = letter === "a" ? "a" : input.value + letter;
            const began = performance.now();
            input.dispatchEvent(new InputEvent("input", { bubbles: true }));
            shown.add(document.body.offsetHeight);
            const key = `${form} ${letter}`;
            least.set(key, Math.min(least.get(key) ?? Infinity, performance.now() - began));
          }
        }
      }
      return { took: [...least.values()].sort((one, other) => one - other), shown: shown.size, rounds };
    }, limits);
    const [median = Infinity, slowest = Infinity] = [took[Math.floor(took.length / 2)], took.at(-1)];
    t.diagnostic(
      `${took.length} keystrokes, each the fastest of ${rounds} rounds: median ${median.toFixed(2)} ms, slowest ${slowest.toFixed(2)} ms`,
    );
    assert.equal(took.length, 100);
    assert.ok(shown > 1, "fields appeared and disappeared");
    assert.ok(slowest < MAX_KEYSTROKE_MS, `${slowest} ms`);
    await page.context().close();
  });
});
