/** Files of visitors without script stay in a rejected form and in the review before the submit. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { items, member } from "./site.ts";
import { count, PDF, post, site } from "./uploads-before-site.ts";

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
    // The form is rejected again without new files, and keeps its tokens.
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
