/**
 * Submits that fail because of the site or because of their size. A visitor without script gets the form back with the
 * answers, and programs and the visitor's script get JSON. Nothing is stored.
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it, type TestContext } from "node:test";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { languages } from "../../visitor/languages/index.ts";
import { BodyBudget } from "../../host-shim/src/body-budget.ts";
import { Exchange } from "../../host-shim/src/exchange.ts";
import { errorResponse } from "../../host-shim/src/error-response.ts";
import { IncomingBody } from "../../host-shim/src/incoming-body.ts";
import { isFailedSubmit, respondToFailedSubmit } from "../../host-shim/src/submit-fault.ts";
import type { Database, Files } from "../../host-shim/src/index.ts";
import { items, member, startSite, type JsonValue, type Site, type SiteOptions } from "./site.ts";

const MARKUP = `<label>Name <input name="name" required></label><label>Story <textarea name="story"></textarea></label>
  <label>Secret <input type="password" name="secret"></label><label>CV <input type="file" name="cv" multiple></label>
  <label>Late <input name="late"></label><button>Send</button>`;
const STORY = 'Once & "twice" <b>';

const folder = mkdtempSync(join(tmpdir(), "cf-forms-faults-"));
after(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

type Batch = Database["batch"];

/** A site whose database fails with `fault` while `fault` is set. */
async function faulty(
  t: TestContext,
  options: SiteOptions = {},
): Promise<{ site: Site; set(fault: ((sound: Batch) => Batch) | null): void }> {
  const sound = openSqlite({ path: join(folder, `${++made}.sqlite`) });
  let fault: ((sound: Batch) => Batch) | null = null;
  const database: Database & { close(): Promise<void> } = {
    dialect: "sqlite",
    batch: (statements, given) =>
      fault === null ? sound.batch(statements, given) : fault(sound.batch.bind(sound))(statements, given),
    close: () => sound.close(),
  };
  const site = await startSite({ database, ...options, forms: { portTimeoutMs: 1_000, languages, ...options.forms } });
  t.after(() => site.close());
  return { site, set: (next) => void (fault = next) };
}

async function makeForm(site: Site, settings: object = {}): Promise<string> {
  const { body } = await site.api("POST", "/forms", { title: "Jobs", slug: "jobs", markup: MARKUP, settings });
  return `${site.url}/forms/${String(member(body, "slug"))}`;
}

const total = async (site: Site): Promise<number> =>
  items((await site.api("GET", "/submissions?status=any")).body).length;

/** A submit as a browser sends it: form-encoded, or with a file between answers. */
function requestOf(
  url: string,
  file: Uint8Array | null,
  headers: Record<string, string> = {},
  more: Record<string, string> = {},
): Request {
  const answers: Record<string, string> = { _submission_key: "k", name: "Ada", story: STORY, secret: "hush", ...more };
  if (file === null)
    return new Request(url, {
      method: "POST",
      body: new URLSearchParams({ ...answers, late: "after" }),
      headers,
      redirect: "manual",
    });
  const body = new FormData();
  for (const [name, value] of Object.entries(answers)) body.append(name, value);
  body.append("cv", new Blob([file as BlobPart], { type: "application/pdf" }), 'my "cv".pdf');
  body.append("cv", new Blob(["%PDF-1.4"], { type: "application/pdf" }), "second.pdf");
  body.append("late", "after");
  return new Request(url, { method: "POST", body, headers, redirect: "manual" });
}

const submit = (...sent: Parameters<typeof requestOf>): Promise<Response> => fetch(requestOf(...sent));

const failing =
  (error: Error) =>
  (sound: Batch): Batch =>
  (statements, options) =>
    statements.some(({ sql }) => sql.includes("INTO cf_submissions "))
      ? Promise.reject(error)
      : sound(statements, options);
const coded = (code: object) => Object.assign(new Error("secret words"), code);

