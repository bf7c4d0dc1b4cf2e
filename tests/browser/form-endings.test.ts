/** Endings, languages and themes of the visitor's page, with script and without. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { languages } from "../../visitor/languages/index.ts";
import type { Site } from "../shim/site.ts";
import { makeForm, useBrowserSite } from "./browser-site.ts";
import { noChromium, takePicture, violations } from "./chromium.ts";

const FIELDS = [
  { name: "who", label: "Your name", required: true },
  {
    name: "kind",
    type: "radio",
    label: "Kind",
    options: [
      { value: "a", label: "A question" },
      { value: "b", label: "An order" },
    ],
  },
  { name: "send", type: "submit", label: "Send" },
];

const ENDINGS = {
  hide_after_success: true,
  success_title: "Thank you, [who]",
  success_button: { label: "To our menu", url: "/menu" },
  success_summary: true,
  endings: [
    { conditions: [{ field: "kind", operator: "equals", value: "b" }], title: "Ordered", text: "We pack it now." },
  ],
};

let site: Site;
let browser: Browser;

describe("endings, languages and themes in Chromium", { skip: noChromium }, () => {
  useBrowserSite(
    (started) => {
      ({ site, browser } = started);
    },
    { forms: { languages, stylesheet: ".cf-title { text-transform: uppercase }" } },
  );

  function make(slug: string, settings: object, messages: object = {}): Promise<number> {
    return makeForm(site, { title: "Book", slug, schema: { fields: FIELDS }, settings, messages });
  }

  async function open(slug: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await browser.newContext({ viewport: { width: 760, height: 900 }, ...options })).newPage();
    await page.goto(`${site.url}/forms/${slug}`);
    await page.waitForTimeout(200);
    return page;
  }

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? "with script" : "without script";
    it(`the ending replaces the form and shows the answers and a link back (${how})`, async () => {
      const slug = `ends-${javaScriptEnabled}`;
      await make(slug, ENDINGS, { success_html: "<p>We write to <b>[who]</b>.<script>alert(1)</script></p>" });
      const page = await open(slug, { javaScriptEnabled });
      await page.fill("[name=who]", "Ada <i>");
      await page.check("[value=a]");
      await page.click("button");
      await page.waitForSelector(".cf-ending");
      assert.equal(await page.textContent(".cf-ending-title"), "Thank you, Ada <i>");
      assert.equal((await page.textContent(".cf-ending .cf-message-success"))?.trim(), "We write to Ada <i>.");
      assert.equal(await page.locator(".cf-ending script, .cf-ending i").count(), 0);
      assert.deepEqual(await page.$$eval(".cf-answers dd", (answers) => answers.map((one) => one.textContent)), [
        "Ada <i>",
        "A question",
      ]);
      assert.equal(await page.getAttribute(".cf-ending a.cf-button", "href"), "/menu");
      assert.equal(await page.isVisible("[name=who]"), false);
      if (javaScriptEnabled) assert.deepEqual(await violations(page), []);
      await takePicture(page, `ending-${javaScriptEnabled}.png`, { fullPage: true });
      await page.click(".cf-again");
      await page.waitForSelector("[name=who]");
      assert.equal(await page.inputValue("[name=who]"), "");
      // The next answers select the conditional ending.
      await page.waitForTimeout(200);
      await page.fill("[name=who]", "Grace");
      await page.check("[value=b]");
      await page.click("button");
      await page.waitForSelector(".cf-ending");
      await takePicture(page, `ending-other-${javaScriptEnabled}.png`, { fullPage: true });
      assert.equal(await page.textContent(".cf-ending-title"), "Ordered");
      assert.equal(await page.textContent(".cf-ending .cf-message-success"), "We pack it now.");
      await page.context().close();
    });
  }

  it("a form uses its language or the visitor's, and custom texts take precedence", async () => {
    await make("german", { language: "de-AT" }, { send: "Los" });
    await make("visitor", { language: "auto" });
    const german = await open("german");
    await german.click("button");
    assert.equal(await german.textContent(".cf-error"), "Bitte füllen Sie dieses Feld aus.");
    assert.equal(await german.getAttribute("html", "lang"), "de-AT");
    await german.context().close();
    for (const [locale, text, direction] of [
      ["fr-CA", "Veuillez remplir ce champ.", "ltr"],
      ["ar", "يرجى ملء هذا الحقل.", "rtl"],
      ["xx", "This field is required.", "ltr"],
    ] as const) {
      for (const javaScriptEnabled of [true, false]) {
        const page = await open("visitor", { locale, javaScriptEnabled });
        if (!javaScriptEnabled)
          await page.evaluate(() => document.querySelector("form")?.setAttribute("novalidate", ""));
        await page.click("button");
        await page.waitForSelector(".cf-error");
        assert.equal(await page.textContent(".cf-error"), text);
        assert.equal(await page.getAttribute("html", "dir"), direction);
        await page.context().close();
      }
    }
  });

  it("numbers, dates and the parts of a name are in the form's language, from the script and from the server", async () => {
    const fields = [
      { name: "who", type: "name", label: "Name" },
      { name: "sum", type: "number", label: "Summe", validation: { max: 12000.5 }, attributes: { step: "any" } },
      { name: "send", type: "submit", label: "Los" },
    ];
    await makeForm(site, { title: "Buchung", slug: "manner", schema: { fields }, settings: { language: "de" } });
    for (const javaScriptEnabled of [true, false]) {
      const page = await open("manner", { javaScriptEnabled });
      assert.deepEqual(await page.locator(".cf-part > label").allTextContents(), ["Vorname", "Nachname"]);
      await page.fill("[name=sum]", "12001");
      if (!javaScriptEnabled) await page.evaluate(() => document.querySelector("form")?.setAttribute("novalidate", ""));
      await page.click("button");
      await page.waitForSelector(".cf-error");
      assert.equal(await page.textContent(".cf-error"), "Höchstens 12.000,5.");
      await page.context().close();
    }
  });

  it("dates and numbers are in the form's language in faults, reviews and endings, from the script and from the server", async () => {
    const fields = [
      { name: "day", type: "date", label: "Tag", attributes: { min: "2026-12-01" } },
      { name: "at", type: "datetime-local", label: "Ankunft" },
      { name: "sum", type: "number", label: "Summe", attributes: { step: "any" } },
      {
        name: "loud",
        type: "range",
        label: "Lautstärke",
        validation: { min: 0, max: 5 },
        attributes: { step: "0.5" },
        default_value: "2",
      },
      { name: "send", type: "submit", label: "Los" },
    ];
    const layout = {
      type: "multi-step",
      steps: [{ id: "all", title: "Alles", fields: fields.map(({ name }) => name) }],
    };
    for (const [language, least, answers] of [
      ["de", "01.12.2026", ["24.12.2026", "24.12.2026 10:30", "12.000,5", "2,5"]],
      ["ja", "2026年12月01日", ["2026年12月24日", "2026年12月24日 10:30", "12,000.5", "2.5"]],
      ["en", "1 December 2026", ["2026-12-24", "2026-12-24 10:30", "12,000.5", "2.5"]],
    ] as const) {
      await makeForm(site, {
        title: "Buchung",
        slug: `days-${language}`,
        schema: { fields, layout },
        settings: { language, review: true, success_summary: true, hide_after_success: true },
      });
      for (const javaScriptEnabled of [true, false]) {
        const page = await open(`days-${language}`, { javaScriptEnabled });
        const on = async (): Promise<void> => {
          await page.evaluate((isWithout) => {
            if (isWithout) for (const form of document.forms) form.noValidate = true;
          }, !javaScriptEnabled);
          await page.waitForTimeout(150);
          await page.locator(".cf-next:visible, .cf-submit:visible").first().click();
        };
        await page.fill("[name=day]", "2026-11-30");
        await page.fill("[name=at]", "2026-12-24T10:30");
        await page.fill("[name=sum]", "12000.5");
        await page.fill("[name=loud]", "2.5");
        if (javaScriptEnabled)
          assert.equal(await page.textContent("output"), answers[3], `${language}, beside its range`);
        await on();
        await page.waitForSelector(".cf-error");
        assert.ok(
          (await page.textContent(".cf-error"))?.includes(least),
          `${language}: ${await page.textContent(".cf-error")}`,
        );
        await page.fill("[name=day]", "2026-12-24");
        await on();
        await page.waitForSelector(".cf-answers");
        const shownAnswers = (): Promise<string[]> =>
          page.$$eval(".cf-answers > div > :nth-child(2)", (all) =>
            all.filter((one) => one.checkVisibility()).map((one) => one.textContent ?? ""),
          );
        assert.deepEqual(await shownAnswers(), answers, `${language}, reviewed`);
        await on();
        await page.waitForSelector(".cf-ending");
        assert.deepEqual(await shownAnswers(), answers, `${language}, thanked for`);
        await page.context().close();
      }
    }
  });

  it("a form shows its logo and its cover, and its answers can be printed", async () => {
    await make("pictured", { ...ENDINGS, endings: [], logo: "/logo.svg", cover: "https://pictures.example/cover.svg" });
    const context = await browser.newContext();
    for (const address of ["**/logo.svg", "https://pictures.example/*"]) {
      await context.route(address, (route) =>
        route.fulfill({
          contentType: "image/svg+xml",
          body: `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="3"><path d="M0 0h8v3H0z"/></svg>`,
        }),
      );
    }
    const page = await context.newPage();
    await page.goto(`${site.url}/forms/pictured`);
    assert.deepEqual(
      await page.$$eval("main > img", (all) =>
        all.map((one) => [one.className, (one as HTMLImageElement).naturalWidth]),
      ),
      [
        ["cf-cover", 8],
        ["cf-logo", 8],
      ],
    );
    assert.deepEqual(await violations(page), []);
    await page.fill("[name=who]", "Ada");
    await page.evaluate(() =>
      Object.assign(window, { printed: 0, print: () => ((window as unknown as { printed: number }).printed += 1) }),
    );
    await page.click("form button");
    await page.click(".cf-print");
    assert.equal(await page.evaluate(() => (window as unknown as { printed: number }).printed), 1);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.isVisible(".cf-answers"), true);
    await context.close();
  });

  it("docs/theming.md lists every property of the style with its default", () => {
    const css = readFileSync(new URL("../../visitor/styles/theme.css", import.meta.url), "utf8");
    const docs = readFileSync(new URL("../../docs/theming.md", import.meta.url), "utf8");
    const [light = "", both = ""] = [...css.matchAll(/:where\(:host[^{]*\{(.*?)\n *\}/gs)].map(([, rule]) => rule);
    const declared = (rule: string): Map<string, string> =>
      new Map(
        [...rule.matchAll(/(--cf-[\w-]+): ([^;]+);/g)].map(([, name = "", value = ""]) => [
          name,
          value.replace(/\s+/g, " "),
        ]),
      );
    const dark = declared(both);
    assert.ok(declared(light).size > 20);
    for (const [name, value] of declared(light)) {
      const inDark = /^light-dark\((.*), (.*)\)$/.exec(dark.get(name) ?? "");
      const documented = inDark === null ? [dark.get(name) ?? value, "the same"] : [inDark[1], `\`${inDark[2]}\``];
      assert.ok(
        docs.includes(`| \`${name}\` | \`${documented[0]}\` | ${documented[1]} |`),
        `${name}: ${documented.join()}`,
      );
    }
  });

  it("each preset has different colours, light and dark", async () => {
    const accents = new Set<string>();
    for (const theme of ["calm", "paper", "bold", "contrast"]) {
      await make(`theme-${theme}`, { theme });
      const page = await open(`theme-${theme}`);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        accents.add(await page.$eval("button", (button) => getComputedStyle(button).backgroundColor));
      }
      await page.context().close();
    }
    assert.equal(accents.size, 8, [...accents].join());
  });

  it("a form's values and the site's style apply, and values that could be other CSS are rejected", async () => {
    const id = await make("values", { theme: "paper", theme_values: { accent: "#ff0000", radius: "3px" } });
    const page = await open("values");
    const style = await page.$eval("button", (button) => [
      getComputedStyle(button).backgroundColor,
      getComputedStyle(button).borderRadius,
    ]);
    assert.deepEqual(style, ["rgb(255, 0, 0)", "3px"]);
    assert.equal(await page.$eval("h1", (title) => getComputedStyle(title).textTransform), "uppercase");
    await page.context().close();
    for (const theme_values of [
      { accent: "red;}body{display:none" },
      { accent: "url(//x)" },
      { radius: "calc(1px)" },
      { made_up: "#fff" },
    ]) {
      assert.equal(
        (await site.api("PATCH", `/forms/${id}`, { settings: { theme_values } })).status,
        400,
        JSON.stringify(theme_values),
      );
    }
    const faint = await site.api("PATCH", `/forms/${id}`, {
      settings: { theme_values: { accent: "#ffff00", "on-accent": "#ffffff" } },
    });
    assert.match(faint.headers.get("x-cf-warning") ?? "", /on-accent on accent/);
  });
});
