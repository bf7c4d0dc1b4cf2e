/** Files that visitors upload, read through the REST API, signed links, mails, and actions of plugins. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { after, test } from "node:test";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { postgresForTests } from "./postgres-server.ts";
import { items, member } from "./site.ts";
import { PNG, HTML, site, left, form, pdf, post, onlySubmission, get, opened, until } from "./uploads-fixture.ts";

test("a stored file is served unchanged, and never executed", async (t) => {
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
  const response = await get(String(member(cv, "url")));
  assert.equal(response.status, 200);
  const header = (name: string) => response.headers.get(name);
  assert.equal(header("content-disposition"), "attachment; filename*=UTF-8''Lebenslauf%20%E2%80%9E%C3%A4_.pdf");
  assert.equal(header("x-content-type-options"), "nosniff");
  assert.equal(header("content-security-policy"), "sandbox; default-src 'none'");
  assert.equal(header("cache-control"), "private, no-store");
  assert.equal(header("content-type"), "application/octet-stream");
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), content);

  const shown = await get(`${String(member(picture, "url"))}?inline=true`);
  assert.equal(shown.headers.get("content-type"), "image/png");
  assert.match(shown.headers.get("content-disposition") ?? "", /^inline; filename\*=/);
  assert.deepEqual(new Uint8Array(await shown.arrayBuffer()), PNG);
  // A file whose bytes are not a picture is downloaded, even if its name is a picture's.
  assert.match((await get(`${url}?inline=true`)).headers.get("content-disposition") ?? "", /^attachment/);
  assert.equal((await get(url, "")).status, 403);
  const missing = await get(url.replace(/1$/, "9"));
  assert.deepEqual([missing.status, member(await missing.json(), "code")], [404, "file_not_found"]);
  const head = await fetch(url, { method: "HEAD", headers: { "x-test-caller": "administrator" } });
  assert.deepEqual([head.status, (await head.arrayBuffer()).byteLength], [200, 0]);
});

test("a file's type follows from its name and bytes, not from the sender's claim", async (t) => {
  const on = await site(t);
  const { slug } = await form(on);
  const send = async (content: Uint8Array | string, name: string, type: string) => {
    const body = new FormData();
    body.append("name", name);
    body.append("cv", new Blob([content as BlobPart], { type }), name);
    const response = await fetch(`${on.url}/forms/${slug}`, {
      method: "POST",
      body,
      headers: { accept: "application/json", "x-test-address": "198.51.100.1", "accept-language": "de" },
    });
    const [fault] = response.status === 400 ? items(member(await response.json(), "errors")) : [];
    return fault === undefined ? response.status : member(fault, "code");
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

test("a file that was stored with an executable type is served as bytes", async (t) => {
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
    const response = await get(`${String(member(file, "url"))}${query}`);
    assert.equal(response.headers.get("content-type"), "application/octet-stream");
    assert.equal(response.headers.get("content-disposition"), "attachment; filename*=UTF-8''x.js");
    assert.equal(response.headers.get("content-security-policy"), "sandbox; default-src 'none'");
  }
});

test("no page can load a file as a resource", async (t) => {
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
    // `fetch` would override the header `Sec-Fetch-Mode`.
    const download = request(address, {
      headers: {
        "x-test-caller": "administrator",
        "sec-fetch-site": site,
        "sec-fetch-mode": mode,
        "sec-fetch-dest": dest,
      },
    }).end();
    const [response] = await once(download, "response");
    const text = Buffer.concat(await response.toArray()).toString();
    return response.statusCode === 403 ? member(JSON.parse(text), "code") : response.statusCode;
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

const postgres = await postgresForTests();
after(async () => "server" in postgres && postgres.server.stop());

for (const name of ["SQLite", "PostgreSQL"] as const) {
  test(`concurrent uploads stay within the form's quota, on ${name}`, {
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

test("a submit that is rejected, too large, broken off or not stored leaves no file", async (t) => {
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
  // A file is deleted before its row, so that no file is without a row.
  await until(
    async () =>
      (await on.database.batch([{ sql: "SELECT 1 FROM cf_uploads LIMIT 1", params: [] }]))[0]?.rows.length === 0,
  );
});

test("a part without a name is skipped, and the host survives", async (t) => {
  const on = await site(t);
  const { slug } = await form(on);
  const nameless = ["", '; filename="a.pdf"']
    .map((rest) => `--x\r\nContent-Disposition: form-data${rest}\r\n\r\nlost\r\n`)
    .join("");
  const body = `${nameless}--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nAda\r\n--x--\r\n`;
  const response = await fetch(`${on.url}/forms/${slug}`, {
    method: "POST",
    body,
    headers: { "content-type": "multipart/form-data; boundary=x", accept: "application/json" },
  });
  assert.equal(response.status, 200, await response.text());
  assert.deepEqual(member(await onlySubmission(on), "data"), { name: "Ada" });
});

test("an adapter without streams stores and serves files of at most 16 MB", async (t) => {
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
  const uploads = [...files].filter(([key]) => key !== "cf-store-id");
  assert.deepEqual(
    uploads.map(([, bytes]) => bytes),
    [PNG],
  );
  const submission = await onlySubmission(on);
  const response = await get(String(member(items(member(submission, "files"))[0], "url")));
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), PNG);
});

test("a form has a quota for the bytes of its files, and deleting files frees quota", async (t) => {
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

test("concurrent uploads of strangers are limited, for an address and in total, and rejected ones are not read", async (t) => {
  const on = await site(t);
  const { slug } = await form(on);
  const declare = (path: string, address: string, bytes = 15_000_000) => opened(on, path, address, bytes);
  assert.match(await (await declare("/forms/nowhere", "198.51.100.1")).response(), /^HTTP\/1\.1 404/);
  const under = [];
  for (const address of ["198.51.100.1", "198.51.100.2", "198.51.100.3", "198.51.100.4"]) {
    under.push(await declare(`/forms/${slug}`, address));
    // The site must see the request before the next one, and nothing that a client receives says so.
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const rejection = await (await declare(`/forms/${slug}`, "198.51.100.1")).response();
  assert.match(rejection, /^HTTP\/1\.1 429[^]*retry-after: 5/i);
  const others = await (await declare(`/forms/${slug}`, "198.51.100.5")).response();
  assert.match(others, /^HTTP\/1\.1 503[^]*retry-after: 5/i);
  // An ordinary submit succeeds.
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