const FAULTS: readonly {
  readonly what: string;
  readonly fault: (sound: Batch) => Batch;
  readonly outcome: string;
  readonly retry: string | null;
}[] = [
  { what: "SQLite's disk is full", fault: failing(coded({ errcode: 13 })), outcome: "503 disk_full", retry: "60" },
  {
    what: "PostgreSQL's disk is full",
    fault: failing(coded({ code: "53100" })),
    outcome: "503 disk_full",
    retry: "60",
  },
  {
    what: "a disk is full below another error",
    fault: failing(new Error("secret", { cause: coded({ code: "ENOSPC" }) })),
    outcome: "503 disk_full",
    retry: "60",
  },
  { what: "the database is locked", fault: failing(coded({ errcode: 5 })), outcome: "503 busy", retry: "5" },
  { what: "the database fails", fault: failing(new Error("secret words")), outcome: "500 internal_error", retry: null },
  {
    what: "the database never answers",
    fault: (sound) => (statements, options) =>
      statements.some(({ sql }) => sql.includes("INTO cf_submissions "))
        ? new Promise(() => undefined)
        : sound(statements, options),
    outcome: "500 internal_error",
    retry: null,
  },
  {
    what: "the database is gone",
    fault: () => () => Promise.reject(new Error("secret words")),
    outcome: "500 internal_error",
    retry: null,
  },
];

