/** Files of submissions: as signed links and attachments in mails, and in the actions of plugins. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ActionFile } from "../../host-shim/src/index.ts";
import { items, member } from "./site.ts";
import { PNG, site, form, pdf, post, onlySubmission, attached } from "./uploads-fixture.ts";

test("mailed links can be revoked, for a form and for a submission", async (t) => {
  const on = await site(t);
  const message = { type: "email", to: "a@example.org", content_type: "text/plain", message: "[cv.url]" };
  const { id, slug } = await form(on, { actions: [message] });
  const mailed = async () => {
    await post(on, slug, [
      ["name", `Ada ${on.mails.length}`],
      ["cv", PNG, "me.png"],
    ]);
    await on.forms.runQueue();
    return on.mails.at(-1)?.text ?? "";
  };
  const works = async (link: string) => (await fetch(link)).status;
  const revoke = async (path: string) =>
    assert.deepEqual((await on.api("POST", `${path}/links/revoke`)).body, { revoked: true });
  const [first, second] = [await mailed(), await mailed()];
  const submission = /files\/(\d+)\//.exec(second)?.[1] ?? "";
  await revoke(`/submissions/${submission}`);
  assert.deepEqual([await works(first), await works(second)], [200, 404]);
  await revoke(`/forms/${id}`);
  const third = await mailed();
  assert.deepEqual([await works(first), await works(third)], [404, 200]);
  // Revoked links stay invalid when new ones are sent.
  await on.api("PATCH", `/forms/${id}`, { settings: { file_link_days: 0 } });
  assert.equal(await works(third), 404);
  await on.api("PATCH", `/forms/${id}`, { settings: { file_link_days: 7 } });
  assert.deepEqual([await works(third), await works(await mailed())], [404, 200]);
});

test("a form's mails link to files and attach them, within the limits", async (t) => {
  const on = await site(t);
  const settings = {
    actions: [
      {
        type: "email",
        to: "a@example.org",
        subject: "x",
        content_type: "text/plain",
        message: "File [cv]: [cv.url]",
        attachments: ["cv"],
      },
    ],
  };
  const { slug } = await form(on, settings);
  const large = pdf(6_000_000);
  await post(on, slug, [
    ["name", "Ada"],
    ["cv", large, "large.pdf"],
    ["cv", PNG, "me.png"],
    ["cv", large, "over.pdf"],
  ]);
  await on.forms.runQueue();
  const [mail] = on.mails;
  assert.ok(mail !== undefined);
  const links = [...mail.text.matchAll(/http:\S+/g)].map(([link]) => link);
  assert.match(mail.text, /^File large\.pdf, me\.png, over\.pdf: http/);
  assert.equal(links.length, 4);
  assert.match(mail.text, /Not attached: over\.pdf http/);
  assert.deepEqual(await attached(mail), [
    ["large.pdf", 6_000_000],
    ["me.png", PNG.length],
  ]);
  const { body: logs } = await on.api("GET", "/action-logs");
  assert.match(String(member(items(logs)[0], "message")), /Not attached.*over\.pdf/);

  const link = links[1] ?? "";
  const file = await fetch(link);
  assert.deepEqual(new Uint8Array(await file.arrayBuffer()), PNG);
  assert.deepEqual(
    ["referrer-policy", "x-robots-tag"].map((name) => file.headers.get(name)),
    ["no-referrer", "noindex"],
  );
  assert.equal(file.headers.get("access-control-allow-origin"), null);
  const last = link.at(-1) === "a" ? "b" : "a";
  for (const forged of [link.slice(0, -1) + last, link.replace(/\/2\//, "/1/"), link.replace(/\/(\d{13})/, "/9$1")]) {
    assert.equal((await fetch(forged)).status, 404, forged);
  }
  const id = String(member(await onlySubmission(on), "id"));
  await on.api("PATCH", `/submissions/${id}`, { status: "trash" });
  assert.equal((await fetch(link)).status, 404);
  await on.api("PATCH", `/submissions/${id}`, { status: "read" });
  assert.equal((await fetch(link)).status, 200);
  on.clock.ahead = 8 * 86_400_000;
  assert.equal((await fetch(link)).status, 404);
  on.clock.ahead = 0;
  await on.api("DELETE", `/submissions/${id}`);
  assert.equal((await fetch(link)).status, 404);
});

test("links are off if the form turns them off, without a public address, and outside the email action", async (t) => {
  for (const [forms, settings, expected] of [
    [{}, { file_link_days: 0 }, /^$/],
    [{ publicUrl: null }, {}, /no public URL/],
  ] as const) {
    const on = await site(t, { forms });
    const email = { type: "email", to: "a@example.org", content_type: "text/plain", message: "<[cv.url]>" };
    const autoresponder = { type: "autoresponder", content_type: "text/plain", message: "<[cv.url]>" };
    const { slug } = await form(on, { ...settings, actions: [email, autoresponder] });
    await post(on, slug, [
      ["name", "Ada"],
      ["email", "v@example.org"],
      ["cv", PNG, "me.png"],
    ]);
    await on.forms.runQueue();
    assert.deepEqual(
      on.mails.map(({ text }) => text),
      ["<>", "<>"],
    );
    const { body } = await on.api("GET", "/action-logs?order=asc");
    const message = String(member(items(body)[0], "message"))
      .replace("Accepted by the mail server for a@example.org.", "")
      .trim();
    assert.match(message, expected);
  }
});

test("a plugin's action reads a file", async (t) => {
  const on = await site(t);
  const read: unknown[] = [];
  on.forms.registerAction({
    type: "archive",
    label: "Archive",
    async process(_settings, submission) {
      for (const file of submission.files as readonly ActionFile[])
        read.push([file.name, Object.keys(file).includes("key"), await file.read()]);
      return true;
    },
  });
  const { slug } = await form(on, { actions: [{ type: "archive" }] });
  await post(on, slug, [
    ["name", "Ada"],
    ["cv", PNG, "me.png"],
  ]);
  await on.forms.runQueue();
  assert.deepEqual(read, [["me.png", false, PNG]]);
});
