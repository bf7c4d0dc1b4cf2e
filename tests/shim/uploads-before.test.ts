/** Files that are stored before the submit, over HTTP, and attacks of hostile visitors on their tokens. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { diskFiles } from "../../host-shim/adapters/disk-files.ts";
import { items, member, startSite, type JsonValue, type Site, type SiteOptions } from "./site.ts";

const DAY_MS = 86_400_000;
const MARKUP =
  '<input name="name" required><input type="email" name="email">' +
  '<input type="file" name="cv" accept=".pdf"><input type="file" name="more" multiple data-max-files="2">';

const folder = mkdtempSync(join(tmpdir(), "cf-forms-early-"));
after(() => rmSync(folder, { recursive: true, force: true }));

interface On extends Site {
  readonly slug: string;
  readonly id: number;
  /** Names of the files on the disk. */
  stored(): string[];
}

async function site(
  t: { after(run: () => Promise<void>): void },
  settings: Record<string, unknown> = {},
  options: SiteOptions = {},
): Promise<On> {
  const place = mkdtempSync(join(folder, "site-"));
  const opened = await startSite({ ...options, host: { files: diskFiles(place), ...options.host } });
  t.after(() => opened.close());
  const { body } = await opened.api("POST", "/forms", { title: "Jobs", slug: "jobs", markup: MARKUP, settings });
  const stored = () =>
    readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  return { ...opened, slug: "jobs", id: Number(member(body, "id")), stored };
}

interface Upload {
  readonly field?: string;
  readonly key?: string;
  readonly name?: string;
  readonly content?: string;
  readonly slug?: string;
  readonly address?: string;
}

async function upload(on: On, sent: Upload = {}): Promise<{ status: number; body: JsonValue; headers: Headers }> {
  const { field = "cv", key, name = "cv.pdf", content = "%PDF-1.4", slug = on.slug, address = "198.51.100.1" } = sent;
  const body = new FormData();
  body.append("field", field);
  if (key !== undefined) body.append("key", key);
  body.append("file", new Blob([content], { type: "application/pdf" }), name);
  const headers = { accept: "application/json", "x-test-address": address };
  const response = await fetch(`${on.url}/forms/${slug}/files`, { method: "POST", body, headers });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

async function token(on: On, sent: Upload = {}): Promise<string> {
  const { status, body } = await upload(on, sent);
  assert.equal(status, 201, JSON.stringify(body));
  return String(member(body, "token"));
}

type Pairs = readonly (readonly [string, string])[];

async function submit(on: On, pairs: Pairs, slug = on.slug): Promise<{ status: number; body: JsonValue }> {
  const headers = { accept: "application/json", "x-test-address": "198.51.100.1" };
  const body = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
  const response = await fetch(`${on.url}/forms/${slug}`, { method: "POST", body, headers });
  return { status: response.status, body: await response.json() };
}

const codes = (body: JsonValue) => items(member(body, "errors")).map((fault) => member(fault, "code"));

async function count(on: On, sql: string): Promise<number> {
  const [result] = await on.database.batch([{ sql, params: [] }]);
  return Number(result?.rows[0]?.[0]);
}

/** Runs the due purge. */
async function purge(on: On, ahead: number): Promise<void> {
  on.clock.ahead += ahead;
  await on.forms.runQueue();
  await on.settled();
}

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
  const answers = await Promise.all(
    names.map((name) =>
      submit(on, [
        ["name", name],
        ["cv", cv],
      ]),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 400)]);
  assert.equal(await count(on, "SELECT COUNT(*) FROM cf_submissions"), 1);
  assert.equal(on.stored().length, 1);
});

