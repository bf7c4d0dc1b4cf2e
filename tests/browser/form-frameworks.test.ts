/** Layout classes of frameworks in authors' markup (docs/theming.md), each measured in the browser. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { languages } from "../../visitor/languages/index.ts";
import type { Site } from "../shim/site.ts";
import { makeForm, useBrowserSite } from "./browser-site.ts";
import { noChromium, takePicture, violations } from "./chromium.ts";

let count = 0;
/** A cell with a control and its label. */
const cell = (className: string): string =>
  `<div class="${className}"><label for="c${(count += 1)}">Field</label><input id="c${count}" name="c${count}"></div>`;
const cells = (...classNames: readonly string[]): string => classNames.map(cell).join("");

/** The widths of a row's columns in twelfths; `null` for an unsupported class. */
const ROWS: readonly (readonly [string, string, readonly number[]])[] = [
  ["row", cells("col", "col"), [6, 6]],
  ["row", cells("col", "col", "col"), [4, 4, 4]],
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(
    (span) => ["row", cells(`col-md-${span}`, `col-md-${12 - span}`), [span, 12 - span]] as const,
  ),
  ["row", cells("col-md-12"), [12]],
  ["row", cells("col-12 col-md-4", "col-md-8"), [4, 8]],
  ["row", cells("col-lg-6", "column"), [12, 12]],
  ["grid-cols-2", cells("", ""), [6, 6]],
  ["grid-cols-3", cells("", "", ""), [4, 4, 4]],
  ["grid-cols-4", cells("", "", "", ""), [3, 3, 3, 3]],
  ["grid-cols-5", cells("", ""), [12, 12]],
];

const REST = `<label for="budget">Budget</label><div class="input-group"><span class="input-group-text">€</span><input id="budget" name="budget" type="number"><span class="input-group-text">.00</span></div>
  <div class="form-floating"><input id="mail" name="mail" type="email" placeholder="x" required><label for="mail">Email</label></div>
  <div class="form-floating"><select id="list" name="list"><option>One</option></select><label for="list">List</label></div>
  <div class="form-check form-switch"><input class="form-check-input" type="checkbox" id="news" name="news"><label for="news">News</label></div>
  <fieldset><legend>Size</legend><div class="btn-group"><input type="radio" class="btn-check" name="size" id="s" value="s"><label for="s">Small</label><input type="radio" class="btn-check" name="size" id="l" value="l" checked><label for="l">Large</label></div></fieldset>
  <button>Send</button>`;

let site: Site;
let browser: Browser;

