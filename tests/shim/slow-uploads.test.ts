/**
 * Uploads that take longer than the lease of a record without a submission, with purges in between. Also, the file
 * counters under races.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, describe, test, type TestContext } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { diskFiles } from "../../host-shim/adapters/disk-files.ts";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import type { Database, Files } from "../../host-shim/src/index.ts";
import { postgresForTests } from "./postgres-server.ts";
import { isUpload, items, member, startSite, type Site } from "./site.ts";

const MINUTE = 60_000;
/** Interval at which the host renews leases. */
const RENEW_MS = 10_000;
const FIRST = "%PDF-1.7\n".padEnd(70_000, "a");
const REST = "b".repeat(50_000);

const postgres = await postgresForTests();
after(async () => "server" in postgres && postgres.server.stop());

const folder = mkdtempSync(join(tmpdir(), "cf-forms-slow-uploads-"));
after(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

type Opened = Database & { close(): Promise<void> };

/** Removes the store's id from the tests' shared database, so that the next test can use another store. */
async function forgetStore(database: Opened): Promise<void> {
  const sql = "DELETE FROM cf_settings WHERE name = 'file_store'";
  // The table does not exist before the first start.
  await database.batch([{ sql, params: [] }]).catch(() => undefined);
  await database.close();
}

async function start(
  t: TestContext,
  open: (() => Opened) | null,
  files: Files = diskFiles(join(folder, `site-${++made}`)),
): Promise<Site> {
  if (open !== null) await forgetStore(open());
  const site = await startSite({ host: { files }, ...(open === null ? {} : { database: open() }) });
  t.after(() => site.close());
  return site;
}

const stored = (): number =>
  readdirSync(join(folder, `site-${made}`), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && isUpload(entry.name),
  ).length;

async function makeForm(site: Site, settings: object = {}): Promise<{ id: number; slug: string }> {
  const { body } = await site.api("POST", "/forms", {
    title: "Jobs",
    markup: '<input type="file" name="cv"><input name="name">',
    settings: { rate_limit: 0, ...settings },
  });
  return { id: Number(member(body, "id")), slug: String(member(body, "slug")) };
}

async function rows(site: Site, sql: string): Promise<readonly (readonly unknown[])[]> {
  const [result] = await site.database.batch([{ sql, params: [] }]);
  return (result?.rows ?? []).map((row) =>
    row.map((value) => (typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value)),
  );
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; await turn()) if (await holds()) return;
  assert.fail(`${what}: it never came`);
}

/** Removes abandoned files now, like the hourly purge. */
async function purge(site: Site): Promise<void> {
  assert.equal((await site.api("POST", "/privacy/erase", { email: "nobody@example.org" })).status, 200);
}