test("bytes that contradict the name, wrong types and sizes leave no file and no record", async (t) => {
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

test("a repeat is recognized by the bytes, both by token and with the form", async (t) => {
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
  const answer = await fetch(`${on.url}/forms/jobs`, {
    method: "POST",
    body: form,
    headers: { accept: "application/json" },
  });
  assert.equal(answer.status, 200, await answer.text());
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

/** A submit from a page without script. */
async function post(on: On, sent: readonly (readonly [string, string | Blob, string?])[]): Promise<Response> {
  const body = new FormData();
  for (const [name, value, filename] of sent) {
    if (typeof value === "string") body.append(name, value);
    else body.append(name, value, filename);
  }
  return fetch(`${on.url}/forms/jobs`, { method: "POST", body, redirect: "manual" });
}

const PDF = new Blob(["%PDF-1.4"], { type: "application/pdf" });
const TOKENS = /<input type="hidden" name="(cv|more)" value="([\w-]{43})">/g;

describe("without script", () => {
  test("the files of a rejected page are listed and sent again, and each can be removed", async (t) => {
    const on = await site(t);
    const first = await post(on, [
      ["name", ""],
      ["cv", PDF, "my <cv>.pdf"],
      ["more", PDF, "a.pdf"],
    ]);
    const page = await first.text();
    assert.equal(first.status, 400);
    const tokens = new Map([...page.matchAll(TOKENS)].map(([, name = "", value = ""]) => [name, value]));
    assert.deepEqual([...tokens.keys()], ["cv", "more"]);
    assert.match(page, /my _cv_\.pdf/);
    assert.match(page, /<input type="checkbox" name="_cf_remove" value="[\w-]{43}" aria-label="Remove a.pdf">/);
    const [cv = "", more = ""] = tokens.values();
    // The page is rejected again, now without new files, and its tokens stay.
    const again = await (
      await post(on, [
        ["name", ""],
        ["cv", cv],
        ["more", more],
        ["_cf_remove", more],
      ])
    ).text();
    assert.deepEqual(
      [...again.matchAll(TOKENS)].map(([, name]) => name),
      ["cv"],
    );
    const sent = await post(on, [
      ["name", "Ada"],
      ["cv", cv],
      ["more", more],
      ["_cf_remove", more],
    ]);
    assert.equal(sent.status, 303);
    const { body } = await on.api("GET", "/submissions");
    assert.equal(member(member(items(body)[0] ?? null, "data"), "cv"), "my _cv_.pdf");
    assert.equal(member(member(items(body)[0] ?? null, "data"), "more"), null);
  });

  test("a new file replaces the kept one of a single field", async (t) => {
    const on = await site(t);
    const page = await (
      await post(on, [
        ["name", ""],
        ["cv", PDF, "old.pdf"],
      ])
    ).text();
    const [[, , cv = ""] = []] = page.matchAll(TOKENS);
    assert.equal(
      (
        await post(on, [
          ["name", "Ada"],
          ["cv", cv],
          ["cv", PDF, "new.pdf"],
        ])
      ).status,
      303,
    );
    const { body } = await on.api("GET", "/submissions");
    assert.equal(member(member(items(body)[0] ?? null, "data"), "cv"), "new.pdf");
  });

  test("a file with a fault is not kept", async (t) => {
    const on = await site(t);
    const page = await (
      await post(on, [
        ["name", ""],
        ["cv", new Blob(["MZ\u0090\0"]), "cv.pdf"],
      ])
    ).text();
    assert.deepEqual([...page.matchAll(TOKENS)], []);
    assert.match(page, /choose cv.pdf again/i);
    assert.deepEqual(on.stored(), []);
  });

  test("the review keeps files, and stores nothing before its submit", async (t) => {
    const on = await site(t, { review: true });
    const page = await (
      await post(on, [
        ["name", "Ada"],
        ["cv", PDF, "cv.pdf"],
      ])
    ).text();
    const [[, , cv = ""] = []] = page.matchAll(TOKENS);
    assert.equal(await count(on, "SELECT COUNT(*) FROM cf_submissions"), 0);
    assert.equal(
      (
        await post(on, [
          ["name", "Ada"],
          ["cv", cv],
          ["_cf_reviewed", "1"],
        ])
      ).status,
      303,
    );
    assert.equal(await count(on, "SELECT COUNT(*) FROM cf_uploads WHERE submission_id > 0"), 1);
  });
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

/* ---- The vectors ---- */

interface Vector {
  readonly name: string;
  readonly schema: { readonly fields: readonly Record<string, JsonValue>[] };
  readonly input: { readonly pairs: readonly (readonly [string, string])[] };
  readonly context?: {
    readonly uploads?: Readonly<
      Record<string, { filename: string; size: number; field: string; expired?: true; claimed?: true; foreign?: true }>
    >;
  };
  readonly expect: { readonly data?: JsonValue; readonly errors?: readonly { field: string; code: string }[] };
}

const { cases } = JSON.parse(readFileSync(new URL("../cases/fields/uploads.json", import.meta.url), "utf8")) as {
  cases: readonly Vector[];
};

describe("the cases of fields", () => {
  for (const { name, schema, input, context, expect } of cases) {
    test(name, async (t) => {
      const on = await site(t);
      // The files were sent to an earlier state of the form, which accepted them.
      const fields = schema.fields.map((field) => ({ ...field, attributes: { multiple: "" }, validation: {} }));
      const { body: one } = await on.api("POST", "/forms", { title: "One", slug: "one", schema: { fields } });
      await on.api("POST", "/forms", { title: "Two", slug: "two", schema: { fields } });
      const tokens = new Map<string, string>();
      for (const [known, { filename, size, field, ...fate }] of Object.entries(context?.uploads ?? {})) {
        const content = "%PDF-".padEnd(size, "x");
        const slug = fate.foreign ? "two" : "one";
        tokens.set(known, await token(on, { field, name: filename, content, slug }));
        if (fate.claimed) await submit(on, [[`${field}[]`, tokens.get(known) ?? ""]], slug);
        if (fate.expired) on.clock.ahead += DAY_MS + 1;
      }
      const changed = await on.api("PUT", `/forms/${String(member(one, "id"))}/schema`, schema);
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      const { status, body } = await submit(
        on,
        input.pairs.map(([field, value]) => [field, tokens.get(value) ?? value] as const),
        "one",
      );
      if (expect.data === undefined) {
        const errors = items(member(body, "errors")).map((fault) => ({
          field: member(fault, "field"),
          code: member(fault, "code"),
        }));
        assert.deepEqual(
          errors,
          expect.errors?.map(({ field, code }) => ({ field, code })),
        );
        return;
      }
      assert.equal(status, 200, JSON.stringify(body));
      const stored = await on.api("GET", `/submissions/${String(member(body, "submission_id"))}`);
      assert.deepEqual(member(stored.body, "data"), expect.data);
    });
  }
});
