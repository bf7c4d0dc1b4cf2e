/** The default look of authors' HTML forms in any arrangement of elements. */

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Site } from "../shim/site.ts";
import { makeForm, useBrowserSite } from "./browser-site.ts";
import { noChromium, takePicture, violations } from "./chromium.ts";

/** Rows of every kind in sequence. */
const ROWS = `<p class="row"><label for="name">Your name</label> <input id="name" name="name"></p>
  <div class="row"><label>Email <input type="email" name="email"></label></div>
  <fieldset class="row"><legend>Topic</legend><label><input type="radio" name="topic" value="a"> A table</label> <label><input type="radio" name="topic" value="b">Something else</label></fieldset>
  <div class="row"><label for="message">Message</label><textarea id="message" name="message"></textarea></div>
  <label class="row">Source <select name="source"><option>Friends</option></select></label>
  <div class="row"><div><input id="city" name="city" placeholder="City"><label for="city">City</label></div></div>
  <div class="row"><label><input type="checkbox" name="news"> Send me the <a href="/news">newsletter</a></label></div>
  <p class="row">See our <a href="/privacy">privacy notice</a>.</p>
  <p class="row"><input type="checkbox" id="terms" name="terms"> <label for="terms">I have read the terms of the house, all of them, from the first to the very last, and agree.</label></p>
  <p class="row"><button>Send</button></p>`;

/** Labels and controls without elements around them, as in old pages. */
const BARE = `<label for="a">First</label><input id="a" name="a">
  <label for="b">Second</label><input id="b" name="b" list="l"><datalist id="l"><option>x</option></datalist>
  <label for="c">Third</label><select id="c" name="c"><option>1</option></select>
  <label><input type="checkbox" name="d"> Fourth</label>
  <button>Send</button>`;

/** Required rows without answers. */
const FAULTY = `<label>First <input name="a" required></label>
  <label><input type="checkbox" name="b" required> Second</label>
  <p><label><input type="checkbox" name="c" required> Third</label></p>
  <p><label><input type="checkbox" name="d" required> Fourth</label></p>
  <label>Last <select name="e" required><option></option></select></label>
  <button>Send</button>`;

const TABLE = `<table><tr><td>First name:</td><td><input name="first"></td><td>Last name:</td><td><input name="last"></td></tr></table><button>Send</button>`;

const MATRIX = `<table><thead><tr><td></td>${["Unsatisfactory", "Indifferent", "Satisfactory", "Extraordinary"].map((head) => `<th>${head}</th>`).join("")}</tr></thead>
  <tbody>${["Food", "Service"].map((row) => `<tr><th>${row}</th>${[1, 2, 3, 4].map((n) => `<td><input type="radio" name="${row}" value="${n}"></td>`).join("")}</tr>`).join("")}</tbody></table><button>Send</button>`;

let site: Site;
let browser: Browser;

