/** The main states of visitors' forms in Firefox. Their look and all other behaviour are tested in Chromium. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { items, member, startSite, type JsonValue, type Site } from "../shim/site.ts";
import { makeForm } from "./browser-site.ts";
import { Firefox, noFirefox } from "./firefox.ts";

const ENTER = "\uE007";
const SEND = { name: "send", type: "submit", label: "Send" };

const PLAIN = {
  fields: [
    { name: "who", type: "text", label: "Name", required: true },
    { name: "email", type: "email", label: "Email", required: true },
    { name: "more", type: "textarea", label: "Message" },
    SEND,
  ],
};

const QUESTIONS = {
  fields: [
    { name: "who", type: "text", label: "What is your name?", required: true },
    { name: "kind", type: "radio", label: "What do you need, [who|you]?", options: ["Shop", "App"] },
    { name: "phone", type: "tel", label: "Your phone?", attributes: { "data-phone": "DE" } },
    SEND,
  ],
  layout: { type: "conversational" },
};

const STEPS = {
  fields: [
    { name: "who", type: "text", label: "Name", required: true },
    { name: "born", type: "date", label: "Born", attributes: { "data-parts": "" } },
    { name: "town", type: "text", label: "Town", required: true },
    SEND,
  ],
  layout: {
    type: "multi-step",
    steps: [
      { id: "a", title: "You", fields: ["who", "born"] },
      { id: "b", title: "Place", fields: ["town"] },
    ],
  },
};

const ORDER = {
  fields: [
    { name: "qty", type: "number", label: "Pieces" },
    {
      name: "total",
      type: "number",
      label: "Total",
      attributes: { "data-calc": "qty * 2.5", "data-format": "currency EUR", readonly: "" },
    },
    { name: "why", type: "text", label: "Why?", conditions: [{ field: "total", operator: "greater_than", value: 10 }] },
    SEND,
  ],
};

const SLIDER = { fields: [{ name: "size", type: "range", label: "Size" }, SEND] };

const FILES = {
  fields: [
    {
      name: "pics",
      type: "file",
      label: "Pictures",
      required: true,
      attributes: { accept: ".png,.pdf", multiple: "" },
    },
    SEND,
  ],
};

/** Text of the first visible element of a selector. */
const textOf = (selector: string): string =>
  `([...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.checkVisibility())?.textContent ?? "").trim()`;
const says = (selector: string, text: string): string => `${textOf(selector)}.includes(${JSON.stringify(text)})`;
const isGone = (selector: string): string => `document.querySelector(${JSON.stringify(selector)}) === null`;

