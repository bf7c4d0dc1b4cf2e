/** Imports of large files (`/imports`): upload, description, start, progress, cancel, expiry. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { postgresForTests } from "./postgres-server.ts";
import { items, type JsonResponse, type JsonValue, member, startSite, type Site } from "./site.ts";

const folder = new URL("../cases/imports/", import.meta.url);
const DAY_MS = 86_400_000;

const csvOf = (rows: number, from = 0): string => {
  const lines = Array.from(
    { length: rows },
    (_, row) => `person${from + row}@example.org;Bonn;03.04.2026 09:30;${row}`,
  );
  return ["E-mail;Town;Sent on;Shoe size", ...lines].join("\n");
};
const mapping = { columns: { "E-mail": "email", Town: "home.city", "Sent on": "@submitted_at" } };

const postgres = await postgresForTests();
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
});

describe("imports of large files on SQLite", () => describeImports({}));

describe("imports of large files on PostgreSQL", "skip" in postgres ? { skip: postgres.skip } : {}, () => {
  if ("server" in postgres) describeImports({ database: openPostgres({ url: postgres.server.url }) });
});

function describeImports(options: Parameters<typeof startSite>[0]): void {
  let site: Site;
  /** Addresses that the site requested. */
  const requested: string[] = [];
  before(async () => {
    site = await startSite({
      ...options,
      host: {
        http: {
          async fetch({ url }) {
            requested.push(url);
            if (url.endsWith("gone.pdf")) return { status: 404, headers: {}, body: new Uint8Array() };
            if (url.endsWith("moved")) return { status: 302, headers: { location: "/b.pdf" }, body: new Uint8Array() };
            return { status: 200, headers: { "content-type": "application/pdf" }, body: Buffer.from("%PDF-1.4") };
          },
        },
      },
    });
  });
  after(() => site.close());

  async function upload(body: Uint8Array<ArrayBuffer> | string, caller = "administrator"): Promise<JsonResponse> {
    const headers = { "x-test-caller": caller, "content-type": "application/octet-stream" };
    const response = await fetch(`${site.url}/api/cf/v1/imports`, { method: "POST", headers, body });
    const { status } = response;
    return { status, headers: response.headers, body: (await response.json()) as JsonValue };
  }

  const idOf = ({ body }: JsonResponse): number => Number(member(body, "id"));
  const progress = (id: number) => site.api("GET", `/imports/${id}`);
  const start = (id: number, options: object = {}) => site.api("POST", `/imports/${id}/start`, options);

  /** Starts an import, and waits for its end. */
  async function run(id: number, options: object = {}): Promise<JsonValue> {
    const started = await start(id, options);
    assert.equal(started.status, 202, JSON.stringify(started.body));
    await site.settled();
    return (await progress(id)).body;
  }

  async function survey(): Promise<number> {
    const fields = [
      { name: "email", type: "email", label: "E-mail" },
      { name: "home", type: "address", label: "Address" },
    ];
    return idOf(await site.api("POST", "/forms", { title: "Survey", schema: { fields } }));
  }

  const countOf = async (form: number): Promise<number> =>
    Number((await site.api("GET", `/forms/${form}/submissions?per_page=1`)).headers.get("x-wp-total"));

  const storedImports = async () => (await site.database.batch([{ sql: "SELECT id FROM cf_imports", params: [] }]))[0];

  it("describe each sample as the JSON route does, and store nothing before the start", async () => {
    const before = (await site.api("GET", "/forms")).headers.get("x-wp-total");
    const names = readdirSync(folder).filter((name) => !name.endsWith(".expected.json"));
    assert.ok(names.length >= 25);
    for (const name of names) {
      const bytes = new Uint8Array(readFileSync(new URL(name, folder)));
      const content = Buffer.from(bytes).toString(name.endsWith(".xlsx") ? "base64" : "utf8");
      const json = await site.api("POST", "/forms/import?preview=true", { content });
      const response = await upload(bytes);
      assert.equal(response.status, 201, `${name}: ${JSON.stringify(response.body)}`);
      assert.match(response.headers.get("location") ?? "", /\/cf\/v1\/imports\/\d+$/);
      assert.equal(member(response.body, "size"), bytes.length);
      const isDescribed = json.status === 200;
      if (isDescribed) assert.equal(member(response.body, "format"), member(json.body, "format"), name);
      const forms = items(member(response.body, "forms"));
      assert.deepEqual(
        forms.map((form) => member(form, "title")),
        items(member(json.body, "forms")).map((form) => member(form, "title")),
        name,
      );
      assert.ok(forms.every((form) => items(member(form, "fields")).length > 0));
      const losses = [
        ...forms.flatMap((form) => items(member(form, "losses"))),
        ...items(member(response.body, "losses")),
      ];
      const reported = (notes: JsonValue[]) =>
        notes.map((note) => `${member(note, "code")} ${member(note, "where")}`).sort();
      if (isDescribed && forms.length > 0)
        assert.deepEqual(reported(losses), reported(items(member(json.body, "report"))), name);
      assert.equal((await site.api("POST", `/imports/${idOf(response)}/cancel`)).status, 200);
    }
    assert.equal((await site.api("GET", "/forms")).headers.get("x-wp-total"), before);
  });

  it("create the chosen forms, with links to them, and remove them when cancelled", async () => {
    const bytes = readFileSync(new URL("wordpress-site.xml", folder), "utf8");
    const uploaded = await upload(bytes);
    const [first, ...others] = items(member(uploaded.body, "forms"));
    assert.ok(first !== undefined && others.length > 0);
    const done = await run(idOf(uploaded), { forms: [0] });
    assert.equal(member(done, "state"), "done");
    const forms = items(member(done, "forms"));
    assert.equal(forms.length, 1);
    const made = await site.api("GET", `/forms/${forms[0]}`);
    assert.equal(member(made.body, "title"), member(first, "title"));
    assert.equal((await start(idOf(uploaded))).status, 409);
    const cancelled = await site.api("POST", `/imports/${idOf(uploaded)}/cancel`);
    assert.equal(member(cancelled.body, "state"), "cancelled");
    assert.equal((await site.api("GET", `/forms/${forms[0]}`)).status, 404);
  });

  it("store rows of CSV once, in parts, with the dates of a column, and report lost data", async () => {
    const form = await survey();
    const uploaded = await upload(csvOf(1_234));
    const { body } = uploaded;
    assert.deepEqual(
      [member(body, "format"), member(body, "submissions"), member(body, "needs_form"), member(body, "forms")],
      ["submissions-csv", 1_234, true, []],
    );
    assert.deepEqual(member(member(body, "mapping"), "headings"), ["E-mail", "Town", "Sent on", "Shoe size"]);
    assert.equal(items(member(member(body, "mapping"), "rows")).length, 3);
    assert.equal((await start(idOf(uploaded))).status, 400, "the form is missing");
    assert.equal((await start(idOf(uploaded), { form_id: 999_999 })).status, 404);
    assert.equal((await start(idOf(uploaded), { form_id: form, time_zone: "Nowhere" })).status, 400);
    const done = await run(idOf(uploaded), { form_id: form, mapping, time_zone: "Europe/Berlin" });
    assert.deepEqual(
      [
        member(done, "state"),
        member(done, "done"),
        member(done, "total"),
        member(done, "submissions"),
        member(done, "forms"),
      ],
      ["done", 1_234, 1_234, 1_234, [form]],
    );
    const losses = items(member(done, "losses"));
    assert.equal(losses.length, 2, JSON.stringify(losses));
    assert.match(JSON.stringify(losses), /1234.*Europe\/Berlin|Europe\/Berlin.*1234/);
    assert.equal(await countOf(form), 1_234);
    const [newest] = items((await site.api("GET", `/forms/${form}/submissions?per_page=1`)).body);
    assert.equal(member(newest, "submitted_at"), "2026-04-03T07:30:00.000Z");

    // The email addresses of half of these rows are stored already, with other shoe sizes.
    const again = await run(idOf(await upload(csvOf(1_234, 617))), {
      form_id: form,
      mapping,
      time_zone: "Europe/Berlin",
    });
    assert.equal(member(again, "submissions"), 1_234, "rows with other shoe sizes are new");
    const same = await run(idOf(await upload(csvOf(1_234))), { form_id: form, mapping, time_zone: "Europe/Berlin" });
    assert.equal(member(same, "submissions"), 0);
    assert.equal(await countOf(form), 2_468);
    const cancelled = await site.api("POST", `/imports/${member(again, "id")}/cancel`);
    assert.equal(member(cancelled.body, "state"), "cancelled");
    assert.equal(await countOf(form), 1_234);
  });

  it("add submissions to the forms that were imported before", async () => {
    const forms = await run(idOf(await upload(readFileSync(new URL("fluent-forms.json", folder), "utf8"))));
    assert.equal(member(forms, "state"), "done");
    const entries = await upload(readFileSync(new URL("fluent-forms-entries.json", folder), "utf8"));
    assert.equal(member(entries.body, "needs_form"), false);
    const done = await run(idOf(entries));
    assert.equal(member(done, "submissions"), member(entries.body, "submissions"));
    assert.deepEqual(member(done, "forms"), member(forms, "forms"));
  });

  it("fetch the files of submissions through the site's port on request, and otherwise keep the links in notes", async () => {
    const fields = [
      { name: "email", type: "email", label: "E-mail" },
      { name: "cv", type: "file", label: "CV" },
    ];
    const link = (name: string) => `https://old.example.org/files/${name}`;
    const rows = [
      `ada@example.org,"${link("a%20b.pdf")} ${link("gone.pdf")}"`,
      `bob@example.org,${link("moved")}`,
      "eve@example.org,",
    ];
    const csv = ["E-mail,CV", ...rows].join("\n");
    const formWith = async () => idOf(await site.api("POST", "/forms", { title: "Jobs", schema: { fields } }));
    const submissions = async (form: number) =>
      items((await site.api("GET", `/forms/${form}/submissions?order=asc&orderby=id`)).body);
    const notes = async (submission: JsonValue | undefined) =>
      JSON.stringify((await site.api("GET", `/submissions/${member(submission, "id")}/timeline`)).body);

    const linked = await formWith();
    const kept = await run(idOf(await upload(csv)), { form_id: linked });
    assert.equal(member(kept, "state"), "done", JSON.stringify(kept));
    assert.deepEqual(requested, []);
    assert.match(JSON.stringify(member(kept, "losses")), /2 of them have files: their links are kept in notes/);
    const [first] = await submissions(linked);
    assert.match(await notes(first), /cv: https:\/\/old\.example\.org\/files\/a%20b\.pdf/);

    const fetched = await formWith();
    const done = await run(idOf(await upload(csv)), { form_id: fetched, fetch_files: true });
    assert.equal(member(done, "state"), "done", JSON.stringify(done));
    assert.match(JSON.stringify(member(done, "losses")), /1 files could not be fetched/);
    const [ada, bob, eve] = await submissions(fetched);
    const [file, ...others] = items(member(ada, "files"));
    assert.deepEqual(
      [member(file, "name"), member(file, "size"), member(file, "type"), others],
      ["a b.pdf", 8, "application/pdf", []],
    );
    assert.equal(items(member(bob, "files")).length, 1, "a redirect is followed");
    assert.deepEqual(member(eve, "files"), []);
    assert.match(await notes(ada), /gone\.pdf/);
    const path = new URL(String(member(file, "url"))).pathname;
    const bytes = await fetch(site.url + path, { headers: { "x-test-caller": "administrator" } });
    assert.equal(await bytes.text(), "%PDF-1.4");
    const total = await site.database.batch([
      { sql: `SELECT bytes FROM cf_upload_totals WHERE form_id = ${fetched}`, params: [] },
    ]);
    assert.deepEqual(total[0]?.rows, [[16]]);
    await site.api("POST", `/imports/${member(done, "id")}/cancel`);
    assert.deepEqual(await submissions(fetched), []);
  });

  it("reject an unreadable file, and store none of it", async () => {
    const unknown = await upload('{"a": 1}');
    assert.deepEqual([unknown.status, member(unknown.body, "code")], [400, "unknown_format"]);
    assert.ok(items(member(member(unknown.body, "data"), "formats")).length > 20);
    assert.equal((await upload("")).status, 400);
    assert.equal((await upload(new Uint8Array(64 * 2 ** 20 + 1))).status, 413);
    assert.equal((await upload(csvOf(1), "editor-without-rights")).status, 403);
    assert.equal((await progress(999_999)).status, 404);
    assert.equal(member((await progress(999_999)).body, "code"), "import_not_found");
  });

  it("expire after a day if they were not started", async () => {
    const id = idOf(await upload(csvOf(3)));
    site.clock.ahead += DAY_MS + 3_600_000;
    await site.forms.runQueue();
    await site.settled();
    assert.equal((await progress(id)).status, 404);
    const left = await storedImports();
    assert.ok(left?.rows.every(([other]) => other !== id));
    assert.deepEqual(site.faults, []);
  });
}
