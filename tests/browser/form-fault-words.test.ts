/**
 * Fault messages with the form's texts: the places of the messages, and when messages appear and disappear. The
 * built-in messages of the browser never appear.
 */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Site } from "../shim/site.ts";
import { makeForm, useBrowserSite } from "./browser-site.ts";
import { noChromium, takePicture, violations } from "./chromium.ts";

const SIZES = [
  { value: "s", label: "Small" },
  { value: "l", label: "Large" },
];

const FIELDS = [
  { name: "who", type: "text", label: "Your name", required: true },
  { name: "mail", type: "email", label: "Email", required: true, description: "We answer there." },
  { name: "age", type: "number", label: "Age", validation: { min: 18, max: 99 } },
  { name: "site", type: "url", label: "Web site" },
  { name: "code", type: "text", label: "Code", validation: { pattern: "[a-z]{3}" } },
  { name: "size", type: "radio", label: "Which size?", required: true, options: SIZES },
  { name: "extras", type: "checkbox", label: "Extras", required: true, options: SIZES },
  { name: "home", type: "address", label: "Address", required: true },
  { name: "terms", type: "consent", label: "I agree to the terms.", required: true },
  { name: "send", type: "submit", label: "Send" },
];

const MARKUP = `<label>Your name <input name="who" required></label>
  <p>Which size? <label><input type="radio" name="size" value="s" required> Small</label> <label><input type="radio" name="size" value="l"> Large</label></p>
  <button>Send</button>`;

let site: Site;
let browser: Browser;

