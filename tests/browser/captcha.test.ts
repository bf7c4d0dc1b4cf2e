/**
 * Captchas on the visitor's page in a real browser. Mocks with the same interface replace the services' scripts, and a
 * local server handles the site's requests to them.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";
import { script } from "../../visitor/assets.ts";
import { items, member, startSite, type JsonValue, type Site } from "../shim/site.ts";
import { SECRET, startVerifiers, type VerifierServer } from "../shim/verifier-server.ts";
import { launchChromium, noChromium } from "./chromium.ts";

interface Service {
  readonly global: string;
  readonly input: string;
  /** The script that pages load, and the further script that it loads. */
  readonly script: string;
  readonly rest: string;
  readonly frame: string;
}

const SERVICES: Readonly<Record<string, Service>> = {
  turnstile: {
    global: "turnstile",
    input: "cf-turnstile-response",
    script: "https://challenges.cloudflare.com/turnstile/v0/api.js",
    rest: "https://challenges.cloudflare.com/turnstile/v0/rest.js",
    frame: "https://challenges.cloudflare.com/cdn-cgi/challenge-platform/frame",
  },
  hcaptcha: {
    global: "hcaptcha",
    input: "h-captcha-response",
    script: "https://js.hcaptcha.com/1/api.js",
    rest: "https://js.hcaptcha.com/1/rest.js",
    frame: "https://newassets.hcaptcha.com/captcha/v1/frame",
  },
  recaptcha: {
    global: "grecaptcha",
    input: "g-recaptcha-response",
    script: "https://www.google.com/recaptcha/api.js",
    rest: "https://www.gstatic.com/recaptcha/releases/1/rest.js",
    frame: "https://www.google.com/recaptcha/api2/anchor",
  },
};

/** Runs in the page instead of a service's script. The service's frame sends the token. */
function mockService({ global, input, frame }: Service, parameters: string): void {
  const query = new URLSearchParams(parameters);
  const widgets: { place: HTMLElement; load: () => void }[] = [];
  const api = {
    render(place: HTMLElement, { sitekey }: { sitekey: string }): number {
      const token = document.createElement("textarea");
      token.name = input;
      token.hidden = true;
      const inner = document.createElement("iframe");
      inner.title = "a check that you are a person";
      window.addEventListener("message", ({ source, data }) => {
        if (source === inner.contentWindow) token.value = String(data);
      });
      const load = (): void => {
        token.value = "";
        inner.src = `${frame}?k=${sitekey}`;
      };
      load();
      place.append(inner, token);
      return widgets.push({ place, load }) - 1;
    },
    reset(widget: number): void {
      widgets[widget]?.load();
    },
    execute: async (sitekey: string, { action }: { action: string }): Promise<string> => {
      if (query.get("render") !== sitekey || action !== "submit") throw new Error("not the key that was loaded");
      return (await fetch("https://www.google.com/recaptcha/api2/reload")).text();
    },
  };
  Reflect.set(window, global, api);
  const loaded: unknown = Reflect.get(window, query.get("onload") ?? "");
  if (typeof loaded === "function") loaded();
}

let verifiers: VerifierServer;
let site: Site;
let browser: Browser;

