/** `@wordpress/api-fetch` in a page of a real browser, signed in by the form as people are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import type apiFetchModule from "@wordpress/api-fetch";
import { createNumberForm, startClientsHost, submitNumbers } from "../clients/site.ts";
import { ADMIN } from "../shim/embedded-fixture.ts";
import { launchChromium, noChromium } from "./chromium.ts";

type ApiFetch = typeof apiFetchModule.default;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: 'export { default } from "@wordpress/api-fetch";', resolveDir: import.meta.dirname },
    bundle: true,
    format: "iife",
    globalName: "client",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

test("@wordpress/api-fetch in a browser", { skip: noChromium }, async (t) => {
  const host = await startClientsHost(t);
  const id = await createNumberForm(host, "browser");
  await submitNumbers(host, "browser", 101);
  const browser = await launchChromium();
  t.after(() => browser.close());
  // The landing page's own policy lets no script run; an editor's page has a policy of its own.
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${host.url}/sign-in`);
  await page.getByLabel("User name").fill(ADMIN.login);
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.keyboard.press("Enter");
  await page.getByText("You are signed in as admin.").waitFor();
  await page.addScriptTag({ content: await bundle() });

  const outcome = await page.evaluate(async (formId) => {
    const { client } = globalThis as unknown as { client: { default: ApiFetch } };
    const apiFetch = client.default;
    apiFetch.use(apiFetch.createRootURLMiddleware("/api/"));
    const nonceMiddleware = apiFetch.createNonceMiddleware("expired");
    apiFetch.use(nonceMiddleware);
    apiFetch.nonceMiddleware = nonceMiddleware;
    apiFetch.nonceEndpoint = "/wp-admin/admin-ajax.php?action=rest-nonce";
    const path = `/cf/v1/forms/${formId}`;
    const { title } = await apiFetch<{ title: string }>({ path, method: "PATCH", data: { title: "From a page" } });
    const submissions = await apiFetch<unknown[]>({ path: `${path}/submissions?per_page=-1` });
    const deleted = await apiFetch<{ deleted: boolean }>({ path, method: "DELETE" });
    return { title, submissions: submissions.length, deleted: deleted.deleted };
  }, id);
  assert.deepEqual(outcome, { title: "From a page", submissions: 101, deleted: true });
});