describe("a submit that fails because of the site", () => {
  for (const { what, fault, outcome, retry } of FAULTS) {
    for (const isHeld of [true, false]) {
      it(`${what}${isHeld ? "" : ", and the form is not in memory"}: the form comes back, and a program gets ${outcome}`, async (t) => {
        const { site, set } = await faulty(t);
        const url = await makeForm(site);
        if (isHeld) assert.equal((await submit(url, null, {}, { _submission_key: "first" })).status, 303);
        const before = await total(site);
        set(fault);
        for (const file of [null, new TextEncoder().encode("%PDF-1.4")]) {
          const page = await submit(url, file, { accept: "text/html" });
          const html = await page.text();
          assert.deepEqual([page.status, page.headers.get("retry-after")], [Number(outcome.slice(0, 3)), retry], html);
          assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
          assert.doesNotMatch(html, /secret words/);
          for (const part of ["<form", 'value="k"', "Ada", "Once &amp; &quot;twice&quot; &lt;b&gt;", "after"])
            assert.ok(html.replaceAll('"twice"', "&quot;twice&quot;").includes(part), `${part}\n${html}`);
          if (file !== null)
            assert.match(html, /cv[^]*my &quot;cv&quot;\.pdf|my &quot;cv&quot;\.pdf|my "cv"\.pdf|my _cv_\.pdf/);
          const json = await submit(url, file, { accept: "application/json" });
          const body = await json.json();
          assert.deepEqual(
            [`${json.status} ${String(member(body, "code"))}`, json.headers.get("retry-after")],
            [outcome, retry],
          );
          assert.match(String(member(member(body, "message"), "text")), /went wrong|couldn’t/);
          assert.deepEqual(member(body, "errors"), []);
          const id = member(member(body, "data"), "request_id");
          assert.ok(typeof id === "string" && id !== "", "a response to a failure has an id");
          assert.ok(
            site.faults.some((line) => line.includes(id)),
            `the log has ${id}`,
          );
        }
        set(null);
        assert.equal(await total(site), before);
        // Sending the returned form again stores it once.
        assert.equal((await submit(url, null)).status, 303);
        assert.equal(await total(site), before + 1);
        // The log has the cause.
        assert.ok(site.faults.length >= 4, site.faults.join("\n"));
      });
    }
  }

  it("no room for a file: 503, the form comes back, and no file is left", async (t) => {
    const stored = new Map<string, Uint8Array>();
    const full: Files = {
      async put(key, bytes) {
        if (bytes.length > 10) throw coded({ code: "ENOSPC" });
        stored.set(key, bytes);
      },
      get: async (key) => stored.get(key) ?? null,
      delete: async (key) => void stored.delete(key),
    };
    const { site } = await faulty(t, { host: { files: full } });
    const url = await makeForm(site);
    const page = await submit(url, new TextEncoder().encode("%PDF-1.4 and more"), {
      accept: "text/html",
      "accept-language": "de",
    });
    const html = await page.text();
    assert.deepEqual([page.status, page.headers.get("retry-after"), stored.size], [503, "60", 0], html);
    for (const part of ['value="Ada"', 'value="after"', "autofocus", "second.pdf"])
      assert.ok(html.includes(part), `${part}\n${html}`);
    const json = await submit(url, new TextEncoder().encode("%PDF-1.4 and more"), { accept: "application/json" });
    assert.deepEqual([json.status, member(await json.json(), "code")], [503, "disk_full"]);
    assert.equal(await total(site), 0);
    assert.deepEqual((await site.database.batch([{ sql: "SELECT COUNT(*) FROM cf_uploads", params: [] }]))[0]?.rows, [
      [0],
    ]);
  });

  it("a trap: the shim returns the answers, in the visitor's language", async () => {
    for (const isMultipart of [false, true]) {
      const body = new FormData();
      for (const [name, value] of [
        ["name", "Ada <b>"],
        ["password", "hush"],
        ["_submission_key", "k"],
      ] as const)
        body.append(name, value);
      body.append("cv", new Blob(["x".repeat(100_000)]), "cv.pdf");
      body.append("late", "after");
      const pairs = new URLSearchParams(
        [...body].filter(([, value]) => typeof value === "string").map(([name, value]) => [name, String(value)]),
      );
      const sent = (accept: string) =>
        new Request("https://site.test/forms/jobs", {
          method: "POST",
          body: isMultipart ? body : pairs,
          headers: { accept, "accept-language": "de-AT,en" },
        });
      const responseFor = async (accept: string) => {
        const request = sent(accept);
        const contentType = request.headers.get("content-type") ?? "";
        const incoming = new IncomingBody(request, {
          bytes: 2 ** 20,
          lengthHolds: false,
          lease: new BodyBudget().lease(null),
          passedOver: 2 ** 20,
        });
        const exchange = new Exchange({
          body: incoming,
          contentType,
          lease: new BodyBudget().lease(null),
          files: undefined,
          portTimeoutMs: 1_000,
        });
        // The engine trapped after it had read the first file's name.
        if (isMultipart) await exchange.perform({ id: 1, bytes: null, port: "part", content: null });
        else await exchange.perform({ id: 1, bytes: null, port: "body", content: null });
        exchange.close();
        const found = { area: "front", path: "/jobs", query: "" } as const;
        const trapped = errorResponse(500, "internal_error", "The site could not respond.", "id-1");
        assert.ok(isFailedSubmit(trapped, request, found));
        return respondToFailedSubmit(trapped, {
          request,
          found,
          requestId: "id-1",
          exchange,
          languages,
          front: "/forms",
        });
      };
      const page = await responseFor("text/html");
      const html = new TextDecoder().decode(page.body);
      assert.equal(page.status, 500);
      for (const part of [
        "Ada &lt;b&gt;</textarea>",
        ">\nafter</textarea>",
        'type="hidden" name="password" value="hush"',
        'name="_submission_key" value="k"',
        'action="/forms/jobs"',
        "konnte nicht gesendet werden",
        "(id-1)",
      ]) {
        assert.ok(html.includes(part), `${part}\n${html}`);
      }
      assert.equal(html.includes("cv.pdf noch einmal"), isMultipart, html);
      const json = JSON.parse(new TextDecoder().decode((await responseFor("application/json")).body)) as {
        message: { type: string };
      };
      assert.equal(json.message.type, "error");
    }
  });
});

