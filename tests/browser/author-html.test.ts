/**
 * An author's HTML cannot control our scripts. Every vector is tried in the page of its form, with our scripts and
 * policy, and in pages of another site that embed it in each way. No request goes elsewhere, no script of the author
 * runs, and the form works.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { embed, script, style } from "../../visitor/assets.ts";
import { listenOnFreePort } from "../free-port.ts";
import { cleaned, VECTORS } from "../shim/cross-site-scripting.ts";
import { member, startSite, type Site } from "../shim/site.ts";
import { launchChromium, noChromium } from "./chromium.ts";

const CASES = JSON.parse(
  readFileSync(new URL("../cases/author-attributes.json", import.meta.url), "utf8"),
) as readonly string[];

/** Every attribute that the visitor's scripts read. */
function readNames(): readonly string[] {
  const folders = ["script", "embed"].map((name) => new URL(`../../visitor/${name}/`, import.meta.url));
  const sources = folders.flatMap((folder) => readdirSync(folder).map((name) => new URL(name, folder)));
  const text = sources.map((source) => readFileSync(source, "utf8")).join("\n");
  const attributes = [...text.matchAll(/\bdata-[a-z-]*[a-z]/g)].map(([name]) => name);
  const members = [...text.matchAll(/dataset\["(\w+)"\]|\{([^{}]+)\} = [^\n;]*\.dataset;/g)].flatMap(
    ([, one, list = ""]) => [
      ...(one === undefined ? [] : [one]),
      ...list.split(",").flatMap((part) => /^\s*(\w+)/.exec(part)?.[1] ?? []),
    ],
  );
  const names = [
    ...new Set([
      ...attributes,
      ...members.map((name) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`),
    ]),
  ];
  // Scripts fetch or load the URLs in these attributes, so the list must contain them.
  for (const name of ["data-cf-embed", "data-captcha", "data-cf-conditions", "data-cf-way"])
    assert.ok(names.includes(name), name);
  return names;
}

/** Markup with all of these attributes in every place that a script reads, in a few forms. */
const READ = Object.values(
  Object.groupBy(
    readNames().map(
      (name) =>
        `<div class="cf-form cf-captcha cf-embed cf-options" ${name}="https://evil.example/x"><input name="${name}" ${name}="//evil.example/x"><button type="button" ${name}="recaptcha" data-sitekey="evil">a</button></div>`,
    ),
    (_, index) => index % 5,
  ),
).map((vectors) => vectors?.join("") ?? "");

/** A vector's link, which visitors may follow. */
const LINK = "https://ok.example/";

/** The ways of embedding in the documentation, in a page of another site. */
const EMBEDDED: Readonly<Record<string, (slug: string, url: string, fragment: string) => string>> = {
  element: (slug) => `<cf-form slug="${slug}"></cf-form>`,
  place: (slug, url) => `<div data-cf-embed="${url}/forms/${slug}/embed"></div>`,
  fragment: (_, __, fragment) => fragment,
};

describe("HTML of authors in Chromium", { skip: noChromium }, () => {
  let site: Site;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** Dialogs of the page since it was opened, and requests that no form should send. */
  let ran: string[] = [];
  let other = "";
  let otherPage = "";
  let otherHeaders: Readonly<Record<string, string>> = {};
  let server: Server | undefined;

  before(async () => {
    site = await startSite();
    // The pages need a real server. Browsers treat a page from a test's route as a page of the internet, which may not
    // send requests to this machine.
    server = createServer((_, response) =>
      response.writeHead(200, { "content-type": "text/html", ...otherHeaders }).end(otherPage),
    );
    other = `http://localhost:${await listenOnFreePort(server)}`;
    browser = await launchChromium();
    context = await browser.newContext();
    page = await context.newPage();
    page.on("dialog", (dialog) => {
      // The script asks for confirmation before an answer would be lost.
      if (dialog.type() === "beforeunload") return void dialog.accept();
      ran.push(`dialog ${dialog.type()}`);
      void dialog.dismiss();
    });
    page.on("pageerror", (error) => ran.push(String(error)));
    const known = /^\/forms\/(?:-\/(?:assets\/[\w-]+\.[\w.]+|events)|[\w-]+(?:\/(?:embed|theme\.css))?)$/;
    await page.route("**", (route) => {
      const request = route.request();
      const { origin, pathname } = new URL(request.url());
      if (origin === other ? pathname === "/" : origin === site.url && known.test(pathname)) return route.continue();
      // An author may choose the address of a picture, because a picture runs no script.
      if (request.resourceType() !== "image") ran.push(`${request.resourceType()} ${request.url()}`);
      return route.fulfill({ status: 204 });
    });
  });

  after(async () => {
    server?.close();
    await browser?.close();
    await site?.close();
  });

  async function open(address: string): Promise<void> {
    ran = [];
    await page.goto(address);
    await page.waitForFunction(() => Object.hasOwn(window, "cfForms"));
  }

  /** Uses everything in the open page and returns the effects. */
  async function afterUse(): Promise<readonly string[]> {
    await page.evaluate(async () => {
      window.navigation.addEventListener("navigate", (event) => event.preventDefault());
      const [host] = Document.prototype.querySelectorAll.call(document, "cf-form");
      const all = host?.shadowRoot?.querySelectorAll("*") ?? Document.prototype.querySelectorAll.call(document, "*");
      for (const element of all) {
        for (const name of ["input", "change", "toggle", "mouseover", "load", "error"])
          EventTarget.prototype.dispatchEvent.call(element, new Event(name, { bubbles: true, cancelable: true }));
        if (!(element instanceof HTMLElement)) continue;
        HTMLElement.prototype.focus.call(element);
        HTMLElement.prototype.click.call(element);
      }
      await new Promise((resolve) => setTimeout(resolve));
    });
    return ran.filter((one) => !one.includes(LINK));
  }

  const onOther = (body: string, scripts: string): string =>
    `<!doctype html><title>Other</title><main>${body}</main>${scripts}`;

  async function embedIn(way: string, slug: string): Promise<void> {
    const assets = `${site.url}/forms/-/assets`;
    const fragment = way === "fragment" ? await (await fetch(`${site.url}/forms/${slug}/embed`)).text() : "";
    const asset = way === "element" ? embed : script;
    const load = way === "fragment" ? "" : `<script src="${assets}/${asset.name}" defer></script>`;
    otherPage = onOther(EMBEDDED[way]?.(slug, site.url, fragment) ?? "", load);
    await open(`${other}/`);
    await page.waitForFunction(() => {
      const host = Document.prototype.querySelector.call(document, "cf-form");
      return (
        (host?.shadowRoot?.querySelector("form.cf-form") ??
          Document.prototype.querySelector.call(document, "form.cf-form")) !== null
      );
    });
  }

  /** Stores markup without cleaning, as an older version did. */
  async function stored(markup: string): Promise<string> {
    const { body } = await site.api("POST", "/forms", { title: "x", markup: "<input name=a>" });
    await site.database.batch([
      {
        sql: `UPDATE cf_forms SET markup = '${markup.replaceAll("'", "''")}', revision = revision + 1 WHERE id = ${Number(member(body, "id"))}`,
        params: [],
      },
    ]);
    return String(member(body, "slug"));
  }

  it("covers every attribute that our scripts read", () => {
    for (const name of [
      "data-cf-embed",
      "data-cf-conditions",
      "data-cf-way",
      "data-sitekey",
      "data-captcha",
      "data-captchas",
      "data-fields",
      "data-texts",
      "data-id",
      "data-preview",
      "data-steps",
    ]) {
      assert.ok(readNames().includes(name), `${name} of ${readNames().join()}`);
    }
  });

  it("does not run in the page of its form", async () => {
    const seen = new Set<string>();
    for (const vector of [...VECTORS, ...CASES, ...READ]) {
      const { path, markup } = await cleaned(site, vector);
      if (path === null || seen.has(markup)) continue;
      seen.add(markup);
      assert.doesNotMatch(markup, /data-cf-(?:embed|theme|was-shown|described)=/i, vector);
      await open(site.url + path);
      assert.deepEqual(await afterUse(), [], `${vector}\nbecame ${markup}`);
    }
  });

  it("does not run when it is already stored", async () => {
    for (const vector of [...CASES, ...READ]) {
      await open(`${site.url}/forms/${await stored(vector)}`);
      assert.deepEqual(await afterUse(), [], vector);
    }
  });

  for (const way of Object.keys(EMBEDDED)) {
    it(`does not run in a page of another site, as ${way}`, async () => {
      const all = [...CASES, ...READ, ...VECTORS.filter((_, index) => index % 12 === 0)];
      const seen = new Set<string>();
      for (const vector of all) {
        const { path, markup } = await cleaned(site, vector);
        if (path === null || seen.has(markup)) continue;
        seen.add(markup);
        await embedIn(way, path.slice("/forms/".length));
        assert.deepEqual(await afterUse(), [], `${vector}\nbecame ${markup}`);
      }
    });
  }

  it("shadows no function that our scripts use", async () => {
    const shadows = CASES.filter((vector) => /^<(?:input|img|a) (?:id|name)=/.test(vector));
    assert.ok(shadows.length >= 10);
    for (const vector of shadows) {
      const markup = `<label>Who <input name=who></label><p data-show-if="who=Grace"><label>More <input name=more></label></p>${vector}<button type=submit id=last>Send</button>`;
      const { path } = await cleaned(site, markup);
      const slug = path?.slice("/forms/".length) ?? "";
      for (const show of [
        () => open(site.url + path),
        ...Object.keys(EMBEDDED).map((way) => () => embedIn(way, slug)),
      ]) {
        await show().catch((error: unknown) => assert.fail(`${vector}: ${String(error)} ${page.url()}`));
        const sent = page.waitForRequest(
          (request) => request.method() === "POST" && !request.url().endsWith("/events"),
        );
        // Uses the browser's original functions, because the names also affect the test's tools.
        const created = await page.evaluate(async () => {
          const find = (selector: string): HTMLElement | null => {
            const host = Document.prototype.querySelector.call(document, "cf-form");
            return (
              host?.shadowRoot?.querySelector<HTMLElement>(selector) ??
              (Document.prototype.querySelector.call(document, selector) as HTMLElement | null)
            );
          };
          const until = async (holds: () => boolean): Promise<boolean> => {
            for (let round = 0; round < 500 && !holds(); round += 1)
              await new Promise((resolve) => setTimeout(resolve, 10));
            return holds();
          };
          const isHidden = (): boolean => find("[name=more]")?.closest("[hidden]") !== null;
          const followed = [await until(isHidden)];
          const who = find("[name=who]") as HTMLInputElement;
          who.value = "Grace";
          who.dispatchEvent(new Event("input", { bubbles: true }));
          followed.push(isHidden());
          find("#last")?.click();
          followed.push(await until(() => find(".cf-ending,.cf-message,.cf-error") !== null));
          return followed;
        });
        assert.deepEqual(created, [true, false, true], vector);
        const request = await sent;
        assert.equal(request.url(), `${site.url}/forms/${slug}`, vector);
        assert.equal(request.headers()["accept"], "application/json", vector);
        assert.deepEqual(ran, [], vector);
      }
    }
  });

  it("has no effect even if a marker gets into a form", async () => {
    const { path } = await cleaned(site, "<p>a</p>");
    const slug = path?.slice("/forms/".length) ?? "";
    const fragment = await (await fetch(`${site.url}/forms/${slug}/embed`)).text();
    const embedUrl = `${site.url}/forms/${slug}/embed`;
    const marked = (address: string): string => `<div data-cf-embed="${address}">here</div>`;
    // The marker is in a form, or outside of the forms of the script's site.
    for (const body of [
      fragment.replace("<p>a</p>", marked(embedUrl)),
      ...[
        "https://evil.example/forms/x/embed",
        `${site.url}/forms/-/files/1/1/x`,
        `${site.url}/forms/-/embed`,
        `${site.url}/forms/${slug}`,
        `${embedUrl}?x`,
        `${site.url}/forms/${slug}/../-/files/embed`,
        "javascript:alert(1)",
        "",
      ].map(marked),
    ]) {
      otherPage = onOther(body, `<script src="${site.url}/forms/-/assets/${script.name}" defer></script>`);
      const requested: string[] = [];
      const note = (request: Request): unknown =>
        request.resourceType() === "fetch" && request.method() === "GET" && requested.push(request.url());
      page.on("request", note);
      await open(`${other}/`);
      assert.deepEqual(await afterUse(), [], body);
      page.off("request", note);
      assert.deepEqual(requested, [], body);
      assert.equal(await page.getByText("here").count(), 1);
    }
    // The marker is anywhere in a page of the engine.
    const html = await (await fetch(`${site.url}/forms/${slug}`)).text();
    await page.route(
      `${site.url}/forms/${slug}`,
      (route) =>
        route.fulfill({ contentType: "text/html", body: html.replace("</main>", `${marked(embedUrl)}</main>`) }),
      { times: 1 },
    );
    await open(`${site.url}/forms/${slug}`);
    assert.equal(await page.getByText("here").count(), 1);
  });

  it("works in a page that requires trusted types, with one policy for all of its scripts", async () => {
    const { path } = await cleaned(site, "<p>a</p><input name=a><button>Send</button>");
    const slug = path?.slice("/forms/".length) ?? "";
    const assets = `${site.url}/forms/-/assets`;
    const policy = `script-src 'nonce-x'; require-trusted-types-for 'script'; trusted-types cf-forms`;
    const load = (name: string): string => `<script src="${assets}/${name}" nonce="x" defer></script>`;
    otherHeaders = { "content-security-policy": policy };
    otherPage = onOther(
      `<link rel="stylesheet" href="${assets}/${style.name}"><div data-cf-embed="${site.url}/forms/${slug}/embed"></div><cf-form slug="${slug}"></cf-form>`,
      load(embed.name) + load(script.name),
    );
    const otherTab = await context.newPage();
    const faults: string[] = [];
    otherTab.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    otherTab.on("pageerror", (error) => faults.push(String(error)));
    await otherTab.goto(`${other}/`);
    for (const form of [otherTab.locator("[data-cf-embed] form"), otherTab.locator("cf-form form")]) {
      await form.locator("[name=a]").fill("x");
      await form.getByRole("button", { name: "Send" }).click();
      await form.locator(".cf-ending").waitFor();
    }
    assert.deepEqual(
      faults.filter((fault) => !/favicon/.test(fault)),
      [],
    );
    await otherTab.close();
  });
});
