/** Spam checks by external services, each over its own protocol, and submissions that are marked as not spam. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { items, member, startSite, type JsonValue, type Site } from "./site.ts";
import { SECRET, startVerifiers, type VerifierServer } from "./verifier-server.ts";

const MARKUP = '<input type="email" name="email"><textarea name="message"></textarea>';

let verifiers: VerifierServer;
let site: Site;

before(async () => {
  verifiers = await startVerifiers();
  site = await startSite({ host: { http: verifiers.http } });
});

after(async () => {
  await site?.close();
  await verifiers?.close();
});

async function createForm(settings: object): Promise<string> {
  const { status, body } = await site.api("POST", "/forms", { title: "Contact", markup: MARKUP, settings });
  assert.equal(status, 201, JSON.stringify(body));
  return String(member(body, "slug"));
}

/** Submits; returns the submission as its owner sees it. */
async function submit(slug: string, answers: Readonly<Record<string, string>>): Promise<JsonValue> {
  const response = await fetch(`${site.url}/forms/${slug}`, {
    method: "POST",
    headers: { accept: "application/json", "user-agent": "Browser/1" },
    body: new URLSearchParams({ email: "ann@example.org", message: "Hello", ...answers }),
  });
  assert.equal(response.status, 200, "the response to spam looks like success");
  const id = member(JSON.parse(await response.text()), "submission_id");
  return (await site.api("GET", `/submissions/${id}`)).body;
}

const verdict = (submission: JsonValue) => [
  member(submission, "status"),
  member(submission, "spam_score"),
  member(submission, "spam_reasons"),
];

const CAPTCHAS = [
  ["turnstile", "cf-turnstile-response"],
  ["hcaptcha", "h-captcha-response"],
  ["recaptcha", "g-recaptcha-response"],
] as const;

for (const [type, input] of CAPTCHAS) {
  describe(type, () => {
    it("accepts a token once; without a token, or with a used or invented one, the submission is spam", async () => {
      const slug = await createForm({ spam_checks: [{ type, site_key: "key-1", secret: SECRET }] });
      const token = verifiers.issue();
      assert.deepEqual(verdict(await submit(slug, { [input]: token })), ["new", 0, []]);
      const [request] = verifiers.received.slice(-1);
      assert.deepEqual(request?.body, { secret: SECRET, response: token, remoteip: "192.0.2.1" });
      assert.deepEqual(verdict(await submit(slug, { [input]: token })), ["spam", 90, [type]]);
      assert.deepEqual(verdict(await submit(slug, { [input]: "made-up" })), ["spam", 90, [type]]);
      const before = verifiers.received.length;
      assert.deepEqual(verdict(await submit(slug, {})), ["spam", 80, [`${type}_missing`]]);
      assert.equal(verifiers.received.length, before, "the service is not asked about a missing token");
    });

    it("treats no submission as spam when the site's secret is wrong, and logs that", async () => {
      site.faults.length = 0;
      const slug = await createForm({ spam_checks: [{ type, secret: "wrong" }] });
      assert.deepEqual(verdict(await submit(slug, { [input]: verifiers.issue() })), ["new", 0, []]);
      assert.match(site.faults.join(), new RegExp(`the spam check ${type} could not be made.*invalid-input-secret`));
    });
  });
}

it("reCAPTCHA's score is compared with the form's", async () => {
  const slug = await createForm({ spam_checks: [{ type: "recaptcha", secret: SECRET, min_score: 0.7 }] });
  verifiers.score = 0.6;
  const low = await submit(slug, { "g-recaptcha-response": verifiers.issue() });
  assert.deepEqual(verdict(low), ["spam", 80, ["recaptcha_score:0.6"]]);
  verifiers.score = 0.7;
  assert.deepEqual(verdict(await submit(slug, { "g-recaptcha-response": verifiers.issue() })), ["new", 0, []]);
});

describe("akismet", () => {
  const spam = { email: "akismet-guaranteed-spam@example.com" };

  it("gets the answers and the visitor's data", async () => {
    const slug = await createForm({ spam_checks: [{ type: "akismet", api_key: SECRET }] });
    assert.deepEqual(verdict(await submit(slug, {})), ["new", 0, []]);
    assert.deepEqual(verdict(await submit(slug, spam)), ["spam", 90, ["akismet"]]);
    assert.deepEqual(verdict(await submit(slug, { ...spam, message: "blatant" })), ["spam", 100, ["akismet"]]);
    const [request] = verifiers.received.slice(-1);
    assert.equal(member(request?.body, "blog"), site.url);
    assert.equal(member(request?.body, "user_agent"), "Browser/1");
    assert.equal(member(request?.body, "comment_type"), "contact-form");
  });

  it("treats no submission as spam when the key is wrong, and logs that", async () => {
    site.faults.length = 0;
    const slug = await createForm({ spam_checks: [{ type: "akismet", api_key: "wrong" }] });
    assert.deepEqual(verdict(await submit(slug, spam)), ["new", 0, []]);
    assert.match(site.faults.join(), /the spam check akismet could not be made.*it responded with 200: invalid/);
  });
});

it("leaving spam runs the withheld actions, only once", async () => {
  const slug = await createForm({
    spam_checks: [{ type: "deny_list", words: "casino" }],
    actions: [{ type: "email", to: "desk@example.org" }, { type: "autoresponder" }],
  });
  const submission = await submit(slug, { message: "CASINO" });
  assert.deepEqual(verdict(submission), ["spam", 90, ["deny_list"]]);
  const mails = async () => {
    await site.forms.runQueue();
    return site.mails.map(({ to }) => to.join());
  };
  assert.deepEqual(await mails(), []);
  const set = async (status: string) => {
    const { body } = await site.api("PATCH", `/submissions/${member(submission, "id")}`, { status });
    return [member(body, "status"), member(body, "is_spam")];
  };
  assert.deepEqual(await set("new"), ["new", false]);
  assert.deepEqual((await mails()).sort(), ["ann@example.org", "desk@example.org"]);
  assert.deepEqual(await set("spam"), ["spam", true]);
  assert.deepEqual(await set("archived"), ["archived", false]);
  assert.equal((await mails()).length, 2, "no action runs twice");
  const logs = items((await site.api("GET", `/action-logs?submission_id=${member(submission, "id")}`)).body);
  assert.deepEqual(
    logs.map((line) => member(line, "status")),
    ["success", "success"],
  );
});
