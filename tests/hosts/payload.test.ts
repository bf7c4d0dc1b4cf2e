/** The example's Payload site, headless: the main job, sign-in by key and by cookie. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { sqliteAdapter } from "@payloadcms/db-sqlite";
import type { Forms } from "cf-forms";
import { diskFiles } from "cf-forms/adapters/disk-files";
import { cfForms } from "cf-forms/hosts/payload";
import { buildConfig, getPayload, handleEndpoints, type Payload, type SanitizedConfig } from "payload";
import { hostsPath } from "./guide.ts";
import { testsOf } from "./host-table.ts";
import { testMainJob } from "./main-job.ts";
import { assertInstalled } from "./recipe.ts";
import { noteAction } from "./note-action.ts";

const SITE = "http://payload.test";
const noted: string[] = [];
const mails: string[] = [];
const credentials: Record<string, string> = {};
const folder = mkdtempSync(join(tmpdir(), "cf-forms-payload-"));
let forms: Forms;
let config: SanitizedConfig;
let payload: Payload;
const email = "editor@example.org";

const ask = (request: Request): Promise<Response> => handleEndpoints({ config, request });

describe("Payload, headless, with the forms in a separate file", () => {
  before(async () => {
    config = await buildConfig({
      secret: "of the tests",
      serverURL: SITE,
      telemetry: false,
      typescript: { autoGenerate: false },
      db: sqliteAdapter({ client: { url: `file:${join(folder, "payload.db")}` } }),
      admin: { user: "users" },
      collections: [{ slug: "users", auth: { useAPIKey: true }, fields: [] }],
      email: () => ({
        name: "test",
        defaultFromAddress: "site@example.org",
        defaultFromName: "Site",
        sendEmail: async ({ subject }) => void mails.push(subject ?? ""),
      }),
      plugins: [
        cfForms({
          can: () => true,
          database: `file:${join(folder, "forms.db")}`,
          files: diskFiles(join(folder, "files")),
          queueIntervalMs: 0,
          setUp(made) {
            forms = made;
            made.registerAction(noteAction(noted));
          },
        }),
      ],
    });
    payload = await getPayload({ config });
    const apiKey = crypto.randomUUID();
    await payload.create({
      collection: "users",
      data: { email, password: "of the editor", enableAPIKey: true, apiKey },
    });
    credentials["authorization"] = `users API-Key ${apiKey}`;
  });
  after(() => payload.destroy());

  const host = {
    rest: `${SITE}/api/cf/v1`,
    front: `${SITE}/api/cf-forms`,
    credentials,
    fetch: ask,
    async runQueue() {
      await forms.runQueue();
      const until = Date.now() + 10_000;
      while ((mails.length < 3 || noted.length < 2) && Date.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 50));
    },
    mails: () => mails,
    notes: () => noted,
  };
  testsOf("Payload")("install", "it is installed from the tarball, and starts", () => assertInstalled(hostsPath(".")));
  testMainJob("Payload", host);

  testsOf("Payload")("sign-in", "a cookie needs its nonce", async () => {
    const login = await ask(
      new Request(`${SITE}/api/users/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, password: "of the editor" }),
      }),
    );
    const cookie = login.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const list = (headers: Record<string, string>) =>
      ask(new Request(`${SITE}/api/cf/v1/forms`, { headers: { cookie, "sec-fetch-site": "same-origin", ...headers } }));
    assert.equal((await list({})).status, 403);
    assert.equal((await (await list({ "x-wp-nonce": "wrong" })).json()).code, "rest_cookie_invalid_nonce");
    const nonce = await (
      await ask(new Request(`${SITE}/api/cf-forms-nonce`, { headers: { cookie, "sec-fetch-site": "same-origin" } }))
    ).text();
    assert.equal((await list({ "x-wp-nonce": nonce })).status, 200);
    assert.equal((await ask(new Request(`${SITE}/api/cf-forms-nonce`))).status, 403);
  });
});

test("Payload's database is rejected while Payload would drop other tables", async () => {
  const siteOf = async (push: boolean) =>
    buildConfig({
      secret: "of the tests",
      serverURL: SITE,
      telemetry: false,
      typescript: { autoGenerate: false },
      db: sqliteAdapter({ client: { url: `file:${join(folder, "shared.db")}` }, push }),
      admin: { user: "users" },
      collections: [{ slug: "users", auth: true, fields: [] }],
      plugins: [
        cfForms({ can: () => true, database: "site", files: diskFiles(join(folder, "more")), queueIntervalMs: 0 }),
      ],
    });
  await assert.rejects(async () => getPayload({ config: await siteOf(true), key: "pushing" }), /needs `push: false`/);
  const started = await getPayload({ config: await siteOf(false), key: "not pushing" });
  const response = await handleEndpoints({
    config: await siteOf(false),
    request: new Request(`${SITE}/api/cf/v1/forms`),
  });
  assert.deepEqual([response.status, (await response.json()).code], [403, "rest_forbidden"]);
  await started.destroy();
});

after(() => rmSync(folder, { recursive: true }));
