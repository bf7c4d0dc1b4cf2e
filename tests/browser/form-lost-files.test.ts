/** Files that a reload loses: each name is shown beside its field, and the first field gets the focus. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium, violations } from "./chromium.ts";
import { focused, next, progress, readTheForm, useStepsSite } from "./steps-site.ts";

const WIZARD = `<section data-step="a"><label>Name <input name="name"></label><label>CV <input type="file" name="cv"></label></section>
  <section data-step="b"><label>Photos <input type="file" name="photos[]" multiple></label></section>
  <section data-step="c"><label>More <input name="more"></label><button>Send</button></section>`;
const SINGLE = `<label>Name <input name="name"></label><label>CV <input type="file" name="cv"></label><label>Photo <input type="file" name="photo"></label><label>More <textarea name="more"></textarea></label><button>Send</button>`;

const folder = mkdtempSync(join(tmpdir(), "cf-forms-lost-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, bytes = 100): string => {
  writeFileSync(join(folder, name), Buffer.alloc(bytes, "%PDF-1.4\n"));
  return join(folder, name);
};

const beside = (page: Page, name: string): Promise<string> =>
  page.evaluate((field) => {
    const ids = document.querySelector(`[name="${field}"]`)?.getAttribute("aria-describedby") ?? "";
    return ids
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "")
      .join(" ")
      .trim();
  }, name);

describe("files that are lost, in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    it("a reload of a form with steps opens the step of the file to choose again, also after a second reload", async () => {
      const { path, id } = await make({ markup: WIZARD });
      const page = await open(path);
      await readTheForm(page);
      // A reload loses a file that has not arrived.
      await page.route("**/files", (route) => route.abort());
      await page.fill("[name=name]", "Ada");
      await page.setInputFiles("[name=cv]", file("cv.pdf"));
      await next(page);
      await page.setInputFiles('[name="photos[]"]', [file("one.pdf"), file("two.pdf")]);
      await next(page);
      await page.fill("[name=more]", "yes");
      for (let reload = 0; reload < 2; reload += 1) {
        // A browser may keep files over a reload, but a new tab of the same session has none.
        await page.reload();
        await page.evaluate(() => {
          for (const input of document.querySelectorAll<HTMLInputElement>("[type=file]"))
            if (input.files?.length !== 0) throw new Error("the browser kept a file");
        });
        assert.deepEqual([await progress(page), await focused(page)], ["Step 1 of 3", "cv"]);
        assert.deepEqual(
          [await beside(page, "cv"), await beside(page, "photos[]")],
          ["Choose cv.pdf again.", "Choose one.pdf, two.pdf again."],
        );
        assert.deepEqual([await page.inputValue("[name=name]"), await page.inputValue("[name=more]")], ["Ada", "yes"]);
        await page.fill("[name=name]", "Ada");
      }
      assert.deepEqual(await violations(page), []);
      await page.unroute("**/files");
      await page.setInputFiles("[name=cv]", file("cv.pdf"));
      assert.equal(await beside(page, "cv"), "");
      await next(page);
      // A visitor need not choose the file again.
      assert.equal(await beside(page, "photos[]"), "Choose one.pdf, two.pdf again.");
      await next(page);
      await page.click("text=Send");
      await page.waitForSelector(".cf-message-success");
      assert.deepEqual(await newest(id), { name: "Ada", cv: "cv.pdf", more: "yes" });
      await page.context().close();
    });

    it("without script, the form states the size limit in MB for a large file, and keeps all answers", async () => {
      const { path, id } = await make({ markup: SINGLE, messages: { body_too_large: "Höchstens {max} MB." } });
      const page = await open(path, { javaScriptEnabled: false });
      await readTheForm(page);
      const posts: number[] = [];
      page.on("response", (response) => {
        if (response.request().method() === "POST") posts.push(response.status());
      });
      await page.fill("[name=name]", "Ada");
      await page.fill("[name=more]", "two\nlines");
      await page.setInputFiles("[name=cv]", file("small.pdf"));
      // With script such a file is not added (form-uploads.test.ts).
      await page.setInputFiles("[name=photo]", file("large.pdf", 17 << 20));
      await page.click("text=Send");
      await page.waitForSelector(".cf-summary");
      assert.match(await page.innerText(".cf-summary"), /Höchstens 16 MB\./);
      assert.deepEqual(
        [await page.inputValue("[name=name]"), await page.inputValue("[name=more]")],
        ["Ada", "two\nlines"],
      );
      assert.deepEqual(posts, [413]);
      const messages = await page.locator(".cf-summary li").allInnerTexts();
      assert.deepEqual(messages, ["CV: choose small.pdf again.", "Photo: choose large.pdf (17 MB) again."]);
      assert.equal(await page.getAttribute(".cf-summary", "autofocus"), "");
      const link = page.locator(".cf-summary a").last();
      await link.click();
      assert.match((await link.getAttribute("href")) ?? "", /photo|control/);
      // The visitor chooses a smaller photo, and the other file again.
      await page.setInputFiles("[name=photo]", file("small2.pdf"));
      await page.setInputFiles("[name=cv]", file("small.pdf"));
      await page.click("text=Send");
      await page.waitForSelector(".cf-message-success");
      assert.deepEqual(await newest(id), { name: "Ada", cv: "small.pdf", photo: "small2.pdf", more: "two\nlines" });
      await page.context().close();
    });
  }),
);
