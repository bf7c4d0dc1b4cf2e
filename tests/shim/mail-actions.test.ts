/** Mails of a real site through a real SMTP server, sent by the queue and by the route that tests actions. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { smtpMailer, type SmtpMailer } from "../../host-shim/adapters/smtp.ts";
import { items, member, startSite, type JsonValue, type Site } from "./site.ts";
import { startSmtp, type SmtpServer } from "./smtp-server.ts";

const MARKUP =
  '<label>Email <input type="email" name="email"></label><label>Name <input name="name"></label>' +
  '<label>Topic <input name="topic"></label><label>Message <textarea name="message"></textarea></label>';
const ANN = { email: "ann@example.org", name: "Ann <b>", topic: "sales", message: "one\ntwo & three" };

/** Every sequence that a mailer might treat as a line break, before an injected header. */
const LINE_BREAKS = ["\r\n", "\n", "\r", "\u0085", "\u2028", "%0d%0a", "\\r\\n", "\0\n"];

let smtp: SmtpServer;
let mailer: SmtpMailer;
let site: Site;

before(async () => {
  smtp = await startSmtp();
  mailer = smtpMailer(smtp.url);
  site = await startSite({ host: { mailer }, forms: { submissionUrl: "/admin/inbox?open={id}" } });
});

after(async () => {
  await site?.close();
  mailer?.close();
  await smtp?.close();
});

beforeEach(() => {
  smtp.mails.length = 0;
});

