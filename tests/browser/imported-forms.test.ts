/** Forms from samples of other products: each renders without a fault, and accepts plausible answers. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { items, member, type Site } from "../shim/site.ts";
import { useBrowserSite } from "./browser-site.ts";
import { noChromium, violations } from "./chromium.ts";

const folder = new URL("../cases/imports/", import.meta.url);
const names = readdirSync(folder).filter((name) => !name.endsWith(".expected.json"));

const CONTROLS = "form :is(input, select, textarea):visible";
/** Limit on the pages or questions of a form. */
const MAX_STEPS = 60;

/** The next year, because some forms ask for a date in the future. */
const YEAR = new Date().getFullYear() + 1;

/** The first Tuesday in May, because some forms ask for a working day. */
const DATE = Array.from({ length: 7 }, (_, index) => `${YEAR}-05-0${index + 1}`).find(
  (date) => new Date(date).getUTCDay() === 2,
);

/** A control that a visitor sees. */
interface Control {
  readonly index: number;
  readonly type: string;
  readonly name: string;
  readonly min: string;
  readonly pattern: string;
  readonly minLength: number;
  readonly maxLength: number;
  readonly isFilled: boolean;
}

/** Texts that fit the patterns of the samples. */
const PATTERNED = [
  "AB-1234",
  "ABC-123",
  "AB123",
  "123456",
  "12345",
  "1234",
  "ABC123",
  "A1",
  "Ada",
  "+4930123456",
  "abc",
];

function textFor({ pattern, minLength, maxLength }: Control): string {
  const fits = (text: string): boolean => pattern === "" || new RegExp(`^(?:${pattern})$`, "v").test(text);
  const text = PATTERNED.find(fits);
  assert.ok(text !== undefined, `no text fits ${pattern}`);
  const whole = pattern === "" ? "Ada Lovelace wrote this" : text;
  const long = pattern === "" ? whole.padEnd(minLength, " and more") : whole;
  return maxLength > 0 ? long.slice(0, maxLength) : long;
}

const controlsOf = (page: Page): Promise<readonly Control[]> =>
  page.locator(CONTROLS).evaluateAll((elements) =>
    elements.map((element, index) => {
      const control = element as HTMLInputElement;
      const isChoice = control.type === "radio" || control.type === "checkbox";
      const group = isChoice ? document.querySelectorAll<HTMLInputElement>(`[name="${CSS.escape(control.name)}"]`) : [];
      return {
        index,
        type: control.localName === "input" ? control.type : control.localName,
        name: control.name,
        min: control.getAttribute("min") ?? "",
        pattern: control.getAttribute("pattern") ?? "",
        minLength: Number(control.getAttribute("minlength") ?? 0),
        maxLength: Number(control.getAttribute("maxlength") ?? 0),
        isFilled: isChoice ? [...group].some((one) => one.checked) : control.value !== "",
      };
    }),
  );

const PDF = { name: "cv.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n%%EOF\n") };
const PICTURE = {
  name: "photo.png",
  mimeType: "image/png",
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
};

async function answer(control: Control, place: Locator): Promise<void> {
  const { type, min } = control;
  switch (type) {
    case "radio":
    case "checkbox":
      return place.evaluate((element) => (element as HTMLElement).click());
    case "select": {
      const values = await place
        .locator("option")
        .evaluateAll((options) =>
          options.map((option) => (option as HTMLOptionElement).value).filter((value) => value !== ""),
        );
      return void (values[0] === undefined || (await place.selectOption(values[0])));
    }
    case "email":
      return place.fill("ada@example.org");
    case "url":
      return place.fill("https://example.org/");
    case "tel":
      return place.fill("+49 30 123456");
    case "number":
      return place.fill(min === "" ? "1" : min);
    case "date":
      return place.fill(min === "" ? `${DATE}` : min);
    case "time":
      return place.fill(min === "" ? "10:30" : min);
    case "datetime-local":
      return place.fill(`${DATE}T10:30`);
    case "month":
      return place.fill(`${YEAR}-05`);
    case "week":
      return place.fill(`${YEAR}-W18`);
    case "color":
    case "range":
    case "submit":
    case "button":
    case "hidden":
      return;
    case "file": {
      const accept = (await place.getAttribute("accept")) ?? "";
      return place.setInputFiles(/image|png|jpg/.test(accept) && !accept.includes("pdf") ? PICTURE : PDF);
    }
    default:
      return place.fill(textFor(control));
  }
}

/** Answers each visible question; an answer may show others. */
async function answerAll(page: Page): Promise<void> {
  const answered = new Set<string>();
  for (;;) {
    const open = (await controlsOf(page)).find(
      ({ name, type, isFilled }) =>
        name !== "" && !isFilled && !answered.has(name) && !["submit", "button", "hidden"].includes(type),
    );
    if (open === undefined) return;
    answered.add(open.name);
    await answer(open, page.locator(CONTROLS).nth(open.index));
  }
}

let site: Site;
let browser: Browser;

describe("imported forms in Chromium", { skip: noChromium }, () => {
  useBrowserSite((started) => {
    ({ site, browser } = started);
  });

  async function fill(id: number, slug: string): Promise<void> {
    const page = await (await browser.newContext()).newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(`${site.url}/forms/${slug}`);
    assert.deepEqual(await violations(page), [], slug);
    const stored = async () =>
      Number((await site.api("GET", `/forms/${id}/submissions?per_page=1`)).headers.get("x-wp-total"));
    for (let step = 0; (await stored()) === 0; step += 1) {
      const faults = await page.locator(".cf-error:visible, [aria-invalid=true]:visible").allTextContents();
      assert.ok(step < MAX_STEPS, `${slug} takes no answers: ${faults.join("; ")}`);
      try {
        await answerAll(page);
        // A question counts as read after a moment.
        await page.waitForTimeout(280);
        const next = page.locator(".cf-next:visible").first();
        const submit = page
          .locator("form :is(button, input)[type=submit]:visible, form button:not([type]):visible")
          .first();
        const button = (await next.count()) > 0 ? next : submit;
        if ((await button.count()) === 0) continue;
        await button.click();
      } catch (error) {
        // The last submit may have succeeded meanwhile, and emptied or hidden the form.
        if ((await stored()) === 0) throw error;
        break;
      }
      await page.waitForLoadState("networkidle");
    }
    assert.deepEqual(errors, [], slug);
    await page.context().close();
  }

  for (const name of names) {
    it(`${name}`, { timeout: 240_000 }, async () => {
      const bytes = readFileSync(new URL(name, folder));
      const content = bytes.toString(name.endsWith(".xlsx") ? "base64" : "utf8");
      const imported = await site.api("POST", "/forms/import", { content });
      // Submissions without a form have their own tests.
      for (const form of items(member(imported.body, "forms"))) {
        const id = Number(member(form, "id"));
        await site.api("PATCH", `/forms/${id}`, {
          status: "published",
          settings: { require_user_logged_in: false, opens_at: "", closes_at: "", redirect_url: "" },
        });
        await fill(id, String(member(form, "slug")));
      }
    });
  }
});
