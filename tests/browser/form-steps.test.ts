/** Forms of several steps in a real browser: one step at a time with script, all of them without. */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { items, member, startSite, type JsonValue, type Site } from "../shim/site.ts";
import { launchChromium, noChromium } from "./chromium.ts";

const SCREENSHOTS = fileURLToPath(new URL("../../target/screenshots/", import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Four steps, of which the third shows for companies only; the button stands in no step. */
const STEPS = {
  fields: [
    { name: "email", type: "email", label: "Email", required: true },
    { name: "kind", type: "radio", label: "You are", options: [{ value: "person", label: "A person" }, { value: "company", label: "A company" }] },
    { name: "home", type: "address", label: "Address", required: true },
    { name: "company", type: "text", label: "Company", required: true, conditions: [{ field: "kind", operator: "equals", value: "company" }] },
    { name: "extras", type: "checkbox", label: "Extras", required: true, options: [{ value: "a", label: "A" }, { value: "b", label: "B" }] },
    { name: "terms", type: "consent", label: "I agree to the terms.", required: true },
    { name: "send", type: "submit", label: "Order" },
  ],
  layout: {
    type: "multi-step",
    steps: [
      { id: "who", title: "Who you are", fields: ["email", "kind"] },
      { id: "where", title: "Where you live", fields: ["home"] },
      { id: "firm", title: "Your company", fields: ["company"] },
      { id: "end", title: "Terms", fields: ["extras", "terms"] },
    ],
  },
};

const QUESTIONS = {
  fields: [
    { name: "hello", type: "heading", label: "Three questions" },
    { name: "who", type: "name", label: "What is your name?", required: true },
    { name: "stars", type: "rating", label: "How was it?" },
    { name: "why", type: "text", label: "Why?", conditions: [{ field: "stars", operator: "less_than", value: 3 }] },
    { name: "more", type: "textarea", label: "Anything else?" },
    { name: "send", type: "submit", label: "Done" },
  ],
  layout: { type: "conversational" },
};

describe("steps in Chromium", { skip: noChromium }, () => {
  let site: Site;
  let browser: Browser;
  const faults: string[] = [];

  before(async () => {
    mkdirSync(SCREENSHOTS, { recursive: true });
    site = await startSite();
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  let count = 0;

  /** Makes a form; answers its path and id. */
  async function make(form: { readonly schema?: object; readonly markup?: string; readonly messages?: object; readonly settings?: object }): Promise<{ path: string; id: number }> {
    count += 1;
    const { schema, markup = "", messages = {}, settings = {} } = form;
    const created = await site.api("POST", "/forms", { title: "Steps", slug: `steps-${count}`, markup, messages, settings });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const id = Number(member(created.body, "id"));
    if (schema !== undefined) {
      const stored = await site.api("PUT", `/forms/${id}/schema`, schema);
      assert.equal(stored.status, 200, JSON.stringify(stored.body));
    }
    return { path: `/forms/steps-${count}`, id };
  }

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 900, height: 800 }, ...options });
    const page = await context.newPage();
    page.on("console", (message) => {
      const isExpected = /status of 400|inline event handler/.test(message.text());
      if (message.type() === "error" && !isExpected) faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    await page.goto(`${site.url}${path}`);
    return page;
  }

  const progress = (page: Page): Promise<string | null> => page.textContent(".cf-progress-text");
  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute("name") ?? element?.textContent ?? "";
    });
  /** The labels and titles that can be seen. */
  const visible = (page: Page): Promise<string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("h2,.cf-field > .cf-label,legend")]
        .filter((element) => element.checkVisibility())
        .map((element) => (element.textContent ?? "").replace("*", "").trim()),
    );
  const next = (page: Page): Promise<void> => page.click(".cf-next");
  const readTheForm = (page: Page): Promise<void> => page.waitForTimeout(150);

  async function violations(page: Page): Promise<string[]> {
    await page.evaluate(AXE);
    const found: unknown = await page.evaluate("axe.run().then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html).slice(0, 3).join(' ')))");
    return Array.isArray(found) ? found.map(String) : ["axe did not run"];
  }

  async function newest(id: number): Promise<JsonValue> {
    return member(items((await site.api("GET", `/forms/${id}/submissions`)).body)[0] ?? null, "data");
  }

  async function fillAddress(page: Page): Promise<void> {
    for (const part of ["street", "city", "postal_code", "country"]) await page.fill(`[name="home[${part}]"]`, part);
  }

  it("without script all steps show at once, with no buttons between them", async () => {
    const { path } = await make({ schema: STEPS });
    const page = await open(path, { javaScriptEnabled: false });
    for (const title of ["Who you are", "Where you live", "Your company", "Terms"]) assert.ok(await page.isVisible(`text=${title}`), title);
    assert.equal(await page.locator(".cf-next,.cf-back,.cf-progress").count(), 0);
  });

  it("with script one step shows at a time, and all of them are one submission", async () => {
    const { path, id } = await make({ schema: STEPS });
    const page = await open(path);
    await readTheForm(page);
    assert.deepEqual(await visible(page), ["Who you are", "Email", "You are"]);
    assert.equal(await progress(page), "Step 1 of 3");
    assert.deepEqual(await Promise.all([".cf-back", ".cf-submit"].map((one) => page.isVisible(one))), [false, false]);
    assert.deepEqual(await violations(page), []);

    await next(page);
    assert.equal(await progress(page), "Step 1 of 3", "an empty required field keeps the visitor here");
    assert.equal(await focused(page), "email");
    await page.fill("[name=email]", "ada@example.org");
    await next(page);
    assert.deepEqual([await progress(page), await focused(page)], ["Step 2 of 3", "Where you live"]);
    assert.deepEqual(await violations(page), []);
    await fillAddress(page);
    await next(page);
    assert.deepEqual([await progress(page), await focused(page)], ["Step 3 of 3", "Terms"]);
    assert.deepEqual(await Promise.all([".cf-back", ".cf-submit", ".cf-next"].map((one) => page.isVisible(one))), [true, true, false]);

    await page.click(".cf-back");
    await page.waitForFunction(() => document.querySelector(".cf-progress-text")?.textContent === "Step 2 of 3");
    assert.equal(await page.inputValue('[name="home[city]"]'), "city");
    await next(page);
    await page.check('[name="extras[]"][value=a]');
    await page.check('[name="terms[accepted]"]');
    await page.click(".cf-submit");
    await page.waitForSelector(".cf-message-success");
    const data = await newest(id);
    assert.deepEqual([member(data, "email"), member(member(data, "home"), "city")], ["ada@example.org", "city"]);
    assert.equal(await progress(page), "Step 1 of 3", "the next one begins at the start");
    await page.context().close();
  });

  it("a step that conditions hide is skipped and not counted", async () => {
    const { path } = await make({ schema: STEPS });
    const page = await open(path);
    await page.fill("[name=email]", "ada@example.org");
    await page.check("[name=kind][value=company]");
    assert.equal(await progress(page), "Step 1 of 4");
    await next(page);
    await fillAddress(page);
    await next(page);
    assert.deepEqual(await visible(page), ["Your company", "Company"]);
    await page.click(".cf-back");
    await page.click(".cf-back");
    await page.check("[name=kind][value=person]");
    await next(page);
    await next(page);
    assert.deepEqual([await progress(page), await focused(page)], ["Step 3 of 3", "Terms"]);
    await page.context().close();
  });

  it("Enter in a field leads to the next step and sends only from the last one", async () => {
    const { path, id } = await make({ schema: STEPS });
    const page = await open(path);
    await readTheForm(page);
    await page.fill("[name=email]", "ada@example.org");
    await page.press("[name=email]", "Enter");
    assert.equal(await progress(page), "Step 2 of 3");
    await fillAddress(page);
    await page.press('[name="home[city]"]', "Enter");
    assert.equal(await progress(page), "Step 3 of 3");
    await page.check('[name="extras[]"][value=b]');
    await page.check('[name="terms[accepted]"]');
    await page.press('[name="terms[accepted]"]', "Enter");
    await page.waitForSelector(".cf-message-success");
    assert.equal(member(await newest(id), "email"), "ada@example.org");
    await page.context().close();
  });

  it("a fault that the server finds shows the first step that has one", async () => {
    const { path } = await make({ schema: STEPS });
    const page = await open(path);
    await readTheForm(page);
    await page.evaluate(() => {
      // An address that a browser takes and the server does not.
      document.querySelector<HTMLInputElement>("[name=email]")?.setAttribute("type", "text");
    });
    await page.fill("[name=email]", "ada@");
    await next(page);
    await fillAddress(page);
    await next(page);
    // Browsers cannot ask for one of several boxes: the server does.
    await page.check('[name="terms[accepted]"]');
    await page.click(".cf-submit");
    await page.waitForSelector(".cf-error");
    assert.deepEqual([await progress(page), await focused(page)], ["Step 1 of 3", "email"]);
    assert.deepEqual(await violations(page), []);
    await page.screenshot({ path: `${SCREENSHOTS}steps-fault.png`, fullPage: true });
    await page.context().close();
  });

  it("a part of an address that is missing is the part that is marked", async () => {
    const { path } = await make({ schema: { ...STEPS, layout: { type: "single" } } });
    const page = await open(path);
    await readTheForm(page);
    await fillAddress(page);
    await page.fill('[name="home[city]"]', "");
    await page.fill("[name=email]", "ada@example.org");
    await page.check('[name="extras[]"][value=a]');
    await page.check('[name="terms[accepted]"]');
    await page.evaluate(() => document.querySelector("form")?.setAttribute("novalidate", ""));
    await page.click(".cf-submit");
    await page.waitForSelector(".cf-error");
    assert.equal(await focused(page), "home[city]");
    assert.equal(await page.locator('[name="home[city]"] + .cf-error').count(), 1);
    await page.context().close();
  });

  it("a second click on the button that leads on does not lead back", async () => {
    const { path } = await make({ markup: "<div data-step=1><label>A <input name=a></label></div><div data-step=2><label>B <input name=b></label></div><div data-step=3><label>C <input name=c></label></div><button>Send</button>" });
    const page = await open(path);
    await page.dblclick(".cf-next");
    assert.equal(await progress(page), "Step 3 of 3");
    assert.equal(await page.locator(".cf-message-success").count(), 0);
    await page.context().close();
  });

  it("a fault that the browser finds in an earlier step shows that step", async () => {
    const { path } = await make({ schema: STEPS });
    const page = await open(path);
    await page.fill("[name=email]", "ada@example.org");
    await next(page);
    await fillAddress(page);
    await next(page);
    await page.check('[name="terms[accepted]"]');
    await page.evaluate(() => {
      const email = document.querySelector<HTMLInputElement>("[name=email]");
      if (email !== null) email.value = "";
    });
    await page.click(".cf-submit");
    assert.deepEqual([await progress(page), await focused(page)], ["Step 1 of 3", "email"]);
    await page.context().close();
  });

  it("a page with faults that was sent without script opens at the first of them, and its list leads to the others", async () => {
    const { path } = await make({ schema: STEPS });
    const page = await open(path);
    await readTheForm(page);
    await page.fill("[name=email]", "ada@example.org");
    await page.evaluate(() => {
      const form = document.querySelector("form");
      if (form !== null) HTMLFormElement.prototype.submit.call(form);
    });
    await page.waitForSelector(".cf-summary");
    assert.equal(await progress(page), "Step 2 of 3");
    await page.click(".cf-summary a >> text=/terms/i");
    assert.equal(await progress(page), "Step 3 of 3");
    assert.ok(await page.isVisible('[name="terms[accepted]"]'));
    await page.context().close();
  });

  it("Next shows the last step and does not send it unseen, where the form's button stands before it", async () => {
    const markup = `<fieldset data-step="one"><legend>You</legend><label>Name <input name="name"></label><button>Join</button></fieldset>
      <fieldset data-step="two"><legend>Wishes</legend><label>Wish <input name="wish"></label></fieldset>`;
    const { path, id } = await make({ markup });
    const page = await open(path);
    await readTheForm(page);
    await next(page);
    assert.deepEqual([await focused(page), await page.isVisible("[name=wish]")], ["Wishes", true]);
    await page.fill("[name=wish]", "More");
    assert.equal(await page.textContent(".cf-next"), "Join");
    await next(page);
    await page.waitForSelector(".cf-message-success");
    assert.deepEqual(await newest(id), { name: "", wish: "More" });
    await page.context().close();
  });

  it("a double click on Back leads one step back and leaves the page in none", async () => {
    const { path } = await make({ schema: STEPS });
    const page = await open(path);
    await readTheForm(page);
    await page.fill("[name=email]", "ada@example.org");
    await next(page);
    await page.dblclick(".cf-back");
    // As long as the browser may take to leave.
    await page.waitForTimeout(500);
    assert.equal(await progress(page), "Step 1 of 3");
    assert.ok(page.url().endsWith(path), page.url());
    await page.context().close();
  });

  it("a button that only sounds like one of a step's is none", async () => {
    const markup = `<fieldset data-step="one"><legend>You</legend><label>Name <input name="name"></label><button type="button" id="kin">Add next of kin</button></fieldset>
      <fieldset data-step="two"><legend>Wishes</legend><label>Wish <input name="wish"></label><button type="button" id="show">Preview</button><button>Join</button></fieldset>`;
    const { path } = await make({ markup });
    const page = await open(path);
    await readTheForm(page);
    await page.click("#kin");
    assert.ok(await page.isVisible("[name=name]"));
    await next(page);
    await page.click("#show");
    assert.deepEqual([await page.isVisible("[name=wish]"), await page.isVisible(".cf-back")], [true, true]);
    await page.context().close();
  });

  it("the browser's own buttons lead from step to step and keep what was written", async () => {
    const { path } = await make({ schema: STEPS });
    const page = await open(path);
    await page.fill("[name=email]", "ada@example.org");
    await next(page);
    await page.fill('[name="home[city]"]', "London");
    await page.goBack();
    assert.equal(await progress(page), "Step 1 of 3");
    assert.equal(await page.inputValue("[name=email]"), "ada@example.org");
    await page.goForward();
    assert.equal(await progress(page), "Step 2 of 3");
    assert.equal(await page.inputValue('[name="home[city]"]'), "London");
    assert.equal(new URL(page.url()).pathname, path);
    await page.context().close();
  });

  for (const hide of [true, false]) {
    it(`the browser's Back shows no empty later step after the form was sent${hide ? " and hidden" : ""}`, async () => {
      const { path } = await make({
        markup: `<section data-step="a"><label>One <input name="one"></label></section>
          <section data-step="b"><label>Two <input name="two"></label></section>
          <section data-step="c"><label>Three <input name="three"></label><button>Send</button></section>`,
        settings: { hide_after_success: hide },
      });
      const page = await open(path);
      await readTheForm(page);
      await next(page);
      await next(page);
      await page.click("text=Send");
      await page.waitForSelector(".cf-message-success");
      const sent = [hide, "Step 1 of 3"];
      const now = async (): Promise<unknown[]> => [!(await page.isVisible(".cf-progress-text")), await progress(page)];
      assert.deepEqual(await now(), sent);
      await page.goBack();
      assert.deepEqual(await now(), sent);
      await page.goBack();
      assert.deepEqual(await now(), sent);
      await page.context().close();
    });
  }

  it("after a reload the browser's Back does not lead to a later step whose answers before it are gone", async () => {
    const { path } = await make({ schema: STEPS });
    const page = await open(path);
    await page.fill("[name=email]", "ada@example.org");
    await next(page);
    await fillAddress(page);
    await next(page);
    assert.equal(await progress(page), "Step 3 of 3");
    await page.reload();
    assert.equal(await progress(page), "Step 1 of 3");
    await page.goBack();
    assert.equal(await progress(page), "Step 1 of 3");
    await page.fill("[name=email]", "ada@example.org");
    await next(page);
    assert.equal(await progress(page), "Step 2 of 3");
    await page.goBack();
    assert.equal(await progress(page), "Step 1 of 3");
    await page.context().close();
  });

  it("a conversational form asks one question at a time, by keyboard alone", async () => {
    const { path, id } = await make({ schema: QUESTIONS });
    const page = await open(path);
    await readTheForm(page);
    assert.deepEqual(await visible(page), ["Three questions", "What is your name?"]);
    assert.equal(await progress(page), "Step 1 of 3");
    assert.deepEqual(await violations(page), []);
    await page.focus('[name="who[first]"]');
    await page.keyboard.type("Ada");
    await page.keyboard.press("Enter");
    assert.equal(await focused(page), "who[last]", "the browser names what is missing");
    await page.keyboard.type("Lovelace");
    await page.keyboard.press("Enter");
    assert.deepEqual([await visible(page), await focused(page)], [["How was it?"], "stars"]);
    await page.keyboard.press("ArrowRight");
    assert.equal(await progress(page), "Step 2 of 4", "two points ask for a reason");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    assert.deepEqual([await visible(page), await focused(page)], [["Anything else?"], "more"]);
    assert.equal(await progress(page), "Step 3 of 3");
    assert.deepEqual(await violations(page), []);
    await page.keyboard.type("No");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".cf-message-success");
    assert.equal(member(member(await newest(id), "who"), "last"), "Lovelace");
    await page.context().close();
  });

  it("steps in an author's own HTML work alike, with a button in none of them", async () => {
    const markup = `<h3>Join us</h3>
      <fieldset data-step="one"><legend>You</legend><p><label>Name <input name="name" required></label></p></fieldset>
      <fieldset data-step="two"><legend>Wishes</legend><p><label>Wish <input name="wish"></label></p></fieldset>
      <p><button>Join</button></p>`;
    const { path, id } = await make({ markup, messages: { next_step: "Weiter", previous_step: "Zurück", step_progress: "Schritt {step} von {steps}" } });
    const page = await open(path);
    await readTheForm(page);
    assert.equal(await progress(page), "Schritt 1 von 2");
    assert.deepEqual(await Promise.all(["text=Join us", "text=Weiter", "text=Wishes", "button:has-text('Join')"].map((one) => page.isVisible(one))), [true, true, false, false]);
    await page.fill("[name=name]", "Ada");
    await page.click("text=Weiter");
    assert.deepEqual([await focused(page), await page.isVisible("text=Zurück")], ["Wishes", true]);
    await page.fill("[name=wish]", "More");
    await page.click("button:has-text('Join')");
    await page.waitForSelector(".cf-message-success");
    assert.deepEqual(await newest(id), { name: "Ada", wish: "More" });
    await page.context().close();
  });

  for (const [name, markup] of Object.entries({
    "that are called steps": `<section data-step="1" data-title="You"><label>Name <input name="name" required></label><button type="button" onclick="next()">Next</button></section>
      <section data-step="2" hidden><label>Wish <input name="wish"></label><button type="button">Back</button> <button>Join</button></section>`,
    "that nobody calls so": `<fieldset><legend>You</legend><label>Name <input name="name" required></label><input type="button" class="next" value="Weiter"></fieldset>
      <fieldset><legend>Wishes</legend><label>Wish <input name="wish"></label><input type="button" name="previous" value="Zurück"><input type="submit" value="Join"></fieldset>`,
  })) {
    it(`an author's own buttons lead from step to step, whose script does not run here: steps ${name}`, async () => {
      const { path, id } = await make({ markup });
      const bare = await open(path, { javaScriptEnabled: false });
      assert.ok(await bare.isVisible("[name=wish]"), "without script both show");
      await bare.context().close();
      const page = await open(path);
      await readTheForm(page);
      assert.match((await progress(page)) ?? "", /^Step 1 of 2/);
      assert.deepEqual(await Promise.all(["[name=wish]", ".cf-next"].map((one) => page.isVisible(one))), [false, false]);
      await page.locator("[type=button]:visible").click();
      assert.equal(await focused(page), "name", "the required field is empty");
      await page.fill("[name=name]", "Ada");
      await page.locator("[type=button]:visible").click();
      assert.equal(await progress(page), "Step 2 of 2");
      assert.equal(await page.locator(".cf-back").isVisible(), false);
      await page.locator("[type=button]:visible").click();
      await page.waitForFunction(() => document.querySelector(".cf-progress-text")?.textContent?.startsWith("Step 1"));
      await page.press("[name=name]", "Enter");
      await page.fill("[name=wish]", "More");
      await page.locator("button:not([type]):visible, [type=submit]:visible").click();
      await page.waitForSelector(".cf-message-success");
      assert.deepEqual(await newest(id), { name: "Ada", wish: "More" });
      await page.context().close();
    });
  }

  it("a form that disappears after it was sent takes its steps along", async () => {
    const markup = `<div data-step="1"><label>A <input name="a"></label></div><div data-step="2"><label>B <input name="b"></label> <button>Go</button></div>`;
    const { path } = await make({ markup, settings: { hide_after_success: true } });
    const page = await open(path);
    await readTheForm(page);
    await next(page);
    await page.click("button:has-text('Go')");
    await page.waitForSelector(".cf-message-success");
    await page.waitForTimeout(50);
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("input,button,.cf-progress")].filter((one) => one.checkVisibility()).length), 0);
    await page.context().close();
  });

  it("a form whose button stands in its first step can be sent from its last", async () => {
    const markup = `<div data-step="1"><label>A <input name="a"></label> <button>Go</button></div><div data-step="2"><label>B <input name="b"></label></div>`;
    const { path, id } = await make({ markup });
    const page = await open(path);
    await readTheForm(page);
    await page.fill("[name=a]", "1");
    await page.click("button:has-text('Go')");
    assert.equal(await progress(page), "Step 2 of 2");
    await page.fill("[name=b]", "2");
    await page.click(".cf-next:has-text('Go')");
    await page.waitForSelector(".cf-message-success");
    assert.deepEqual(await newest(id), { a: "1", b: "2" });
    await page.context().close();
  });

  it("only the fields that were touched are told of, whatever steps were shown", async () => {
    const { path, id } = await make({ schema: STEPS });
    const page = await open(path);
    await page.fill("[name=email]", "ada@example.org");
    await next(page);
    await page.goto("about:blank");
    const dropoff = async (): Promise<unknown[][]> =>
      items((await site.api("GET", `/analytics/${id}/field-dropoff`)).body).map((field) =>
        ["field_name", "interactions", "drop_offs"].map((name) => member(field, name)),
      );
    const isTold = (told: unknown[][]): boolean => told.some(([name, , drops]) => name === "email" && drops === 1);
    for (let waited = 0; waited < 5_000 && !isTold(await dropoff()); waited += 50) await new Promise((resolve) => setTimeout(resolve, 50));
    const told = (await dropoff()).filter(([, interactions]) => interactions !== 0);
    assert.deepEqual(told, [["email", 1, 1]]);
    await page.context().close();
  });

  for (const [name, options] of Object.entries({
    light: {},
    dark: { colorScheme: "dark" },
    phone: { viewport: { width: 320, height: 640 } },
    still: { reducedMotion: "reduce" },
  } as const)) {
    it(`fits and has no accessibility violations (${name})`, async () => {
      for (const schema of [STEPS, QUESTIONS]) {
        const { path } = await make({ schema });
        const page = await open(path, options);
        const kind = schema.layout.type;
        await page.screenshot({ path: `${SCREENSHOTS}${kind}-${name}-1.png` });
        assert.deepEqual(await violations(page), []);
        if (schema === STEPS) {
          await page.fill("[name=email]", "ada@example.org");
          await next(page);
          await fillAddress(page);
          await next(page);
        } else {
          await page.fill('[name="who[first]"]', "Ada");
          await page.fill('[name="who[last]"]', "Lovelace");
          await next(page);
        }
        await page.screenshot({ path: `${SCREENSHOTS}${kind}-${name}-2.png` });
        assert.deepEqual(await violations(page), []);
        const overflow: unknown = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert.ok(Number(overflow) <= 0, `${overflow} px too wide`);
        const moving: unknown = await page.evaluate("document.getAnimations().length");
        if (name === "still") assert.equal(moving, 0);
        await page.context().close();
      }
    });
  }

  it("on paper every step shows", async () => {
    const { path } = await make({ schema: STEPS });
    const page = await open(path);
    await page.emulateMedia({ media: "print" });
    assert.deepEqual((await visible(page)).filter((text) => ["Who you are", "Terms"].includes(text)), ["Who you are", "Terms"]);
    assert.equal(await page.isVisible(".cf-progress"), false);
    await page.context().close();
  });

  it("nothing went wrong in the pages", () => {
    assert.deepEqual(faults, []);
  });
});