describe("the look of authors' forms in Chromium", { skip: noChromium }, () => {
  useBrowserSite(async (started) => {
    ({ site, browser } = started);
    for (const [slug, markup, language] of [
      ["rows", ROWS, "en"],
      ["bare", BARE, "en"],
      ["table", TABLE, "en"],
      ["matrix", MATRIX, "en"],
      ["faulty", FAULTY, "en"],
      ["rtl", ROWS, "ar"],
    ] as const)
      await makeForm(site, { title: "Write to us", slug, markup, settings: { language } });
  });

  async function open(slug: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await browser.newContext({ viewport: { width: 760, height: 900 }, ...options })).newPage();
    await page.goto(`${site.url}/forms/${slug}`);
    return page;
  }

  /** The empty pixels between each element and the one below it. */
  const gaps = (page: Page, selector: string): Promise<number[]> =>
    page.evaluate((all) => {
      const boxes = [...document.querySelectorAll(all)].map((element) => element.getBoundingClientRect());
      return boxes.slice(1).map((box, index) => Math.round(box.top - (boxes[index]?.bottom ?? 0)));
    }, selector);

  const style = (page: Page, selector: string, name: string): Promise<string> =>
    page.$eval(selector, (element, property) => getComputedStyle(element).getPropertyValue(property), name);

  const PHONE = { viewport: { width: 320, height: 640 } };

  for (const [name, slug, options] of [
    ["light", "rows", {}],
    ["dark", "rows", { colorScheme: "dark" }],
    ["phone", "rows", PHONE],
    ["right-to-left", "rtl", {}],
  ] as const) {
    it(`each row has the same gap after it, and there is no accessibility violation (${name})`, async () => {
      const page = await open(slug, options);
      await takePicture(page, `rows-${name}.png`, { fullPage: true });
      const found = await gaps(page, ".row");
      assert.deepEqual(
        found,
        found.map(() => 28),
      );
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} px too wide`);
      assert.deepEqual(await violations(page), []);
      await page.context().close();
    });
  }

  it("the text of a choice has normal weight, and a gap to its box", async () => {
    const page = await open("rows");
    for (const label of ["label:has([type=radio])", "label:has([type=checkbox])", "[type=checkbox] + label"]) {
      assert.equal(await style(page, label, "font-weight"), "400", label);
    }
    assert.equal(await style(page, "label[for=name]", "font-weight"), "600");
    const distance = await page.$eval("[value=b]", (box) => {
      const text = document.createRange();
      text.selectNode(box.nextSibling ?? box);
      return text.getBoundingClientRect().left - box.getBoundingClientRect().right;
    });
    assert.ok(distance >= 4, `${distance} px`);
    await page.context().close();
  });

  it("a fault is close to its control, and has a gap to the next row", async () => {
    const page = await open("faulty");
    await page.waitForTimeout(150);
    await page.$eval("form", (form) => form.setAttribute("novalidate", ""));
    await page.click("button");
    await page.waitForSelector(".cf-error");
    await takePicture(page, "rows-faulty.png", { fullPage: true });
    const found = await page.$$eval(".cf-error", (lines) =>
      lines.map((line) => {
        const box = line.getBoundingClientRect();
        const rows = [...document.querySelectorAll("form > label, form > button, form > p:not(.cf-error)")];
        const below = rows.map((row) => row.getBoundingClientRect().top).filter((top) => top >= box.bottom);
        return [
          box.top - (line.previousElementSibling?.getBoundingClientRect().bottom ?? 0),
          Math.min(...below) - box.bottom,
        ].map(Math.round);
      }),
    );
    assert.equal(found.length, 5);
    for (const [above = 0, below = 0] of found) assert.ok(above < 10 && below >= 20, found.join(" | "));
    await page.context().close();
  });

  describe("the look of forms from schemas", () => {
    const SCHEMA = {
      version: 1,
      fields: [
        { name: "loud", type: "range", label: "How loud?", required: true },
        { name: "paint", type: "color", label: "Paint" },
        { name: "terms", type: "consent", label: "I agree." },
      ],
    };
    before(async () => {
      const messages = { success: "Thank you.\n[all:label]" };
      await makeForm(site, { title: "Paint", slug: "paint", schema: SCHEMA, messages });
    });

    it("a fault of a range is below the range and its number", async () => {
      const page = await open("paint");
      await page.getByRole("button", { name: "Send" }).click();
      assert.deepEqual(
        (await gaps(page, "[name=loud], .cf-range .cf-error")).map((gap) => gap >= 0),
        [true],
      );
      const [range, output] = await page.evaluate(() =>
        ["[name=loud]", ".cf-range output"].map(
          (one) => document.querySelector(one)?.getBoundingClientRect().toJSON() as DOMRect,
        ),
      );
      assert.ok(
        output !== undefined && range !== undefined && output.left > range.right && output.top < range.bottom,
        JSON.stringify([range, output]),
      );
      await page.context().close();
    });

    it("an unset colour is crossed out", async () => {
      const page = await open("paint");
      const isCrossed = (): Promise<boolean> =>
        page.$eval("[name=paint]", (element) => element.matches("[type=color].cf-unset"));
      assert.equal(await isCrossed(), true);
      await page.locator("[name=paint]").fill("#aa7733");
      assert.equal(await isCrossed(), false);
      await page.context().close();
    });

    for (const javaScriptEnabled of [true, false]) {
      it(`the button has a gap to the last field, and the ending keeps its lines (script: ${javaScriptEnabled})`, async () => {
        const page = await open("paint", { javaScriptEnabled });
        assert.ok(((await gaps(page, ".cf-field-consent, button"))[0] ?? 0) >= 20);
        assert.equal(await page.locator(".cf-range output").isVisible(), javaScriptEnabled);
        await page.locator("[name=loud]").fill("7");
        await page.locator("[name^=terms]").check();
        await page.getByRole("button", { name: "Send" }).click();
        const ending = page.locator(".cf-message-success");
        await ending.waitFor();
        assert.deepEqual((await ending.innerText()).split("\n"), ["Thank you.", "How loud?: 7", "I agree.: Yes"]);
        await page.context().close();
      });
    }
  });

  it("a long label begins beside its box, not below it", async () => {
    const page = await open("rows", PHONE);
    const [box, text] = await Promise.all(
      ["#terms", "[for=terms]"].map((one) => page.$eval(one, (element) => element.getClientRects()[0]?.top ?? 0)),
    );
    assert.ok(Math.abs((box ?? 0) - (text ?? 0)) < 10, `${box} and ${text}`);
    await page.context().close();
  });

  it("a label after its control in the source is above it in the page", async () => {
    const page = await open("rows");
    const [label, control] = await Promise.all(
      ["[for=city]", "#city"].map((one) => page.$eval(one, (element) => element.getBoundingClientRect().top)),
    );
    assert.ok((label ?? 0) < (control ?? 0));
    await page.context().close();
  });

  it("links have the form's colour, which is readable in dark mode", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await open("rows", { colorScheme });
      assert.equal(await style(page, "p a", "color"), await style(page, "button", "background-color"));
      await page.context().close();
    }
  });

  it("labels and controls without elements around them are rows too", async () => {
    const page = await open("bare");
    await takePicture(page, "rows-bare.png", { fullPage: true });
    const found = await page.evaluate(() => {
      const tops = [...document.querySelectorAll("form > label, form > button")].map(
        (row) => row.getBoundingClientRect().top,
      );
      const bottoms = [
        ...document.querySelectorAll("form > :is(input, select):not([type=hidden]), label:has([type=checkbox])"),
      ].map((row) => row.getBoundingClientRect().bottom);
      return bottoms.map((bottom, index) => Math.round((tops[index + 1] ?? 0) - bottom));
    });
    assert.equal(found.length, 4);
    assert.deepEqual(
      found,
      found.map(() => 28),
    );
    await page.context().close();
  });

  it("controls in the cells of a table stay wide enough to write in on a phone", async () => {
    const page = await open("table", PHONE);
    for (const name of ["first", "last"]) {
      const box = await page.locator(`[name=${name}]`).boundingBox();
      assert.ok((box?.width ?? 0) > 150, `${name}: ${box?.width} px`);
    }
    await page.context().close();
  });

  it("a table of choices that is wider than a phone scrolls, not the page", async () => {
    const page = await open("matrix", PHONE);
    const [beyond, within] = await page.evaluate(() => {
      const table = document.querySelector("table");
      return [document.documentElement.scrollWidth - innerWidth, (table?.scrollWidth ?? 0) - (table?.clientWidth ?? 0)];
    });
    assert.ok(Number(beyond) <= 0, `the page is ${beyond} px too wide`);
    assert.ok(Number(within) > 0, "nothing is cut off");
    await page.locator("input").last().check();
    await takePicture(page, "matrix-phone.png");
    await page.context().close();
  });

  it("a shadow at the edge shows that such a table scrolls, and disappears at its end", async () => {
    const page = await open("matrix", PHONE);
    const table = page.locator("table");
    // Above the texts of the column heads.
    const edge = async (): Promise<Buffer> => {
      const { x, y, width } = (await table.boundingBox()) ?? { x: 0, y: 0, width: 0 };
      return page.screenshot({ clip: { x: x + width - 8, y: y + 1, width: 8, height: 3 } });
    };
    const goesOn = await edge();
    await table.evaluate((element) => (element.scrollLeft = element.scrollWidth));
    const ends = await edge();
    await page.emulateMedia({ forcedColors: "active" });
    assert.equal(await style(page, "table", "background-image"), "none");
    await page.emulateMedia({ forcedColors: "none" });
    await table.evaluate((element) => (element.style.background = "none"));
    const plain = await edge();
    assert.deepEqual([goesOn.equals(plain), ends.equals(plain)], [false, true]);
    await page.context().close();
  });
});
