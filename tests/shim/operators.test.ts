/** Messages for the operators of a site. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { diskFiles } from "../../host-shim/adapters/disk-files.ts";
import { mailFolder } from "../../host-shim/adapters/mail-folder.ts";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { readConfiguration } from "../../host-shim/hosts/embedded/configuration.ts";
import { createForms } from "../../host-shim/src/index.ts";
import { ADMIN, APP_PASSWORD, BARE_ENVIRONMENT, basic, startTestHost, temporaryDirectory } from "./embedded-fixture.ts";
import { member, startSite } from "./site.ts";

const CLI = fileURLToPath(new URL("../../host-shim/hosts/embedded/cli.ts", import.meta.url));

async function startOf(directory: string): Promise<{ code: number | null; errors: string }> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", CLI, "start"], {
    env: { ...BARE_ENVIRONMENT, PORT: "0", DATA_DIR: directory },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [errors] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, errors: errors.replace(/^\{.*\n/gm, "") };
}

test("a database of a newer version stops the start in one line, and so does a damaged one", async (t) => {
  const newer = await temporaryDirectory(t);
  const file = join(newer, "cf-forms.sqlite");
  const database = openSqlite({ path: file });
  await (await createForms({ baseUrl: "http://localhost", host: { database } })).migrate();
  await database.batch([
    { sql: "INSERT INTO cf_migrations (number, name, applied_at) VALUES (9999, 'later', 0)", params: [] },
  ]);
  await database.close();
  assert.deepEqual(await startOf(newer), {
    code: 1,
    errors: `cf-forms: ${file}: the database was made by a newer version of cf-forms (its migration 9999 is unknown to this one). Start that version, or restore a backup from before the update\n`,
  });
  const damaged = await temporaryDirectory(t);
  writeFileSync(join(damaged, "cf-forms.sqlite"), "this is no database at all, but a text".repeat(100));
  assert.deepEqual(await startOf(damaged), {
    code: 1,
    errors: `cf-forms: ${join(damaged, "cf-forms.sqlite")}: file is not a database\n`,
  });
});

test("readiness writes a row, and reports errors of the database", async (t) => {
  const host = await startTestHost(t);
  const ready = async () => [
    (await fetch(`${host.url}/readyz`)).status,
    await (await fetch(`${host.url}/readyz`)).json(),
  ];
  assert.deepEqual(await ready(), [200, { status: "ready" }]);
  const other = new DatabaseSync(join(host.directory, "cf-forms.sqlite"));
  t.after(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  const [status, body] = await ready();
  other.exec("ROLLBACK");
  assert.equal(status, 503);
  assert.match(JSON.stringify(body), /"part":"database","reason":".*locked/);
  assert.deepEqual(await ready(), [200, { status: "ready" }]);
  for (const [errcode, reason] of [
    [13, "disk full"],
    [11, "damaged"],
    [8, "read-only"],
  ] as const) {
    const mock = t.mock.method(host.formsOptions.host.database, "batch", async () => {
      throw new Error("statement 1", { cause: Object.assign(new Error("it failed"), { errcode }) });
    });
    assert.deepEqual(await ready(), [503, { status: "not ready", part: "database", reason }]);
    mock.mock.restore();
  }
});

test("a locked database causes a 503, and the visitor gets the answers back", async (t) => {
  const path = join(await temporaryDirectory(t), "forms.sqlite");
  const site = await startSite({ database: openSqlite({ path, busy_ms: 300 }) });
  t.after(() => site.close());
  await site.api("POST", "/forms", { title: "Contact", markup: '<input name="name">' });
  const other = new DatabaseSync(path);
  t.after(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  // The first page needs a write, because it creates the site's key.
  const page = await fetch(`${site.url}/forms/contact`);
  assert.deepEqual([page.status, page.headers.get("retry-after")], [503, "5"]);
  other.exec("ROLLBACK");
  assert.equal((await fetch(`${site.url}/forms/contact`)).status, 200);
  other.exec("BEGIN IMMEDIATE");
  const sent = await fetch(`${site.url}/forms/contact`, {
    method: "POST",
    body: new URLSearchParams({ name: "Ada of the long answers" }),
  });
  assert.deepEqual([sent.status, sent.headers.get("retry-after")], [503, "5"]);
  assert.match(await sent.text(), /value="Ada of the long answers"/);
  const program = await fetch(`${site.url}/forms/contact`, {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams({ name: "Ada" }),
  });
  assert.deepEqual([program.status, member(await program.json(), "code")], [503, "busy"]);
  const rest = await site.api("POST", "/forms", { title: "Another" });
  assert.deepEqual([rest.status, member(rest.body, "code"), rest.headers.get("retry-after")], [503, "rest_busy", "5"]);
  // A submit that waits a short time succeeds.
  setTimeout(() => other.exec("ROLLBACK"), 100);
  assert.equal(
    (
      await fetch(`${site.url}/forms/contact`, {
        method: "POST",
        redirect: "manual",
        body: new URLSearchParams({ name: "Ada" }),
      })
    ).status,
    303,
  );
});

test("an application password has at least 24 letters and digits", () => {
  const configured = (password: string) => () => readConfiguration({ CF_ADMIN_APP_PASSWORD: password });
  assert.throws(
    configured("abcd efgh ijkl mnop qrst uvw"),
    /CF_ADMIN_APP_PASSWORD must have at least 24 letters and digits/,
  );
  assert.equal(
    configured("abcd efgh ijkl mnop qrst uvwx")().admin.applicationPassword,
    "abcd efgh ijkl mnop qrst uvwx",
  );
});

test("after wrong guesses of an application password, a right one is rejected for some time", async (t) => {
  const host = await startTestHost(t);
  const ask = async (login: string, password: string) =>
    (await fetch(`${host.url}/api/cf/v1/forms`, { headers: basic(login, password) })).status;
  for (let n = 0; n < 30; n++) assert.equal(await ask(ADMIN.login, `guess ${n}`), 401);
  assert.equal(await ask(ADMIN.login, "guess"), 429);
  assert.equal(await ask(ADMIN.login, APP_PASSWORD), 429);
});

test("a program that recently signed in keeps access while another client guesses", async (t) => {
  const host = await startTestHost(t);
  const ask = async (password: string) =>
    (await fetch(`${host.url}/api/cf/v1/forms`, { headers: basic(ADMIN.login, password) })).status;
  assert.equal(await ask(APP_PASSWORD), 200);
  for (let n = 0; n < 31; n++) await ask(`guess ${n}`);
  assert.deepEqual([await ask("guess"), await ask(APP_PASSWORD)], [429, 200]);
});

test("a killed upload's incomplete file is deleted with its record", async (t) => {
  const directory = await temporaryDirectory(t);
  const site = await startSite({ host: { files: diskFiles(directory) } });
  t.after(() => site.close());
  mkdirSync(join(directory, "submissions/a"), { recursive: true });
  for (const name of ["b~0123456789ab", "b", "bc"]) writeFileSync(join(directory, "submissions/a", name), "half");
  const sql = `INSERT INTO cf_uploads (uuid, form_id, submission_id, field_name, filename, content_type, size, file_key, created_at)
    VALUES ('u', 1, 0, 'cv', 'cv.pdf', 'application/pdf', 0, 'submissions/a/b', 1)`;
  await site.database.batch([{ sql, params: [] }]);
  assert.equal((await site.api("POST", "/privacy/erase", { email: "nobody@example.org" })).status, 200);
  assert.deepEqual(readdirSync(join(directory, "submissions/a")), ["bc"]);
});

test("mail files are deleted by age, including incomplete ones", async (t) => {
  const directory = join(await temporaryDirectory(t), "mail");
  const folder = mailFolder(directory);
  await folder.purge(Date.now());
  mkdirSync(directory);
  const name = (time: number) => `${String(time).padStart(15, "0")}-0123456789ab.eml`;
  for (const file of [name(1_000), `${name(1_000)}.part`, name(3_000), "note.txt"])
    writeFileSync(join(directory, file), "x");
  await folder.purge(2_000);
  assert.deepEqual(readdirSync(directory).sort(), [name(3_000), "note.txt"]);
});
