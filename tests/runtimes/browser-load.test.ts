/** The engine in a browser, loaded by the entry that bundlers choose. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { test, type TestContext } from "node:test";
import { launchChromium, noChromium } from "../browser/chromium.ts";

const packageFolder = new URL("../../pkg/", import.meta.url);
const TYPES: Record<string, string> = { ".js": "text/javascript", ".wasm": "application/wasm" };

/** Serves the package's files and an empty page. */
async function serve(t: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const type = TYPES[extname(path)];
    if (type === undefined) return void response.setHeader("content-type", "text/html").end("<!doctype html>");
    readFile(new URL(`.${path}`, packageFolder)).then(
      (content) => response.setHeader("content-type", type).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/`;
}

test("a page can create several engines", { skip: noChromium }, async (t) => {
  const address = await serve(t);
  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(address);
  const seen = await page.evaluate(async (entry) => {
    const { loadEngine }: typeof import("../../pkg/load/engine.d.ts") = await import(entry);
    const engine = await loadEngine();
    const configuration = {
      dialect: "sqlite",
      base_url: "http://site.test",
      rest_root: "/api",
      front_prefix: "/forms",
    };
    engine.configure(new TextEncoder().encode(JSON.stringify(configuration)));
    const second = await loadEngine();
    second.configure(new TextEncoder().encode(JSON.stringify(configuration)));
    second.hookAdd(true, "title", "test/second", 10, 1);
    return [engine, second].map(({ hookHas }) => hookHas(true, "title", "test/second"));
  }, `${address}load/web.js`);
  assert.deepEqual(seen, [false, true]);
});
