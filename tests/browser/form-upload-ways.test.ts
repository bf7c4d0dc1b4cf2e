/**
 * Files added to an upload field by drop and paste, and uploads over slow or lost connections: progress, cancel,
 * offline. The states `retry`, `failed`, `done` and `sending` of a file are also tested in forced colours, in dark
 * mode, and on a desktop.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium, takePicture, violations } from "./chromium.ts";
import { useStepsSite } from "./steps-site.ts";

const FORM = `<label for="n">Name</label><input id="n" name="name">
  <label for="p">Pictures</label><input type="file" id="p" name="pictures[]" multiple accept=".png,.pdf">
  <label for="c">Policy</label><input type="file" id="c" name="policy" accept=".pdf"><button>Send</button>`;

interface Given {
  readonly name: string;
  readonly type?: string;
  readonly bytes?: number;
}

/**
 * Dispatches a drop or a paste of files, optionally with a text. Returns whether the page leaves the default action to
 * the browser.
 */
const dispatchFiles = (page: Page, kind: "drop" | "paste", selector: string, files: readonly Given[], text = "") =>
  page.evaluate(
    ({ kind, selector, files, text }) => {
      const data = new DataTransfer();
      for (const { name, type = "application/pdf", bytes = 9 } of files)
        data.items.add(new File([`%PDF-1.4${" ".repeat(bytes)}`], name, { type }));
      if (text !== "") data.setData("text/plain", text);
      const options = { bubbles: true, cancelable: true, composed: true };
      const target = document.querySelector(selector);
      if (kind === "drop") target?.dispatchEvent(new DragEvent("dragover", { ...options, dataTransfer: data }));
      return target?.dispatchEvent(
        kind === "drop"
          ? new DragEvent("drop", { ...options, dataTransfer: data })
          : new ClipboardEvent("paste", { ...options, clipboardData: data }),
      );
    },
    { kind, selector, files, text },
  );

const names = (page: Page, field: string): Promise<string[]> =>
  page.locator(`.cf-drop:has(${field}) ~ .cf-files >> nth=0 >> .cf-file-name`).allInnerTexts();
const problems = (page: Page): Promise<string[]> => page.locator(".cf-problems p").allInnerTexts();
const stateOf = (page: Page, name: string): Promise<string | null> =>
  page.locator("li.cf-file", { hasText: name }).getAttribute("data-state");
const until = (page: Page, name: string, state: string): Promise<void> =>
  page.locator(`li.cf-file[data-state=${state}]`, { hasText: name }).waitFor();

