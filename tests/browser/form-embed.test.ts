/**
 * Forms in pages of another site, which has its own strict policy: as an element, in a frame, and as components. The
 * pages are the examples of docs/embedding.md.
 */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, FrameLocator, Page } from "playwright-core";
import { listenOnFreePort } from "../free-port.ts";
import { items, member, startSite, type Site } from "../shim/site.ts";
import { example, fillPages, makeForms, type Pages } from "./embed-pages.ts";
import { launchChromium, noChromium, takePicture, violations } from "./chromium.ts";

let site: Site;
let browser: Browser;
let other: Server;
let origin: string;
const ids: Record<string, number> = {};
/** Another origin of the same site as the forms, because Chromium may block storage in frames of other sites. */
const near = (): string => origin.replace("localhost", "127.0.0.1");
const pages: Pages = new Map();

describe("forms in other pages in Chromium", { skip: noChromium }, () => {
  before(async () => {
    site = await startSite();
    browser = await launchChromium();
    const policy = example(site, "http").trim().slice("Content-Security-Policy: ".length);
    other = createServer((request, response) => {
      const found = pages.get(new URL(request.url ?? "/", origin).pathname);
      if (found === undefined) return void response.writeHead(404).end();
      // A form that the page's server renders has its styles inline in that page.
      const stylePolicy =
        request.url === "/server" || request.url?.startsWith("/twice/") === true
          ? `; style-src ${site.url}`
          : request.url === "/looks"
            ? "; style-src 'self'"
            : "";
      response
        .writeHead(200, {
          "content-type": `${found.type}; charset=utf-8`,
          "content-security-policy": policy + stylePolicy,
        })
        .end(found.body);
    });
    origin = `http://localhost:${await listenOnFreePort(other)}`;
    await makeForms(site, origin, near(), ids);
    await fillPages(site, pages);
  });
  after(async () => {
    other?.close();
    await browser?.close();
    await site?.close();
  });

  interface Opened {
    readonly page: Page;
    readonly context: BrowserContext;
    /** Errors of the browser, and everything that the page has logged so far. */
    readonly errors: string[];
    readonly messages: string[];
    /** The form in its frame. */
    readonly frame: FrameLocator;
  }

  async function open(path: string, javaScriptEnabled = true, from = origin): Promise<Opened> {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 700, height: 900 } });
    const page = await context.newPage();
    const [errors, messages]: [string[], string[]] = [[], []];
    page.on("console", (message) => {
      messages.push(message.text());
      if (message.type() === "error" && !/favicon|404/.test(message.text())) errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(String(error)));
    await context.route("**/pictures/*", (route) =>
      route.fulfill({
        contentType: "image/svg+xml",
        body: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path d="M0 0h4v3H0z"/></svg>`,
      }),
    );
    if (javaScriptEnabled)
      await page.addInitScript(() => {
        const events: string[] = [];
        Object.assign(window, { events });
        for (const name of ["cf-submit", "cf-success", "cf-error", "cf-step"])
          document.addEventListener(name, (event) => events.push(`${name} ${(event.target as Element).tagName}`));
      });
    await page.goto(`${from}/${path}`);
    return { page, context, errors, messages, frame: page.frameLocator("iframe") };
  }

  const eventsOf = (page: Page): Promise<string[]> =>
    page.evaluate(() => (window as unknown as { events: string[] }).events);
  /**
   * Waits until the page has received exactly these events, counted from number `from`. A frame sends its events with a
   * delay.
   */
  async function hears(page: Page, events: readonly string[], from = 0): Promise<void> {
    await page
      .waitForFunction(
        (least) => (window as unknown as { events: string[] }).events.length >= least,
        from + events.length,
        { timeout: 30_000 },
      )
      .catch(() => undefined);
    assert.deepEqual((await eventsOf(page)).slice(from), events);
  }
  const count = async (slug: string): Promise<number> =>
    items((await site.api("GET", `/forms/${ids[slug]}/submissions`)).body).length;
  const ready = (page: Page): Promise<unknown> =>
    page.locator("form.cf-form").evaluate(
      (form) =>
        new Promise((resolve) => {
          const look = (): unknown =>
            (form as HTMLFormElement).querySelector("[name=more]")?.closest("[hidden]")
              ? resolve(null)
              : setTimeout(look, 10);
          look();
        }),
    );

  for (const [how, path] of [
    ["elements", "twice"],
    ["fragments that the page's server writes", "twice/inline"],
    ["fragments that the script loads", "twice/loaded"],
  ] as const) {
    it(`one form twice on a page shares no ids and no labels: ${how}`, async () => {
      const { page, context } = await open(path);
      const controls = page.locator("form.cf-form [name=who]");
      // The script has finished with both forms.
      await page.waitForFunction(() => {
        const forms = [...document.querySelectorAll("cf-form")].flatMap((one) => [
          ...(one.shadowRoot?.querySelectorAll("form") ?? []),
        ]);
        const all = [...forms, ...document.querySelectorAll("form.cf-form")];
        return all.length === 2 && all.every((form) => form.querySelector("[name=more]")?.closest("[hidden]") !== null);
      });
      assert.equal(await controls.count(), 2);
      const found = await page.locator("form.cf-form").evaluateAll((forms) =>
        forms.map((form) => {
          const root = form.getRootNode() as Document | ShadowRoot;
          const named = ["for", "aria-describedby", "aria-labelledby", "aria-controls", "list"].flatMap((name) =>
            [...form.querySelectorAll(`[${name}]`)].flatMap((one) => (one.getAttribute(name) ?? "").split(" ")),
          );
          const lost = named.filter((id) => !form.contains(root.getElementById(id)));
          return { ids: [...form.querySelectorAll("[id]")].map((one) => one.getAttribute("id")), lost };
        }),
      );
      const ids = found.flatMap((one) => one.ids);
      assert.ok(ids.length > 10);
      assert.equal(new Set(ids).size, ids.length, ids.join(" "));
      assert.deepEqual(
        found.map(({ lost }) => lost),
        [[], []],
      );
      // A label of the second form focuses that form's control, and so does its list of faults.
      const second = page.locator("form.cf-form").nth(1);
      await second.getByText("Your name").click();
      assert.ok(
        await second
          .locator("[name=who]")
          .evaluate((one) => (one.getRootNode() as Document | ShadowRoot).activeElement === one),
      );
      await second.getByRole("button", { name: "Send" }).click();
      await second.locator(".cf-summary a").first().click();
      assert.ok(
        await second
          .locator("[name=who]")
          .evaluate((one) => (one.getRootNode() as Document | ShadowRoot).activeElement === one),
      );
      assert.equal(await page.locator(".cf-error").count(), 1);
      await context.close();
    });
  }

  it("an embedded element has style, conditions and faults, shows the ending in place and reports events", async () => {
    const { page, context, errors } = await open("anyone");
    await ready(page);
    assert.equal(
      await page.$eval("[name=who]", (input) => getComputedStyle(input).borderRadius),
      "12px",
      "the style of the form",
    );
    assert.equal(
      await page.$eval(".cf-picture", (picture) => (picture as HTMLImageElement).src),
      `${site.url}/pictures/a.svg`,
    );
    assert.equal(await page.getAttribute("cf-form form a", "href"), `${site.url}/terms`);
    await page.getByRole("combobox", { name: "Row" }).and(page.locator("input")).fill("29");
    await page.getByRole("option", { name: "Row 29" }).click();
    await page.click("button");
    await page.waitForSelector(".cf-error");
    assert.deepEqual(await violations(page), []);
    await takePicture(page, "embed-element.png", { fullPage: true });
    await page.fill("[name=who]", "Ada");
    assert.equal(await page.locator(".cf-error").count(), 0);
    await page.click("button");
    await page.waitForSelector(".cf-ending");
    await hears(page, ["cf-submit CF-FORM", "cf-success CF-FORM"]);
    assert.equal(page.url(), `${origin}/anyone`);
    assert.deepEqual(errors, []);
    assert.equal(await count("anyone"), 1);
    await context.close();
  });

  it("a frame's height follows the form, and its events equal the element's", async () => {
    for (const path of ["contact/frame", "plain"]) {
      const { page, context, errors, frame } = await open(path);
      await frame.locator("[name=who]").waitFor();
      const height = (): Promise<number> =>
        page.locator("iframe").evaluate((one) => one.getBoundingClientRect().height);
      const fits = (): Promise<boolean> =>
        page
          .locator("iframe")
          .evaluate((one) => one.getBoundingClientRect().height)
          .then(
            async (outer) =>
              Math.abs(outer - (await frame.locator("main").evaluate((main) => main.getBoundingClientRect().height))) <
              6,
          );
      const until = async (holds: () => Promise<boolean>): Promise<void> => {
        while (!(await holds())) await page.waitForTimeout(20);
      };
      await until(fits);
      const before = await height();
      await frame.locator("button").click();
      await frame.locator(".cf-error").first().waitFor();
      await until(async () => (await fits()) && (await height()) > before);
      await takePicture(page, `embed-${path.replace("/", "-")}.png`, { fullPage: true });
      await frame.locator("[name=who]").fill("Ada");
      const [terms] = await Promise.all([
        page.waitForEvent("popup"),
        frame.getByRole("link", { name: "terms" }).click(),
      ]);
      assert.deepEqual(
        [terms.url(), await frame.locator("[name=who]").inputValue()],
        [`${site.url}/terms`, "Ada"],
        "a link does not remove the form",
      );
      await frame.locator("button").click();
      await frame.locator(".cf-ending").waitFor();
      if (path !== "plain") await hears(page, ["cf-submit CF-FORM", "cf-success CF-FORM"]);
      assert.deepEqual(errors, []);
      await context.close();
    }
  });

  it("the page's query fills in the form, as an element and in a frame, if the element allows it", async () => {
    const query = "?who=%3Cb%3EAda&kind=B&utm_source=mail";
    const element = await open(`prefilled${query}`);
    assert.equal(await element.page.inputValue("[name=who]"), "<b>Ada");
    assert.equal(await element.page.isChecked("[value=b]"), true);
    await element.page.click("text=Send");
    await element.page.waitForSelector(".cf-ending");
    const stored = items((await site.api("GET", `/submissions?form_id=${ids["contact"]}`)).body)[0];
    assert.equal(
      member(stored, "page_url"),
      `${origin}/prefilled?utm_source=mail`,
      "answers are not kept in addresses",
    );
    await element.context.close();
    const framed = await open(`prefilled/frame${query}`);
    assert.equal(await framed.frame.locator("[name=who]").inputValue(), "<b>Ada");
    await framed.context.close();
    const without = await open(`contact${query}`);
    assert.equal(await without.page.inputValue("[name=who]"), "");
    await without.context.close();
  });

  it("a form with steps continues at the same step after a reload, as an element and in a frame", async () => {
    for (const path of ["steps", "steps/frame"]) {
      const { page, context, errors, frame } = await open(path, true, path === "steps" ? origin : near());
      const form = path === "steps" ? page.locator("cf-form form") : frame.locator("form");
      await form.locator("[name=who]").fill("Ada");
      await form.locator(".cf-next").click();
      await form.getByText("Step 2 of 2").waitFor();
      await page.reload();
      await form.getByText("Step 2 of 2").waitFor();
      await form.locator(".cf-back").click();
      assert.equal(await form.locator("[name=who]").inputValue(), "Ada");
      await hears(page, ["cf-step CF-FORM"]);
      assert.deepEqual(errors, []);
      await context.close();
    }
  });

  it("a failure fires cf-error, as an element and in a frame, and a listener may prevent the submit of an element", async () => {
    for (const path of ["anyone", "contact/frame"]) {
      const { page, context, frame } = await open(path);
      const form = path === "anyone" ? page.locator("cf-form form") : frame.locator("form");
      await context.route(`${site.url}/forms/*`, (route) =>
        route.request().method() === "POST" ? route.abort() : route.fallback(),
      );
      await form.locator("[name=who]").fill("Ada");
      await form.locator("button").click();
      await form.locator(".cf-messages .cf-message-error").waitFor();
      await hears(page, ["cf-submit CF-FORM", "cf-error CF-FORM"]);
      if (path === "anyone") {
        await page.evaluate(() => document.addEventListener("cf-submit", (event) => event.preventDefault()));
        await form.locator("button").click();
        await hears(page, ["cf-submit CF-FORM"], 2);
        assert.equal(await form.getAttribute("aria-busy"), null);
      }
      await context.close();
    }
  });

  it("the element's style and events match the documentation", async () => {
    const { page, context } = await open("looks");
    const logged = page.waitForEvent("console", (message) => message.type() === "log");
    await ready(page);
    assert.equal(
      await page.$eval("cf-form button", (button) => getComputedStyle(button).backgroundColor),
      "rgb(0, 170, 119)",
    );
    await page.fill("[name=who]", "Ada");
    await page.click("button");
    assert.match((await logged).text(), /^\d+$/);
    assert.equal(
      await page.getAttribute(".cf-ending .cf-button", "href"),
      `${site.url}/home`,
      "the path is relative to the forms' site",
    );
    await context.close();
  });

  it("a form that the page's server renders is complete", async () => {
    const { page, context, errors } = await open("server");
    await ready(page);
    assert.equal(await page.$eval("[name=who]", (input) => getComputedStyle(input).borderRadius), "12px");
    assert.equal(await page.$eval(".cf-picture", (picture) => (picture as HTMLImageElement).naturalWidth > 0), true);
    await page.getByRole("combobox", { name: "Row" }).waitFor();
    await page.fill("[name=who]", "Ada");
    await page.click("button");
    await page.waitForSelector(".cf-ending");
    assert.equal(page.url(), `${origin}/server`);
    assert.deepEqual(errors, []);
    await context.close();
  });

  for (const path of ["react", "react/frame"]) {
    it(`as a React component (${path}) the server renders a link, and a re-render of the page does not reset the form`, async () => {
      const without = await open(path, false);
      assert.equal(await without.page.isVisible("cf-form a"), true);
      await without.context.close();
      const { page, context, errors, frame } = await open(path);
      const logged = page.waitForEvent("console", (message) => message.type() === "log");
      const form = path === "react" ? page.locator("cf-form form") : frame.locator("form");
      await form.locator("[name=who]").fill("Ada");
      await page.evaluate(() => (window as unknown as { showAgain(): void }).showAgain());
      assert.equal(await form.locator("[name=who]").inputValue(), "Ada");
      assert.equal(await page.locator("script[src*='embed.js']").count(), 1);
      await form.locator("button").click();
      assert.match((await logged).text(), /^\d+$/, "its listener received the success");
      const again = page.waitForEvent("console", (message) => message.type() === "log");
      const showAnother = () =>
        (Object.assign(window, { slug: "guests" }) as unknown as { showAgain(): void }).showAgain();
      await page.evaluate(showAnother);
      await page.waitForSelector("cf-form[slug=guests]");
      await form.locator("[name=who]").fill("Ada");
      await form.locator("button").click();
      assert.match((await again).text(), /^\d+$/, "its listener hears the new form after a change of the slug");
      assert.deepEqual(errors, []);
      await context.close();
    });
  }

  it("without script the element's content is visible", async () => {
    const { page, context } = await open("contact", false);
    assert.equal(await page.isVisible("cf-form a"), true);
    await context.close();
  });

  it("a form with allowed sites is neither shown on other sites nor accepted from them", async () => {
    const { page, context, messages } = await open("strangers");
    while (!messages.some((text) => text.includes("cf-form"))) await page.waitForTimeout(20);
    assert.equal(await page.isVisible("cf-form a"), true, "the link stays");
    await context.close();
    const send = (from: string): Promise<Response> =>
      fetch(`${site.url}/forms/strangers`, {
        method: "POST",
        headers: { origin: from, accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
        body: "who=Ada",
      });
    const refused = await send(origin);
    assert.equal(refused.status, 403);
    assert.equal(((await refused.json()) as { code: string }).code, "origin_not_allowed");
    assert.equal((await send("https://example.org")).headers.get("access-control-allow-origin"), "https://example.org");
    assert.notEqual((await send(site.url)).status, 403);
    const policy = (await fetch(`${site.url}/forms/strangers?frame`)).headers.get("content-security-policy") ?? "";
    assert.match(policy, /frame-ancestors 'self' https:\/\/example\.org/);
  });

  it("the address of the script is stable, and redirects to a cached file", async () => {
    const response = await fetch(`${site.url}/forms/-/assets/embed.js`, { redirect: "manual" });
    assert.equal(response.status, 302);
    const { origin, pathname } = new URL(response.headers.get("location") ?? "");
    assert.equal(origin, new URL(site.url).origin);
    assert.match(pathname, /^\/forms\/-\/assets\/embed\.[0-9a-f]+\.js$/);
  });
});
