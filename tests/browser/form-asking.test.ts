/** Repeated inputs, requested parts of an address, and units of numbers. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noChromium, violations } from "./chromium.ts";
import { readTheForm, useStepsSite } from "./steps-site.ts";

const SCHEMA = {
  fields: [
    { name: "mail", type: "email", label: "Email", required: true, attributes: { "data-twice": "Email again" } },
    { name: "home", type: "address", label: "Home", attributes: { "data-requested": "city postal_code" } },
    { name: "load", type: "number", label: "Load", description: "With packaging.", attributes: { "data-unit": "kg" } },
    { name: "summary", type: "heading", label: "You send [load|nothing]" },
    { name: "send", type: "submit", label: "Send" },
  ],
};

describe("repeated inputs, parts and units in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    it("an email has a second input, and the page shows at once that both differ", async () => {
      const { path, id } = await make({ schema: SCHEMA });
      const page = await open(path);
      await readTheForm(page);
      await page.waitForSelector(".cf-form [name='_cf_again[mail]']");
      await page.getByLabel("Email", { exact: false }).first().fill("ada@example.org");
      const again = page.getByLabel("Email again");
      const marks = await page.locator(".cf-field-email label .cf-required").count();
      assert.equal(marks, 2, "both inputs are marked as required");
      await again.fill("ade@example.org");
      await page.waitForFunction(() => document.querySelector("input[name^=_cf_again]:invalid") !== null);
      await page.click("button.cf-submit");
      await page.getByText("The two entries don’t match.", { exact: false }).first().waitFor();
      await again.fill("ada@example.org");
      assert.equal(await page.getByLabel("Load").getAttribute("type"), "number");
      await page.getByLabel("Load").fill("12");
      await page.waitForFunction(() => document.querySelector("h2.cf-heading")?.textContent === "You send 12\u00a0kg");
      const described = await page
        .getByLabel("Load")
        .evaluate((input) =>
          (input.getAttribute("aria-describedby") ?? "")
            .split(" ")
            .map((part) => document.getElementById(part)?.textContent),
        );
      assert.deepEqual(described, ["kg", "With packaging."]);
      assert.deepEqual(
        await page.locator(".cf-part input").evaluateAll((all) => all.map((input) => input.getAttribute("name"))),
        ["home[city]", "home[postal_code]"],
      );
      assert.deepEqual(await violations(page), []);
      await page.click("button.cf-submit");
      await page.waitForSelector(".cf-message-success,.cf-ending");
      const { mail, load } = (await newest(id)) as { mail?: unknown; load?: unknown };
      assert.deepEqual([mail, load], ["ada@example.org", 12]);
      await page.context().close();
    });

    it("without script the server compares both", async () => {
      const { path } = await make({ schema: SCHEMA });
      const page = await open(path, { javaScriptEnabled: false });
      await page.fill("[name=mail]", "ada@example.org");
      await page.fill("[name^=_cf_again]", "eve@example.org");
      await page.click("button.cf-submit");
      await page.getByText("The two entries don’t match.", { exact: false }).first().waitFor();
      await page.context().close();
    });
  }),
);