describe("a body that is too large", () => {
  const MB = 2 ** 20;

  it("gets a 413 with the form, in its language, with the limit in MB and every other answer", async (t) => {
    const { site } = await faulty(t, { forms: { bodyLimit: MB, uploadLimit: 2.5 * MB } });
    const url = await makeForm(site, { language: "de" });
    const large = new Uint8Array(3 * MB).fill(37);
    const huge = "x".repeat(MB + 10);
    const rows = [
      {
        file: large,
        more: {},
        says: [
          "höchstens 2,5 MB",
          "(3 MB)",
          "second.pdf",
          'value="after"',
          'value="Ada"',
          "twice",
          "noch einmal",
          "aria-invalid",
          'href="#',
        ],
      },
      { file: null, more: { huge }, says: ["höchstens 1 MB", 'value="after"', 'value="Ada"', "twice"] },
      {
        file: new Uint8Array(8).fill(37),
        more: { huge },
        says: ["höchstens 2,5 MB", 'value="after"', 'value="Ada"', "twice", "second.pdf"],
      },
    ];
    for (const { file, more, says } of rows) {
      const page = await submit(url, file, { accept: "text/html" }, more);
      const html = await page.text();
      assert.equal(page.status, 413, html.slice(0, 2_000));
      for (const part of says) assert.ok(html.includes(part), `${part}\n${html}`);
      assert.ok(!html.includes("hush") && html.length < 100_000);
      // Calls the engine directly, because a server may close the connection before the end of the body.
      const json = await site.forms.fetch(requestOf(url, file, { accept: "application/json" }, more));
      const body: JsonValue = JSON.parse((await json?.text()) ?? "null");
      assert.deepEqual([json?.status, member(body, "code")], [413, "rest_payload_too_large"]);
      assert.match(String(member(member(body, "message"), "text")), /höchstens (?:2,5|1) MB/);
    }
    assert.equal(await total(site), 0);
    assert.deepEqual((await site.database.batch([{ sql: "SELECT COUNT(*) FROM cf_uploads", params: [] }]))[0]?.rows, [
      [0],
    ]);
  });

  it("is read further, also without a length, and a form-encoded body of 40 MB keeps the answers that fit", async (t) => {
    const { site } = await faulty(t, { forms: { uploadLimit: 100_000 } });
    const url = await makeForm(site);
    const streamed = (type: string, pieces: readonly string[]) => {
      const encoder = new TextEncoder();
      let at = 0;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const piece = pieces[at++];
          if (piece === undefined) controller.close();
          else controller.enqueue(encoder.encode(piece));
        },
      });
      const init: RequestInit & { duplex: "half" } = {
        method: "POST",
        body,
        duplex: "half",
        headers: { "content-type": type, accept: "text/html" },
      };
      return fetch(url, init);
    };
    const part = (name: string, value: string, file = "") =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
    const large = Array.from({ length: 40 }, () => "x".repeat(MB));
    const rows = [
      streamed("multipart/form-data; boundary=x", [
        part("name", "Ada"),
        part("cv", "", '; filename="large.pdf"').slice(0, -2),
        ...large,
        "\r\n",
        part("late", "after"),
        "--x--\r\n",
      ]),
      streamed("application/x-www-form-urlencoded", ["name=Ada&story=", ...large, "&late=after"]),
    ];
    for (const row of rows) {
      const page = await row;
      const html = await page.text();
      assert.equal(page.status, 413, html.slice(0, 2_000));
      for (const text of ['value="Ada"', 'value="after"'])
        assert.ok(html.includes(text), `${text}\n${html.slice(0, 5_000)}`);
    }
  });

  it("a rejection without script names each file to choose again, with links", async (t) => {
    const { site } = await faulty(t);
    const url = await makeForm(site);
    // The file is a program instead of a PDF. The page keeps only the files of valid fields.
    const page = await submit(url, new TextEncoder().encode("MZ\0"), { accept: "text/html" }, { name: "" });
    const html = await page.text();
    assert.equal(page.status, 400);
    assert.match(
      html,
      /<div class="cf-summary" role="alert" tabindex="-1" autofocus>[^]*<a href="#[^"]*cv[^"]*">CV: [^<]* Choose my (?:_|&quot;)cv(?:_|&quot;)\.pdf, second\.pdf again\.<\/a>/,
      html,
    );
    assert.match(html, /aria-describedby="[^"]*cv[^"]*--error"[^]*class="cf-error"[^>]*>[^<]* Choose my/, html);
    // No file was chosen in an empty input, so none must be chosen again.
    const empty = new FormData();
    empty.append("cv", new Blob([]), "");
    assert.doesNotMatch(
      await (await fetch(url, { method: "POST", body: empty, headers: { accept: "text/html" } })).text(),
      /again\.<\/a>/,
    );
  });
});
