/** Hooks of a submit for plugins, and files on a host that fails to store them. */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Files, FilterHooks } from "../../host-shim/src/index.ts";
import { isUpload, items, member, startSite, type JsonValue, type Site } from "./site.ts";

interface Sent {
  readonly status: number;
  readonly body: JsonValue;
}

async function makeForm(site: Site, markup: string, settings: object = {}): Promise<{ id: number; slug: string }> {
  const { body } = await site.api("POST", "/forms", { title: "Plugins", markup, settings });
  return { id: Number(member(body, "id")), slug: String(member(body, "slug")) };
}

async function send(site: Site, slug: string, body: BodyInit): Promise<Sent> {
  const response = await fetch(`${site.url}/forms/${slug}`, {
    method: "POST",
    body,
    headers: { accept: "application/json" },
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function stored(site: Site, id: number): Promise<JsonValue[]> {
  return items((await site.api("GET", `/forms/${id}/submissions?status=any`)).body);
}

describe("hooks of a submit", () => {
  let site: Site;
  let form: { id: number; slug: string };
  const calls: string[] = [];
  const fields = (extra: Record<string, string> = {}) => new URLSearchParams({ name: "Ada", topic: "tea", ...extra });

  before(async () => {
    site = await startSite();
  });
  beforeEach(async () => {
    for (const name of [
      "cf_validate_form",
      "cf_spam_check",
      "cf_form_redirect_url",
      "cf_ignored_field_names",
      "cf_form_message_success",
      "cf_form_html",
      "cf_form_markup",
    ]) {
      site.forms.hooks.removeAllFilters(name);
    }
    for (const name of ["cf_process_form", "cf_submission_inserted", "cf_form_success", "cf_form_response"]) {
      site.forms.hooks.removeAllActions(name);
    }
    calls.length = 0;
    form = await makeForm(site, "<input name=name required><input name=topic>");
  });
  after(() => site.close());

  it("run in the documented order", async () => {
    const { hooks } = site.forms;
    hooks.addAction("cf_process_form", "test/hears", (processed, submission, data, code) => {
      calls.push(
        `process ${member(processed, "id") === form.id} ${member(submission, "id")} ${member(data, "name")} "${code}"`,
      );
    });
    hooks.addAction("cf_submission_inserted", "test/hears", async (submission) => {
      const list = await stored(site, form.id);
      calls.push(`inserted ${member(list[0], "id") === member(submission, "id")}`);
    });
    hooks.addAction("cf_form_success", "test/hears", (submission, succeeded) => {
      calls.push(`success ${member(member(submission, "data"), "topic")} ${member(succeeded, "slug") === form.slug}`);
    });
    hooks.addAction("cf_form_response", "test/hears", (_, submission, code) => {
      calls.push(`response ${submission === null ? "none" : "stored"} "${code}"`);
    });
    assert.equal((await send(site, form.slug, fields())).status, 200);
    assert.equal((await send(site, form.slug, fields({ name: "" }))).status, 400);
    assert.equal((await send(site, form.slug, fields({ [`_cf_h${form.id}`]: "x" }))).status, 200);
    assert.deepEqual(calls, [
      'process true 0 Ada ""',
      "inserted true",
      "success tea true",
      'response stored ""',
      'response none "required_field_missing"',
      'process true 0 Ada ""',
      "inserted true",
      'response stored "spam"',
    ]);
  });

  it("reject answers by a code or by fields, or mark them as spam", async () => {
    type Opinion = ReturnType<FilterHooks["cf_validate_form"]>;
    let opinion: Opinion = "";
    site.forms.hooks.addFilter("cf_validate_form", "test/judges", (code, _, data) =>
      member(data, "topic") === "tea" ? opinion : code,
    );
    const rows: readonly (readonly [Opinion, number, string | null])[] = [
      ["", 200, null],
      ["duplicate_submission", 400, "duplicate_submission"],
      [[{ field: "topic", code: "no_tea", message: "No tea." }], 400, "no_tea"],
      ["spam", 200, null],
    ];
    for (const [verdict, status, code] of rows) {
      opinion = verdict;
      const response = await send(site, form.slug, fields());
      assert.deepEqual([response.status, member(response.body, "code")], [status, code], JSON.stringify(verdict));
    }
    const list = await stored(site, form.id);
    assert.deepEqual(
      list.map((one) => member(one, "spam_reasons")),
      [["cf_validate_form"], []],
    );
  });

  it("decide about spam, messages, the redirect and the stored data", async () => {
    const { hooks } = site.forms;
    hooks.addFilter("cf_spam_check", "test/judges", (verdict, submission) =>
      member(member(submission, "data"), "topic") === "casino"
        ? { is_spam: true, score: 80, reasons: ["casino"] }
        : verdict,
    );
    hooks.addFilter("cf_form_message_success", "test/words", (text) => `${text} See you.`);
    hooks.addFilter(
      "cf_form_redirect_url",
      "test/way",
      (_, form, data) => `/thanks/${member(form, "slug")}?t=${member(data, "topic")}`,
    );
    hooks.addFilter("cf_ignored_field_names", "test/forgets", (names) => [...names, "name"]);
    const response = await send(site, form.slug, fields({ topic: "casino" }));
    assert.equal(member(member(response.body, "message"), "text"), "Thank you. Your answers have been sent. See you.");
    assert.equal(member(response.body, "redirect_url"), `/thanks/${form.slug}?t=casino`);
    const [only] = await stored(site, form.id);
    assert.deepEqual([member(only, "is_spam"), member(only, "spam_reasons")], [true, ["casino"]]);
    assert.deepEqual(member(only, "data"), { topic: "casino" });

    hooks.removeAllFilters("cf_form_redirect_url");
    hooks.addFilter("cf_form_redirect_url", "test/way", () => "javascript:alert(1)");
    assert.equal(member((await send(site, form.slug, fields())).body, "redirect_url"), null);
  });

  it("confirm, explain or lift a verdict on spam", async (t) => {
    const { hooks } = site.forms;
    let response: unknown;
    hooks.addFilter("cf_spam_check", "test/judges", (verdict) =>
      response === "as it is" ? verdict : (response as boolean),
    );
    const page = await (await fetch(`${site.url}/forms/${form.slug}`)).text();
    const soon = { _cf_time: /name="?_cf_time"? value="?([^" >]+)/.exec(page)?.[1] ?? "" };
    site.clock.ahead -= 60_000;
    t.after(() => (site.clock.ahead += 60_000));
    const trapped = { [`_cf_h${form.id}`]: "x" };
    const [caught, suspected] = [
      { is_spam: true, score: 100, reasons: ["honeypot"] },
      { is_spam: false, score: 40, reasons: ["too_fast"] },
    ];
    const clear = { is_spam: false, score: 0, reasons: [] };
    const rows: [Record<string, string>, unknown, object][] = [
      [trapped, false, clear],
      [trapped, { is_spam: false, reasons: ["x"] }, clear],
      [trapped, null, caught],
      [trapped, "spam", caught],
      [trapped, true, caught],
      [trapped, "as it is", caught],
      [{}, { is_spam: true, score: 900, reasons: ["akismet", 5] }, { is_spam: true, score: 100, reasons: ["akismet"] }],
      [{}, true, { is_spam: true, score: 100, reasons: ["cf_spam_check"] }],
      [soon, "as it is", suspected],
      [soon, false, suspected],
      [soon, null, suspected],
      [soon, true, { is_spam: true, score: 100, reasons: ["too_fast"] }],
    ];
    for (const [values, given, expected] of rows) {
      response = given;
      await send(site, form.slug, fields(values));
      const list = await stored(site, form.id);
      const last = list.toSorted((one, other) => Number(member(other, "id")) - Number(member(one, "id")))[0] ?? null;
      const [is_spam, score, reasons] = ["is_spam", "spam_score", "spam_reasons"].map((name) => member(last, name));
      assert.deepEqual({ is_spam, score, reasons }, expected, JSON.stringify([values, given]));
    }
  });

  it("cf_process_form runs for accepted answers and for spam, but not for rejected ones, with an empty code", async () => {
    const { hooks } = site.forms;
    const codes: string[] = [];
    hooks.addAction("cf_process_form", "test/hears", (_form, _submission, _data, code) => void codes.push(code));
    assert.equal((await send(site, form.slug, fields({ name: "" }))).status, 400);
    hooks.addFilter("cf_validate_form", "test/judges", (code, _form, data) =>
      data["name"] === "Eve" ? "Not you, Eve." : code,
    );
    assert.equal((await send(site, form.slug, fields({ name: "Eve" }))).status, 400);
    assert.deepEqual(codes, []);
    assert.equal((await send(site, form.slug, fields())).status, 200);
    assert.equal((await send(site, form.slug, fields({ name: "", [`_cf_h${form.id}`]: "x" }))).status, 200);
    assert.deepEqual(codes, ["", ""]);
  });

  it("change the form's HTML, and one that throws has no effect", async () => {
    const { hooks } = site.forms;
    hooks.addFilter(
      "cf_form_markup",
      "test/html",
      (html) => `<p>before</p>${html}<p data-show-if="name=Ada">plugin</p>`,
    );
    hooks.addFilter("cf_form_html", "test/html", (html) => `${html}<p>after</p>`);
    const page = await (await fetch(`${site.url}/forms/${form.slug}`)).text();
    assert.match(page, /<p>before<\/p><input name=name required>[\s\S]*<\/form>\s*<p>after<\/p>/);
    assert.match(
      page,
      /<p data-show-if="name=Ada" data-cf-conditions="[^"]+">plugin/,
      "the visitor's script follows the redirect",
    );
    hooks.addFilter("cf_validate_form", "test/throws", () => {
      throw new Error(`on purpose ${"x".repeat(5_000)}`);
    });
    hooks.addAction("cf_form_success", "test/throws", () => {
      throw new Error("after it");
    });
    const answered = await send(site, form.slug, fields());
    assert.equal(answered.status, 200);
    assert.doesNotMatch(JSON.stringify(answered.body), /on purpose|\.test\.ts/);
    const thrown = site.faults.splice(0).filter((fault) => fault.includes("test/throws"));
    const [ofFilter = "", ofAction = ""] = thrown;
    assert.match(ofFilter, /test\/throws.*on purpose.*"stack":"Error: on purpose x+"/);
    assert.equal(/"stack":"([^"]*)"/.exec(ofFilter)?.[1]?.length, 2_000);
    assert.match(ofAction, /test\/throws.*after it.*"stack":"Error: after it\\n {4}at .*submit-plugins\.test\.ts:\d+/);
  });
});

