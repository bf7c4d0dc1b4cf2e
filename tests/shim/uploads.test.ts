/** Files that visitors upload: read by the REST API, by signed links, by mails and by actions of plugins. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { diskFiles } from "../../host-shim/adapters/disk-files.ts";
import type { ActionFile, MailMessage } from "../../host-shim/src/index.ts";
import { items, member, startSite, type JsonValue, type Site, type SiteOptions } from "./site.ts";

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
const MARKUP = '<input type="file" name="cv" multiple><input name="name" required><input type="email" name="email">';

const folder = mkdtempSync(join(tmpdir(), "cf-forms-uploads-"));
after(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

async function site(t: { after(run: () => Promise<void>): void }, options: SiteOptions = {}): Promise<Site> {
  const files = diskFiles(join(folder, `site-${++made}`));
  const opened = await startSite({ ...options, host: { files, ...options.host } });
  t.after(() => opened.close());
  return opened;
}

const left = (): string[] => readdirSync(join(folder, `site-${made}`), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name);

async function form(on: Site, settings: Record<string, unknown> = {}): Promise<{ id: number; slug: string }> {
  const { body } = await on.api("POST", "/forms", { title: "Jobs", markup: MARKUP, settings });
  return { id: Number(member(body, "id")), slug: String(member(body, "slug")) };
}

type Sent = readonly (readonly [field: string, content: Uint8Array | string, filename?: string])[];

function post(on: Site, slug: string, sent: Sent, address = "198.51.100.1"): Promise<Response> {
  const body = new FormData();
  for (const [field, content, filename] of sent) {
    if (filename === undefined) body.append(field, String(content));
    else body.append(field, new Blob([content as BlobPart], { type: "application/pdf" }), filename);
  }
  return fetch(`${on.url}/forms/${slug}`, { method: "POST", body, headers: { accept: "application/json", "x-test-address": address } });
}

async function onlySubmission(on: Site): Promise<JsonValue> {
  const { body } = await on.api("GET", "/submissions?status=any");
  const [first] = items(body);
  return first ?? null;
}

const get = (url: string, caller = "administrator") => fetch(url, { headers: { "x-test-caller": caller } });

test("a file that came in is answered as it came, for nobody to run", async (t) => {
  const on = await site(t);
  const { slug } = await form(on);
  const content = new Uint8Array(3_000_000).map((_, index) => index % 251);
  assert.equal((await post(on, slug, [["name", "Ada"], ["cv", content, "Lebenslauf „ä\".pdf"], ["cv", PNG, "me.png"]])).status, 200);
  const submission = await onlySubmission(on);
  const [cv, picture] = items(member(submission, "files"));
  const url = `${on.url}/api/cf/v1/submissions/${String(member(submission, "id"))}/files/1`;
  assert.deepEqual(cv, { id: 1, field: "cv", name: "Lebenslauf „ä_.pdf", size: 3_000_000, type: "application/pdf", url });
  const answer = await get(String(member(cv, "url")));
  assert.equal(answer.status, 200);
  const header = (name: string) => answer.headers.get(name);
  assert.equal(header("content-disposition"), "attachment; filename*=UTF-8''Lebenslauf%20%E2%80%9E%C3%A4_.pdf");
  assert.equal(header("x-content-type-options"), "nosniff");
  assert.equal(header("content-security-policy"), "sandbox; default-src 'none'");
  assert.equal(header("cache-control"), "private, no-store");
  assert.equal(header("content-type"), "application/pdf");
  assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), content);

  const shown = await get(`${String(member(picture, "url"))}?inline=true`);
  assert.equal(shown.headers.get("content-type"), "image/png");
  assert.match(shown.headers.get("content-disposition") ?? "", /^inline; filename\*=/);
  assert.deepEqual(new Uint8Array(await shown.arrayBuffer()), PNG);
  // What its bytes do not show to be a picture is saved, whatever it is called.
  assert.match((await get(`${url}?inline=true`)).headers.get("content-disposition") ?? "", /^attachment/);
  assert.equal((await get(url, "")).status, 403);
  const missing = await get(url.replace(/1$/, "9"));
  assert.deepEqual([missing.status, member(await missing.json(), "code")], [404, "file_not_found"]);
  const head = await fetch(url, { method: "HEAD", headers: { "x-test-caller": "administrator" } });
  assert.deepEqual([head.status, (await head.arrayBuffer()).byteLength], [200, 0]);
});

test("nothing is left of a submit that is refused, too large, broken off or not kept", async (t) => {
  const on = await site(t, { forms: { uploadLimit: 200_000 } });
  const { slug } = await form(on);
  assert.equal((await post(on, slug, [["cv", PNG, "a.pdf"]])).status, 400);
  assert.equal((await post(on, slug, [["name", "Ada"], ["cv", PNG, "a.pdf"], ["cv", new Uint8Array(250_000), "b.pdf"]])).status, 413);
  assert.equal((await post(on, slug, [["name", "Ada"], ["other", PNG, "a.pdf"]])).status, 200);
  const broken = await fetch(`${on.url}/forms/${slug}`, { method: "POST", body: "--x\r\n", headers: { "content-type": "multipart/form-data; boundary=x", accept: "application/json" } });
  assert.equal(broken.status, 400);
  const socket = connect(Number(new URL(on.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(`POST /forms/${slug} HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n--x\r\nContent-Disposition: form-data; name="cv"; filename="a.pdf"\r\n\r\n${"a".repeat(70_000)}`);
  await until(() => left().length === 1);
  socket.destroy();
  await until(() => left().length === 0);
  // The row goes after its file, so that a file is never without one.
  await until(async () => (await on.database.batch([{ sql: "SELECT 1 FROM cf_uploads LIMIT 1", params: [] }]))[0]?.rows.length === 0);
});

test("a form's mails link to files and carry them, as far as they may", async (t) => {
  const on = await site(t);
  const settings = { actions: [{ type: "email", to: "a@example.org", subject: "x", content_type: "text/plain", message: "File [cv]: [cv.url]", attachments: ["cv"] }] };
  const { slug } = await form(on, settings);
  const large = new Uint8Array(6_000_000).fill(7);
  await post(on, slug, [["name", "Ada"], ["cv", large, "large.pdf"], ["cv", PNG, "me.png"], ["cv", large, "over.pdf"]]);
  await on.forms.runQueue();
  const [mail] = on.mails;
  assert.ok(mail !== undefined);
  const links = [...mail.text.matchAll(/http:\S+/g)].map(([link]) => link);
  assert.match(mail.text, /^File large\.pdf, me\.png, over\.pdf: http/);
  assert.equal(links.length, 4);
  assert.match(mail.text, /Not attached: over\.pdf http/);
  assert.deepEqual(await attached(mail), [["large.pdf", 6_000_000], ["me.png", PNG.length]]);
  const { body: logs } = await on.api("GET", "/action-logs");
  assert.match(String(member(items(logs)[0], "message")), /Not attached.*over\.pdf/);

  const link = links[1] ?? "";
  const file = await fetch(link);
  assert.deepEqual(new Uint8Array(await file.arrayBuffer()), PNG);
  assert.deepEqual(["referrer-policy", "x-robots-tag"].map((name) => file.headers.get(name)), ["no-referrer", "noindex"]);
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

test("links are off where the form or a missing public address says so, and outside the email action", async (t) => {
  for (const [forms, settings, expected] of [[{}, { file_link_days: 0 }, /^$/], [{ publicUrl: null }, {}, /no configured public address/]] as const) {
    const on = await site(t, { forms });
    const email = { type: "email", to: "a@example.org", content_type: "text/plain", message: "<[cv.url]>" };
    const autoresponder = { type: "autoresponder", content_type: "text/plain", message: "<[cv.url]>" };
    const { slug } = await form(on, { ...settings, actions: [email, autoresponder] });
    await post(on, slug, [["name", "Ada"], ["email", "v@example.org"], ["cv", PNG, "me.png"]]);
    await on.forms.runQueue();
    assert.deepEqual(on.mails.map(({ text }) => text), ["<>", "<>"]);
    const { body } = await on.api("GET", "/action-logs?order=asc");
    const message = String(member(items(body)[0], "message")).replace("Sent to a@example.org.", "").trim();
    assert.match(message, expected);
  }
});

test("an action of a plugin reads a file", async (t) => {
  const on = await site(t);
  const read: unknown[] = [];
  on.forms.registerAction({
    type: "archive",
    label: "Archive",
    async process(_settings, submission) {
      for (const file of submission.files as readonly ActionFile[]) read.push([file.name, Object.keys(file).includes("key"), await file.read()]);
      return true;
    },
  });
  const { slug } = await form(on, { actions: [{ type: "archive" }] });
  await post(on, slug, [["name", "Ada"], ["cv", PNG, "me.png"]]);
  await on.forms.runQueue();
  assert.deepEqual(read, [["me.png", false, PNG]]);
});

test("an adapter without streams takes files of at most 16 MB, and answers them", async (t) => {
  const files = new Map<string, Uint8Array>();
  const on = await site(t, {
    forms: { uploadLimit: 40 << 20 },
    host: {
      files: {
        put: async (key, bytes) => void files.set(key, bytes),
        get: async (key) => files.get(key) ?? null,
        delete: async (key) => void files.delete(key),
      },
    },
  });
  const { slug } = await form(on);
  const refused = await post(on, slug, [["name", "Ada"], ["cv", new Uint8Array(17 << 20), "large.pdf"]]);
  assert.deepEqual([refused.status, member(await refused.json(), "code")], [400, "file_upload_error"]);
  assert.equal((await post(on, slug, [["name", "Ada"], ["cv", PNG, "me.png"]])).status, 200);
  assert.deepEqual([...files.values()], [PNG]);
  const submission = await onlySubmission(on);
  const answer = await get(String(member(items(member(submission, "files"))[0], "url")));
  assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), PNG);
});

test("a form has room for so many bytes of files, and gets it back when they go", async (t) => {
  const on = await site(t);
  const { slug } = await form(on, { upload_quota: 100_000 });
  const send = () => post(on, slug, [["name", "Ada"], ["cv", new Uint8Array(60_000), "a.pdf"]]);
  assert.equal((await send()).status, 200);
  const refused = await send();
  assert.deepEqual([refused.status, member(await refused.json(), "code")], [507, "upload_quota_reached"]);
  assert.equal(left().length, 1);
  await on.api("DELETE", `/submissions/${String(member(await onlySubmission(on), "id"))}`);
  assert.equal((await send()).status, 200);
});

test("what strangers send at once is bounded, for one and for all, and nothing of it is read in vain", async (t) => {
  const on = await site(t);
  const { slug } = await form(on);
  const declare = (path: string, address: string, bytes = 15_000_000) => opened(on, path, address, bytes);
  assert.match(await (await declare("/forms/nowhere", "198.51.100.1")).answer(), /^HTTP\/1\.1 404/);
  const under = [];
  for (const address of ["198.51.100.1", "198.51.100.2", "198.51.100.3", "198.51.100.4"]) {
    under.push(await declare(`/forms/${slug}`, address));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const own = await (await declare(`/forms/${slug}`, "198.51.100.1")).answer();
  assert.match(own, /^HTTP\/1\.1 429[^]*retry-after: 5/i);
  const others = await (await declare(`/forms/${slug}`, "198.51.100.5")).answer();
  assert.match(others, /^HTTP\/1\.1 503[^]*retry-after: 5/i);
  // An ordinary submit has its way.
  assert.equal((await post(on, slug, [["name", "Ada"]], "198.51.100.1")).status, 200);
  for (const one of under) one.socket.destroy();
  await until(async () => (await post(on, slug, [["name", "Ada"], ["cv", new Uint8Array(15_000_000), "a.pdf"]], "198.51.100.1")).status === 200);
});

test("a form with files allows 60 submissions an hour for an address, unless that may be a proxy's", async (t) => {
  const on = await site(t);
  const { slug } = await form(on);
  const statuses = async (address: string) => {
    const seen = new Set<number>();
    for (let n = 0; n < 61; n++) seen.add((await post(on, slug, [["name", `Ada ${n}`]], address)).status);
    return [...seen];
  };
  assert.deepEqual(await statuses("198.51.100.9"), [200, 429]);
  assert.deepEqual(await statuses("10.0.0.9"), [200]);
});

async function attached(mail: MailMessage): Promise<[string, number][]> {
  const sizes: [string, number][] = [];
  for (const { filename, stream } of mail.attachments ?? []) {
    sizes.push([filename, (await new Response(await stream()).arrayBuffer()).byteLength]);
  }
  return sizes;
}

/** A request whose body is announced and not sent but for its beginning. */
async function opened(on: Site, path: string, address: string, bytes: number) {
  const socket = connect(Number(new URL(on.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => undefined);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Test-Address: ${address}\r\nAccept: application/json\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${bytes}\r\n\r\n--x\r\n`);
  return {
    socket,
    async answer(): Promise<string> {
      const [data] = await once(socket, "data");
      socket.destroy();
      return String(data);
    },
  };
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let n = 0; n < 100; n++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail("it never came");
}
