/**
 * Hosts that share a database must share its store of uploads, or do not start. A file counts as erased only in that
 * store.
 */
import assert from "node:assert/strict";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { diskFiles } from "../../host-shim/adapters/disk-files.ts";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { createForms, type Files } from "../../host-shim/src/index.ts";
import { CALLERS } from "./callers.ts";

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "cf-forms-store-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function hostOn(t: TestContext, folder: string, files: Files, log = (_line: string): void => undefined) {
  const database = openSqlite({ path: join(folder, "forms.sqlite") });
  const host = {
    database,
    files,
    authenticate: async () => ({ principal: CALLERS["administrator"] ?? null }),
    log: (_level: string, message: string) => log(message),
  };
  const forms = await createForms({ baseUrl: "http://site.test", host, automaticRuns: false });
  t.after(async () => {
    await forms.close();
    await database.close();
  });
  return forms;
}

test("hosts with one store start, also at once; a host with another store does not", async (t) => {
  const folder = folderOf(t);
  const shared = () => diskFiles(join(folder, "shared"));
  const pair = [await hostOn(t, folder, shared()), await hostOn(t, folder, shared())];
  await Promise.all(pair.map((forms) => forms.migrate()));
  await (await hostOn(t, folder, shared())).migrate();
  const other = await hostOn(t, folder, diskFiles(join(folder, "other")));
  await assert.rejects(other.migrate(), /uploads of this database are in another store/);
  await assert.rejects(other.migrate(), /another store/, "a second attempt changes nothing");
  await (await hostOn(t, folder, shared())).migrate();
});

test("two databases can share a store, whose id stays", async (t) => {
  const [one, two] = [folderOf(t), folderOf(t)];
  const shared = () => diskFiles(join(one, "shared"));
  for (const folder of [one, two, one, two]) await (await hostOn(t, folder, shared())).migrate();
});

test("a failing store does not prevent the start, and the log reports it", async (t) => {
  const lines: string[] = [];
  const fail = () => Promise.reject(new Error("no route"));
  const forms = await hostOn(t, folderOf(t), { put: fail, get: fail, delete: fail }, (line) => lines.push(line));
  await forms.migrate();
  assert.deepEqual(lines, ["the store of uploads could not be checked"]);
});

test("a file in a store that disappeared does not count as erased", async (t) => {
  const folder = folderOf(t);
  const [store, away] = [join(folder, "store"), join(folder, "away")];
  const forms = await hostOn(t, folder, diskFiles(store));
  await forms.migrate();
  const client = forms.as(CALLERS["administrator"]!);
  await client.createForm({
    body: { title: "Jobs", slug: "jobs", markup: "<input name=email type=email><input name=cv type=file>" },
  });
  const sent = new FormData();
  sent.set("email", "ann@example.org");
  sent.set("cv", new File(["my life"], "cv.txt", { type: "text/plain" }));
  const headers = { accept: "application/json" };
  const request = new Request("http://site.test/forms/jobs", { method: "POST", body: sent, headers });
  assert.equal((await forms.fetch(request))?.status, 200);
  renameSync(store, away);
  const erased = await client.erasePersonalData({ body: { email: "ann@example.org" } });
  assert.deepEqual([erased.submissions, erased.files_left], [1, 1]);
  renameSync(away, store);
});
