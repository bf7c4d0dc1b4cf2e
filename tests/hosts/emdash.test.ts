/**
 * The example's EmDash site in production: the main job, the database suite, sign-in, switching the plugin off, and a
 * form placed on a page.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { databaseCases } from "cf-forms/conformance";
import type { Browser, Page } from "playwright-core";
import { launchChromium, noChromium } from "../browser/chromium.ts";
import { freePort } from "../free-port.ts";
import { hostsPath } from "./guide.ts";
import { buildSite, folder, startSite, type EmDashSite } from "./emdash-site.ts";
import { testsOf } from "./host-table.ts";
import { testMainJob } from "./main-job.ts";
import { assertInstalled } from "./recipe.ts";
import { CALLERS } from "../shim/callers.ts";
import { playScenario, scenarioFiles } from "../shim/scenarios.ts";

const port = await freePort();
const url = `http://localhost:${port}`;

describe("EmDash", () => {
  let site: EmDashSite;
  let token: string;
  let browser: Browser | undefined;
  let page: Page;
  const credentials: Record<string, string> = {};
  before(async () => {
    buildSite(url);
    site = await startSite(port);
    // Only the first user sees the setup wizard.
    if (noChromium === false) {
      browser = await launchChromium(() => true);
      page = await browser.newPage();
      await setUp(page);
    }
    token = site.makeToken("tester", 50);
    credentials["authorization"] = `Bearer ${token}`;
  });
  after(async () => {
    await browser?.close();
    await site?.stop();
  });

  const host = {
    rest: `${url}/_emdash/cf/v1`,
    front: `${url}/forms`,
    credentials,
    fetch: (request: Request) => fetch(request),
    async runQueue() {
      const until = Date.now() + 20_000;
      while ((site.lines("mails.txt").length < 3 || site.lines("notes.txt").length < 2) && Date.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    mails: () => site.lines("mails.txt"),
    notes: () => site.lines("notes.txt"),
  };
  const testHost = testsOf("EmDash");
  testHost("install", "it is installed from the tarball, and starts", () => assertInstalled(folder));
  testMainJob("EmDash", host, (step) => {
    // This is the last step that needs the queue entry.
    if (step.includes("is retried")) testHost("queue", "EmDash's cron runs the retry", retryRuns);
  });
  async function retryRuns(): Promise<void> {
    site.run(["UPDATE cf_action_queue SET due_at = 0 WHERE status = 'retrying'"]);
    const until = Date.now() + 15_000;
    while (site.lines("notes.txt").length < 3 && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(site.lines("notes.txt").length, 3);
  }

  for (const [index, { name, optional }] of databaseCases.entries()) {
    const skip = optional === "columns of one name" ? "Kysely gives rows as objects" : false;
    test(`its database: ${name}`, { skip }, async () => {
      assert.equal(await (await fetch(`${url}/conformance/${index}`)).text(), "passed");
    });
  }

  const list = (headers: Record<string, string>) => fetch(`${url}/_emdash/cf/v1/forms`, { headers });

  testHost("sign-in", "a wrong token is reported", async () => {
    const response = await list({ authorization: `Bearer ec_pat_${"x".repeat(43)}` });
    assert.deepEqual([response.status, (await response.json()).code], [401, "rest_invalid_token"]);
    const basic = Buffer.from(`anyone:${token}`).toString("base64");
    assert.equal((await list({ authorization: `Basic ${basic}` })).status, 200);
  });

  test("an OAuth token is valid until it expires", async () => {
    const statusOf = async (expires: Date) =>
      (await list({ authorization: `Bearer ${site.makeOAuthToken("tester", expires)}` })).status;
    assert.deepEqual([await statusOf(new Date(Date.now() + 60_000)), await statusOf(new Date(0))], [200, 401]);
  });

  describe("in a browser", { skip: noChromium }, () => {
    before(async () => {
      const made = await fetch(`${url}/_emdash/cf/v1/forms`, {
        method: "POST",
        headers: { ...credentials, "content-type": "application/json" },
        body: JSON.stringify({
          title: "Contact",
          markup: "<label>Name <input name=name required></label><button>Send</button>",
        }),
      });
      assert.equal(made.status, 201);
    });

    testHost("admin", "an administrator who signed in by passkey finds the forms in the admin", async () => {
      await page.goto(`${url}/_emdash/admin/plugins/cf-forms/`);
      await page.getByText("Contact", { exact: true }).first().waitFor();
    });

    testHost("sign-in", "a session needs its nonce", async () => {
      const statuses = await page.evaluate(async () => {
        const nonce = await (await fetch("/_emdash/cf/nonce")).text();
        const ask = async (headers: Record<string, string>) =>
          (await fetch("/_emdash/cf/v1/forms", { headers })).status;
        return [await ask({}), await ask({ "x-wp-nonce": "wrong" }), await ask({ "x-wp-nonce": nonce })];
      });
      assert.deepEqual(statuses, [403, 403, 200]);
      assert.equal((await fetch(`${url}/_emdash/cf/nonce`)).status, 403);
    });

    test("a form that is placed on a page is sent", async () => {
      await page.goto(`${url}/_emdash/admin/content/pages/new`);
      await page.getByLabel("Title").fill("Write to us");
      await page.locator("[contenteditable=true]").click();
      await page.keyboard.type("/form");
      await page.getByText("A form of the site").click();
      await page.getByRole("combobox", { name: "Form" }).click();
      await page.getByRole("option", { name: "Contact" }).click();
      await page
        .getByRole("button", { name: /^(insert|save|add)$/i })
        .last()
        .click();
      await page.getByRole("button", { name: "Save" }).first().click();
      await page.getByRole("button", { name: "Publish", exact: true }).click();
      const address = `${url}/write-to-us`;
      await untilServed(address);
      await page.goto(address);
      await page.getByLabel("Name").fill("Ann");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("status").getByText(/thank/i).waitFor();
    });

    test("the component of docs/embedding.md is a link without script, and a form with events with script", async () => {
      const html = await (await fetch(`${url}/embedding`)).text();
      assert.match(
        html,
        /<cf-form slug="contact" title="Contact us"[^>]*><a href="[^"]*\/forms\/contact">Contact us<\/a><\/cf-form>/,
      );
      const notified = page.waitForEvent("console", (message) => /^\d+$/.test(message.text()));
      await page.goto(`${url}/embedding`);
      const form = page.locator("cf-form form");
      await form.getByLabel("Name").fill("Ann");
      // A submit right after the page's load counts as a robot's.
      await page.waitForTimeout(300);
      await form.getByRole("button").click();
      await notified;
    });
  });

  const CANNOT: Readonly<Record<string, string>> = {
    "a reader of submissions has access to nothing else": "EmDash has no role that only reads",
    "answers are summed and follow edits, spam and deletion": "EmDash has no role that only reads",
    "the views of an inbox are counted, and several statuses are listed at once": "EmDash has no role that only reads",
    "names of every kind are found in the path": "Astro refuses a path that is no UTF-8",
    "at most three mails for what was saved": "the site has no public URL, so mails carry no links",
    "a form is published, a draft or closed, and has the URL of its page":
      "visitors are known by their session, not by a token",
  };
  describe("the scenarios", () => {
    const tokens = new Map<string, string>();
    before(() => {
      for (const [name, role] of Object.entries({ administrator: 50, "editor-without-html": 40, subscriber: 10 })) {
        tokens.set(name, site.makeToken(CALLERS[name]?.login ?? "", role));
      }
    });
    const credentialsOf = (caller: string): Record<string, string> =>
      tokens.has(caller) ? { authorization: `Bearer ${tokens.get(caller)}` } : {};
    const loginOf = (login: string) => `${login}@example.org`;
    const fetchAs = (request: Request) => {
      request.headers.set("x-forwarded-for", "192.0.2.1");
      return fetch(request);
    };
    for (const { file, scenarios } of scenarioFiles()) {
      for (const scenario of scenarios) {
        test(`${file}: ${scenario.name}`, {
          skip: scenario.queue_rests ? "EmDash's cron runs what waits" : (CANNOT[scenario.name] ?? false),
        }, async () => {
          assert.equal((await fetch(`${url}/reset`, { method: "POST" })).status, 200);
          await playScenario(scenario, {
            rest: `${url}/_emdash/cf/v1`,
            front: `${url}/forms`,
            loginOf,
            fetch: fetchAs,
            credentialsOf,
          });
        });
      }
    }
  });

  test("in development a form is created, placed and sent", async () => {
    await site.stop();
    site = await startSite(port, { keep: true, isDeveloped: true });
    const made = await fetch(`${url}/_emdash/cf/v1/forms`, {
      method: "POST",
      headers: { ...credentials, "content-type": "application/json" },
      body: JSON.stringify({
        title: "Draft",
        slug: "under-development",
        markup: "<label>Name <input name=name></label>",
      }),
    });
    assert.equal(made.status, 201, await made.text());
    assert.match(await (await fetch(`${url}/forms/under-development`)).text(), /name="?name/);
    const sent = await fetch(`${url}/forms/under-development`, {
      method: "POST",
      body: new URLSearchParams({ name: "Ann" }),
      redirect: "manual",
    });
    assert.equal(sent.status, 303);
    await site.stop();
    site = await startSite(port, { keep: true });
  });

  test("a plugin that is switched off in the admin responds with 404 and runs nothing; switched on again, it works", async () => {
    const post = (path: string, body?: unknown) =>
      fetch(url + path, {
        method: "POST",
        headers: { ...credentials, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const form = { title: "Off", slug: "off", markup: "<input name=name>", settings: { actions: [{ type: "note" }] } };
    const made = await post("/_emdash/cf/v1/forms", form);
    assert.equal(made.status, 201);
    const { id } = (await made.json()) as { id: number };
    assert.equal((await post("/forms/off", { name: "Before" })).status, 200);
    const notes = () => site.lines("notes.txt").length;
    const first = notes();
    // The action of a fresh process fails once, and is due again while the plugin is off.
    const entry = "action_type = 'note' AND status = 'retrying'";
    await until(async () => (await queued()).some(({ status }) => status === "retrying"));

    assert.equal((await post("/_emdash/api/admin/plugins/cf-forms/disable")).status, 200);
    site.run([`UPDATE cf_action_queue SET due_at = 0 WHERE ${entry}`]);
    const statuses = await Promise.all([
      list(credentials),
      post("/_emdash/cf/v1/forms", form),
      fetch(`${url}/_emdash/cf/nonce`),
      fetch(`${url}/forms/off`),
      post("/forms/off", { name: "Meanwhile" }),
    ]);
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [404, 404, 404, 404, 404],
    );
    // EmDash's cron runs another plugin meanwhile.
    assert.equal((await post("/_emdash/api/plugins/mail-sink/boot", {})).status, 200);
    await until(async () => site.lines("ticks.txt").length >= 3);
    assert.equal(notes(), first);

    assert.equal((await post("/_emdash/api/admin/plugins/cf-forms/enable")).status, 200);
    assert.equal((await list(credentials)).status, 200);
    await until(async () => notes() === first + 1);
    assert.equal((await queued()).length, 1);

    async function queued(): Promise<{ readonly status: string }[]> {
      const response = await fetch(`${url}/_emdash/cf/v1/action-queue?form_id=${id}`, { headers: credentials });
      return (await response.json()) as { status: string }[];
    }
  });

  test("it imports only public modules of EmDash", () => {
    const { exports } = JSON.parse(readFileSync(join(folder, "node_modules/emdash/package.json"), "utf8"));
    const sources = hostsPath("../../host-shim/hosts/emdash");
    const imported = readdirSync(sources).flatMap((name) =>
      [...readFileSync(join(sources, name), "utf8").matchAll(/(?:from|module) "emdash(\/[^"]+)?"/g)].map(
        ([, path = ""]) => `.${path}`,
      ),
    );
    assert.deepEqual([...new Set(imported)].sort(), [".", "./middleware"]);
    assert.deepEqual(
      imported.filter((path) => !(path in exports)),
      [],
    );
  });
});

/** Completes EmDash's setup wizard with a passkey of a virtual authenticator. */
async function setUp(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`${url}/_emdash/admin/setup`);
  await page.getByLabel("Site Title").fill("Site");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Your Email").fill("owner@example.org");
  await page.getByLabel("Your Name").fill("Admin");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Create Passkey" }).click();
  const signIn = page.getByRole("button", { name: "Sign in with Passkey" });
  await signIn.waitFor();
  // A click right after the passkey was made can have no effect, so it is repeated.
  await until(async () => {
    await signIn.click({ timeout: 1_000 }).catch(() => undefined);
    return page.waitForURL(/\/_emdash\/admin\/?$/, { timeout: 3_000 }).then(
      () => true,
      () => false,
    );
  });
  const welcome = page.getByRole("button", { name: "Get Started" });
  await page.addLocatorHandler(welcome, () => welcome.click());
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await isReached())) {
    assert.ok(Date.now() < end, "the state is not reached");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function untilServed(address: string): Promise<void> {
  const until = Date.now() + 10_000;
  while (Date.now() < until) {
    if ((await fetch(address)).ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`nothing is served at ${address}`);
}
