/** Forms in pages of another site, which has a strict policy of its own: as an element and in a frame. */

import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { freePort, items, member, startSite, type Site } from "../shim/site.ts";
import { launchChromium, noChromium, SCREENSHOTS, violations } from "./chromium.ts";

const FIELDS = [
  { name: "who", label: "Your name", required: true },
  { name: "more", label: "More", required: true, conditions: [{ field: "who", operator: "equals", value: "Grace" }] },
  { name: "kind", type: "radio", label: "Kind", css_class: "cf-cards", options: [{ value: "a", label: "A" }, { value: "b", label: "B" }] },
  { name: "row", type: "select", label: "Row", options: Array.from({ length: 30 }, (_, index) => ({ value: `${index}`, label: `Row ${index}` })) },
  { name: "send", type: "submit", label: "Send" },
];

/** A page of React that shows the form "contact", and notes what it hears in the component's listeners. */
function reactPage(): string {
  const contents = `import { createElement } from "react"; import { createRoot } from "react-dom/client"; import { CfForm } from "./host-shim/components/react.ts";
    window.noted = [];
    const note = ({ type, detail }) => window.noted.push(type + " " + (detail?.message?.type ?? ""));
    const root = createRoot(document.getElementById("place"));
    const show = () => root.render(createElement(CfForm, { site: ${JSON.stringify(`${site.url}/forms`)}, slug: "contact", title: "Write to us", onSubmit: note, onSuccess: note, onError: note }));
    show(); window.showAgain = show;`;
  const resolveDir = fileURLToPath(new URL("../../", import.meta.url));
  const { outputFiles } = buildSync({ stdin: { contents, resolveDir }, bundle: true, format: "iife", write: false, minify: true, define: { "process.env.NODE_ENV": '"production"' } });
  return outputFiles[0]?.text ?? "";
}

let site: Site;
let browser: Browser;
let other: Server;
let origin: string;
const ids: Record<string, number> = {};

describe("forms in other pages in Chromium", { skip: noChromium }, () => {
before(async () => {
  site = await startSite();
  browser = await launchChromium();
  const port = await freePort();
  origin = `http://localhost:${port}`;
  for (const [slug, settings] of [["contact", { hide_after_success: true }], ["friends", { allowed_origins: [origin], hide_after_success: true }], ["strangers", { allowed_origins: ["https://example.org"] }]] as const) {
    const { body } = await site.api("POST", "/forms", { title: "Write to us", slug, markup: "", settings });
    ids[slug] = Number(member(body, "id"));
    assert.equal((await site.api("PUT", `/forms/${ids[slug]}/schema`, { fields: FIELDS })).status, 200);
  }
  other = createServer((request, response) => {
    const address = new URL(request.url ?? "/", origin);
    const slug = address.pathname.slice(1);
    response.setHeader("content-type", "text/html; charset=utf-8");
    if (slug === "react.js") return void response.setHeader("content-type", "text/javascript").end(reactPage());
    response.setHeader("content-security-policy", `default-src 'none'; script-src 'self' ${site.url}; connect-src ${site.url}; frame-src ${site.url}`);
    if (slug === "react") return void response.end(`<!doctype html><html lang="en"><title>Other</title><main><h1>Other</h1><div id="place"></div></main><script src="/react.js"></script></html>`);
    response.end(`<!doctype html><html lang="en"><title>Other</title><main><h1>Other</h1><script src="${site.url}/forms/-/assets/embed.js" async></script>
      <cf-form slug="${slug}" title="Write to us"${address.searchParams.has("frame") ? " frame" : ""}><a href="${site.url}/forms/${slug}">Write to us</a></cf-form></main></html>`);
  }).listen(port, "localhost");
});
after(async () => {
  other?.close();
  await browser?.close();
  await site?.close();
});

async function open(path: string, javaScriptEnabled = true): Promise<{ page: Page; said: string[] }> {
  const page = await (await browser.newContext({ javaScriptEnabled, viewport: { width: 700, height: 900 } })).newPage();
  const said: string[] = [];
  page.on("console", (message) => { if (message.type() === "error" && !message.text().includes("favicon")) said.push(message.text()); });
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(`${origin}/${path}`);
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    for (const name of ["cf-submit", "cf-success", "cf-error"]) document.addEventListener(name, (event) => heard.push(`${name} ${(event.target as Element).tagName}`));
  }).catch(() => undefined);
  return { page, said };
}

const heard = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as { heard: string[] }).heard);