async function createForm(...actions: object[]): Promise<{ id: number; slug: string }> {
  const { status, body } = await site.api("POST", "/forms", {
    title: "Contact",
    markup: MARKUP,
    settings: { actions },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return { id: Number(member(body, "id")), slug: String(member(body, "slug")) };
}

/** Submits and runs the queue; returns the lines of the log, in the order of the actions. */
async function submit({ id, slug }: { id: number; slug: string }, answers: object): Promise<string[]> {
  const response = await fetch(`${site.url}/forms/${slug}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(answers),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  await site.forms.runQueue();
  const submission = member(JSON.parse(text), "submission_id");
  const logs = items((await site.api("GET", `/action-logs?form_id=${id}&submission_id=${submission}`)).body);
  return logs
    .sort((a, b) => Number(member(a, "queue_id")) - Number(member(b, "queue_id")))
    .map((line) => `${member(line, "status")}: ${member(line, "message")}`);
}

describe("the email action", () => {
  const full = {
    type: "email",
    to: 'desk@example.org; "Sales, North" <sales@example.org>, [email]',
    cc: "Copy <copy@example.org>",
    bcc: "blind@example.org",
    from: "[name] <forms@example.org>",
    reply_to: "[name] <[email]>",
    subject: "From [name]: Grüße",
    message: "<p>Hello [name]</p><p>[message]</p>",
    headers: "X-Form: [CF_FORM_TITLE] #[CF_FORM_ID]",
  };

  it("applies all its settings", async () => {
    const form = await createForm(full);
    assert.match((await submit(form, ANN)).join(), /^success: Accepted by the mail server for desk@example\.org, /);
    const [mail, ...others] = smtp.mails;
    assert.ok(mail !== undefined && others.length === 0);
    assert.deepEqual(mail.recipients, [
      "desk@example.org",
      "sales@example.org",
      "ann@example.org",
      "copy@example.org",
      "blind@example.org",
    ]);
    const { headers } = mail;
    assert.equal(headers["to"], 'desk@example.org, "Sales, North" <sales@example.org>, ann@example.org');
    assert.equal(headers["cc"], "Copy <copy@example.org>");
    assert.equal(headers["bcc"], undefined);
    assert.equal(headers["from"], "Ann <b> <forms@example.org>");
    assert.match(headers["reply-to"] ?? "", /<ann@example\.org>$/);
    assert.equal(headers["subject"], "From Ann <b>: Grüße");
    assert.equal(headers["x-form"], `Contact #${form.id}`);
    assert.equal(headers["auto-submitted"], "auto-generated");
    assert.match(headers["message-id"] ?? "", /^<[\w-]+@127\.0\.0\.1>$/);
    assert.equal(mail.html?.trim(), "<p>Hello Ann &lt;b&gt;</p><p>one<br>\ntwo &amp; three</p>");
    assert.equal(mail.text.trim(), "Hello Ann <b>\n\none\ntwo & three");
  });

  it("sends all answers in a frame by default, with a link for the owner only", async () => {
    const { id, slug } = await createForm(
      { type: "email", to: "desk@example.org" },
      { type: "autoresponder", email_field: "email" },
    );
    await submit({ id, slug }, { ...ANN, topic: "" });
    const [submission] = items((await site.api("GET", `/submissions?form_id=${id}`)).body);
    const [toOwner, toVisitor] = ["desk@example.org", "ann@example.org"].map((to) =>
      smtp.mails.find(({ recipients }) => recipients?.includes(to)),
    );
    const link = `${site.url}/admin/inbox?open=${member(submission, "id")}`;
    assert.match(
      toOwner?.text ?? "",
      /^Contact\n\nEmail: ann@example\.org\nName: Ann <b>\nMessage: one\ntwo & three\n\nOpen submission\n\S+\n\n127\.0\.0\.1:\d+ · \d+ \w+ \d{4} \d\d:\d\d \(UTC\)\s*$/,
    );
    assert.ok(toOwner?.text.includes(`\n${link}\n`), toOwner?.text);
    const html = toOwner?.html ?? "";
    assert.match(html, /^<!doctype html>\n<html lang="en" dir="ltr">/);
    assert.match(html, /<h1 [^>]*>Contact<\/h1>\n<table /);
    assert.match(html, />Name<\/th><td [^>]*>Ann &lt;b&gt;<\/td>/);
    assert.doesNotMatch(html, />Topic</);
    assert.ok(html.includes(` href="${link}" `), html);
    assert.match(toVisitor?.html ?? "", /Thank you\./);
    assert.doesNotMatch(`${toVisitor?.html} ${toVisitor?.text}`, /Open submission|admin/);
  });

  it("sends only plain text if the form says so", async () => {
    await submit(
      await createForm({ type: "email", to: "desk@example.org", content_type: "text/plain", message: "Hi [name] <3" }),
      ANN,
    );
    const [mail] = smtp.mails;
    assert.deepEqual([mail?.text.trim(), mail?.html], ["Hi Ann <b> <3", null]);
    assert.match(mail?.headers["content-type"] ?? "", /^text\/plain/);
  });

  it("allows no answer to add a header or a recipient", async () => {
    const form = await createForm({
      ...full,
      to: "desk@example.org, [topic]",
      cc: "[topic]",
      bcc: "[message]",
      headers: "X-Form: [name]\nX-[name]: 1",
    });
    await submit(form, { ...ANN, topic: "", message: "" });
    const names = Object.keys(smtp.mails[0]?.headers ?? {}).sort();
    smtp.mails.length = 0;
    for (const end of LINE_BREAKS) {
      for (const header of ["Bcc: victim@example.com", "Subject: Win", `${end}<p>A body of its own</p>`]) {
        const evil = `Ann${end}${header}`;
        const lines = await submit(form, {
          email: "ann@example.org",
          name: evil,
          topic: `ann@example.org${end}${header}`,
          message: "a@example.org, victim@example.com",
        });
        assert.match(
          lines.join(),
          /^success: Accepted by the mail server for desk@example\.org\./,
          JSON.stringify(evil),
        );
        const mail = smtp.mails.pop();
        assert.deepEqual(mail?.recipients, ["desk@example.org"], JSON.stringify(evil));
        assert.deepEqual(Object.keys(mail.headers).sort(), names, JSON.stringify(evil));
        assert.ok(!/[\r\n]/.test(mail.headers["subject"] ?? ""), JSON.stringify(mail.headers));
      }
    }
  });

  it("goes to the recipients that the conditions choose", async () => {
    const to = (topic: string) => ({
      type: "email",
      to: `${topic}@example.org`,
      conditions: [{ field: "topic", operator: "equals", value: topic }],
    });
    const form = await createForm(to("sales"), to("help"));
    for (const topic of ["sales", "help"]) {
      const lines = await submit(form, { ...ANN, topic });
      assert.deepEqual(
        smtp.mails.splice(0).map(({ recipients }) => recipients),
        [[`${topic}@example.org`]],
      );
      assert.deepEqual(lines.toSorted(), [
        "skipped: The conditions were not met.",
        `success: Accepted by the mail server for ${topic}@example.org.`,
      ]);
    }
  });

  it("names invalid addresses, and fails with the message of a server that rejects the mail", async () => {
    const [line] = await submit(await createForm({ type: "email", to: "desk@example.org, nobody" }), ANN);
    assert.equal(line, "success: Accepted by the mail server for desk@example.org. “nobody” is not an email address.");
    const picky = await startSmtp({
      onRcptTo: (_address, _session, callback) => callback(new Error("no such mailbox")),
    });
    const toPicky = smtpMailer(picky.url);
    const mailSite = await startSite({ host: { mailer: toPicky } });
    const report = await mailSite.api("POST", "/actions/test", {
      action_type: "email",
      settings: { to: "gone@example.org" },
      test_data: ANN,
    });
    assert.equal(member(report.body, "status"), "failed");
    assert.match(String(member(report.body, "message")), /no such mailbox/);
    await mailSite.close();
    toPicky.close();
    await picky.close();
  });

  it("is retried after a 4xx reply and without a server, never after a 5xx reply", async () => {
    const replies: readonly (readonly [number | undefined, string])[] = [
      [450, "retrying"],
      [421, "retrying"],
      [550, "failed"],
      [554, "failed"],
      [undefined, "retrying"],
    ];
    for (const [responseCode, state] of replies) {
      const server = await startSmtp({
        onRcptTo: (_address, _session, callback) =>
          callback(Object.assign(new Error("not now, not here"), { responseCode })),
      });
      const toServer = smtpMailer(server.url);
      const mailSite = await startSite({ host: { mailer: toServer } });
      if (responseCode === undefined) await server.close();
      const { body: form } = await mailSite.api("POST", "/forms", {
        title: "Contact",
        markup: MARKUP,
        settings: { actions: [{ type: "email", to: "desk@example.org" }] },
      });
      await fetch(`${mailSite.url}/forms/${String(member(form, "slug"))}`, {
        method: "POST",
        body: new URLSearchParams({ name: "Ann" }),
        headers: { accept: "application/json" },
      });
      await mailSite.forms.runQueue();
      const [entry] = items((await mailSite.api("GET", "/action-queue")).body);
      assert.ok(entry !== undefined);
      assert.deepEqual([member(entry, "status"), member(entry, "attempts")], [state, 1], String(responseCode));
      if (responseCode !== undefined)
        assert.match(String(member(entry, "last_error")), new RegExp(`${responseCode} not now`));
      await mailSite.close();
      toServer.close();
      if (responseCode !== undefined) await server.close();
    }
  });
});

