/** `@wordpress/api-fetch` in a page of a real browser, signed in by the form like a user. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type apiFetchModule from "@wordpress/api-fetch";
import { createNumberForm, startClientsHost, submitNumbers } from "../clients/site.ts";
import { noChromium } from "./chromium.ts";
import { signedInPage } from "./signed-in.ts";

type ApiFetch = typeof apiFetchModule.default;

const MODULE = 'export { default } from "@wordpress/api-fetch";';

test("@wordpress/api-fetch in a browser", { skip: noChromium }, async (t) => {
  const host = await startClientsHost(t);
  const id = await createNumberForm(host, "browser");
  await submitNumbers(host, "browser", 101);
  const page = await signedInPage(t, host.url, MODULE);

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