it("as an element it has its style, its conditions and its faults, answers in place and reports events", async () => {
  const { page, said } = await open("contact");
  await page.waitForSelector("cf-form form.cf-form");
  await page.waitForTimeout(300);
  assert.equal(await page.isVisible("[name=more]"), false, "conditions are followed");
  assert.equal(await page.$eval("[name=who]", (input) => getComputedStyle(input).borderRadius), "12px", "the form's own style");
  await page.getByRole("combobox", { name: "Row" }).fill("29");
  await page.getByRole("option", { name: "Row 29" }).click();
  await page.click("button");
  await page.waitForSelector(".cf-error");
  assert.deepEqual(await violations(page), []);
  await page.screenshot({ path: `${SCREENSHOTS}embed-element.png`, fullPage: true });
  await page.fill("[name=who]", "Ada");
  assert.equal(await page.locator(".cf-error").count(), 0);
  await page.click("button");
  await page.waitForSelector(".cf-ending");
  assert.deepEqual(await heard(page), ["cf-submit CF-FORM", "cf-success CF-FORM"]);
  assert.equal(page.url(), `${origin}/contact`);
  assert.deepEqual(said, []);
  assert.equal(items((await site.api("GET", `/forms/${ids["contact"]}/submissions`)).body).length, 1);
  await page.context().close();
});

it("as a component of React it loads its script once, keeps what is written while the page renders, and tells its listeners", async () => {
  const { page, said } = await open("react");
  await page.waitForSelector("cf-form form.cf-form");
  await page.waitForTimeout(300);
  await page.fill("[name=who]", "Ada");
  await page.evaluate(() => (window as unknown as { showAgain(): void }).showAgain());
  assert.equal(await page.inputValue("[name=who]"), "Ada");
  assert.equal(await page.locator("script[src*='embed.js']").count(), 1);
  await page.click("button");
  await page.waitForSelector(".cf-ending");
  assert.deepEqual(await page.evaluate(() => (window as unknown as { noted: string[] }).noted), ["cf-submit ", "cf-success success"]);
  assert.deepEqual(said, []);
  await page.context().close();
});

it("in a frame its height follows the form, and its events are the element's", async () => {
  const { page, said } = await open("friends?frame");
  const frame = page.frameLocator("iframe");
  await frame.locator("[name=who]").waitFor();
  await page.waitForTimeout(300);
  const height = (): Promise<number> => page.$eval("iframe", (one) => one.getBoundingClientRect().height);
  const before = await height();
  await frame.locator("button").click();
  await frame.locator(".cf-error").first().waitFor();
  await page.waitForTimeout(200);
  assert.ok((await height()) > before, "it grows with the faults");
  await page.screenshot({ path: `${SCREENSHOTS}embed-frame.png`, fullPage: true });
  await frame.locator("[name=who]").fill("Ada");
  await frame.locator("button").click();
  await frame.locator(".cf-ending").waitFor();
  await page.waitForTimeout(200);
  assert.deepEqual(await heard(page), ["cf-submit CF-FORM", "cf-success CF-FORM"]);
  assert.deepEqual(said, []);
  await page.context().close();
});

it("without script what stands inside the element shows", async () => {
  const { page } = await open("contact", false);
  assert.equal(await page.isVisible("cf-form a"), true);
  await page.context().close();
});

it("a form that names its sites is neither shown nor taken from others", async () => {
  const { page } = await open("strangers");
  await page.waitForTimeout(600);
  assert.equal(await page.isVisible("cf-form a"), true, "the link stays");
  await page.context().close();
  const send = (from: string): Promise<Response> => fetch(`${site.url}/forms/strangers`, { method: "POST", headers: { origin: from, accept: "application/json", "content-type": "application/x-www-form-urlencoded" }, body: "who=Ada" });
  const refused = await send(origin);
  assert.equal(refused.status, 403);
  assert.equal(((await refused.json()) as { code: string }).code, "origin_not_allowed");
  assert.equal((await send("https://example.org")).headers.get("access-control-allow-origin"), "https://example.org");
  assert.notEqual((await send(site.url)).status, 403);
  const policy = (await fetch(`${site.url}/forms/strangers?frame`)).headers.get("content-security-policy") ?? "";
  assert.match(policy, /frame-ancestors 'self' https:\/\/example\.org/);
});

it("the address of the script stays, and leads to a file that is kept", async () => {
  const answer = await fetch(`${site.url}/forms/-/assets/embed.js`, { redirect: "manual" });
  assert.equal(answer.status, 302);
  assert.match(answer.headers.get("location") ?? "", /^embed\.[0-9a-f]+\.js$/);
});
});
