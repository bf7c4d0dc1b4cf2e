/** Upload fields: checks before a byte is sent, the list, retries, and the submit that waits for files. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium, violations } from "./chromium.ts";
import { useStepsSite } from "./steps-site.ts";

const FORM = `<label for="n">Name</label><input id="n" name="name" required>
  <label for="p">Pictures of the damage</label>
  <input type="file" id="p" name="pictures[]" multiple required accept=".png,.pdf" data-max-files="2">
  <label for="c">Policy</label><input type="file" id="c" name="policy" accept=".pdf" data-cf-max="1000"><button>Send</button>`;

const pdf = (name: string, size = 100) => ({
  name,
  mimeType: "application/pdf",
  buffer: Buffer.concat([Buffer.from("%PDF-1.4\n"), Buffer.alloc(size)]),
});

const states = (page: Page): Promise<string[]> =>
  page.locator("li.cf-file").evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset["state"] ?? ""));
const problems = (page: Page): Promise<string[]> => page.locator(".cf-problems p").allInnerTexts();
const settled = (page: Page, count: number): Promise<unknown> =>
  page.waitForFunction((wanted) => document.querySelectorAll("li[data-state=done]").length === wanted, count);

describe("uploads, in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ])
      it(`files are checked, listed, sent at once and claimed by the form (${viewport.width} px)`, async () => {
        const { path, id } = await make({ markup: FORM });
        const page = await open(path, { viewport });
        await page.waitForSelector(".cf-drop");
        const sent: string[] = [];
        page.on("request", (request) => void (request.url().endsWith("/files") && sent.push(request.url())));
        await page.setInputFiles("#c", pdf("large.pdf", 5_000));
        assert.deepEqual(await problems(page), ["large.pdf was not added. It has 5 KB, the limit is 1 KB."]);
        await page.setInputFiles("#p", [
          { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("x") },
          { name: "empty.pdf", mimeType: "application/pdf", buffer: Buffer.from("") },
        ]);
        const [type, empty] = (await problems(page)).slice(0, 2);
        assert.match(type ?? "", /^notes\.txt was not added\. .*\.png, \.pdf/);
        assert.equal(empty, "empty.pdf was not added. It is empty.");
        assert.deepEqual(sent, [], "nothing is sent");

        await page.setInputFiles("#p", [pdf("one.pdf"), pdf("two.pdf"), pdf("three.pdf")]);
        await settled(page, 2);
        assert.deepEqual((await problems(page))[0], "three.pdf was not added. You can add up to 2 files.");
        assert.match(await page.innerText(".cf-sum"), /^2 of 2 files/);
        assert.deepEqual(await violations(page), []);
        await page.click("text=Remove >> nth=0");
        assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Remove two.pdf");
        await page.setInputFiles("#c", pdf("policy.pdf"));
        await settled(page, 2);
        await page.fill("#n", "Ada");
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
        await page.click("text=Send");
        await page.waitForSelector(".cf-message-success");
        assert.deepEqual(await newest(id), { name: "Ada", pictures: ["two.pdf"], policy: "policy.pdf" });
        assert.deepEqual(await states(page), []);
        await page.context().close();
      });

    it("a broken upload is retried automatically, and the form waits for it", async () => {
      const { path, id } = await make({ markup: FORM });
      const page = await open(path);
      await page.waitForSelector(".cf-drop");
      let broken = 0;
      await page.route("**/files", async (route) => {
        broken += 1;
        if (broken === 1) await route.abort();
        else await route.continue();
      });
      await page.fill("#n", "Ada");
      await page.setInputFiles("#p", pdf("one.pdf"));
      await page.click("text=Send");
      await page.waitForSelector(".cf-message-success");
      assert.equal(broken, 2);
      assert.deepEqual(await newest(id), { name: "Ada", pictures: ["one.pdf"] });
      await page.context().close();
    });

    it("an empty required list is a fault, which a file corrects", async () => {
      const { path } = await make({ markup: FORM });
      const page = await open(path);
      await page.waitForSelector(".cf-drop");
      await page.fill("#n", "Ada");
      await page.click("text=Send");
      await page.waitForSelector(".cf-summary");
      assert.match(await page.innerText(".cf-summary"), /Pictures of the damage: Add at least one file\./);
      assert.equal(await page.evaluate(() => document.activeElement?.id), "p");
      assert.deepEqual(await violations(page), []);
      await page.setInputFiles("#p", pdf("one.pdf"));
      await settled(page, 1);
      assert.equal(await page.locator("#p[aria-invalid]").count(), 0);
      await page.context().close();
    });

    it("a file that was chosen before the script for uploads arrived is kept", async () => {
      const { path, id } = await make({ markup: FORM });
      const page = await open("/");
      let arrive = (): void => undefined;
      const isRequested = Promise.withResolvers<void>();
      await page.route("**/uploads.*.js", async (route) => {
        isRequested.resolve();
        await new Promise<void>((resolve) => (arrive = resolve));
        await route.continue();
      });
      await page.goto(new URL(path, page.url()).href, { waitUntil: "domcontentloaded" });
      await isRequested.promise;
      await page.setInputFiles("#p", pdf("early.pdf"));
      await page.setInputFiles("#c", pdf("policy.pdf"));
      arrive();
      await settled(page, 2);
      await page.fill("#n", "Ada");
      await page.click("text=Send");
      await page.waitForSelector(".cf-message-success");
      assert.deepEqual(await newest(id), { name: "Ada", pictures: ["early.pdf"], policy: "policy.pdf" });
      await page.context().close();
    });

    it("uploaded files survive a reload", async () => {
      const { path, id } = await make({ markup: FORM });
      const page = await open(path);
      await page.waitForSelector(".cf-drop");
      await page.setInputFiles("#p", pdf("one.pdf"));
      await settled(page, 1);
      await page.reload();
      await settled(page, 1);
      await page.fill("#n", "Ada");
      await page.click("text=Send");
      await page.waitForSelector(".cf-message-success");
      assert.deepEqual(await newest(id), { name: "Ada", pictures: ["one.pdf"] });
      await page.context().close();
    });

    it("when the server accepts no more files before the submit, they are sent with the form", async () => {
      const { path, id } = await make({ markup: FORM });
      const page = await open(path);
      await page.waitForSelector(".cf-drop");
      // A server with an older version.
      await page.route("**/files", (route) => route.fulfill({ status: 404, body: "{}" }));
      await page.fill("#n", "Ada");
      await page.setInputFiles("#p", pdf("one.pdf"));
      await page.waitForSelector("li[data-state=later]");
      await page.click("text=Send");
      await page.waitForSelector(".cf-message-success");
      assert.deepEqual(await newest(id), { name: "Ada", pictures: ["one.pdf"] });
      await page.context().close();
    });

    it("without script, the files of a rejected page are listed and can be removed", async () => {
      const { path, id } = await make({ markup: FORM });
      const page = await open(path, { javaScriptEnabled: false });
      await page.setInputFiles("#p", [pdf("one.pdf"), pdf("two.pdf")]);
      await page.setInputFiles("#c", pdf("policy.pdf"));
      // Only the server detects that this name is blank.
      await page.fill("#n", "\u00a0 ");
      await page.click("button");
      await page.waitForSelector(".cf-summary");
      assert.deepEqual(await page.locator(".cf-file-name").allInnerTexts(), ["one.pdf", "two.pdf", "policy.pdf"]);
      await page.check('[aria-label="Remove one.pdf"]');
      await page.fill("#n", "Ada Lovelace");
      await page.click("button");
      await page.waitForURL(/submitted=/);
      assert.deepEqual(await newest(id), { name: "Ada Lovelace", pictures: ["two.pdf"], policy: "policy.pdf" });
      await page.context().close();
    });
  }),
);
