/** The package's client in a page of a real browser, signed in by the form like a user. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type * as clientModule from "../../client/index.ts";
import { gzipSize } from "../../benches/gzip-size.ts";
import { startClientsHost } from "../clients/site.ts";
import { noChromium } from "./chromium.ts";
import { bundled, signedInPage } from "./signed-in.ts";

/** Limit for the size of the client with every operation. */
const MAX_GZIP_BYTES = 5_000;

const MODULE = 'export * from "../../client/index.ts";';

test("the client is small", async () => {
  const size = gzipSize(await bundled(MODULE));
  assert.ok(size <= MAX_GZIP_BYTES, `${size} bytes of gzip`);
});

test("the client in a browser", { skip: noChromium }, async (t) => {
  const host = await startClientsHost(t);
  const page = await signedInPage(t, host.url, MODULE);

  const outcome = await page.evaluate(async () => {
    const { client } = globalThis as unknown as { client: typeof clientModule };
    const api = client.createClient({
      root: "/api",
      credentials: { nonce: "expired", nonceEndpoint: "/sign-in/nonce" },
    });
    const markup = '<label>Mail <input type="email" name="mail" required></label><input type="file" name="cv">';
    const form = await api.createForm({ body: { title: "From a page", slug: "page", markup } });
    const answers = new FormData();
    answers.set("mail", "ann@example.org");
    answers.set("cv", new File(["hello"], "cv.txt", { type: "text/plain" }));
    await client.submitForm("/forms/page", answers);
    const error = await client.submitForm("/forms/page", { mail: "nobody" }).catch((error: unknown) => error);
    const mails: unknown[] = [];
    for await (const { data, files } of api.each("listSubmissions", { form_id: form.id, per_page: 1 })) {
      mails.push([data["mail"], files.length]);
    }
    const aborted = await api.listForms({}, { signal: AbortSignal.abort() }).catch((error: Error) => error.name);
    return { mails, aborted, code: error instanceof client.ApiError ? error.code : error };
  });
  assert.deepEqual(outcome, { mails: [["ann@example.org", 1]], aborted: "AbortError", code: "invalid_email" });
});