describe("an upload field in Chromium: drop, paste, slow and lost connections", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    const opened = async (options = {}): Promise<{ page: Page; id: number }> => {
      const { path, id } = await make({ markup: FORM });
      const page = await open(path, options);
      await page.waitForSelector(".cf-drop");
      return { page, id };
    };

    it("files dropped on an upload field are added; a field for one file keeps the newest file", async () => {
      const { page, id } = await opened();
      await dispatchFiles(page, "drop", "#p", [{ name: "one.pdf" }]);
      await dispatchFiles(page, "drop", "#p", [{ name: "two.pdf" }, { name: "notes.txt", type: "text/plain" }]);
      assert.deepEqual(await names(page, "#p"), ["one.pdf", "two.pdf"]);
      assert.match((await problems(page)).join(), /^notes\.txt was not added/);
      await dispatchFiles(page, "drop", "#c", [{ name: "old.pdf" }]);
      await dispatchFiles(page, "drop", "#c", [{ name: "new.pdf" }]);
      assert.deepEqual(await names(page, "#c"), ["new.pdf"]);
      await dispatchFiles(page, "drop", "#c", [{ name: "a.pdf" }, { name: "b.pdf" }]);
      assert.ok((await problems(page)).includes("You can add one file only. Nothing was added."));
      assert.deepEqual(await names(page, "#c"), ["new.pdf"]);
      for (const name of ["one.pdf", "two.pdf", "new.pdf"]) await until(page, name, "done");
      await page.click("text=Send");
      await page.waitForSelector(".cf-message-success");
      assert.deepEqual(await newest(id), { name: "", pictures: ["one.pdf", "two.pdf"], policy: "new.pdf" });
      await page.context().close();
    });

    it("a drop beside the upload fields neither adds nor opens a file, and a field's highlight ends with the drag", async () => {
      const { page } = await opened();
      assert.equal(await dispatchFiles(page, "drop", "#n", [{ name: "one.pdf" }]), false, "the browser opens nothing");
      assert.equal(await page.locator("li.cf-file").count(), 0);
      await page.evaluate(() => {
        const data = new DataTransfer();
        data.items.add(new File(["x"], "one.pdf"));
        const over = new DragEvent("dragover", { bubbles: true, cancelable: true, dataTransfer: data });
        document.querySelector("#p")?.dispatchEvent(over);
      });
      assert.equal(await page.locator(".cf-dragging .cf-over #p").count(), 1);
      await page.waitForSelector("form:not(.cf-dragging)");
      const text = await page.evaluate(() => {
        const data = new DataTransfer();
        data.setData("text/plain", "words");
        const drop = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data });
        return document.querySelector("#n")?.dispatchEvent(drop);
      });
      assert.equal(text, true, "the browser handles a dragged text");
      await page.context().close();
    });

    it("a pasted picture gets a name, and goes to the field for pictures; a text is pasted as usual", async () => {
      const { page } = await opened();
      await dispatchFiles(page, "paste", "body", [{ name: "image.png", type: "image/png" }]);
      await page.focus("#n");
      await dispatchFiles(page, "paste", "#n", [{ name: "image.png", type: "image/png" }]);
      assert.deepEqual(await names(page, "#p"), ["Pasted picture 1.png", "Pasted picture 2.png"]);
      const isFree = await dispatchFiles(page, "paste", "#n", [{ name: "image.png", type: "image/png" }], "words");
      assert.equal(isFree, true, "a spreadsheet copies cells as a picture and a text, and the browser pastes the text");
      assert.equal(await page.locator("li.cf-file").count(), 2);
      await page.focus("#c");
      await dispatchFiles(page, "paste", "#c", [{ name: "policy.pdf" }]);
      assert.deepEqual(await names(page, "#c"), ["policy.pdf"], "the focused field has priority");
      await page.context().close();
    });

    it("on a slow connection, progress is shown, a file can be removed, and the form waits for its files", async () => {
      const { page, id } = await opened({ viewport: { width: 390, height: 844 } });
      const line = await page.context().newCDPSession(page);
      const slow = (uploadThroughput: number) =>
        line.send("Network.emulateNetworkConditions", {
          offline: false,
          latency: 20,
          downloadThroughput: -1,
          uploadThroughput,
        });
      // Both large files take a minute, so that a slow machine sees them uploading.
      await slow(30_000);
      const pdf = (name: string, bytes: number) => ({
        name,
        mimeType: "application/pdf",
        buffer: Buffer.concat([Buffer.from("%PDF-1.4\n"), Buffer.alloc(bytes)]),
      });
      await page.setInputFiles("#p", [pdf("one.pdf", 900_000), pdf("two.pdf", 900_000), pdf("three.pdf", 100)]);
      await page.waitForFunction(() => {
        const bar = document.querySelector("li.cf-file progress");
        return bar instanceof HTMLProgressElement && bar.value >= 0.01 && bar.value < 1;
      });
      assert.match(await page.innerText("li.cf-file >> nth=0"), /one\.pdf\s+900 KB, [1-9]\d? % uploaded/);
      assert.equal(await stateOf(page, "three.pdf"), "waiting", "two files upload at a time");
      assert.equal(await page.getAttribute("li.cf-file progress", "aria-label"), "one.pdf");
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
      assert.deepEqual(await violations(page), []);
      await takePicture(page, "upload-slow-390.png");
      await page.click('[aria-label="Remove two.pdf"]');
      await until(page, "three.pdf", "done");
      await page.fill("#n", "Ada");
      await page.click("text=Send");
      await page.waitForSelector("text=The form will be sent when the files are uploaded.");
      await slow(-1);
      await page.waitForSelector(".cf-message-success");
      assert.deepEqual(await newest(id), { name: "Ada", pictures: ["one.pdf", "three.pdf"] });
      await page.context().close();
    });

    it("without a connection, files wait; with a connection, the uploads continue automatically", async () => {
      const { page } = await opened();
      await page.context().setOffline(true);
      await dispatchFiles(page, "drop", "#p", [{ name: "one.pdf" }]);
      await until(page, "one.pdf", "offline");
      await page.context().setOffline(false);
      await until(page, "one.pdf", "done");
      await page.context().close();
    });

    for (const options of [
      { name: "forced colours", viewport: { width: 390, height: 844 }, forcedColors: "active" as const },
      { name: "dark", viewport: { width: 390, height: 844 }, colorScheme: "dark" as const, hasTouch: true },
      { name: "desktop", viewport: { width: 1280, height: 900 } },
    ])
      it(`the states retry, failed, done and sending are accessible and fit the page (${options.name})`, async () => {
        const { name, ...rest } = options;
        const { page } = await opened(rest);
        // An upload fails after three attempts. The clock skips the pauses between the attempts.
        await page.clock.install();
        await page.route("**/files", async (route) => {
          const body = route.request().postData() ?? "";
          if (/broken\.pdf/.test(body)) return route.abort();
          if (/refused\.pdf/.test(body))
            return route.fulfill({ status: 400, json: { errors: [{ short: "No virus." }] } });
          if (/held\.pdf/.test(body)) return undefined;
          return route.continue();
        });
        await dispatchFiles(page, "drop", "#p", [
          { name: "broken.pdf" },
          { name: "refused.pdf" },
          { name: "done.pdf" },
        ]);
        await until(page, "broken.pdf", "retry");
        for (const pause of [1_100, 3_100]) {
          await page.waitForSelector("li[data-state=retry]");
          assert.deepEqual(await violations(page), []);
          await page.clock.fastForward(pause);
        }
        await until(page, "broken.pdf", "failed");
        assert.match(await page.innerText("li.cf-file >> nth=0"), /could not be uploaded\.\s*Try again\s*Remove/);
        assert.match(await page.innerText("li.cf-file >> nth=1"), /No virus\.\s*Remove$/);
        await until(page, "done.pdf", "done");
        await dispatchFiles(page, "drop", "#p", [{ name: "held.pdf" }, { name: "notes.txt", type: "text/plain" }]);
        await until(page, "held.pdf", "sending");
        assert.deepEqual(await violations(page), []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
        const low = await page
          .locator(".cf-file-buttons button:visible")
          .evaluateAll((buttons) => buttons.filter((one) => one.getBoundingClientRect().height < 44).length);
        assert.equal(low, 0, "buttons are at least 44 px high");
        await takePicture(page, `upload-states-${name.replace(" ", "-")}.png`, { fullPage: true });
        await page.click('[aria-label="Try again: broken.pdf"]');
        assert.equal(
          await page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
          "Remove broken.pdf",
        );
        await page.context().close();
      });
  }),
);
