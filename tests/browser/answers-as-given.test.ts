/**
 * Every answer is stored as it was given. A browser fills in a form of each kind, with and without the visitor's
 * script. The answers as sent, as stored, in a mail through a real SMTP server (text and HTML) and in an export are
 * equal. Each row is a kind of answer.
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { smtpMailer, type SmtpMailer } from "../../host-shim/adapters/smtp.ts";
import { items, member, startSite, type Site } from "../shim/site.ts";
import { startSmtp, type SmtpServer } from "../shim/smtp-server.ts";
import { ROWS } from "./answers-as-given-rows.ts";
import { launchChromium, noChromium } from "./chromium.ts";

/** The columns of an export before the answers. */
const FIXED_COLUMNS = 9;

const unquoted = (cell: string): string => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);

const isFilled = (line: string): boolean => line !== "";

/** Returns the lines of a mail's text that are not empty. */
const linesOf = (text: string | null | undefined): readonly string[] => (text ?? "").split(/\r?\n/).filter(isFilled);

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

async function exportOf(form: string): Promise<Record<string, string>> {
  const address = `${site.url}/api/cf/v1${form}/submissions/export?format=csv&labels=true&separator=tab`;
  const csv = await (await fetch(address, { headers: { "x-test-caller": "administrator" } })).text();
  const [header = [], cells = [], ...more] = csv
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split("\t").slice(FIXED_COLUMNS).map(unquoted));
  assert.deepEqual(more, [], "one submission");
  return Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""]));
}

async function rename(form: string, [former, name]: readonly [string, string]): Promise<void> {
  if ((await site.api("GET", `${form}/schema`)).status === 404) await site.api("POST", `${form}/schema/generate`);
  const renamed = await site.api("PATCH", `${form}/fields/${former}`, { name });
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
}

let smtp: SmtpServer;
let mailer: SmtpMailer;
/** The answers of the last submit, as `name=value`. */
let sent: readonly string[] = [];
let site: Site;
let browser: Browser;

describe("answers are stored as they were given, in Chromium", { skip: noChromium }, () => {
  before(async () => {
    smtp = await startSmtp();
    mailer = smtpMailer(smtp.url);
    site = await startSite({ host: { mailer } });
    const respond = site.forms.fetch.bind(site.forms);
    site.forms.fetch = async (request) => {
      if (request.method === "POST" && new URL(request.url).pathname.startsWith("/forms/row-")) {
        const form = await request.clone().formData();
        sent = [...form]
          .filter(([name]) => !/^_(?:cf|submission)_/.test(name))
          .map(([name, value]) => `${name}=${typeof value === "string" ? value : value.name}`);
      }
      return respond(request);
    };
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    await site?.close();
    mailer?.close();
    await smtp?.close();
  });

  for (const [index, row] of ROWS.entries()) {
    for (const javaScriptEnabled of [true, false]) {
      it(`${row.kind} (${javaScriptEnabled ? "with" : "without"} script)`, async () => {
        const slug = `row-${index}-${javaScriptEnabled}`;
        const content =
          typeof row.form === "string" ? { markup: row.form } : { schema: { version: 1, fields: row.form } };
        const mail = { type: "email", to: "desk@example.org", subject: slug, message: "[all]" };
        const plain = { ...mail, content_type: "text/plain" };
        const made = await site.api("POST", "/forms", {
          title: "As given",
          slug,
          settings: { actions: [mail, plain] },
          ...content,
        });
        assert.equal(made.status, 201, JSON.stringify(made.body));
        sent = [];
        const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
        // Files are sent with the form, so that their names are visible in its body.
        await page.route("**/files", (route) => route.fulfill({ status: 404, body: "{}" }));
        await page.goto(`${site.url}/forms/${slug}`);
        await row.fill?.(page);
        await page.getByRole("button", { name: row.button ?? "Send", exact: true }).click();
        await page.getByText("Thank you").waitFor();
        await page.context().close();
        assert.deepEqual(sent, (javaScriptEnabled ? row.sentByScript : undefined) ?? row.sent);
        const form = `/forms/${Number(member(made.body, "id"))}`;
        const list = await site.api("GET", `${form}/submissions`);
        const stored = (javaScriptEnabled ? row.storedByScript : undefined) ?? row.stored;
        assert.deepEqual(member(items(list.body)[0] ?? null, "data"), stored);
        if (row.renamed !== undefined) await rename(form, row.renamed);
        await site.forms.runQueue();
        const [html, text] = smtp.mails.splice(0).sort((a, b) => Number(a.html === null) - Number(b.html === null));
        assert.deepEqual(
          {
            mailed: linesOf(text?.text),
            aside: linesOf(html?.text),
            html: linesOf(html?.html),
            exported: await exportOf(form),
          },
          {
            mailed: row.mailed,
            aside: row.mailed,
            html: row.mailed.map(escaped).join("<br>\n").split("\n").filter(isFilled),
            exported: row.exported,
          },
        );
      });
    }
  }

  it("a web address is a text with the URL keyboard without script, and a URL input with script", async () => {
    await site.api("POST", "/forms", {
      title: "Keys",
      slug: "keys",
      markup: `<input type="url" name="a" aria-label="A"><input type=URL name="b" aria-label="B" inputmode="text">`,
    });
    await site.api("POST", "/forms", {
      title: "Keys",
      slug: "keys-2",
      schema: {
        version: 1,
        fields: [
          { name: "a", type: "url", label: "A" },
          { name: "b", type: "url", label: "B", attributes: { inputmode: "text" } },
        ],
      },
    });
    for (const slug of ["keys", "keys-2"]) {
      for (const javaScriptEnabled of [true, false]) {
        const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
        await page.goto(`${site.url}/forms/${slug}`);
        const found = await page
          .locator("[name=a], [name=b]")
          .evaluateAll((inputs) =>
            inputs.map((input) => `${(input as HTMLInputElement).type} ${input.getAttribute("inputmode")}`),
          );
        assert.deepEqual(found, javaScriptEnabled ? ["url url", "url text"] : ["text url", "text text"], slug);
        await page.context().close();
      }
    }
  });

  it("an untouched range is marked as unanswered, and a required one must be answered", async () => {
    const fields = [{ name: "r", type: "range", label: "How loud?", required: true }];
    await site.api("POST", "/forms", { title: "Range", slug: "range", schema: { version: 1, fields } });
    const page = await browser.newPage();
    await page.goto(`${site.url}/forms/range`);
    assert.equal(await page.locator("output").textContent(), "–");
    await page.getByRole("button", { name: "Send" }).click();
    assert.match((await page.locator(".cf-error").textContent()) ?? "", /This field is required/);
    await page.locator("[name=r]").click();
    assert.equal(await page.locator("output").textContent(), "50");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Thank you").waitFor();
    await page.close();
  });
});
