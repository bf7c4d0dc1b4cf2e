/** A long form stays quick: what a letter costs, and that nothing moves while the form starts. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { longestTask } from "../admin/longest-task.ts";
import { noChromium } from "./chromium.ts";
import { useStepsSite } from "./steps-site.ts";

const FIELDS = 100;
const ROUNDS = 5;
/** One frame of a screen with 60 Hz. */
const MAX_KEYSTROKE_MS = 16;
/** Limit on the time of a letter relative to a form with one field, for a machine that is too busy for a frame. */
const MAX_RATIO = 12;

/** Texts, numbers, choices and conditions by turns, each of them required; one label shows the first answer. */
const field = (index: number): object => {
  const common = { name: `f${index}`, label: `Question ${index}`, required: true };
  if (index % 5 === 1) return { ...common, type: "number", validation: { min: 0, max: 1000 } };
  if (index % 5 === 2)
    return { ...common, type: "radio", options: ["a", "b", "c"].map((value) => ({ value, label: value })) };
  if (index % 5 === 3)
    return { ...common, type: "textarea", label: index === 3 ? "What else, [f0|you]?" : "What else?" };
  if (index % 5 === 4)
    return { ...common, type: "text", conditions: [{ field: "f0", operator: "is_not_empty", value: "" }] };
  return { ...common, type: "text" };
};

const schemaOf = (count: number): object => ({
  fields: [...Array.from({ length: count }, (_, index) => field(index)), { name: "send", type: "submit" }],
});

/** The longest task while a visitor writes into the first field, in milliseconds. */
async function keystroke(page: Page): Promise<number> {
  await page.bringToFront();
  await page.focus("[name=f0]");
  const { task } = await longestTask(page, async () => {
    for (const letter of "Lovelace") await page.keyboard.press(letter);
    // The frame after the last letter is over when the next one begins.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  });
  return task;
}

/** The layout shifts of a page so far, and its largest paint in milliseconds. */
const measured = (page: Page): Promise<{ readonly shift: number; readonly paint: number }> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        let [shift, paint] = [0, 0];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shift += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: "layout-shift", buffered: true });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) paint = entry.startTime;
          requestAnimationFrame(() => setTimeout(() => resolve({ shift, paint })));
        }).observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );

describe("a form of 100 fields, in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, open }) => {
    it("shows a typed letter within a frame, however many answers there are", async (t) => {
      const pageOf = async (count: number): Promise<Page> =>
        open((await make({ schema: schemaOf(count) })).path, { viewport: { width: 390, height: 844 } });
      const long = await pageOf(FIELDS);
      const short = await pageOf(1);
      const costs: number[] = [];
      const shortCosts: number[] = [];
      const limit = (): number => Math.max(MAX_KEYSTROKE_MS, MAX_RATIO * Math.min(...shortCosts));
      // A busy machine makes a task longer, never shorter.
      while (costs.length < ROUNDS && !costs.some((cost) => cost < limit())) {
        shortCosts.push(await keystroke(short));
        costs.push(await keystroke(long));
      }
      const shown = [costs, shortCosts].map((list) => list.map((cost) => cost.toFixed(1)).join(", "));
      t.diagnostic(`longest task of a round: ${shown.join(" ms; with one field: ")} ms`);
      assert.ok(Math.min(...costs) < limit(), shown.join("; "));
      assert.match((await long.textContent("[data-cf-pipe]")) ?? "", /Lovelace$/, "texts followed");
      await long.context().close();
      await short.context().close();
    });

    it("causes no layout shift while it starts", async (t) => {
      const { path } = await make({ schema: schemaOf(FIELDS) });
      const page = await open(path, { viewport: { width: 390, height: 844 } });
      await page.waitForFunction(() => document.querySelector("textarea")?.enterKeyHint === "enter");
      const { shift, paint } = await measured(page);
      t.diagnostic(`painted after ${Math.round(paint)} ms`);
      assert.equal(shift, 0);
      assert.ok(paint > 0);
      await page.context().close();
    });
  }),
);
