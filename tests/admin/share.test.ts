/** The code that the Share tab hands out works: in a page of another origin, and in a shell. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { it } from "node:test";
import { promisify } from "node:util";
import { noChromium } from "../browser/chromium.ts";
import { api, makeForm, signIn, startBrowser, startSite } from "./admin-site.ts";

it("hands out code that shows and submits the form elsewhere", { skip: noChromium, timeout: 90_000 }, async (t) => {
  const host = await startSite(t);
  const { id, slug } = await makeForm(host.url);
  const browser = await startBrowser(t);
  const { page } = await signIn(browser, host.url);
  await page.goto(`${host.url}/admin/forms/${id}/share`);
  const code = (text: string) => page.locator("pre, textarea").filter({ hasText: text }).first();
  await code("embed.js").waitFor();
  const embed = (await code("embed.js").textContent()) ?? "";
  const curl = (await code("curl").textContent()) ?? "";
  // Without an allowed website, a frame would stay empty.
  assert.equal(await code("<iframe").count(), 0);
  await page.getByRole("link", { name: "Add website" }).waitFor();

  const { stdout } = await promisify(execFile)("sh", ["-c", curl.replace("curl", "curl -sS")], { timeout: 20_000 });
  const answer: unknown = JSON.parse(stdout);
  assert.ok(typeof answer === "object" && answer !== null && "submission_id" in answer, JSON.stringify(answer));

  const other = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(`<!doctype html><title>Elsewhere</title>${embed}`);
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  t.after(() => other.close());
  const visitor = await (await browser.newContext({ locale: "en-US" })).newPage();
  await visitor.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  await visitor.getByRole("textbox", { name: "Email" }).fill("ada@example.com");
  await visitor.getByRole("button", { name: "Send" }).click();
  await visitor.getByText("Thank you").waitFor();
  const stored = await api<readonly unknown[]>(host.url, "GET", `/submissions?form_id=${id}`);
  assert.equal(stored.length, 2, slug);
});