/** A submit whose file has begun to arrive. */
async function arriving(site: Site, form: { id: number; slug: string }, accept: string) {
  const begin = `--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nAda\r\n--x\r\nContent-Disposition: form-data; name="cv"; filename="cv.pdf"\r\n\r\n${FIRST}`;
  const end = `${REST}\r\n--x--\r\n`;
  const socket = connect(Number(new URL(site.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    `POST /forms/${form.slug} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept: ${accept}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${begin.length + end.length}\r\n\r\n${begin}`,
  );
  await until(
    "the record",
    async () => (await rows(site, `SELECT id FROM cf_uploads WHERE form_id = ${form.id}`)).length === 1,
  );
  return {
    async response(): Promise<string> {
      const response = text(socket);
      socket.write(end);
      return response;
    },
  };
}

function slowUploads(open: (() => Opened) | null): void {
  test("a file that takes hours is stored despite purges in between", async (t) => {
    const site = await start(t, open);
    const form = await makeForm(site);
    t.mock.timers.enable({ apis: ["setInterval"] });
    const upload = await arriving(site, form, "application/json");
    const written = async () =>
      Number((await rows(site, `SELECT created_at FROM cf_uploads WHERE form_id = ${form.id}`))[0]?.[0]);
    for (let jump = 1; jump <= 2; jump += 1) {
      const before = await written();
      site.clock.ahead = jump * 50 * MINUTE;
      t.mock.timers.tick(RENEW_MS);
      await until("the renewed record", async () => (await written()) > before);
      await purge(site);
    }
    assert.match(await upload.response(), /^HTTP\/1\.1 200 /);
    const { body } = await site.api("GET", `/forms/${form.id}/submissions`);
    const file = items(member(items(body)[0], "files"))[0];
    const content = await (
      await fetch(String(member(file, "url")), { headers: { "x-test-caller": "administrator" } })
    ).text();
    assert.equal(content, FIRST + REST);
    // The renewed lease has expired, but the file belongs to its submission now.
    site.clock.ahead += 120 * MINUTE;
    await purge(site);
    assert.equal(stored(), 1);
  });

  for (const [accept, isDisk] of [
    ["application/json", false],
    ["text/html", false],
    ["text/html", true],
  ] as const) {
    test(`a submit whose file was purged${isDisk ? " from the disk" : ""} is rejected as ${accept}, and nothing of it is stored`, async (t) => {
      const kept = new Map<string, Uint8Array>();
      const files: Files = {
        put: async (key, bytes) => void kept.set(key, bytes),
        get: async (key) => kept.get(key) ?? null,
        delete: async (key) => void kept.delete(key),
      };
      const site = await (isDisk ? start(t, open) : start(t, open, files));
      const form = await makeForm(site, {
        upload_quota: 1_000_000,
        actions: [{ type: "email", to: "desk@example.org" }],
      });
      const upload = await arriving(site, form, accept);
      // The lease was not renewed, as if the process had been suspended.
      site.clock.ahead = 61 * MINUTE;
      await purge(site);
      const response = await upload.response();
      assert.match(response, /^HTTP\/1\.1 400 /);
      if (accept === "text/html")
        for (const part of ['value="Ada"', "Choose cv.pdf again"]) assert.ok(response.includes(part), response);
      else assert.match(response, /"code":"file_upload_error"[^]*"field":"cv"/);
      for (const table of ["cf_submissions", "cf_submission_keys", "cf_action_queue", "cf_uploads"]) {
        assert.deepEqual(await rows(site, `SELECT COUNT(*) FROM ${table} WHERE form_id = ${form.id}`), [[0]], table);
      }
      assert.equal(isDisk ? stored() : [...kept.keys()].filter(isUpload).length, 0);
      assert.match(site.faults.join("\n"), isDisk ? /could not be stored/ : /its record was purged/);
    });
  }
}

describe("on SQLite", () => slowUploads(null));

describe("on PostgreSQL", "skip" in postgres ? { skip: postgres.skip } : {}, () => {
  if ("skip" in postgres) return;
  const { url } = postgres.server;
  const open = () => openPostgres({ url, max: 16 });
  slowUploads(open);

  /** The counters, and the sums of the records. */
  const difference = (site: Site) =>
    rows(
      site,
      "SELECT t.form_id, t.bytes, COALESCE(SUM(u.size), 0) FROM cf_upload_totals t LEFT JOIN cf_uploads u ON u.form_id = t.form_id GROUP BY t.form_id, t.bytes HAVING t.bytes <> COALESCE(SUM(u.size), 0)",
    );

  test("when two hosts remove the same files, each file is subtracted from the form's total once", async (t) => {
    const sites = [await start(t, open), await start(t, open)] as const;
    const [first] = sites;
    const form = await makeForm(first);
    for (let round = 0; round < 10; round += 1) {
      const values = Array.from(
        { length: 60 },
        (_, n) =>
          `('r${round}-${n}', ${form.id}, 0, 'cv', 'a.pdf', 'application/pdf', 1000, 'submissions/r${round}/${n}', 0)`,
      );
      await first.database.batch([
        {
          sql: `INSERT INTO cf_uploads (uuid, form_id, submission_id, field_name, filename, content_type, size, file_key, created_at) VALUES ${values.join()}`,
          params: [],
        },
        {
          sql: `INSERT INTO cf_upload_totals (form_id, bytes) VALUES (${form.id}, 60000) ON CONFLICT (form_id) DO UPDATE SET bytes = cf_upload_totals.bytes + 60000`,
          params: [],
        },
      ]);
      await Promise.all(sites.flatMap((site) => [purge(site), purge(site)]));
      assert.deepEqual(await difference(first), [], `round ${round}`);
    }
    assert.deepEqual(
      sites.flatMap(({ faults }) => faults),
      [],
    );
  });

  test("concurrent submits, deletions and purges keep the total equal to the sum of the files", async (t) => {
    const sites = [await start(t, open), await start(t, open)] as const;
    const [first, second] = sites;
    const form = await makeForm(first);
    const submit = async (site: Site, n: number): Promise<number> => {
      const body = new FormData();
      body.append("name", `Ada ${n}`);
      body.append("cv", new Blob([`%PDF-1.7\n${"x".repeat(n)}`]), "a.pdf");
      const response = await fetch(`${site.url}/forms/${form.slug}`, {
        method: "POST",
        body,
        headers: { accept: "application/json", "x-test-address": "10.0.0.9" },
      });
      const content = await response.text();
      assert.equal(response.status, 200, content);
      return Number(member(JSON.parse(content), "submission_id"));
    };
    let ids = await Promise.all(Array.from({ length: 20 }, (_, n) => submit(n % 2 === 0 ? first : second, n)));
    for (let round = 1; round <= 5; round += 1) {
      const deleted = ids.slice(0, 10).flatMap((id) => sites.map((site) => site.api("DELETE", `/submissions/${id}`)));
      const more = Array.from({ length: 10 }, (_, n) => submit(n % 2 === 0 ? first : second, 100 * round + n));
      const statuses = (await Promise.all(deleted)).map(({ status }) => status);
      assert.ok(
        statuses.every((status) => status === 200 || status === 404),
        statuses.join(),
      );
      ids = [...ids.slice(10), ...(await Promise.all([...more]))];
      await Promise.all(sites.map(purge));
      assert.deepEqual(await difference(first), [], `round ${round}`);
    }
    assert.deepEqual(await rows(first, `SELECT COUNT(*) FROM cf_uploads WHERE form_id = ${form.id}`), [[20]]);
    assert.deepEqual(
      sites.flatMap(({ faults }) => faults),
      [],
    );
  });
});
