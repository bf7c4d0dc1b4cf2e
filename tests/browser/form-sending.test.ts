/**
 * The sending state of a form: the text of the button, the messages for a wait and a failure, and that a retry is
 * stored once.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { items } from "../shim/site.ts";
import { noChromium, takePicture, violations } from "./chromium.ts";
import { readTheForm, useStepsSite } from "./steps-site.ts";

const MARKUP = `<label>Name <input name=name required></label><label>Mail <input name=mail type=email></label>
  <button>Order now</button>`;

/** Two common widths of windows. */
const WIDTHS = [1280, 390];

const button = (page: Page) => page.locator("form button").last();

describe("sending in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, open, site }) => {
    const stored = async (id: number): Promise<number> =>
      items((await site().api("GET", `/forms/${id}/submissions`)).body).length;

    /** Opens a filled form; a function decides the response to each submit. */
    async function filled(
      respond: (post: number) => "hold" | "abort" | "continue" | "lose" | number,
      width = 1280,
      look: BrowserContextOptions = {},
    ): Promise<{ page: Page; id: number; posts: () => number }> {
      const { path, id } = await make({ markup: MARKUP });
      const page = await open(path, { viewport: { width, height: 800 }, ...look });
      let posts = 0;
      await page.route("**/forms/*", async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        posts += 1;
        const what = respond(posts);
        if (typeof what === "number") return route.fulfill({ status: what, body: "<h1>Bad gateway</h1>" });
        if (what === "abort") return route.abort();
        if (what === "continue") return route.continue();
        if (what === "lose") await route.fetch();
        // The response never arrives.
        return undefined;
      });
      await page.fill("[name=name]", "Ada");
      await readTheForm(page);
      return { page, id, posts: () => posts };
    }

    for (const width of WIDTHS) {
      it(`shows at once that it is sending, and keeps the focus on the button, at ${width} px`, async () => {
        const { page, posts } = await filled(() => "hold", width);
        await page.click("text=Order now");
        const sending = page.locator("button[aria-disabled=true]");
        await sending.waitFor();
        assert.equal(await sending.textContent(), "Sending…");
        assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Sending…");
        assert.equal(
          await sending.isDisabled(),
          true,
          "disabled for assistive technology; the attribute `disabled` would lose the focus",
        );
        assert.equal(await sending.getAttribute("disabled"), null);
        assert.ok(await page.evaluate(() => document.querySelector("[name=name]")?.closest("[inert]") !== null));
        assert.deepEqual(await violations(page), []);
        await sending.click({ force: true });
        await sending.press("Enter");
        assert.equal(posts(), 1, "a second click sends nothing");
        await takePicture(page, `sending-${width}.png`);
        await page.context().close();
      });

      it(`explains a long wait, gives up after 30 s, and a retry is stored once, at ${width} px`, async () => {
        const { page, id } = await filled((post) => (post === 1 ? "lose" : "continue"), width);
        await page.clock.install();
        await page.click("text=Order now");
        await page.locator("button[aria-disabled=true]").waitFor();
        await page.clock.fastForward(8_100);
        await page.waitForSelector("text=This is taking longer than usual.");
        await page.clock.fastForward(22_000);
        const alert = page.locator(".cf-note [role=alert]");
        await alert.waitFor();
        assert.match((await alert.textContent()) ?? "", /no answer from the server.+nothing is stored twice/);
        assert.equal(await button(page).textContent(), "Try again");
        assert.equal(await page.inputValue("[name=name]"), "Ada");
        assert.equal(await page.evaluate(() => document.querySelectorAll("[inert],[aria-disabled]").length), 0);
        assert.ok(await button(page).evaluate((one) => one.getBoundingClientRect().bottom <= window.innerHeight));
        assert.deepEqual(await violations(page), []);
        assert.equal(await stored(id), 1);
        await button(page).click();
        await page.waitForSelector(".cf-message-success");
        assert.equal(await stored(id), 1);
        assert.equal(await page.locator(".cf-note").count(), 0);
        await page.context().close();
      });
    }

    for (const look of [{ forcedColors: "active" }, { colorScheme: "dark" }] as const)
      it(`every state can be read with ${JSON.stringify(look)}`, async () => {
        let what: "hold" | "abort" | "continue" = "abort";
        const { page } = await filled(() => what, 390, look);
        page.on("dialog", (dialog) => void dialog.accept());
        const check = async (state: string) => {
          assert.deepEqual(await violations(page), [], state);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), state);
        };
        await page.fill("[name=name]", "");
        await page.fill("[name=mail]", "nonsense");
        await button(page).click();
        await page.waitForSelector(".cf-summary");
        await check("faults");
        await page.fill("[name=name]", "Ada");
        await page.fill("[name=mail]", "");
        await button(page).click();
        await page.locator(".cf-note [role=alert]").waitFor();
        await check("a failure");
        await page.context().setOffline(true);
        await page.waitForSelector("text=You can go on.");
        await check("offline");
        await page.context().setOffline(false);
        what = "hold";
        await button(page).click();
        await page.locator("button[aria-disabled=true]").waitFor();
        await check("sending");
        await page.reload();
        await page.waitForSelector("text=Your answers are still here.");
        await check("kept answers");
        what = "continue";
        await readTheForm(page);
        await page.click("text=Order now");
        await page.waitForSelector(".cf-message-success");
        await check("sent");
        await page.context().close();
      });

    it("a failure of the server shows the request id that the log contains", async () => {
      const { path } = await make({ markup: MARKUP });
      const page = await open(path);
      await page.fill("[name=name]", "Ada");
      await readTheForm(page);
      const [batch] = [site().database.batch];
      site().database.batch = () => Promise.reject(new Error("secret words"));
      await button(page).click();
      const note = page.locator(".cf-note [role=alert]");
      await note.waitFor();
      site().database.batch = batch;
      const text = (await note.textContent()) ?? "";
      const [, id] = /Something went wrong on our side\..* \(([^)]+)\)$/.exec(text) ?? [];
      assert.ok(id !== undefined, text);
      assert.ok(
        site().faults.some((line) => line.includes(id) && line.includes("secret words")),
        "it is in the log",
      );
      await button(page).click();
      await page.waitForSelector(".cf-message-success");
      await page.context().close();
    });

    it("a broken connection or a server error shows a message above the form and above its button", async () => {
      const responses = ["abort", 502, "continue"] as const;
      const { page, id } = await filled((post) => responses[post - 1] ?? "abort");
      for (const text of [/Check your connection/, /Something went wrong on our side/]) {
        await button(page).click();
        await page.waitForFunction(() => document.querySelector(".cf-note") && !document.querySelector("[aria-busy]"));
        for (const place of [".cf-messages", ".cf-note"]) assert.match((await page.textContent(place)) ?? "", text);
        assert.equal(await button(page).textContent(), "Try again");
      }
      await button(page).click();
      await page.waitForSelector(".cf-message-success");
      assert.equal(await stored(id), 1);
      assert.equal(await button(page).textContent(), "Order now", "the next submit is a first try again");
      await page.context().close();
    });

    it("without a connection nothing is sent, not even when the connection returns", async () => {
      const { page, posts } = await filled(() => "continue");
      await page.context().setOffline(true);
      await page.waitForSelector("text=You can go on.");
      await button(page).click();
      await page.waitForSelector("text=Try again when you have a connection.");
      assert.equal(posts(), 0);
      await page.context().setOffline(false);
      await page.waitForSelector("text=You are online again.");
      assert.equal(posts(), 0);
      await button(page).click();
      await page.waitForSelector(".cf-message-success");
      await page.context().close();
    });

    it("several faults focus their list, a single one its control, and both are also shown at the button", async () => {
      const { page } = await filled(() => "continue");
      await page.fill("[name=name]", "");
      await page.fill("[name=mail]", "nonsense");
      await button(page).click();
      assert.ok(await page.evaluate(() => document.activeElement?.matches(".cf-summary")));
      assert.match((await page.textContent(".cf-note")) ?? "", /Check the highlighted fields/);
      assert.deepEqual(await violations(page), []);
      await page.fill("[name=name]", "Ada");
      await button(page).click();
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("name")), "mail");
      await page.fill("[name=mail]", "ada@example.org");
      assert.equal(await page.locator(".cf-note,.cf-summary").count(), 0, "mended");
      await page.context().close();
    });

    it("asks before leaving only while the form is being sent, or if a file was chosen", async () => {
      const { path } = await make({ markup: `${MARKUP}<input type=file name=cv aria-label=CV>` });
      const page = await open(path);
      const dialogs: string[] = [];
      page.on("dialog", (dialog) => {
        dialogs.push(dialog.type());
        void dialog.accept();
      });
      await page.fill("[name=name]", "Ada");
      await page.reload();
      assert.deepEqual(dialogs, [], "answers are kept");
      // A file that the site does not accept before the submit is only in this tab.
      await page.route("**/files", (route) => route.fulfill({ status: 404, body: "{}" }));
      await page.setInputFiles("[name=cv]", {
        name: "cv.pdf",
        mimeType: "application/pdf",
        buffer: Buffer.from("%PDF-"),
      });
      await page.click("[name=name]");
      await page.reload();
      assert.deepEqual(dialogs, ["beforeunload"]);
      await page.context().close();
    });
  }),
);