describe("the autoresponder", () => {
  const settings = {
    type: "autoresponder",
    from_name: "Desk",
    from_email: "desk@example.org",
    reply_to: "help@example.org",
    subject: "Thanks, [name]",
    message: "You wrote: [message]",
  };

  it("goes to the visitor's address and no other", async () => {
    const form = await createForm(settings);
    assert.deepEqual(await submit(form, ANN), ["success: Accepted by the mail server for ann@example.org."]);
    const [mail] = smtp.mails.splice(0);
    assert.deepEqual(mail?.recipients, ["ann@example.org"]);
    assert.equal(mail.headers["from"], "Desk <desk@example.org>");
    assert.equal(mail.headers["reply-to"], "help@example.org");
    assert.equal(mail.headers["auto-submitted"], "auto-replied");
    assert.equal(mail.headers["subject"], "Thanks, Ann <b>");
    assert.deepEqual(await submit(form, { ...ANN, email: "" }), [
      "skipped: The answer in email is not an email address.",
    ]);
    assert.equal(smtp.mails.length, 0);
  });

  it("uses the configured field", async () => {
    const form = await createForm({ ...settings, email_field: "topic" });
    await submit(form, { ...ANN, topic: "bob@example.org" });
    for (const topic of ["a@example.org, b@example.org", "a@example.org\r\nBcc: b@example.org", "nobody"])
      await submit(form, { ...ANN, topic });
    assert.deepEqual(
      smtp.mails.map(({ recipients }) => recipients),
      [["bob@example.org"]],
    );
  });
});

describe("POST /actions/test", () => {
  async function stored(): Promise<readonly unknown[]> {
    const tables = ["cf_submissions", "cf_action_queue", "cf_action_logs"];
    const results = await site.database.batch(
      tables.map((table) => ({ sql: `SELECT COUNT(*) FROM ${table}`, params: [] })),
    );
    return results.map(({ rows }) => rows);
  }

  const rows: readonly [string, object, JsonValue, readonly string[]][] = [
    [
      "email",
      { to: "desk@example.org", subject: "From [name]", bcc: "blind@example.org" },
      { to: ["desk@example.org"], bcc: ["blind@example.org"], subject: "From Ann <b>" },
      ["desk@example.org", "blind@example.org"],
    ],
    [
      "autoresponder",
      { subject: "Thanks, [name]" },
      { to: ["ann@example.org"], subject: "Thanks, Ann <b>" },
      ["ann@example.org"],
    ],
  ];
  for (const [type, settings, shown, recipients] of rows) {
    it(`sends the mail of ${type}, shows it, and stores nothing`, async () => {
      const { id } = await createForm();
      const before = await stored();
      const { body } = await site.api("POST", "/actions/test", {
        action_type: type,
        form_id: id,
        settings,
        test_data: ANN,
      });
      assert.equal(member(body, "status"), "success", JSON.stringify(body));
      const [mail, ...others] = smtp.mails;
      assert.ok(mail !== undefined && others.length === 0);
      assert.deepEqual(mail.recipients, recipients);
      const output = member(body, "output");
      for (const [name, value] of Object.entries(shown ?? {})) assert.deepEqual(member(output, name), value, name);
      assert.equal(member(output, "message_id"), mail.headers["message-id"]);
      assert.equal(String(member(output, "text")).trim(), mail.text.trim());
      assert.equal(String(member(output, "html")).trim(), mail.html?.trim());
      assert.match(String(member(member(output, "response"), "response")), /^250/);
      assert.deepEqual(await stored(), before);
    });
  }
});
