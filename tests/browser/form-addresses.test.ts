/**
 * Addresses as people type them: web addresses without a scheme, and email addresses with domains in other alphabets.
 */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noChromium } from "./chromium.ts";
import { useStepsSite } from "./steps-site.ts";

const SCHEMA = {
  fields: [
    { name: "site", type: "url", label: "Website", required: true },
    { name: "mail", type: "email", label: "Email" },
    { name: "send", type: "submit", label: "Send it" },
  ],
};

describe("addresses in Chromium", { skip: noChromium }, () =>
  useStepsSite(({ make, newest, open }) => {
    it("a web address gets its scheme when its field is left, or when Enter sends the form", async () => {
      const { path, id } = await make({ schema: SCHEMA, settings: { hide_after_success: true } });
      for (const [typed, stored, byEnter] of [
        ["example.com", "https://example.com", false],
        ["www.example.org/a?b", "https://www.example.org/a?b", true],
      ] as const) {
        const page = await open(path);
        await page.fill("[name=mail]", "ada@münchen.de");
        await page.focus("[name=site]");
        await page.keyboard.type(typed);
        if (byEnter) await page.keyboard.press("Enter");
        else await page.click("[name=send],button[type=submit]");
        await page.waitForSelector(".cf-ending");
        const answers = (await newest(id)) as { site?: string; mail?: string };
        assert.equal(answers.site, stored);
        assert.ok(["ada@münchen.de", "ada@xn--mnchen-3ya.de"].includes(answers.mail ?? ""), answers.mail);
        await page.context().close();
      }
    });

    it("a text without a host name has a fault beside the field", async () => {
      const { path } = await make({ schema: SCHEMA });
      const page = await open(path);
      for (const typed of ["foo", "ann@example.org", "javascript:alert(1)"]) {
        await page.fill("[name=site]", typed);
        await page.click("button[type=submit]");
        assert.equal(await page.inputValue("[name=site]"), typed);
        await page.waitForSelector(".cf-error");
      }
      await page.context().close();
    });
  }),
);
