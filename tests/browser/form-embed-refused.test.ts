/** A form whose site forbids the frame: the embedding page shows the element's link, not the browser's error page. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { member, startSite, type Site } from "../shim/site.ts";
import { launchChromium, noChromium, violations } from "./chromium.ts";

describe("a frame without permission in Chromium", { skip: noChromium }, () => {
  let site: Site;
  let browser: Browser;
  // The page is on another host than the forms, which allow no frame there.
  const host = createServer((request, response) => {
    const content = request.url === "/bare" ? "" : `<a href="${site.url}/forms/contact">Contact us</a>`;
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><html lang="en"><title>Host</title><body><main><h1>Host</h1>
      <cf-form slug="contact" title="Contact form" frame>${content}</cf-form></main>
      <script src="${site.url}/forms/-/assets/embed.js" async></script></body></html>`);
  });
  before(async () => {
    site = await startSite();
    browser = await launchChromium((violation) => violation.includes("frame-ancestors"));
    const made = await site.api("POST", "/forms", {
      title: "Contact",
      slug: "contact",
      markup: "<label>Name <input name=name></label>",
    });
    assert.ok(member(made.body, "id"));
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  });
  after(async () => {
    await browser?.close();
    host.close();
    await site?.close();
  });

  for (const [path, text] of [
    ["/", "Contact us"],
    ["/bare", "Contact form"],
  ] as const) {
    for (const width of [1280, 390]) {
      it(`shows ${text} at ${width} px`, async () => {
        const page = await browser.newPage({ viewport: { width, height: 700 } });
        await page.goto(`http://localhost:${(host.address() as AddressInfo).port}${path}`);
        const link = page.locator("cf-form").getByRole("link", { name: text });
        await link.waitFor();
        assert.equal(await link.getAttribute("href"), `${site.url}/forms/contact`);
        assert.equal(await page.locator("iframe").count(), 0);
        assert.deepEqual(await violations(page), []);
        await page.close();
      });
    }
  }
});
