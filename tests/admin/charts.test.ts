/** Charts: for screen readers, in print, and as CSV and SVG downloads. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { noChromium } from "../browser/chromium.ts";
import { show, signIn, startBrowser, startSite } from "./admin-site.ts";
import { stage } from "./scene.ts";

/** Colours that are invisible on a white page. */
const INVISIBLE_COLOUR = /(?:fill|stroke)="rgb\((?:2[3-5]\d|1[6-9]\d), (?:2[3-5]\d|1[6-9]\d), (?:2[3-5]\d|1[6-9]\d)\)"/;

it("work for screen readers, in print and as downloads", { skip: noChromium, timeout: 90_000 }, async (t) => {
  const host = await startSite(t);
  const { contact, survey, now } = await stage(host, 12);
  const browser = await startBrowser(t);
  // Dark mode: downloads still use colours for white paper.
  const { page, faults } = await signIn(browser, host.url, { colorScheme: "dark" });
  // The admin's policy lets only the admin's script parse HTML, so charts are parsed in an empty page.
  const elsewhere = await browser.newPage();
  await page.clock.setFixedTime(now);
  for (const [form, least] of [
    [contact, 5],
    [survey, 6],
  ] as const) {
    await show(page, `/forms/${form.id}/analytics?days=30&compare=1`);
    await page
      .getByRole("figure")
      .nth(least - 1)
      .waitFor();
    await page.waitForFunction(() => document.querySelector(".waiting") === null);
    for (const figure of await page.getByRole("figure").all()) {
      const title = (await figure.locator("figcaption").textContent()) ?? "";
      const drawn = await figure.locator("svg.chart").count();
      if (drawn === 0) continue;
      // Screen readers: the chart has a name, and its table has a row for each value.
      assert.equal(
        await figure
          .getByRole("img")
          .first()
          .evaluate((svg) => svg.querySelector("title")?.textContent),
        title,
      );
      const table = figure.getByRole("table", { name: title });
      const rows = await table.getByRole("row").count();
      assert.ok(rows > 1, `${title} has an empty table`);
      // Print: the table is below the chart.
      await page.emulateMedia({ media: "print" });
      const box = await table.boundingBox();
      assert.ok(box !== null && box.height > 20 && box.width > 100, `${title} prints no table`);
      assert.equal(await page.getByRole("navigation", { name: "Main menu" }).isVisible(), false);
      await page.emulateMedia({ media: "screen" });
      assert.ok(
        ((await table.boundingBox())?.height ?? 0) <= 1 ||
          (await figure.locator(".chart-table").evaluate((box) => getComputedStyle(box).clipPath !== "none")),
      );
      // Downloads: a CSV line for each row, and an SVG in colours for white paper that other programs can read.
      for (const format of ["CSV", "SVG"] as const) {
        await figure.getByRole("button", { name: `Options for ${title}` }).click();
        const [file] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("menuitem", { name: `Save as ${format}` }).click(),
        ]);
        assert.match(file.suggestedFilename(), new RegExp(`^[\\p{L}\\p{N}-]+\\.${format.toLowerCase()}$`, "u"));
        const text = await readFile(await file.path(), "utf8");
        if (format === "CSV") {
          assert.equal(text.split("\r\n").length, rows, title);
          continue;
        }
        assert.ok(
          /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/.test(text) && !/class=|style=|var\(/.test(text),
          title,
        );
        const drawing = await elsewhere.evaluate((source) => {
          const read = new DOMParser().parseFromString(source, "image/svg+xml");
          return {
            isWhole: read.querySelector("parsererror") === null,
            words: [...read.querySelectorAll("text")].map((word) => word.outerHTML.replace(/>[^]*$/, ">")),
          };
        }, text);
        assert.equal(drawing.isWhole, true, title);
        assert.ok(drawing.words.length > 1, `${title} has no words`);
        assert.deepEqual(
          drawing.words.filter((word) => INVISIBLE_COLOUR.test(word)),
          [],
          title,
        );
      }
    }
  }
  // A narrower chart is redrawn, so that its text keeps its size.
  const size = () =>
    page
      .locator(".chart .bar-label")
      .first()
      .evaluate((word) => Math.round(word.getBoundingClientRect().height));
  const wide = await size();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForFunction(() => (document.querySelector(".chart")?.clientWidth ?? 999) < 380);
  assert.ok(Math.abs((await size()) - wide) <= 2);
  assert.deepEqual(faults, []);
});