describe("faults with the form's messages in Chromium", { skip: noChromium }, () => {
  useBrowserSite(async (started) => {
    ({ site, browser } = started);
    for (const [slug, content, language] of [
      ["schema", { schema: { fields: FIELDS } }, "en"],
      ["rtl", { schema: { fields: FIELDS } }, "ar"],
      ["markup", { markup: MARKUP }, "en"],
    ] as const)
      await makeForm(site, { title: "Order", slug, ...content, settings: { language } });
  });

  async function open(slug: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await browser.newContext({ viewport: { width: 760, height: 900 }, ...options })).newPage();
    await page.goto(`${site.url}/forms/${slug}`);
    await page.waitForTimeout(150);
    return page;
  }

  interface ShownFaults {
    readonly summary: string[];
    readonly beside: string[];
    readonly invalid: string[];
  }

  const shownFaults = (page: Page): Promise<ShownFaults> =>
    page.evaluate(() => {
      const texts = (selector: string): string[] =>
        [...document.querySelectorAll(selector)].map((one) => one.textContent ?? "");
      const invalid = [...document.querySelectorAll("[aria-invalid]")].map((one) => one.getAttribute("name") ?? "");
      return { summary: texts(".cf-summary li"), beside: texts(".cf-error"), invalid: [...new Set(invalid)] };
    });

  /** Sends the form without the browser's validation. */
  async function sendUnchecked(page: Page): Promise<void> {
    await page.evaluate(() => document.querySelector("form")?.setAttribute("novalidate", ""));
    await page.click("button");
    await page.waitForSelector(".cf-summary");
  }

  it("a submit shows all faults at once, and focuses a summary of the faults", async () => {
    const page = await open("schema");
    await page.fill("[name=mail]", "nonsense");
    await page.fill("[name=age]", "12");
    await page.evaluate(() => {
      const prevented: boolean[] = [];
      Object.assign(window, { prevented });
      // The browser shows a built-in message unless all `invalid` events are prevented.
      for (const control of document.forms[0]?.elements ?? [])
        control.addEventListener("invalid", (event) => prevented.push(event.defaultPrevented));
    });
    await page.click("button");
    const { summary, beside } = await shownFaults(page);
    const prevented = await page.evaluate(() => (window as unknown as { prevented: boolean[] }).prevented);
    assert.deepEqual([prevented.length >= beside.length, prevented.every(Boolean)], [true, true], prevented.join());
    assert.ok(beside.includes("The minimum is 18."), beside.join("\n"));
    assert.ok(summary.includes("Email: enter an email address, like name@example.com."), summary.join("\n"));
    assert.equal(summary.length, beside.length);
    assert.deepEqual(
      beside.filter((text) => /^(Your name|Email|Extras|Which)/.test(text)),
      [],
      "no message at a field repeats the label of the field",
    );
    assert.equal(await page.evaluate(() => document.activeElement?.className), "cf-summary");
    assert.deepEqual(await violations(page), []);
    await takePicture(page, "faults-all.png", { fullPage: true });
    // A link in the summary moves the focus to the control with the fault.
    await page.click(".cf-summary a >> text=/Extras/");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("name")), "extras[]");
    await page.context().close();
  });

  for (const [name, slug, options] of [
    ["desktop", "schema", {}],
    ["390", "schema", { viewport: { width: 390, height: 800 } }],
    ["320", "schema", { viewport: { width: 320, height: 640 } }],
    ["dark", "schema", { colorScheme: "dark" }],
    ["rtl", "rtl", {}],
    ["forced colours", "schema", { forcedColors: "active" }],
    ["markup", "markup", {}],
  ] as const) {
    it(`messages and their places are the same with and without script (${name})`, async () => {
      const withScript = await open(slug, options);
      await withScript.click("button");
      const without = await open(slug, { ...options, javaScriptEnabled: false });
      await sendUnchecked(without);
      assert.deepEqual(await shownFaults(withScript), await shownFaults(without));
      const places = (page: Page): Promise<(string | undefined)[]> =>
        page.$$eval(".cf-error", (lines) =>
          lines.map(
            (line) =>
              `${line.previousElementSibling?.tagName} ${line.previousElementSibling?.className} ${line.parentElement?.tagName}`,
          ),
        );
      assert.deepEqual(await places(withScript), await places(without));
      for (const page of [withScript, without]) {
        if (page === withScript) assert.deepEqual(await violations(page), []);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${overflow} px too wide`);
        // The message is below all choices, not between two choices.
        const [choice, line] = await Promise.all(
          ["[name=size][value=l]", "[name=size]"].map((one) =>
            page.$eval(
              one,
              (control) =>
                (control.hasAttribute("value") && control.getAttribute("value") === "l"
                  ? control
                  : document.getElementById(control.getAttribute("aria-describedby")?.split(" ").at(-1) ?? "")
                )?.getBoundingClientRect().bottom ?? 0,
            ),
          ),
        );
        assert.ok((line ?? 0) > (choice ?? 0), `${line} is not below ${choice}`);
        await takePicture(page, `faults-${name.replace(" ", "-")}.png`, { fullPage: true });
        await page.context().close();
      }
    });
  }

  it("the browser counts choices like the server, and a fault of a pattern shows the author's `title`", async () => {
    const many = ["x", "y", "z"].map((value) => ({ value, label: value.toUpperCase() }));
    const fields = [
      { name: "two", type: "checkbox", label: "Two", options: many, validation: { min: 2, max: 2 } },
      { name: "one", type: "checkbox", label: "One", options: many, validation: { max: 1 } },
      {
        name: "list",
        type: "select",
        label: "List",
        options: many,
        attributes: { multiple: "" },
        validation: { min: 2 },
      },
      {
        name: "zip",
        type: "text",
        label: "ZIP",
        validation: { pattern: "[0-9]{5}" },
        attributes: { title: "Five digits" },
      },
      { name: "send", type: "submit", label: "Send" },
    ];
    const id = await makeForm(site, { title: "Counts", slug: "counts", schema: { fields } });
    const page = await open("counts");
    const rows = [
      [
        { two: ["x"], one: ["x", "y"], list: ["z"], zip: "1" },
        [
          "Choose at least 2 options.",
          "Choose only one option.",
          "Choose at least 2 options.",
          "Use the requested format: Five digits",
        ],
      ],
      [{ two: ["x", "y", "z"], one: ["x"], list: ["x", "z"], zip: "12345" }, ["Choose no more than 2 options."]],
      [{ two: ["x", "y", "z"], one: [], list: [], zip: "" }, ["Choose no more than 2 options."]],
    ] as const;
    for (const [answers, expected] of rows) {
      for (const name of ["two", "one"] as const)
        for (const value of ["x", "y", "z"])
          await page.setChecked(
            `[name="${name}[]"][value=${value}]`,
            (answers[name] as readonly string[]).includes(value),
          );
      await page.selectOption("[name^=list]", [...answers.list]);
      await page.fill("[name=zip]", answers.zip);
      await page.click("button");
      const { beside, summary } = await shownFaults(page);
      assert.deepEqual(beside, expected);
      // The server finds the same faults, with the same messages.
      const response = await fetch(`${site.url}/forms/counts`, {
        method: "POST",
        headers: { accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify(answers),
      });
      const { errors } = (await response.json()) as { readonly errors: readonly { readonly message: string }[] };
      assert.deepEqual(
        errors.map(({ message }) => message),
        summary,
      );
    }
    await page.uncheck("[name='two[]'][value=z]");
    assert.deepEqual((await shownFaults(page)).beside, [], "the fault disappears as soon as the answer is valid");
    await page.click("button");
    await page.waitForSelector(".cf-message-success, .cf-ending");
    assert.equal(((await site.api("GET", `/forms/${id}/submissions`)).body as readonly unknown[]).length, 1);
    await page.context().close();
  });

  it("the fault of a filled field appears on blur, and disappears when the answer is valid", async () => {
    const page = await open("schema");
    await page.focus("[name=who]");
    await page.keyboard.press("Tab");
    await page.keyboard.type("ada@");
    assert.deepEqual((await shownFaults(page)).beside, [], "not while typing, and not for a field left empty");
    await page.keyboard.press("Tab");
    assert.deepEqual(await shownFaults(page), {
      summary: [],
      beside: ["Enter an email address, like name@example.com."],
      invalid: ["mail"],
    });
    const described = (await page.getAttribute("[name=mail]", "aria-describedby"))?.split(" ") ?? [];
    assert.equal(described.length, 2, "the help text and the message describe the field");
    await page.focus("[name=mail]");
    await page.keyboard.press("End");
    await page.keyboard.type("x");
    assert.deepEqual((await shownFaults(page)).beside, []);
    assert.equal(await page.getAttribute("[name=mail]", "aria-invalid"), null);
    assert.equal((await page.getAttribute("[name=mail]", "aria-describedby"))?.split(" ").length, 1);
    await page.context().close();
  });

  it("the summary above the form loses each corrected fault, and disappears with the last fault", async () => {
    const page = await open("markup");
    await page.click("button");
    assert.equal((await shownFaults(page)).summary.length, 2);
    await page.check("[value=l]");
    assert.deepEqual((await shownFaults(page)).summary, ["Your name: this field is required."]);
    await page.fill("[name=who]", "Ada");
    assert.equal(await page.locator(".cf-summary").count(), 0);
    assert.deepEqual((await shownFaults(page)).invalid, []);
    await page.context().close();
  });

  it("a fault from the server is also shown in the summary and at the field, until the answer changes", async () => {
    const page = await open("schema");
    await sendUnchecked(page);
    const { summary, beside } = await shownFaults(page);
    assert.equal(summary.length, beside.length);
    assert.ok(beside.includes("This field is required."));
    assert.equal(await page.evaluate(() => document.activeElement?.className), "cf-summary");
    await page.fill("[name=who]", "A");
    assert.equal((await shownFaults(page)).summary.length, summary.length - 1);
    await page.context().close();
  });

  it("a fault that the server rendered after a submit without script disappears with a valid answer", async () => {
    const page = await open("markup");
    await page.evaluate(() => {
      const form = document.querySelector("form");
      if (form !== null) HTMLFormElement.prototype.submit.call(form);
    });
    await page.waitForSelector(".cf-summary");
    assert.equal((await shownFaults(page)).summary.length, 2);
    await page.fill("[name=who]", "Ada");
    assert.equal((await shownFaults(page)).summary.length, 1);
    await page.context().close();
  });

  it("the messages that a form sets are shown instead of the browser's built-in messages", async () => {
    await makeForm(site, {
      slug: "own",
      markup: MARKUP,
      messages: { required_field_missing: "{label} ist nötig.", error: "Bitte prüfen." },
    });
    const page = await open("own");
    await page.click("button");
    assert.deepEqual((await shownFaults(page)).beside[0], "Your name ist nötig.");
    assert.equal(await page.textContent(".cf-summary-title"), "Bitte prüfen.");
    await page.context().close();
  });
});
