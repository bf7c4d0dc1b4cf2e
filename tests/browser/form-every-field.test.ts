/**
 * Every type of field in every look and layout is accessible: in each theme, colour scheme, direction and width, with
 * and without faults, with and without the visitor's script.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { languages } from "../../visitor/languages/index.ts";
import { items, member, type JsonValue, type Site } from "../shim/site.ts";
import { makeForm, useBrowserSite } from "./browser-site.ts";
import { fillByKeyboard } from "./by-keyboard.ts";
import { noChromium, takePicture, violations } from "./chromium.ts";

const options = (...labels: readonly string[]): object[] =>
  labels.map((label) => ({ value: label.split("\n")[0] ?? "", label }));
const pictured = options("Garden", "Street").map((option) => ({ ...option, image: "/pictures/room.svg" }));
const long = options(...Array.from({ length: 24 }, (_, index) => `Answer ${index}`));
const other = { attributes: { "data-other": "Something else" } };

/** Fields by name. Every field that can be required is required. */
const FIELDS: readonly (Readonly<Record<string, unknown>> & { readonly name: string; readonly type: string })[] = [
  { name: "head", type: "heading", label: "Your stay", description: "It takes two minutes." },
  { name: "hint", type: "paragraph", label: "Fields with a star are needed." },
  {
    name: "text",
    type: "text",
    label: "Text",
    required: true,
    css_class: "cf-half",
    description: "What stands below it.",
  },
  {
    name: "email",
    type: "email",
    label: "Email",
    required: true,
    css_class: "cf-half",
    placeholder: "you@example.org",
  },
  { name: "url", type: "url", label: "Web site", required: true, css_class: "cf-third" },
  { name: "tel", type: "tel", label: "Phone", required: true, css_class: "cf-third" },
  { name: "secret", type: "password", label: "Code", required: true, css_class: "cf-third" },
  { name: "number", type: "number", label: "Guests", required: true, validation: { min: 1, max: 12 } },
  { name: "day", type: "date", label: "Day", required: true },
  { name: "hour", type: "time", label: "Time", required: true },
  { name: "moment", type: "datetime-local", label: "Arrival", required: true },
  { name: "colour", type: "color", label: "Colour", default_value: "#aa7733" },
  { name: "range", type: "range", label: "How loud?", validation: { min: 0, max: 10 } },
  { name: "text-area", type: "textarea", label: "Message", required: true },
  {
    name: "select",
    type: "select",
    label: "Short list",
    required: true,
    placeholder: "Choose",
    options: options("One", "Two"),
  },
  { name: "search", type: "select", label: "Long list", required: true, placeholder: "Choose", options: long },
  {
    name: "several",
    type: "select",
    label: "Several",
    required: true,
    attributes: { multiple: "" },
    options: options("One", "Two"),
  },
  { name: "line", type: "divider" },
  { name: "radio", type: "radio", label: "Choices", required: true, options: options("One", "Two"), ...other },
  {
    name: "radio-cards",
    type: "radio",
    label: "Cards",
    required: true,
    css_class: "cf-cards",
    options: options("One\nWith more", "Two"),
    ...other,
  },
  {
    name: "radio-pictures",
    type: "radio",
    label: "Pictures",
    required: true,
    css_class: "cf-cards",
    options: pictured,
  },
  {
    name: "radio-buttons",
    type: "radio",
    label: "Buttons",
    required: true,
    css_class: "cf-buttons",
    options: options("One", "Two"),
    ...other,
  },
  {
    name: "radio-columns",
    type: "radio",
    label: "Columns",
    required: true,
    css_class: "cf-columns",
    options: options("One", "Two"),
  },
  { name: "box", type: "checkbox", label: "One box", required: true },
  { name: "boxes", type: "checkbox", label: "Boxes", required: true, options: options("One", "Two"), ...other },
  {
    name: "box-cards",
    type: "checkbox",
    label: "Boxes as cards",
    required: true,
    css_class: "cf-cards",
    options: options("One", "Two", "Three"),
  },
  {
    name: "box-buttons",
    type: "checkbox",
    label: "Boxes as buttons",
    required: true,
    css_class: "cf-buttons",
    options: options("One", "Two"),
  },
  {
    name: "stars",
    type: "rating",
    label: "Stars",
    required: true,
    options: [
      { value: "1", label: "Bad" },
      { value: "5", label: "Good" },
    ],
  },
  { name: "hearts", type: "rating", label: "Hearts", required: true, css_class: "cf-hearts" },
  { name: "numbers", type: "rating", label: "Numbers", required: true, css_class: "cf-numbers" },
  {
    name: "scale",
    type: "rating",
    label: "Scale",
    required: true,
    validation: { min: 0, max: 10 },
    options: [
      { value: "0", label: "Not at all" },
      { value: "10", label: "Very likely" },
    ],
  },
  { name: "who", type: "name", label: "Your name", required: true },
  { name: "place", type: "fieldset", label: "Delivery", description: "Where it goes." },
  { name: "home", type: "address", label: "Address", required: true, group: "place" },
  { name: "box-around", type: "container", label: "" },
  { name: "inside", type: "text", label: "Inside", required: true, group: "box-around" },
  { name: "file", type: "file", label: "A file", required: true },
  { name: "campaign", type: "hidden", default_value: "spring" },
  { name: "terms", type: "consent", label: "I agree to the [terms](/terms) of the house.", required: true },
  { name: "send", type: "submit", label: "Send" },
];

