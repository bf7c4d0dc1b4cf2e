/** A site with forms of several steps, and a browser that walks through them. */
import assert from "node:assert/strict";
import { it } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { items, member, type JsonValue, type Site } from "../shim/site.ts";
import { makeForm, useBrowserSite, type NewForm } from "./browser-site.ts";

/** A form of four steps. The third shows only for companies, and the submit button is in no step. */
export const STEPS = {
  fields: [
    { name: "email", type: "email", label: "Email", required: true },
    {
      name: "kind",
      type: "radio",
      label: "You are",
      options: [
        { value: "person", label: "A person" },
        { value: "company", label: "A company" },
      ],
    },
    { name: "home", type: "address", label: "Address", required: true },
    {
      name: "company",
      type: "text",
      label: "Company",
      required: true,
      conditions: [{ field: "kind", operator: "equals", value: "company" }],
    },
    {
      name: "extras",
      type: "checkbox",
      label: "Extras",
      required: true,
      options: [
        { value: "a", label: "A" },
        { value: "b", label: "B" },
      ],
    },
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

/** A form with one question at a time. */
export const QUESTIONS = {
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

export interface StepsSite {
  site(): Site;
  /** Creates a form; returns its path and id. */
  make(form: Omit<NewForm, "title" | "slug">): Promise<{ readonly path: string; readonly id: number }>;
  /** Opens a page in a new context. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** The data of a form's newest submission. */
  newest(id: number): Promise<JsonValue>;
}

/**
 * In a `describe`: starts a site and a browser before its tests, and adds a last test that no page had an error.
 * `isMeant` accepts violations of the policy that authors' HTML causes on purpose.
 */
export function useStepsSite(tests: (of: StepsSite) => void, isMeant?: (violation: string) => boolean): void {
  let site: Site;
  let browser: Browser;
  let count = 0;
  const faults: string[] = [];
  // A form may have more parts than a page can have marks.
  useBrowserSite(
    (started) => {
      ({ site, browser } = started);
    },
    { isMeant, forms: { bodyLimit: 2 << 20 } },
  );
  tests({
    site: () => site,
    async make(form) {
      count += 1;
      const slug = `steps-${count}`;
      return { path: `/forms/${slug}`, id: await makeForm(site, { title: "Steps", slug, ...form }) };
    },
    async open(path, options = {}) {
      const context = await browser.newContext({ viewport: { width: 900, height: 800 }, ...options });
      const page = await context.newPage();
      page.on("console", (message) => {
        const isExpected =
          /status of (?:400|404|413|500|502)|net::ERR_(?:FAILED|INTERNET_DISCONNECTED)|inline event handler/.test(
            message.text(),
          );
        if (message.type() === "error" && !isExpected) faults.push(message.text());
      });
      page.on("pageerror", (error) => faults.push(String(error)));
      await page.goto(new URL(path, site.url).href);
      // A part of the script shows the steps.
      if (options.javaScriptEnabled !== false)
        await page.waitForFunction(() => document.querySelector("form[data-steps]:not(.cf-started)") === null);
      return page;
    },
    newest: async (id) => member(items((await site.api("GET", `/forms/${id}/submissions`)).body)[0] ?? null, "data"),
  });
  it("the pages had no error", () => {
    assert.deepEqual(faults, []);
  });
}

export const progress = (page: Page): Promise<string | null> => page.textContent(".cf-progress-text");

/** Waits for a step; the way back goes through the history, which takes its time. */
export const showsStep = (page: Page, text: string): Promise<unknown> =>
  page.waitForFunction(
    (start) => document.querySelector(".cf-progress-text")?.textContent?.startsWith(start) === true,
    text,
  );

export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("name") ?? element?.textContent ?? "";
  });

/** The visible labels and titles. */
export const visible = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("h2,.cf-field > .cf-label,legend")]
      .filter((element) => element.checkVisibility())
      .map((element) => (element.textContent ?? "").replace("*", "").trim()),
  );

export const next = (page: Page): Promise<void> => page.click(".cf-next");

/** A submit earlier than this counts as a robot's. */
export const readTheForm = (page: Page): Promise<void> => page.waitForTimeout(150);

export async function fillAddress(page: Page): Promise<void> {
  for (const part of ["street", "city", "postal_code", "country"]) await page.fill(`[name="home[${part}]"]`, part);
}

/** Answers the first two steps of {@link STEPS}, and shows the next one. */
export async function answerTwoSteps(page: Page): Promise<void> {
  await page.fill("[name=email]", "ada@example.org");
  await next(page);
  await fillAddress(page);
  await next(page);
}
