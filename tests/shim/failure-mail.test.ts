/** Mails to administrators about an action that keeps failing, through the real engine and a real SMTP server. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createForms } from "../../host-shim/src/index.ts";
import { ADMIN, APP_PASSWORD, basic, startTestHost, type TestHost } from "./embedded-fixture.ts";
import { startSmtp, type SmtpServer } from "./smtp-server.ts";

const MAIL = "/api/cf-host/v1/mail";
const DAY_MS = 86_400_000;

async function call<Body>(host: TestHost, method: string, path: string, body?: unknown): Promise<Body> {
  const response = await fetch(host.url + path, {
    method,
    headers: { "content-type": "application/json", ...basic(ADMIN.login, APP_PASSWORD) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${text}`);
  return JSON.parse(text) as Body;
}

interface Site {
  readonly host: TestHost;
  readonly smtp: SmtpServer;
  /** Submits the form, whose action fails, and waits for the failure's log entry. */
  readonly fail: () => Promise<void>;
}

interface SiteOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Name of the action. */
  readonly name?: string;
}

async function startSite(t: TestContext, { environment = {}, name = "" }: SiteOptions = {}): Promise<Site> {
  const smtp = await startSmtp();
  t.after(() => smtp.close());
  const host = await startTestHost(t, { createForms, environment });
  for (const { id } of await host.users.list()) await host.users.change(id, { email: "ann@example.org" });
  await call(host, "PUT", MAIL, { host: "127.0.0.1", port: Number(new URL(smtp.url).port), security: "none" });
  const actions = [{ type: "webhook", action_name: name, url: "https://127.0.0.1:9/none" }];
  const form = await call<{ readonly slug: string }>(host, "POST", "/api/cf/v1/forms", {
    title: "Contact",
    markup: '<p><label>Name <input name="name"></label></p><p><button>Send</button></p>',
    settings: { actions },
  });
  const fail = async () => {
    const countOf = async () =>
      (await call<{ readonly failed: number }>(host, "GET", "/api/cf/v1/action-logs/stats")).failed;
    const before = await countOf();
    const body = new FormData();
    body.append("name", "Ada");
    host.clock.time += 61_000;
    const response = await fetch(`${host.url}/forms/${form.slug}`, {
      method: "POST",
      headers: { accept: "application/json" },
      body,
    });
    assert.equal(response.status, 200, await response.text());
    while ((await countOf()) === before) await setTimeout(20);
  };
  return { host, smtp, fail };
}

test("administrators get a mail after three failures in a row, once a day, until they turn it off", async (t) => {
  const { host, smtp, fail } = await startSite(t, { name: "Tell the CRM" });
  for (let count = 0; count < 3; count += 1) await fail();
  while (smtp.mails.length < 1) await setTimeout(20);
  const [mail] = smtp.mails;
  assert.deepEqual(mail?.recipients, ["ann@example.org"]);
  assert.equal(mail.headers["subject"], "Deliveries fail: Contact");
  assert.match(mail.text, /“Tell the CRM” of the form “Contact” failed three times in a row\./);
  assert.match(mail.text, /at most once a day for each action/);
  // No further mail is sent on the same day; the second mail is sent on the next day.
  await fail();
  host.clock.time += DAY_MS;
  await fail();
  while (smtp.mails.length < 2) await setTimeout(20);

  const off = await call<{ readonly failure_mails: boolean }>(host, "PUT", MAIL, { failure_mails: false });
  assert.equal(off.failure_mails, false);
  host.clock.time += DAY_MS;
  await fail();
  await host.close();
  assert.equal(smtp.mails.length, 2);
});

test("an action without a name is called by its type's label", async (t) => {
  const { smtp, fail } = await startSite(t);
  for (let count = 0; count < 3; count += 1) await fail();
  while (smtp.mails.length < 1) await setTimeout(20);
  assert.match(smtp.mails[0]?.text ?? "", /The action “Webhook” of the form “Contact” failed/);
});

test("FAILURE_MAILS=off turns the mails off, even if the stored setting is on", async (t) => {
  const { host, smtp, fail } = await startSite(t, { environment: { FAILURE_MAILS: "off" } });
  const settings = await call<{ readonly failure_mails: boolean; readonly set_by: readonly string[] }>(
    host,
    "PUT",
    MAIL,
    { failure_mails: true },
  );
  assert.deepEqual([settings.failure_mails, settings.set_by], [false, ["FAILURE_MAILS"]]);
  for (let count = 0; count < 4; count += 1) await fail();
  await host.close();
  assert.deepEqual(smtp.mails, []);
});
