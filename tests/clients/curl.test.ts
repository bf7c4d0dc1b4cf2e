/** Plain `curl` with an application password, as in scripts. */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { ADMIN, APP_PASSWORD } from "../shim/embedded-fixture.ts";
import { createNumberForm, startClientsHost, submitNumbers } from "./site.ts";

const run = promisify(execFile);
const isMissing = spawnSync("curl", ["--version"]).error !== undefined && process.env["CI"] === undefined;

test("curl", { skip: isMissing ? "no curl on the PATH" : false }, async (t) => {
  const host = await startClientsHost(t);
  const root = `${host.url}/api/cf/v1`;

  /** The response's status, headers and JSON. */
  async function curl(...parameters: string[]) {
    const { stdout } = await run("curl", ["-sS", "-i", "-u", `${ADMIN.login}:${APP_PASSWORD}`, ...parameters]);
    const [head = "", body = ""] = stdout.split(/\r\n\r\n(.*)/s);
    const [statusLine = "", ...lines] = head.split("\r\n");
    const headers = new Headers(
      lines.map((line): [string, string] => {
        const [name = "", value = ""] = line.split(/: (.*)/);
        return [name, value];
      }),
    );
    return { status: Number(statusLine.split(" ")[1]), headers, body: body === "" ? null : JSON.parse(body) };
  }

  await t.test("creates a form from JSON and from form-encoded text", async () => {
    const json = await curl("-H", "Content-Type: application/json", "-d", '{"title":"JSON"}', `${root}/forms`);
    assert.deepEqual([json.status, json.headers.get("location")], [201, `${root}/forms/${json.body.id}`]);
    const encoded = await curl("-d", "title=Encoded", "--data-urlencode", "markup=<input name=a>", `${root}/forms`);
    assert.deepEqual([encoded.status, encoded.body.title, encoded.body.markup], [201, "Encoded", "<input name=a>"]);
  });

  await t.test("reads with GET and HEAD, and conditionally", async () => {
    const read = await curl(`${root}/forms/1`);
    const tag = read.headers.get("etag") ?? "";
    const head = await curl("-I", `${root}/forms/1`);
    assert.deepEqual([head.status, head.headers.get("etag"), head.body], [200, tag, null]);
    const unchanged = await curl("-H", `If-None-Match: ${tag}`, `${root}/forms/1`);
    assert.deepEqual([unchanged.status, unchanged.body], [304, null]);
    const changed = await curl("-X", "PATCH", "-H", `If-Match: ${tag}`, "-d", "title=New", `${root}/forms/1`);
    assert.deepEqual([changed.status, changed.body.title], [200, "New"]);
    const late = await curl("-X", "PATCH", "-H", `If-Match: ${tag}`, "-d", "title=Late", `${root}/forms/1`);
    assert.deepEqual([late.status, late.body.code], [412, "rest_precondition_failed"]);
  });

  await t.test("lists and searches submissions page by page", async () => {
    const id = await createNumberForm(host, "listed");
    await submitNumbers(host, "listed", 5);
    const page = await curl("-G", "-d", "per_page=2", "-d", "page=2", `${root}/forms/${id}/submissions`);
    assert.deepEqual([page.headers.get("x-wp-total"), page.headers.get("x-wp-totalpages")], ["5", "3"]);
    assert.match(page.headers.get("link") ?? "", /page=1>; rel="prev", <.*page=3>; rel="next"/);
    const found = await curl("-G", "--data-urlencode", "search=4", "-d", `form_id=${id}`, `${root}/submissions`);
    assert.ok(found.body.some((submission: { data: { number: string } }) => submission.data.number === "4"));
  });

  await t.test("gets clear errors", async () => {
    const json = ["-H", "Content-Type: application/json"];
    const cases: readonly [readonly string[], number, string][] = [
      [["-u", "admin:wrong", `${root}/forms`], 401, "incorrect_password"],
      [["-X", "PATCH", `${root}/forms`], 404, "rest_no_route"],
      [[...json, "-d", "{", `${root}/forms`], 400, "rest_invalid_json"],
      [[...json, "-d", "{}", `${root}/forms`], 400, "missing_type"],
      [[...json, "-d", '{"title":7}', `${root}/forms`], 400, "rest_invalid_param"],
      [[`${root}/forms/999999`], 404, "form_not_found"],
      [
        ["-d", `title=${"x".repeat(100_000)}`, "-d", `markup=${"y".repeat(100_000)}`, `${root}/forms`],
        400,
        "rest_invalid_param",
      ],
    ];
    for (const [parameters, status, code] of cases) {
      const response = await curl(...parameters);
      assert.deepEqual([response.status, response.body.code, response.body.data.status], [status, code, status]);
    }
  });

  await t.test("deletes", async () => {
    const deleted = await curl("-X", "DELETE", `${root}/forms/1`);
    assert.deepEqual([deleted.status, deleted.body.deleted, deleted.body.previous.id], [200, true, 1]);
  });
});