describe("the classes of frameworks in Chromium", { skip: noChromium }, () => {
  useBrowserSite(
    async (started) => {
      ({ site, browser } = started);
      for (const language of ["en", "ar"]) {
        const markup = ROWS.map(([name, inner]) => `<div class="${name} tested">${inner}</div>`).join("") + REST;
        await makeForm(site, { title: "Register", slug: language, markup, settings: { language } });
      }
    },
    { forms: { languages } },
  );

  async function open(slug: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (
      await browser.newContext({ viewport: { width: 900, height: 900 }, reducedMotion: "reduce", ...options })
    ).newPage();
    await page.goto(`${site.url}/forms/${slug}`);
    return page;
  }

  interface Box {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
    readonly width: number;
    readonly height: number;
  }
  const boxes = (page: Page, selector: string): Promise<Box[]> =>
    page.$$eval(selector, (all) => all.map((one) => one.getBoundingClientRect().toJSON() as Box));
  async function box(page: Page, selector: string): Promise<Box> {
    const [first] = await boxes(page, selector);
    assert.ok(first !== undefined, selector);
    return first;
  }
  const style = (page: Page, selector: string, name: string): Promise<string> =>
    page.$eval(selector, (one, property) => getComputedStyle(one).getPropertyValue(property), name);
  const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= 1.5;

  for (const slug of ["en", "ar"]) {
    it(`rows and grids have their columns if they fit, else one column (${slug})`, async () => {
      for (const width of [900, 390, 320]) {
        const page = await open(slug, { viewport: { width, height: 800 } });
        const found = await page.$$eval(".tested", (rows) =>
          rows.map((row) =>
            [row, ...row.children].map(
              (one) =>
                one.getBoundingClientRect().toJSON() as { left: number; right: number; top: number; width: number },
            ),
          ),
        );
        assert.equal(found.length, ROWS.length);
        for (const [index, [name, , parts]] of ROWS.entries()) {
          const [row, ...inner] = found[index] ?? [];
          assert.ok(row !== undefined);
          const column = (row.width - 11 * 16) / 12;
          const wanted = width === 900 ? parts : parts.map(() => 12);
          const description = `${name} ${index} at ${width}: ${inner.map(({ width }) => Math.round(width)).join()} of ${Math.round(row.width)}`;
          for (const [at, span] of wanted.entries())
            assert.ok(isNear(inner[at]?.width ?? 0, span * column + (span - 1) * 16), description);
          const [one, other] = inner;
          if (one === undefined || other === undefined) continue;
          if (wanted[0] === 12) assert.ok(one.top < other.top, description);
          else
            assert.ok(
              one.top === other.top && (slug === "en" ? one.left < other.left : one.left > other.left),
              description,
            );
        }
        const gaps = await page.$$eval(".tested > * > label", (labels) =>
          labels.map(
            (label) =>
              (label.nextElementSibling?.getBoundingClientRect().top ?? 0) - label.getBoundingClientRect().bottom,
          ),
        );
        assert.ok(
          gaps.every((gap) => gap >= 4),
          `no label lies on its field: ${[...new Set(gaps)].join()}`,
        );
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
        if (width === 900) await takePicture(page, `frameworks-${slug}.png`, { fullPage: true });
        await page.context().close();
      }
    });
  }

  it("input-group: its parts are one control", async () => {
    for (const slug of ["en", "ar"]) {
      const page = await open(slug, { viewport: { width: 390, height: 800 } });
      const [before, input, behind] = await boxes(page, ".input-group > *");
      assert.ok(before !== undefined && input !== undefined && behind !== undefined);
      const [first, last] = slug === "en" ? [before, behind] : [behind, before];
      assert.ok(isNear(first.right, input.left) && isNear(input.right, last.left), "side by side");
      assert.ok(
        [before, behind].every(({ top, bottom }) => isNear(top, input.top) && isNear(bottom, input.bottom)),
        "equal heights",
      );
      assert.ok(input.width > first.width + last.width);
      const group = await box(page, ".input-group");
      assert.ok(isNear(first.left, group.left) && isNear(last.right, group.right), "the whole width");
      await page.context().close();
    }
  });

  it("form-floating: the label is inside its control, above the typed text, and a message below", async () => {
    const page = await open("en");
    const lies = async (id: string): Promise<{ readonly from: number; readonly size: string }> => {
      const [label, control] = [await box(page, `[for=${id}]`), await box(page, `#${id}`)];
      assert.ok(
        label.top >= control.top && label.bottom <= control.bottom && label.left >= control.left,
        JSON.stringify([label, control]),
      );
      return { from: label.top - control.top, size: await style(page, `[for=${id}]`, "font-size") };
    };
    const empty = await lies("mail");
    await page.focus("#mail");
    const focused = await lies("mail");
    assert.ok(focused.from < empty.from && parseFloat(focused.size) < parseFloat(empty.size));
    await page.fill("#mail", "ada@example.org");
    assert.deepEqual(await lies("mail"), focused);
    assert.deepEqual(await lies("list"), focused);
    assert.equal(await page.$eval("#mail", (one) => getComputedStyle(one, "::placeholder").opacity), "0");
    await page.fill("#mail", "");
    await page.click("button");
    const [message, control] = [await box(page, ".form-floating .cf-error"), await box(page, "#mail")];
    assert.ok(message.top >= control.bottom);
    await lies("mail");
    assert.deepEqual(await violations(page), []);
    await page.context().close();
  });

  it("form-switch: a switch, with its knob at the end when it is on", async () => {
    for (const slug of ["en", "ar"]) {
      const page = await open(slug);
      const { width, height } = await box(page, "#news");
      assert.deepEqual([width, height], [40, 24]);
      const off = await style(page, "#news", "background-image");
      await page.focus("#news");
      await page.keyboard.press("Space");
      const on = await style(page, "#news", "background-image");
      const atEnd = /100%/;
      assert.deepEqual([atEnd.test(off), atEnd.test(on)], slug === "en" ? [false, true] : [true, false]);
      await page.context().close();
    }
    const page = await open("en", { forcedColors: "active" });
    assert.equal(await style(page, "#news", "appearance"), "auto");
    await page.context().close();
  });

  it("btn-group: buttons in a row, with a visible selection and focus, also by keyboard and in forced colours", async () => {
    for (const forcedColors of ["none", "active"] as const) {
      const page = await open("en", { forcedColors });
      const [small, large] = await boxes(page, ".btn-group > label");
      assert.ok(
        small !== undefined && large !== undefined && isNear(small.right, large.left) && small.top === large.top,
      );
      const looks = async (): Promise<readonly string[]> =>
        Promise.all(
          ["s", "l"].map(
            async (id) =>
              `${await style(page, `[for=${id}]`, "background-color")} ${await style(page, `[for=${id}]`, "outline-style")}`,
          ),
        );
      const before = await looks();
      assert.notEqual(before[0], before[1]);
      await page.focus("#l");
      await page.keyboard.press("ArrowLeft");
      assert.equal(await page.isChecked("#s"), true);
      assert.equal(await style(page, "[for=s]", "outline-style"), "solid", "the focus is visible");
      await page.focus("button");
      assert.deepEqual(await looks(), before.toReversed());
      await page.context().close();
    }
  });
});