const STEPS = ["head", "several", "radio-buttons", "who"].map((first, index, all) => {
  const [from, to] = [first, all[index + 1]].map((name) => FIELDS.findIndex((field) => field.name === name));
  return {
    id: first,
    title: `Part ${index + 1}`,
    fields: FIELDS.slice(from, to === -1 ? undefined : to).map(({ name }) => name),
  };
});

const LAYOUTS: Readonly<Record<string, object>> = {
  single: { type: "single" },
  steps: { type: "multi-step", steps: STEPS },
  questions: { type: "conversational" },
};
const LANGUAGES = ["en", "ar"];
const LOOKS = ["calm", "paper", "bold", "contrast"].flatMap((theme) =>
  (["light", "dark"] as const).map((colorScheme) => ({ theme, colorScheme })),
);
type Look = (typeof LOOKS)[number];

let site: Site;
let browser: Browser;
const ids: Record<string, number> = {};

describe("every type of field in Chromium", { skip: noChromium }, () => {
  useBrowserSite(
    async (started) => {
      ({ site, browser } = started);
      for (const [name, layout] of Object.entries(LAYOUTS)) {
        for (const language of LANGUAGES) {
          const slug = `${name}-${language}`;
          ids[slug] = await makeForm(site, {
            title: "Every field",
            slug,
            schema: { fields: FIELDS, layout },
            settings: { language, hide_after_success: true, review: name === "steps" },
          });
        }
      }
    },
    { forms: { languages } },
  );

  /** Opens a form; optionally without the visitor's script, but with a script for axe. */
  async function open(slug: string, settings: BrowserContextOptions = {}, hasScript = true): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 900, height: 900 },
      reducedMotion: "reduce",
      ...settings,
    });
    await context.route("**/pictures/*", (route) =>
      route.fulfill({
        contentType: "image/svg+xml",
        body: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path fill="teal" d="M0 0h4v3H0z"/></svg>`,
      }),
    );
    if (!hasScript) await context.route("**/form.*.js", (route) => route.abort());
    const page = await context.newPage();
    await page.goto(`${site.url}/forms/${slug}`);
    return page;
  }

  const overflow = (page: Page): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

  /** Checks the visible page in a theme, light or dark, by one rule or all. */
  async function inTheme(page: Page, state: string, { theme, colorScheme }: Look, rule?: string): Promise<void> {
    await page.emulateMedia({ colorScheme });
    await page.evaluate((name) => document.body.setAttribute("data-cf-theme", name), theme);
    assert.deepEqual(await violations(page, rule), [], `${state}, ${theme}, ${colorScheme}`);
  }

  /** Checks the visible page by every rule, and its colours in each theme, light and dark. */
  async function inEveryTheme(page: Page, state: string): Promise<void> {
    assert.deepEqual(await violations(page), [], state);
    for (const look of LOOKS) await inTheme(page, state, look, "color-contrast");
    await page.emulateMedia({ colorScheme: "light" });
    await page.evaluate(() => document.body.removeAttribute("data-cf-theme"));
  }

  it("the list of fields has every type", async () => {
    const { body } = await site.api("GET", "/openapi.json");
    const types = JSON.stringify(body).match(/\["text","email"[^\]]*\]/)?.[0];
    assert.ok(types !== undefined, "the types are in the schema of fields");
    assert.deepEqual([...new Set(FIELDS.map(({ type }) => type))].sort(), (JSON.parse(types) as string[]).sort());
  });

  /**
   * The number of faults of an empty form. A name has two required parts, an address three (without postal code and
   * state).
   */
  const MISSING = FIELDS.filter(({ required }) => required === true).length + 3;

  const answers = async (slug: string): Promise<{ [name: string]: JsonValue }> => {
    const newest = items((await site.api("GET", `/forms/${ids[slug]}/submissions`)).body)[0] ?? null;
    return member(newest, "data") as { [name: string]: JsonValue };
  };

  /** Asserts that each field with an answer has one. */
  async function hasAllAnswers(slug: string): Promise<void> {
    const known = await answers(slug);
    const lacking = FIELDS.filter(
      ({ name, required }) => required === true && [undefined, "", null].includes(known[name] as string),
    ).map(({ name }) => name);
    assert.deepEqual(
      lacking.filter((name) => name !== "file"),
      [],
    );
  }

  it("on one page: in every theme, light and dark, without and with every fault; then only by keyboard", async () => {
    const page = await open("single-en");
    await page.getByRole("combobox", { name: "Long list" }).waitFor();
    await inEveryTheme(page, "as it comes");
    assert.equal(await page.getByText("It takes two minutes.").isVisible(), true, "the text below a heading");
    await page.locator("[name=range]").fill("7");
    assert.equal(await page.locator("output").textContent(), "7");
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForSelector(".cf-summary");
    assert.deepEqual(
      [await page.locator(".cf-error").count(), await page.locator(".cf-summary a").count()],
      [MISSING, MISSING],
    );
    await takePicture(page, "every-field-faults.png", { fullPage: true });
    await inEveryTheme(page, "with every fault");
    await fillByKeyboard(page);
    await hasAllAnswers("single-en");
    await inEveryTheme(page, "at its end");
    await page.context().close();
  });

  for (const layout of ["steps", "questions"]) {
    it(`as ${layout}: every step without and with faults, only by keyboard`, async () => {
      const page = await open(`${layout}-en`);
      await page.locator(".cf-progress,.cf-bar").first().waitFor();
      let steps = 0;
      await fillByKeyboard(page, async (step) => {
        // A field has the same colours as on one page, so each step is checked in only two themes, in turn.
        const at = (steps += 1);
        const look = (state: string, turn: number): Promise<void> =>
          inTheme(page, state, LOOKS[(at + turn) % LOOKS.length] as Look);
        await look(step, 0);
        if (!(await page.isVisible(".cf-next")) || (await page.isVisible(".cf-review"))) return;
        const address = await page.evaluate(() => location.hash);
        await page.focus(".cf-next");
        await page.keyboard.press("Enter");
        // An optional question was skipped, so it is opened again to give its answer.
        if (layout === "questions" && (await page.evaluate(() => location.hash)) !== address) await page.goBack();
        if ((await page.locator(".cf-error:visible").count()) > 0) await look(`${step}, with faults`, 3);
      });
      await hasAllAnswers(`${layout}-en`);
      await page.context().close();
    });
  }

  it("without the visitor's script: the server shows the same number of faults, and accepts answers typed only by keyboard", async () => {
    const page = await open("single-en", {}, false);
    assert.equal(await page.evaluate(() => "cfForms" in window), false);
    assert.deepEqual(await violations(page), []);
    await page.evaluate(() => ((document.querySelector("form.cf-form") as HTMLFormElement).noValidate = true));
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForSelector(".cf-summary");
    assert.deepEqual(
      [await page.locator(".cf-error").count(), await page.locator(".cf-summary a").count()],
      [MISSING, MISSING],
    );
    assert.deepEqual(await violations(page), [], "with every fault");
    await fillByKeyboard(page);
    await hasAllAnswers("single-en");
    await page.context().close();
  });

  it("from right to left, on 320 px and in forced colours, with script and without", async () => {
    const desktop = { width: 900, height: 900 };
    const settings = [
      { name: "desktop", viewport: desktop, forcedColors: "none" },
      { name: "320 px", viewport: { width: 320, height: 640 }, forcedColors: "none" },
      { name: "forced colours", viewport: desktop, forcedColors: "active" },
    ] as const;
    for (const slug of Object.keys(ids)) {
      for (const hasScript of slug.startsWith("single") ? [true, false] : [true]) {
        const page = await open(slug, {}, hasScript);
        assert.equal(
          await page.evaluate(() => getComputedStyle(document.querySelector("form") as Element).direction),
          slug.endsWith("ar") ? "rtl" : "ltr",
        );
        if (hasScript) {
          // The script's part for steps or questions hides the form's button once it has loaded.
          if (!slug.startsWith("single")) await page.locator(".cf-progress,.cf-bar").first().waitFor();
          await page.locator("button:visible").last().click();
        }
        for (const { name, viewport, forcedColors } of settings) {
          const where = `${slug}, ${name}, ${hasScript ? "script" : "no script"}`;
          await page.setViewportSize(viewport);
          await page.emulateMedia({ forcedColors });
          assert.ok((await overflow(page)) <= 0, `${where}: ${await overflow(page)} px too wide`);
          if (name !== "320 px") assert.deepEqual(await violations(page), [], where);
          if (name === "forced colours") {
            assert.equal(await page.evaluate(() => matchMedia("(forced-colors: active)").matches), true, where);
            const unseen = await page.$$eval("[type=radio],[type=checkbox]", (all) =>
              all
                .filter(
                  (one) =>
                    one.checkVisibility() &&
                    (getComputedStyle(one).opacity !== "1" || getComputedStyle(one).appearance === "none"),
                )
                .map((one) => one.id),
            );
            assert.deepEqual(unseen, [], `${where}: choices with an invisible state`);
          }
          if (slug === "single-ar")
            await takePicture(page, `every-field-${name.replace(" ", "-")}-${hasScript}.png`, { fullPage: true });
        }
        await page.context().close();
      }
    }
  });
});
