/** The examples of docs/client.md, one after another, against the embedded host. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Form, SubmissionList } from "../../client/index.ts";
import { ADMIN, APP_PASSWORD, basic, bodyOf } from "../shim/embedded-fixture.ts";
import { startClientsHost } from "./site.ts";

test("every example of docs/client.md runs", async (t) => {
  const host = await startClientsHost(t);
  const text = readFileSync(new URL("../../docs/client.md", import.meta.url), "utf8");
  const examples = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map((found) => found[1] ?? "");
  assert.equal(examples.length, 4);

  // The last example sends the form that the first one creates; the others read its submissions.
  const [start = "", list = "", versions = "", submit = ""] = examples;
  const client = new URL("../../client/index.ts", import.meta.url).href;
  const script = [start, submit, list, versions]
    .join("\n")
    .replaceAll("cf-forms/client", client)
    .replaceAll("https://example.org", host.url)
    .replaceAll("abcd efgh ijkl mnop qrst uvwx", APP_PASSWORD);
  const file = join(host.directory, "examples.mjs");
  writeFileSync(file, script);
  await import(pathToFileURL(file).href);

  const headers = basic(ADMIN.login, APP_PASSWORD);
  const form = await bodyOf<Form>(await fetch(`${host.url}/api/cf/v1/forms/1`, { headers }));
  assert.deepEqual([form.title, form.source], ["Contact us", "schema"]);
  const sent = await bodyOf<SubmissionList>(await fetch(`${host.url}/api/cf/v1/submissions`, { headers }));
  assert.deepEqual(
    sent.map(({ status, data }) => [status, data]),
    [["read", { email: "ann@example.org" }]],
  );
});
