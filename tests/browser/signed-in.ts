/** A page of the embedded host with a signed-in user, for clients that run in an editor's page. */
import type { TestContext } from "node:test";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { ADMIN } from "../shim/embedded-fixture.ts";
import { launchChromium } from "./chromium.ts";

/** Bundles a module into one script, which stores its exports in `client`. */
export async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "iife",
    globalName: "client",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

/** Signs in by the form like a user, and runs the module in the next page. */
export async function signedInPage(t: TestContext, url: string, contents: string): Promise<Page> {
  const browser = await launchChromium();
  t.after(() => browser.close());
  // The landing page's policy allows no script, but an editor's page has another policy.
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${url}/sign-in?redirect_to=/`);
  await page.getByLabel("Username").fill(ADMIN.login);
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.keyboard.press("Enter");
  await page.getByText("You are signed in as admin.").waitFor();
  await page.addScriptTag({ content: await bundled(contents) });
  return page;
}
