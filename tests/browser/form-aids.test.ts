/** Small aids of every form: keyboards, directions, passwords, counters, typing errors, notices, and no flash. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { noChromium, violations } from "./chromium.ts";
import { readTheForm, STEPS, useStepsSite } from "./steps-site.ts";

const KINDS = {
  fields: [
    ...["name", "email", "tel", "url", "number", "text", "textarea", "password", "address"].map((type) => ({
      name: `f_${type}`,
      type,
      label: `Your ${type}`,
    })),
    { name: "send", type: "submit", label: "Send" },
  ],
};

const WIDTHS = [1280, 390];

const hints = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluate((one) => ["autocomplete", "inputmode", "enterkeyhint"].map((name) => one.getAttribute(name)));

describe("aids of every form, in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open, site }) => {
    it("each type of field has its on-screen keyboard, autocomplete and Enter key", async () => {
      const { path } = await make({ schema: KINDS });
      const page = await open(path);
      const rows: readonly (readonly [string, readonly (string | null)[]])[] = [
        ["[name='f_name[first]']", ["given-name", null, "send"]],
        ["[name='f_name[last]']", ["family-name", null, "send"]],
        ["[name=f_email]", ["email", "email", "send"]],
        ["[name=f_tel]", ["tel", "tel", "send"]],
        ["[name=f_url]", ["url", "url", "send"]],
        ["[name=f_number]", [null, "decimal", "send"]],
        ["[name=f_text]", [null, null, "send"]],
        ["[name=f_textarea]", [null, null, "enter"]],
        ["[name='f_address[postal_code]']", ["postal-code", null, "send"]],
      ];
      const found = await Promise.all(rows.map(async ([selector]) => [selector, await hints(page, selector)]));
      assert.deepEqual(found, rows);
      await page.context().close();
      const { path: steps } = await make({ schema: STEPS });
      const walk = await open(steps);
      assert.deepEqual((await hints(walk, "[name=email]"))[2], "next", "Enter goes to the next step");
      await walk.context().close();
    });

    it("addresses and numbers stay left-to-right in a form from right to left", async () => {
      const { path } = await make({ schema: KINDS, settings: { language: "ar" } });
      const page = await open(path);
      const directions = await page.evaluate(() =>
        ["email", "tel", "url", "text"].map(
          (type) => getComputedStyle(document.querySelector(`[name=f_${type}]`) ?? document.body).direction,
        ),
      );
      assert.deepEqual(directions, ["ltr", "ltr", "ltr", "rtl"]);
      await page.context().close();
    });

    for (const width of WIDTHS) {
      it(`a password can be shown, and is hidden again before it is sent, at ${width} px`, async () => {
        const { path } = await make({ schema: KINDS });
        const page = await open(path, { viewport: { width, height: 800 } });
        await page.waitForSelector(".cf-eye");
        await page.fill("[name=f_password]", "hunter2");
        const type = () => page.getAttribute("[name=f_password]", "type");
        assert.equal(await type(), "password");
        await page.focus("[name=f_password]");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        assert.equal(await type(), "text");
        assert.equal(await page.getAttribute(".cf-eye", "aria-label"), "Hide password");
        assert.deepEqual(await violations(page), []);
        const overlap = await page.evaluate(() => {
          const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
          const [eye, input] = [box(".cf-eye"), box("[name=f_password]")];
          return eye !== undefined && input !== undefined && eye.right <= input.right + 1 && eye.top >= input.top - 1;
        });
        assert.ok(overlap, "the button lies within its field");
        await page.click("text=Send");
        assert.equal(await type(), "password");
        await page.context().close();
      });

      it(`the number of characters left is shown only near the limit, at ${width} px`, async () => {
        const { path } = await make({
          markup: `<label>Words <textarea name=w maxlength=50></textarea></label><button>Send</button>`,
        });
        const page = await open(path, { viewport: { width, height: 800 } });
        await page.waitForFunction(() => document.querySelector("textarea")?.enterKeyHint === "enter");
        const left = page.locator(".cf-hint");
        await page.fill("textarea", "x".repeat(30));
        assert.equal(await left.count(), 0);
        // The aids load on demand.
        await page.waitForFunction(() => {
          const area = document.querySelector("textarea");
          if (area === null) return false;
          area.value = "x".repeat(45);
          area.dispatchEvent(new Event("input", { bubbles: true }));
          return document.querySelector(".cf-hint") !== null;
        });
        assert.equal(await left.innerText(), "Characters left: 5");
        await page.waitForFunction(() => document.querySelector(".cf-unseen[role=status]")?.textContent !== "");
        assert.deepEqual(await violations(page), []);
        await page.fill("textarea", "short");
        assert.equal(await left.isVisible(), false);
        await page.context().close();
      });

      it(`a misspelt domain gets a suggestion, and one click corrects it, at ${width} px`, async () => {
        const { path, id } = await make({ schema: KINDS });
        const page = await open(path, { viewport: { width, height: 800 } });
        await page.waitForSelector(".cf-eye");
        await page.fill("[name=f_email]", "ada@gmial.com");
        await page.focus("[name=f_tel]");
        const hint = page.locator(".cf-hint", { hasText: "Did you mean" });
        await hint.waitFor();
        assert.equal(await hint.innerText(), "Did you mean ada@gmail.com?");
        assert.equal(await page.getAttribute("[name=f_email]", "aria-invalid"), null, "it is no fault");
        assert.deepEqual(await violations(page), []);
        await page.click("text=ada@gmail.com");
        assert.equal(await page.inputValue("[name=f_email]"), "ada@gmail.com");
        assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("name")), "f_email");
        assert.equal(await hint.isVisible(), false);
        for (const right of ["ada@gmail.com", "ada@example.org", "ada@mail.example.com"]) {
          await page.fill("[name=f_email]", right);
          await page.focus("[name=f_tel]");
          assert.equal(await hint.isVisible(), false, right);
        }
        await page.fill("[name=f_email]", "ada@gmail.con");
        await page.focus("[name=f_tel]");
        await hint.waitFor();
        await readTheForm(page);
        await page.click("text=Send");
        await page.waitForSelector(".cf-message-success");
        assert.equal(
          ((await newest(id)) as { f_email?: string }).f_email,
          "ada@gmail.con",
          "the address that the visitor keeps is sent",
        );
        await page.context().close();
      });
    }

    it("nothing is marked as invalid before there is a fault", async () => {
      for (const javaScriptEnabled of [true, false]) {
        const { path } = await make({ schema: STEPS });
        const page = await open(path, { javaScriptEnabled });
        assert.equal(await page.locator("[aria-invalid=true],.cf-error:visible").count(), 0);
        if (javaScriptEnabled) {
          await page.focus("[name=email]");
          await page.keyboard.press("Tab");
          assert.equal(await page.locator("[aria-invalid=true],.cf-error:visible").count(), 0, "left empty");
          await page.click(".cf-next");
          await page.waitForSelector("[name=email][aria-invalid=true]");
        }
        await page.context().close();
      }
    });

    it("a form that is closed, and one for people who are signed in, look like a notice, not like an error", async () => {
      const { path: closed, id } = await make({ markup: "<input name=a aria-label=A>" });
      await site().api("PUT", `/forms/${id}`, { status: "closed" });
      const { path: signIn } = await make({
        markup: "<input name=a aria-label=A>",
        settings: { require_user_logged_in: true },
      });
      for (const path of [closed, signIn])
        for (const width of WIDTHS) {
          const page = await open(path, { viewport: { width, height: 800 } });
          const message = page.locator(".cf-message");
          const styles = await message.evaluate((one) => {
            const probe = document.createElement("p");
            probe.className = "cf-message cf-message-error";
            one.after(probe);
            const colors = [one, probe].map((element) => {
              const { color, backgroundColor, borderColor } = getComputedStyle(element);
              return [color, backgroundColor, borderColor].join();
            });
            probe.remove();
            return colors;
          });
          assert.notEqual(styles[0], styles[1], path);
          assert.equal(await page.locator("[role=alert],.cf-message-error,[name=a]").count(), 0, path);
          assert.deepEqual(await violations(page), []);
          await page.context().close();
        }
    });

    it("after an ending a link leads back to the site", async () => {
      for (const javaScriptEnabled of [true, false]) {
        const { path } = await make({
          markup: "<input name=a aria-label=A><button>Send</button>",
          settings: { hide_after_success: true },
        });
        const page = await open(path, { javaScriptEnabled });
        await page.fill("[name=a]", "1");
        await readTheForm(page);
        await page.click("button");
        const link = page.locator(".cf-ending .cf-home");
        await link.waitFor();
        assert.equal(await link.evaluate((one) => (one as HTMLAnchorElement).href), `${site().url}/`);
        assert.match(await link.innerText(), /^Back to /);
        await page.context().close();
      }
    });

    it("steps do not flash before the script runs, and show without it after a while", async () => {
      const { path } = await make({ schema: STEPS });
      const page = await open("about:blank");
      let pass: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (pass = resolve));
      await page.route("**/*.js*", async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(new URL(path, site().url).href, { waitUntil: "commit" });
      await page.waitForSelector("form[data-steps]", { state: "attached" });
      const opacity = () =>
        page.evaluate(() => getComputedStyle(document.querySelector("form[data-steps]") ?? document.body).opacity);
      assert.equal(await opacity(), "0", "the long page is invisible");
      const late = await page.evaluate(() => {
        const [animation] = document.querySelector("form[data-steps]")?.getAnimations() ?? [];
        return animation?.effect?.getComputedTiming().delay;
      });
      assert.equal(late, 4_000, "the longest wait for the script");
      pass();
      await page.waitForSelector("form.cf-started");
      assert.equal(await opacity(), "1");
      assert.equal(await page.isVisible("[name='home[street]']"), false);
      await page.context().close();
    });
  }),
);