describe("captchas in Chromium", { skip: noChromium }, () => {
  before(async () => {
    verifiers = await startVerifiers();
    site = await startSite({ host: { http: verifiers.http } });
    browser = await launchChromium();
  });

  after(async () => {
    await browser?.close();
    await site?.close();
    await verifiers?.close();
  });

  async function createForm(check: object): Promise<string> {
    const { status, body } = await site.api("POST", "/forms", {
      title: "Contact",
      markup: '<label>Email <input type="email" name="email" required></label> <button>Send</button>',
      settings: { hide_after_success: false, spam_checks: [{ site_key: "key-1", secret: SECRET, ...check }] },
    });
    assert.equal(status, 201, JSON.stringify(body));
    return String(member(body, "slug"));
  }

  interface Visit {
    readonly page: Page;
    /** Errors of the browser, except the 400 responses that tests cause. */
    readonly faults: string[];
    /** The tokens that were sent with the form. */
    readonly sent: (string | null)[];
    /** Lets the services' frames get responses. */
    releaseFrames(): void;
  }

  async function visit(
    address: string,
    options: BrowserContextOptions & { framesWait?: boolean; blocked?: boolean } = {},
  ): Promise<Visit> {
    const context = await browser.newContext(options);
    const gate = Promise.withResolvers<void>();
    if (options.framesWait !== true) gate.resolve();
    for (const service of Object.values(SERVICES)) {
      await context.route(`${service.script}*`, (route) =>
        options.blocked === true
          ? route.abort()
          : route.fulfill({
              contentType: "text/javascript",
              body: `{ const s = document.createElement("script"); s.src = "${service.rest}" + new URL(document.currentScript.src).search; document.head.append(s); }`,
            }),
      );
      await context.route(`${service.rest}*`, (route) => {
        const { search } = new URL(route.request().url());
        return route.fulfill({
          contentType: "text/javascript",
          body: `(${mockService.toString()})(${JSON.stringify(service)}, ${JSON.stringify(search)})`,
        });
      });
      await context.route(`${service.frame}*`, async (route) => {
        await gate.promise;
        const key = new URL(route.request().url()).searchParams.get("k");
        const token = key === "key-1" ? verifiers.issue() : "wrong key";
        await route.fulfill({
          contentType: "text/html",
          body: `<!doctype html><script>parent.postMessage("${token}", "*")</script>`,
        });
      });
    }
    await context.route("https://www.google.com/recaptcha/api2/reload", (route) =>
      route.fulfill({ headers: { "access-control-allow-origin": "*" }, body: verifiers.issue() }),
    );
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("status of 400")) faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    const sent: (string | null)[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && !request.url().includes("/-/")) sent.push(tokenOf(request));
    });
    // Waiting frames would keep the page loading.
    await page.goto(address, { waitUntil: "domcontentloaded" });
    return { page, faults, sent, releaseFrames: gate.resolve };
  }

  function tokenOf(request: Request): string | null {
    const body = new URLSearchParams(request.postData() ?? "");
    return (
      Object.values(SERVICES)
        .map(({ input }) => body.get(input))
        .find((token) => token !== null) ?? null
    );
  }

  /** Waits until the widget has found a token that is not one of these. */
  async function freshToken(page: Page, input: string, old: readonly (string | null)[]): Promise<void> {
    await page.waitForFunction(
      ([name, known]) => {
        const value = document.querySelector<HTMLTextAreaElement>(`[name="${name}"]`)?.value ?? "";
        return value !== "" && !known.includes(value);
      },
      [input, old] as const,
    );
  }

  /** Fills in and sends the form after 150 ms, because a submit within 100 ms counts as a robot's. */
  async function send(page: Page, email: string): Promise<void> {
    await page.waitForTimeout(150);
    await page.fill('[name="email"]', email);
    await page.click("button:not([type=button])");
  }

  async function newest(): Promise<JsonValue> {
    return items((await site.api("GET", "/submissions?status=any&per_page=1")).body)[0] ?? null;
  }

  for (const [type, { input }] of Object.entries(SERVICES)) {
    it(`${type}: each submit has a new token, also after a rejection`, async () => {
      const { page, faults, sent } = await visit(`${site.url}/forms/${await createForm({ type })}`);
      await page.waitForSelector("form .cf-captcha + button");
      await freshToken(page, input, []);
      await send(page, "nonsense");
      await page.waitForSelector(".cf-summary");
      assert.deepEqual(sent, [], "a submit that the browser rejects uses no token");
      await send(page, `${"a".repeat(65)}@example.org`);
      await page.waitForSelector(".cf-error");
      assert.equal(sent.length, 1, "only the server limits the part before the @");
      await freshToken(page, input, sent);
      await send(page, "ada@example.org");
      await page.waitForSelector(".cf-message-success");
      const first = await newest();
      await freshToken(page, input, sent);
      await send(page, "grace@example.org");
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[name="email"]')?.value === "");
      const second = await newest();
      assert.deepEqual(
        [first, second].map((one) => [member(one, "status"), member(member(one, "data"), "email")]),
        [
          ["new", "ada@example.org"],
          ["new", "grace@example.org"],
        ],
      );
      assert.equal(new Set(sent).size, 3, sent.join());
      assert.deepEqual(faults, [], "the page's policy allows the service");
      await page.context().close();
    });
  }

  it("a form is not sent before the visitor has solved the captcha", async () => {
    const { page, sent, releaseFrames } = await visit(`${site.url}/forms/${await createForm({ type: "turnstile" })}`, {
      framesWait: true,
    });
    await page.waitForSelector(".cf-captcha iframe", { state: "attached" });
    await send(page, "ada@example.org");
    assert.match((await page.textContent(".cf-message-error")) ?? "", /Confirm that you’re human/);
    assert.deepEqual(sent, []);
    releaseFrames();
    await freshToken(page, "cf-turnstile-response", []);
    await send(page, "ada@example.org");
    await page.waitForSelector(".cf-message-success");
    await page.context().close();
  });

  it("a blocked script of a service is reported, and nothing is sent", async () => {
    const { page, sent } = await visit(`${site.url}/forms/${await createForm({ type: "hcaptcha" })}`, {
      blocked: true,
    });
    await page.waitForSelector(".cf-captcha .cf-message-error");
    await send(page, "ada@example.org");
    await page.waitForSelector(".cf-messages .cf-message-error");
    assert.match((await page.textContent(".cf-note")) ?? "", /couldn’t be loaded.+contact us another way/);
    assert.equal(
      await page.locator(".cf-captcha .cf-message-error").count(),
      0,
      "the message moved from the captcha to the form's messages",
    );
    assert.deepEqual(sent, []);
    await page.context().close();
  });

  it("a script that failed to load can be retried", async () => {
    const { page, sent } = await visit(`${site.url}/forms/${await createForm({ type: "hcaptcha" })}`, {
      blocked: true,
    });
    await page.waitForSelector(".cf-captcha .cf-message-error");
    await page.context().unroute(`${SERVICES["hcaptcha"]?.script}*`);
    await page.context().route(`${SERVICES["hcaptcha"]?.script}*`, (route) =>
      route.fulfill({
        contentType: "text/javascript",
        body: `(${mockService.toString()})(${JSON.stringify(SERVICES["hcaptcha"])}, ${JSON.stringify(new URL(route.request().url()).search)})`,
      }),
    );
    await page.click("button:text('Try again')");
    await freshToken(page, "h-captcha-response", []);
    assert.equal(await page.locator(".cf-captcha .cf-message-error").count(), 0);
    assert.deepEqual(sent, []);
    await send(page, "again@example.org");
    await page.waitForSelector(".cf-message-success");
    await page.context().close();
  });

  it("reCAPTCHA 3 is invisible and scores each submit", async () => {
    const slug = await createForm({ type: "recaptcha", version: 3, min_score: 0.5 });
    const { page, faults, sent } = await visit(`${site.url}/forms/${slug}`);
    assert.equal(await page.locator(".cf-captcha iframe").count(), 0);
    for (const [score, status] of [
      [0.9, "new"],
      [0.1, "spam"],
    ] as const) {
      verifiers.score = score;
      await send(page, `${status}@example.org`);
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[name="email"]')?.value === "");
      assert.equal(member(await newest(), "status"), status);
    }
    assert.equal(new Set(sent).size, 2);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  for (const how of ["in the page", "in a shadow tree"])
    it(`an embedded form has its widget too, ${how}, and another token for each submit`, async () => {
      const slug = await createForm({ type: "turnstile" });
      const html = `<!doctype html><title>Other</title><link rel="icon" href="data:,">${
        how === "in the page"
          ? `<div data-cf-embed="${site.url}/forms/${slug}/embed"></div><script src="${site.url}/forms/-/assets/${script.name}" defer></script>`
          : `<cf-form slug="${slug}"></cf-form><script src="${site.url}/forms/-/assets/embed.js" async></script>`
      }`;
      const other = createServer((_, response) => response.setHeader("content-type", "text/html").end(html)).listen(
        0,
        "127.0.0.1",
      );
      await once(other, "listening");
      const { port } = other.address() as AddressInfo;
      const { page, faults, sent } = await visit(`http://127.0.0.1:${port}/`);
      for (const count of [1, 2]) {
        await freshToken(page, "cf-turnstile-response", sent);
        await send(page, `embedded-${count}@example.org`);
        await page.waitForSelector(".cf-message-success");
        assert.equal(new Set(sent).size, count);
        await page.evaluate(() =>
          (document.querySelector("cf-form")?.shadowRoot ?? document).querySelector(".cf-message-success")?.remove(),
        );
      }
      assert.equal(await page.locator("iframe[title='a check that you are a person']").isVisible(), true);
      assert.deepEqual(
        [member(await newest(), "status"), member(await newest(), "page_url")],
        ["new", `http://127.0.0.1:${port}/`],
      );
      assert.deepEqual(faults, []);
      await page.context().close();
      await new Promise((resolve) => other.close(resolve));
    });

  it("without JavaScript the page says that the captcha needs JavaScript", async () => {
    const { page } = await visit(`${site.url}/forms/${await createForm({ type: "turnstile" })}`, {
      javaScriptEnabled: false,
    });
    assert.ok(await page.isVisible(".cf-captcha .cf-message-error"));
    const message = await page.locator(".cf-captcha .cf-message-error").boundingBox();
    const first = await page.locator("[name=email]").boundingBox();
    assert.ok(message !== null && first !== null && message.y < first.y, "above the fields");
    await page.context().close();
  });
});
