/** Files that are stored before the submit, over HTTP, and attacks of hostile visitors on their tokens. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { items, member } from "./site.ts";
import {
  codes,
  count,
  DAY_MS,
  MARKUP,
  PDF,
  type Pairs,
  post,
  purge,
  site,
  submit,
  token,
  upload,
  type Upload,
} from "./uploads-before-site.ts";

test("a token is invalid in another form, in another field, a second time, or after a day", async (t) => {
  const on = await site(t);
  await on.api("POST", "/forms", { title: "Other", slug: "other", markup: MARKUP });
  const name = ["name", "Ada"] as const;
  const refused = async (pairs: Pairs, slug?: string) => {
    const { status, body } = await submit(on, [name, ...pairs], slug);
    assert.deepEqual([status, codes(body)], [400, ["file_upload_error"]]);
  };
  const cv = await token(on);
  await refused([["cv", cv]], "other");
  await refused([["more[]", cv]]);
  await refused([
    ["more[]", await token(on, { field: "more", name: "a.pdf" })],
    ["cv", "x".repeat(43)],
  ]);
  const more = await token(on, { field: "more", name: "a.pdf" });
  await refused([
    ["more[]", more],
    ["more[]", more],
  ]);
  await refused([["cv", `${cv} `]]);
  assert.equal((await submit(on, [name, ["cv", cv]])).status, 200);
  await refused([["cv", cv]]);
  const late = await token(on);
  on.clock.ahead += DAY_MS + 1;
  await refused([["cv", late]]);
});

test("of two submits with one token at once, one is stored", async (t) => {
  const on = await site(t);
  const cv = await token(on);
  const names = Array.from({ length: 8 }, (_, index) => `visitor ${index}`);
  const responses = await Promise.all(
    names.map((name) =>
      submit(on, [
        ["name", name],
        ["cv", cv],
      ]),
    ),
  );
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 400)]);
  assert.equal(await count(on, "SELECT COUNT(*) FROM cf_submissions"), 1);
  assert.equal(on.stored().length, 1);
});

test("files with bytes that contradict the name, wrong types or sizes leave no file and no record", async (t) => {
  const on = await site(t);
  const rows: readonly (readonly [Upload, string])[] = [
    [{ content: "<!doctype html><script>alert(1)</script>" }, "file_type_mismatch"],
    [{ content: "MZ\u0090\0" }, "file_type_mismatch"],
    [{ name: "cv.pdf.exe" }, "file_type_not_allowed"],
    [{ name: "cv.docx" }, "file_type_not_allowed"],
    [{ field: "name" }, "file_upload_error"],
    [{ field: "nothing" }, "file_upload_error"],
  ];
  for (const [sent, code] of rows) {
    const { status, body } = await upload(on, sent);
    assert.deepEqual([status, member(body, "code")], [400, code], JSON.stringify(sent));
  }
  assert.deepEqual(on.stored(), []);
  assert.equal(await count(on, "SELECT COUNT(*) FROM cf_uploads"), 0);
  assert.equal(await count(on, "SELECT COALESCE(SUM(bytes), 0) FROM cf_upload_totals"), 0);
});

test("a body beyond the limit is not stored, and a missing file is a fault", async (t) => {
  const on = await site(t, {}, { forms: { uploadLimit: 100_000 } });
  const { status } = await upload(on, { content: `%PDF-${"x".repeat(200_000)}` });
  assert.equal(status, 413);
  const body = new FormData();
  body.append("field", "cv");
  const empty = await fetch(`${on.url}/forms/jobs/files`, { method: "POST", body });
  assert.deepEqual([empty.status, member(await empty.json(), "code")], [400, "file_upload_error"]);
  const plain = await fetch(`${on.url}/forms/jobs/files`, {
    method: "POST",
    body: new URLSearchParams({ field: "cv" }),
  });
  assert.equal(plain.status, 415);
  const read = await fetch(`${on.url}/forms/jobs/files`);
  assert.deepEqual([read.status, read.headers.get("allow")], [405, "POST, OPTIONS"]);
  assert.deepEqual(on.stored(), []);
});

test("the same key with the same bytes is the same upload, for its visitor only", async (t) => {
  const on = await site(t);
  const first = await token(on, { key: "k" });
  assert.equal(await token(on, { key: "k" }), first);
  assert.equal(on.stored().length, 1);
  const other = await upload(on, { key: "k", content: "%PDF-other" });
  assert.deepEqual([other.status, member(other.body, "code")], [400, "file_upload_error"]);
  assert.notEqual(await token(on, { key: "k", address: "203.0.113.9" }), first);
  assert.equal(
    (
      await submit(on, [
        ["name", "Ada"],
        ["cv", first],
      ])
    ).status,
    200,
  );
  const [a, b] = await Promise.all([token(on, { key: "twice" }), token(on, { key: "twice" })]);
  assert.equal(a, b);
});

test("the message about too many files contains the field's limit", async (t) => {
  const on = await site(t);
  const tokens = await Promise.all(["a", "b", "c"].map((name) => token(on, { field: "more", name: `${name}.pdf` })));
  const { status, body } = await submit(on, [["name", "Ada"], ...tokens.map((one) => ["more[]", one] as const)]);
  const [fault] = items(member(body, "errors"));
  assert.deepEqual([status, codes(body)], [400, ["file_upload_error"]]);
  assert.match(String(member(fault ?? null, "message")), /up to 2 files/);
});

test("a duplicate is recognized by its bytes, whether it is sent as a token or with the form", async (t) => {
  const on = await site(t);
  const key = ["_submission_key", "s-0123456789abcdef"] as const;
  const send = async () => {
    const cv = await token(on);
    return submit(on, [["name", "Ada"], ["cv", cv], key]);
  };
  const [first, second] = [await send(), await send()];
  assert.deepEqual([first.status, second.status], [200, 200]);
  assert.equal(member(second.body, "submission_id"), member(first.body, "submission_id"));
  assert.equal(on.stored().length, 1, "the second file is removed");
});

test("an address may send 60 files an hour, and unclaimed ones fill a fifth of the quota", async (t) => {
  const on = await site(t, { upload_quota: 1_000_000 });
  for (let sent = 0; sent < 60; sent += 1) assert.equal((await upload(on)).status, 201, String(sent));
  const { status, body, headers } = await upload(on);
  assert.deepEqual([status, member(body, "code")], [429, "rate_limited"]);
  assert.ok(Number(headers.get("retry-after")) > 0);
  const big = `%PDF-${"x".repeat(250_000)}`;
  assert.equal((await upload(on, { content: big, address: "203.0.113.1" })).status, 201);
  const full = await upload(on, { address: "203.0.113.2" });
  assert.deepEqual([full.status, member(full.body, "code")], [507, "upload_quota_reached"]);
  // The form itself still accepts files.
  const form = new FormData();
  form.append("name", "Ada");
  form.append("cv", new Blob(["%PDF-1.4"]), "cv.pdf");
  const response = await fetch(`${on.url}/forms/jobs`, {
    method: "POST",
    body: form,
    headers: { accept: "application/json" },
  });
  assert.equal(response.status, 200, await response.text());
});

test("an unclaimed file is deleted after a day, with its record and its bytes", async (t) => {
  const on = await site(t);
  await token(on);
  await purge(on, DAY_MS - 3_600_000);
  assert.equal(on.stored().length, 1, "a file waits for a day");
  await purge(on, 2 * 3_600_000);
  await purge(on, 2 * 3_600_000);
  assert.deepEqual(on.stored(), []);
  assert.equal(await count(on, "SELECT COUNT(*) FROM cf_uploads"), 0);
  assert.equal(await count(on, "SELECT COALESCE(SUM(bytes), 0) FROM cf_upload_totals"), 0);
});

test("visitors can remove only files of the form, by JSON with any content type", async (t) => {
  const on = await site(t);
  await on.api("POST", "/forms", { title: "Other", slug: "other", markup: MARKUP });
  const cv = await token(on);
  const forget = async (slug: string, body: string, type?: string) => {
    const headers = type === undefined ? {} : { "content-type": type };
    const response = await fetch(`${on.url}/forms/${slug}/files/forget`, { method: "POST", body, headers });
    return member(await response.json(), "forgotten");
  };
  assert.equal(await forget("other", JSON.stringify({ tokens: [cv] })), 0);
  assert.equal(await forget("jobs", JSON.stringify({ tokens: [cv] })), 1);
  assert.deepEqual(on.stored(), []);
  assert.equal(await forget("jobs", `tokens=${await token(on)}`, "application/x-www-form-urlencoded"), 1);
  assert.equal(await forget("jobs", "not JSON", "application/json"), 0);
});

test("erasing a person erases the unclaimed files of the address", async (t) => {
  const on = await site(t);
  await post(on, [
    ["name", ""],
    ["email", "ada@example.org"],
    ["cv", PDF, "cv.pdf"],
  ]);
  const cv = await token(on);
  await submit(on, [
    ["name", ""],
    ["email", "ada@example.org"],
    ["cv", cv],
  ]);
  await token(on);
  assert.equal(on.stored().length, 3);
  const { body } = await on.api("POST", "/privacy/erase", { email: "Ada@example.org" });
  assert.deepEqual([member(body, "files"), member(body, "files_left")], [2, 0]);
  assert.equal(on.stored().length, 1, "the file of an unknown person stays");
});

test("a plugin rejects a file, with the form's message for its code", async (t) => {
  const on = await site(t);
  const seen: unknown[] = [];
  on.forms.hooks.addFilter("cf_validate_upload", "test/scan", (code, _form, file) => {
    seen.push(file);
    return code === "" ? "spam" : code;
  });
  const { status, body } = await upload(on);
  assert.deepEqual([status, member(body, "code")], [400, "spam"]);
  assert.equal((seen[0] as { name: string }).name, "cv.pdf");
  assert.deepEqual(on.stored(), []);
});

test("a plugin rejects a file with a text for the visitor", async (t) => {
  const on = await site(t);
  const text = "This file has a virus.";
  on.forms.hooks.addFilter("cf_validate_upload", "test/scan", () => text);
  const { status, body } = await upload(on);
  const errors = [{ field: "cv", code: "error", message: text, short: text }];
  assert.deepEqual([status, member(body, "code"), member(body, "errors")], [400, "error", errors]);
  assert.deepEqual(on.faults, []);
  on.forms.hooks.addFilter("cf_validate_upload", "test/scan", () => "virus_found");
  await upload(on);
  assert.match(on.faults.join("\n"), /test\/scan for cf_validate_upload returned "virus_found", but the form has no/);
});