describe("files of a submit", () => {
  const markup = "<input type=file name=cv required><input name=name required>";

  function body(name: string): FormData {
    const data = new FormData();
    data.set("name", name);
    data.set("cv", new File(["hello"], '../c"v ä.txt', { type: "text/plain" }));
    return data;
  }

  async function withFiles(files: Files, work: (site: Site) => Promise<void>): Promise<void> {
    const site = await startSite({ host: { files } });
    try {
      await work(site);
    } finally {
      await site.close();
    }
  }

  it("are stored with it, under a sanitized name", async () => {
    const kept = new Map<string, Uint8Array>();
    const files: Files = {
      put: async (key, bytes) => void kept.set(key, bytes),
      get: async (key) => kept.get(key) ?? null,
      delete: async (key) => void kept.delete(key),
    };
    await withFiles(files, async (site) => {
      const form = await makeForm(site, markup);
      assert.equal((await send(site, form.slug, body("Ada"))).status, 200);
      const [only] = await stored(site, form.id);
      assert.equal(member(member(only, "data"), "cv"), "c_v ä.txt");
      const [file] = items(member(only, "files"));
      assert.equal(member(file, "size"), 5);
      const uploads = () => [...kept].filter(([key]) => isUpload(key));
      const [[key, bytes] = []] = uploads();
      assert.equal(new TextDecoder().decode(bytes), "hello");
      assert.match(String(key), /^submissions\/[0-9a-f-]{36}\/[0-9a-f]{16}$/);
      assert.equal((await send(site, form.slug, body(""))).status, 400);
      assert.equal(uploads().length, 1, "a rejected submit leaves no file");
      await site.api("DELETE", `/forms/${form.id}?force=true`);
      assert.deepEqual(uploads(), []);
    });
  });

  it("that the host cannot store reject the submit, and nothing is stored", async () => {
    const files: Files = {
      put: async () => {
        throw new Error("the disk is full");
      },
      get: async () => null,
      delete: async () => undefined,
    };
    await withFiles(files, async (site) => {
      const form = await makeForm(site, markup);
      const response = await send(site, form.slug, body("Ada"));
      assert.deepEqual([response.status, member(response.body, "code")], [400, "file_upload_error"]);
      assert.equal(member(items(member(response.body, "errors"))[0], "field"), "cv");
      assert.deepEqual(await stored(site, form.id), []);
      assert.match(site.faults.join("\n"), /the disk is full/);
    });
  });
});