describe("forms in Firefox", { skip: noFirefox }, () => {
  let [site, scripted, plain]: [Site?, Firefox?, Firefox?] = [];
  const folder = mkdtempSync(join(tmpdir(), "cf-forms-files-"));
  const [picture, text] = [join(folder, "roof.pdf"), join(folder, "notes.txt")];
  before(async () => {
    writeFileSync(picture, "%PDF-1.4\n");
    writeFileSync(text, "notes");
    [site, scripted, plain] = await Promise.all([startSite(), Firefox.launch(), Firefox.launch({ hasScript: false })]);
  });
  after(async () => {
    await Promise.all([scripted?.close(), plain?.close(), site?.close()]);
    rmSync(folder, { recursive: true });
  });

  let count = 0;
  /** Creates a form and opens it; returns the browser, and a function that reads the form's newest answers. */
  async function opened(
    schema: object,
    { hasScript = true } = {},
  ): Promise<{ readonly page: Firefox; readonly newest: () => Promise<JsonValue> }> {
    assert.ok(site !== undefined && scripted !== undefined && plain !== undefined);
    const { api, url } = site;
    const slug = `firefox-${(count += 1)}`;
    const id = await makeForm(site, { slug, schema });
    const page = hasScript ? scripted : plain;
    await page.goto(`${url}/forms/${slug}`);
    if (hasScript) await page.until("document.querySelector('.cf-settled') !== null");
    const newest = async (): Promise<JsonValue> =>
      member(items((await api("GET", `/forms/${id}/submissions`)).body)[0] ?? null, "data");
    return { page, newest };
  }

  it("a form shows its faults beside the fields, and is sent once they are corrected", async () => {
    const { page, newest } = await opened(PLAIN);
    await page.type("[name=email]", "ada");
    await page.click(".cf-submit");
    await page.until("document.querySelectorAll('.cf-summary li').length === 2");
    assert.equal(await page.read("document.activeElement.className"), "cf-summary");
    await page.type("[name=who]", "Ada");
    await page.type("[name=email]", "@example.org");
    await page.until(isGone(".cf-error"));
    await page.click(".cf-submit");
    await page.until("document.querySelector('.cf-ending') !== null");
    assert.deepEqual(await newest(), { who: "Ada", email: "ada@example.org", more: "" });
  });

  it("answers survive a reload", async () => {
    const { page } = await opened(PLAIN);
    await page.type("[name=who]", "Ada");
    await page.type("[name=more]", "Good morning");
    await page.reload();
    await page.until(says(".cf-form", "Your answers are still here."));
    assert.deepEqual(await page.read("['who', 'more'].map((name) => document.querySelector(`[name=${name}]`).value)"), [
      "Ada",
      "Good morning",
    ]);
  });

  it("without script a form is sent, and a rejected one comes back with its answers and messages", async () => {
    const { page, newest } = await opened(PLAIN, { hasScript: false });
    await page.type("[name=who]", "Ada");
    // Without the browser's validation, only the server rejects the address.
    await page.type("[name=email]", "ada@example..org");
    await page.read("(document.querySelector('form').noValidate = true)");
    await page.click(".cf-submit");
    await page.until(says(".cf-error", "Enter an email address"));
    assert.equal(await page.read("document.querySelector('[name=who]').value"), "Ada");
    await page.read("(document.querySelector('[name=email]').value = '')");
    await page.type("[name=email]", "ada@example.org");
    await page.click(".cf-submit");
    await page.until("document.querySelector('.cf-ending') !== null");
    assert.equal(member(await newest(), "email"), "ada@example.org");
  });

  it("files are listed, rejected with a reason, removed, and sent", async () => {
    const { page, newest } = await opened(FILES);
    await page.until("document.querySelector('.cf-drop') !== null");
    await page.choose("input[type=file]", [picture, text]);
    await page.until("document.querySelector('li.cf-file[data-state=done]') !== null");
    await page.until(says(".cf-problems", "notes.txt was not added."));
    await page.click(".cf-file-buttons button:last-child");
    await page.until(isGone("li.cf-file"));
    await page.click(".cf-submit");
    await page.until(says(".cf-error", "Add at least one file."));
    await page.choose("input[type=file]", [picture]);
    await page.until("document.querySelector('li.cf-file[data-state=done]') !== null");
    await page.click(".cf-submit");
    await page.until("document.querySelector('.cf-ending') !== null");
    assert.match(JSON.stringify(await newest()), /roof\.pdf/);
  });

  it("without script files are sent with the form", async () => {
    const { page, newest } = await opened(FILES, { hasScript: false });
    await page.choose("input[type=file]", [picture]);
    await page.click(".cf-submit");
    await page.until("document.querySelector('.cf-ending') !== null");
    assert.match(JSON.stringify(await newest()), /roof\.pdf/);
  });

  it("a wizard checks each step, goes back, and survives a reload", async () => {
    const { page, newest } = await opened(STEPS);
    await page.click(".cf-next");
    await page.until(says(".cf-error", "This field is required."));
    await page.type("[name=who]", "Ada");
    for (const [part, digits] of Object.entries({ year: "1990", month: "2", day: "31" }))
      await page.type(`[name='born[${part}]']`, digits);
    await page.click(".cf-next");
    await page.until(says(".cf-error", "Enter a valid date"));
    await page.type("[name='born[month]']", "\uE0031\uE014\uE0172");
    await page.until(isGone(".cf-error"));
    await page.click(".cf-next");
    await page.type("[name=town]", "Paris");
    await page.reload();
    await page.until(says(".cf-progress-text", "Step 2 of 2"));
    await page.click(".cf-back");
    await page.until(says(".cf-progress-text", "Step 1 of 2"));
    await page.click(".cf-next");
    await page.click(".cf-submit");
    await page.until("document.querySelector('.cf-ending') !== null");
    assert.deepEqual(await newest(), { who: "Ada", born: "1990-12-31", town: "Paris" });
  });

  it("a conversation follows Enter and letters, goes back, and is sent from the review", async () => {
    const { page, newest } = await opened(QUESTIONS);
    await page.click(".cf-next");
    await page.type("[name=who]", `Ada${ENTER}`);
    await page.until(says(".cf-question", "What do you need, Ada?"));
    await page.until("document.activeElement.name === 'kind'");
    await page.press("b");
    await page.until(says(".cf-question", "Your phone?"));
    await page.until("document.activeElement.name === 'phone'");
    await page.click(".cf-back");
    await page.until("document.activeElement.value === 'App'");
    await page.click(".cf-next");
    await page.type("input[name=phone]", `015112345678${ENTER}`);
    await page.until(says(".cf-answers", "+4915112345678"));
    await page.click(".cf-send button");
    await page.until("document.querySelector('.cf-ending') !== null");
    assert.deepEqual(await newest(), { who: "Ada", kind: "App", phone: "+4915112345678" });
  });

  it("a slider shows an answer only after it is touched", async () => {
    const { page, newest } = await opened(SLIDER);
    const shown = (part: string, style: string): Promise<JsonValue> =>
      page.read(`getComputedStyle(document.querySelector("[name=size]"), "::-moz-range-${part}").${style}`);
    assert.equal(await shown("progress", "backgroundColor"), "rgba(0, 0, 0, 0)");
    assert.match(String(await shown("track", "backgroundImage")), / 0%, /);
    await page.click("[name=size]");
    await page.until("document.querySelector('output').textContent === '50'");
    assert.match(String(await shown("track", "backgroundImage")), / 50%, /);
    await page.click(".cf-submit");
    await page.until("document.querySelector('.cf-ending') !== null");
    assert.deepEqual(await newest(), { size: 50 });
  });

  it("a calculation and its condition follow the answers", async () => {
    const { page, newest } = await opened(ORDER);
    await page.type("[name=qty]", "5");
    await page.until(says("output", "€12.50"));
    await page.type("[name=why]", "Hungry");
    await page.click(".cf-submit");
    await page.until("document.querySelector('.cf-ending') !== null");
    assert.deepEqual(await newest(), { qty: 5, total: 12.5, why: "Hungry" });
  });
});
