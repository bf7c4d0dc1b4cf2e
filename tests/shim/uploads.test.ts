/** Files that visitors upload: read by the REST API, by signed links, by mails and by actions of plugins. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { diskFiles } from "../../host-shim/adapters/disk-files.ts";
import type { ActionFile, MailMessage } from "../../host-shim/src/index.ts";
import { postgresForTests } from "./postgres-server.ts";
import { items, member, startSite, type JsonValue, type Site, type SiteOptions } from "./site.ts";

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
const HTML = "<!DOCTYPE html><script>alert(1)</script>";
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

const left = (): string[] =>
  readdirSync(join(folder, `site-${made}`), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

async function form(on: Site, settings: Record<string, unknown> = {}): Promise<{ id: number; slug: string }> {
  const { body } = await on.api("POST", "/forms", { title: "Jobs", markup: MARKUP, settings });
  return { id: Number(member(body, "id")), slug: String(member(body, "slug")) };
}

/** A PDF of so many bytes, as far as its first ones say. */
function pdf(size = 20): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode("%PDF-1.7\n"));
  return bytes;
}

type Sent = readonly (readonly [field: string, content: Uint8Array | string, filename?: string])[];

function post(on: Site, slug: string, sent: Sent, address = "198.51.100.1"): Promise<Response> {
  const body = new FormData();
  for (const [field, content, filename] of sent) {
    if (filename === undefined) body.append(field, String(content));
    else body.append(field, new Blob([content as BlobPart], { type: "application/pdf" }), filename);
  }
  return fetch(`${on.url}/forms/${slug}`, {
    method: "POST",
    body,
    headers: { accept: "application/json", "x-test-address": address },
  });
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
  const content = pdf(3_000_000).map((byte, index) => (index < 16 ? byte : index % 251));
  assert.equal(
    (
      await post(on, slug, [
        ["name", "Ada"],
        ["cv", content, 'Lebenslauf „ä".pdf'],
        ["cv", PNG, "me.png"],
      ])
    ).status,
    200,
  );
  const submission = await onlySubmission(on);
  const [cv, picture] = items(member(submission, "files"));
  const url = `${on.url}/api/cf/v1/submissions/${String(member(submission, "id"))}/files/1`;
  assert.deepEqual(cv, {
    id: 1,
    field: "cv",
    name: "Lebenslauf „ä_.pdf",
    size: 3_000_000,
    type: "application/pdf",
    url,
  });
  const answer = await get(String(member(cv, "url")));
  assert.equal(answer.status, 200);
  const header = (name: string) => answer.headers.get(name);
  assert.equal(header("content-disposition"), "attachment; filename*=UTF-8''Lebenslauf%20%E2%80%9E%C3%A4_.pdf");
  assert.equal(header("x-content-type-options"), "nosniff");
  assert.equal(header("content-security-policy"), "sandbox; default-src 'none'");
  assert.equal(header("cache-control"), "private, no-store");
  assert.equal(header("content-type"), "application/octet-stream");
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

test("a file is what its name and its bytes say, whatever its sender claims", async (t) => {
  const on = await site(t);
  const { slug } = await form(on);
  const send = async (content: Uint8Array | string, name: string, type: string) => {
    const body = new FormData();
    body.append("name", name);
    body.append("cv", new Blob([content as BlobPart], { type }), name);
    const answer = await fetch(`${on.url}/forms/${slug}`, {
      method: "POST",
      body,
      headers: { accept: "application/json", "x-test-address": "198.51.100.1", "accept-language": "de" },
    });
    const [fault] = answer.status === 400 ? items(member(await answer.json(), "errors")) : [];
    return fault === undefined ? answer.status : member(fault, "code");
  };
  const rows: readonly (readonly [Uint8Array | string, string, string, number | string])[] = [
    [HTML, "cv.pdf", "application/pdf", "file_type_mismatch"],
    ["MZ\u0090\0", "cv.pdf", "application/pdf", "file_type_mismatch"],
    ["anything", "me.png", "image/png", "file_type_mismatch"],
    [HTML, "notes.txt", "text/plain", "file_type_mismatch"],
    ["a\0b", "notes.txt", "text/plain", "file_type_mismatch"],
    [HTML, "page.html", "application/pdf", "file_type_not_allowed"],
    ["<svg onload=alert(1)>", "logo.svg", "image/svg+xml", "file_type_not_allowed"],
    ["alert(1)", "x.js", "text/plain", "file_type_not_allowed"],
    [pdf(), "brochure.pl.pdf", "", 200],
    ["\0\0\0\u0018ftypheic", "IMG_1.HEIC", "", 200],
    [PNG, "me.jpg", "text/html", 200],
  ];
  for (const [content, name, type, expected] of rows) assert.equal(await send(content, name, type), expected, name);
  const { body } = await on.api("GET", "/submissions?order=asc");
  const types = items(body).flatMap((submission) =>
    items(member(submission, "files")).map((file) => member(file, "type")),
  );
  assert.deepEqual(types, ["application/pdf", "image/heic", "image/png"]);
  assert.equal(left().length, 3);
});

test("a file that was stored with a type that runs is answered as bytes", async (t) => {
  const on = await site(t);
  const { slug } = await form(on);
  assert.equal(
    (
      await post(on, slug, [
        ["name", "Ada"],
        ["cv", "alert(1)", "x.txt"],
      ])
    ).status,
    200,
  );
  const file = items(member(await onlySubmission(on), "files"))[0] ?? null;
  const hostile = [
    "UPDATE cf_submissions SET files = REPLACE(REPLACE(files, 'text/plain', 'text/javascript'), 'x.txt', 'x.js')",
    "UPDATE cf_uploads SET content_type = 'text/javascript'",
  ];
  await on.database.batch(hostile.map((sql) => ({ sql, params: [] })));
  for (const query of ["", "?inline=true"]) {
    const answer = await get(`${String(member(file, "url"))}${query}`);
    assert.equal(answer.headers.get("content-type"), "application/octet-stream");
    assert.equal(answer.headers.get("content-disposition"), "attachment; filename*=UTF-8''x.js");
    assert.equal(answer.headers.get("content-security-policy"), "sandbox; default-src 'none'");
  }
});

test("no page loads a file as a part of it", async (t) => {
  const on = await site(t);
  const message = { type: "email", to: "a@example.org", content_type: "text/plain", message: "[cv.url]" };
  const { slug } = await form(on, { actions: [message] });
  await post(on, slug, [
    ["name", "Ada"],
    ["cv", PNG, "me.png"],
  ]);
  await on.forms.runQueue();
  const link = on.mails[0]?.text ?? "";
  const url = String(member(items(member(await onlySubmission(on), "files"))[0] ?? null, "url"));
  const open = async (address: string, site: string, mode: string, dest: string) => {
    // `fetch` writes a mode of its own.
    const download = request(address, {
      headers: {
        "x-test-caller": "administrator",
        "sec-fetch-site": site,
        "sec-fetch-mode": mode,
        "sec-fetch-dest": dest,
      },
    }).end();
    const [answer] = await once(download, "response");
    const text = Buffer.concat(await answer.toArray()).toString();
    return answer.statusCode === 403 ? member(JSON.parse(text), "code") : answer.statusCode;
  };
  const refused = "file_fetch_refused";
  const rows: readonly (readonly [
    address: string,
    site: string,
    mode: string,
    dest: string,
    expected: number | string,
  ])[] = [
    [url, "none", "navigate", "document", 200],
    [url, "same-origin", "cors", "empty", 200],
    [url, "cross-site", "cors", "empty", refused],
    [url, "same-origin", "no-cors", "script", refused],
    [url, "same-origin", "navigate", "iframe", refused],
    [url, "same-origin", "no-cors", "image", refused],
    [`${url}?inline=true`, "same-origin", "no-cors", "image", 200],
    [`${url}?inline=true`, "same-origin", "no-cors", "style", refused],
    [link, "cross-site", "navigate", "document", 200],
    [link, "same-origin", "cors", "empty", refused],
    [link, "same-origin", "no-cors", "script", refused],
    [link, "cross-site", "navigate", "iframe", refused],
    [link, "cross-site", "no-cors", "image", refused],
  ];
  for (const [address, from, mode, dest, expected] of rows) {
    assert.equal(await open(address, from, mode, dest), expected, `${address} ${from} ${mode} ${dest}`);
  }
});

test("links that were mailed can be revoked, for a form and for a submission", async (t) => {
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
  // Links that are switched off stay off when others are sent again.
  await on.api("PATCH", `/forms/${id}`, { settings: { file_link_days: 0 } });
  assert.equal(await works(third), 404);
  await on.api("PATCH", `/forms/${id}`, { settings: { file_link_days: 7 } });
  assert.deepEqual([await works(third), await works(await mailed())], [404, 200]);
});

const postgres = await postgresForTests();
after(async () => "server" in postgres && postgres.server.stop());

for (const name of ["SQLite", "PostgreSQL"] as const) {
  test(`uploads that run at once keep within the form's quota, on ${name}`, {
    skip: name === "PostgreSQL" && "skip" in postgres ? postgres.skip : false,
  }, async (t) => {
    const isPostgres = name === "PostgreSQL" && "server" in postgres;
    const on = await site(t, isPostgres ? { database: openPostgres({ url: postgres.server.url }) } : {});
    const { slug } = await form(on, { upload_quota: 100_000, rate_limit: 0 });
    const sent = Array.from({ length: 12 }, (_, n) =>
      post(
        on,
        slug,
        [
          ["name", `Ada ${n}`],
          ["cv", pdf(30_000), `a${n}.pdf`],
        ],
        `198.51.100.${n}`,
      ),
    );
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    assert.deepEqual(statuses.filter((status) => status === 200).length, 3, String(statuses));
    assert.ok(
      statuses.every((status) => status === 200 || status === 507),
      String(statuses),
    );
    assert.equal(left().length, 3);
    const [total] = await on.database.batch([{ sql: "SELECT bytes FROM cf_upload_totals", params: [] }]);
    assert.deepEqual(total?.rows, [[90_000]]);
  });
}

test("nothing is left of a submit that is refused, too large, broken off or not kept", async (t) => {
  const on = await site(t, { forms: { uploadLimit: 200_000 } });
  const { slug } = await form(on);
  assert.equal((await post(on, slug, [["cv", pdf(), "a.pdf"]])).status, 400);
  assert.equal(
    (
      await post(on, slug, [
        ["name", "Ada"],
        ["cv", pdf(), "a.pdf"],
        ["cv", pdf(250_000), "b.pdf"],
      ])
    ).status,
    413,
  );
  assert.equal(
    (
      await post(on, slug, [
        ["name", "Ada"],
        ["other", pdf(), "a.pdf"],
      ])
    ).status,
    200,
  );
  const broken = await fetch(`${on.url}/forms/${slug}`, {
    method: "POST",
    body: "--x\r\n",
    headers: { "content-type": "multipart/form-data; boundary=x", accept: "application/json" },
  });
  assert.equal(broken.status, 400);
  const socket = connect(Number(new URL(on.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    `POST /forms/${slug} HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n--x\r\nContent-Disposition: form-data; name="cv"; filename="a.pdf"\r\n\r\n${"a".repeat(70_000)}`,
  );
  await until(() => left().length === 1);
  socket.destroy();
  await until(() => left().length === 0);
  // The row goes after its file, so that a file is never without one.
  await until(
    async () =>
      (await on.database.batch([{ sql: "SELECT 1 FROM cf_uploads LIMIT 1", params: [] }]))[0]?.rows.length === 0,
  );
});

test("a part without a name is passed over, and the host lives", async (t) => {
  const on = await site(t);
  const { slug } = await form(on);
  const nameless = ["", '; filename="a.pdf"']
    .map((rest) => `--x\r\nContent-Disposition: form-data${rest}\r\n\r\nlost\r\n`)
    .join("");
  const body = `${nameless}--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nAda\r\n--x--\r\n`;
  const answer = await fetch(`${on.url}/forms/${slug}`, {
    method: "POST",
    body,
    headers: { "content-type": "multipart/form-data; boundary=x", accept: "application/json" },
  });
  assert.equal(answer.status, 200, await answer.text());
  assert.deepEqual(member(await onlySubmission(on), "data"), { name: "Ada" });
});

test("a form's mails link to files and carry them, as far as they may", async (t) => {
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

test("links are off where the form or a missing public address says so, and outside the email action", async (t) => {
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

test("an action of a plugin reads a file", async (t) => {
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
  const refused = await post(on, slug, [
    ["name", "Ada"],
    ["cv", pdf(17 << 20), "large.pdf"],
  ]);
  assert.deepEqual([refused.status, member(await refused.json(), "code")], [400, "file_upload_error"]);
  assert.equal(
    (
      await post(on, slug, [
        ["name", "Ada"],
        ["cv", PNG, "me.png"],
      ])
    ).status,
    200,
  );
  assert.deepEqual([...files.values()], [PNG]);
  const submission = await onlySubmission(on);
  const answer = await get(String(member(items(member(submission, "files"))[0], "url")));
  assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), PNG);
});

test("a form has room for so many bytes of files, and gets it back when they go", async (t) => {
  const on = await site(t);
  const { slug } = await form(on, { upload_quota: 100_000 });
  const send = () =>
    post(on, slug, [
      ["name", "Ada"],
      ["cv", pdf(60_000), "a.pdf"],
    ]);
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
  const rejection = await (await declare(`/forms/${slug}`, "198.51.100.1")).answer();
  assert.match(rejection, /^HTTP\/1\.1 429[^]*retry-after: 5/i);
  const others = await (await declare(`/forms/${slug}`, "198.51.100.5")).answer();
  assert.match(others, /^HTTP\/1\.1 503[^]*retry-after: 5/i);
  // An ordinary submit has its way.
  assert.equal((await post(on, slug, [["name", "Ada"]], "198.51.100.1")).status, 200);
  for (const one of under) one.socket.destroy();
  await until(
    async () =>
      (
        await post(
          on,
          slug,
          [
            ["name", "Ada"],
            ["cv", pdf(15_000_000), "a.pdf"],
          ],
          "198.51.100.1",
        )
      ).status === 200,
  );
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
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Test-Address: ${address}\r\nAccept: application/json\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${bytes}\r\n\r\n--x\r\n`,
  );
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
