/** A site on a database with D1's limits: at most 100 values per statement, and rows as objects. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { DatabaseSync } from "node:sqlite";
import { d1, type D1Like, type D1StatementLike } from "../../host-shim/adapters/d1.ts";
import { items, member, startSite, type JsonValue, type Site } from "./site.ts";

interface Bound extends D1StatementLike {
  readonly sql: string;
  readonly params: readonly (string | number | null)[];
}

/** Use of D1's limits: the number of statements, and the maxima of statements per batch, values and characters. */
interface Used {
  statements: number;
  batch: number;
  values: number;
  characters: number;
}

function narrow(): D1Like & { readonly used: Used; close(): void } {
  const file = new DatabaseSync(":memory:");
  const used = { statements: 0, batch: 0, values: 0, characters: 0 };
  const statement = (sql: string, params: readonly unknown[]): Bound => ({
    sql,
    params: params.map((value) => (typeof value === "number" || value === null ? value : String(value))),
    bind: (...bound) => statement(sql, bound),
  });
  const run = ({ sql, params }: Bound) => {
    if (params.length > 100) throw new Error("too many SQL variables");
    used.statements += 1;
    used.values = Math.max(used.values, params.length);
    used.characters = Math.max(used.characters, sql.length);
    const prepared = file.prepare(sql);
    const isRead = prepared.columns().length > 0;
    const before = Number(file.prepare("SELECT total_changes() AS changes").get()?.["changes"]);
    const results = isRead ? prepared.all(...params) : (prepared.run(...params), []);
    const after = Number(file.prepare("SELECT total_changes() AS changes").get()?.["changes"]);
    return { results, meta: { changes: after - before } };
  };
  return {
    used,
    prepare: (sql) => statement(sql, []),
    async batch(statements) {
      used.batch = Math.max(used.batch, statements.length);
      file.exec("BEGIN");
      try {
        const results = (statements as Bound[]).map(run);
        file.exec("COMMIT");
        return results;
      } catch (error) {
        file.exec("ROLLBACK");
        throw error;
      }
    },
    close: () => file.close(),
  };
}

test("a submit with 300 answers and 30 actions, and a bulk change of 100, need at most a hundred values for a statement", async () => {
  const binding = narrow();
  await assert.rejects(
    async () =>
      binding.batch([binding.prepare(`SELECT ${Array(101).fill("?").join(", ")}`).bind(...Array(101).fill(1))]),
    /too many/,
  );
  const site = await startSite({ database: { ...d1(binding), close: async () => binding.close() } });
  try {
    const names = Array.from({ length: 300 }, (_, n) => `answer_${n}`);
    const actions = Array.from({ length: 30 }, (_, n) => ({
      type: "email",
      to: "a@example.org",
      subject: `${n}`,
      message: "m",
    }));
    const markup = names.map((name) => `<input name="${name}">`).join("");
    const made = await site.api("POST", "/forms", { title: "Wide", slug: "wide", markup, settings: { actions } });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    await site.api("POST", "/forms", { title: "Plain", slug: "plain", markup: "<input name=answer_0>" });
    const submit = (answers: readonly string[], slug = "wide") =>
      fetch(`${site.url}/forms/${slug}`, {
        method: "POST",
        headers: { accept: "application/json" },
        body: new URLSearchParams(answers.map((name) => [name, name])),
      });
    assert.equal((await submit(names)).status, 200);
    await site.forms.runQueue();
    await site.settled();
    assert.equal(site.mails.length, 30);
    for (let n = 1; n < 100; n += 1) assert.equal((await submit(names.slice(0, 1), "plain")).status, 200);

    const { body } = await site.api("GET", "/submissions?per_page=100");
    const ids = items(body).map((submission) => member(submission, "id"));
    assert.equal(ids.length, 100);
    const spam = await site.api("POST", "/submissions/bulk", { ids, action: "set_status", status: "spam" });
    assert.equal(items(member(spam.body, "done")).length, 100, JSON.stringify(spam.body));
    const gone = await site.api("POST", "/submissions/bulk", { ids, action: "delete" });
    assert.equal(items(member(gone.body, "done")).length, 100, JSON.stringify(gone.body));
    assert.deepEqual(items((await site.api("GET", "/submissions?status=any")).body), []);
    assert.deepEqual(site.faults, []);
  } finally {
    await site.close();
  }
});

const submitOne = async (site: Site, n: number): Promise<void> => {
  const body = new URLSearchParams({ a: `x${n}`, b: `v${n}@example.org` });
  const response = await fetch(`${site.url}/forms/one`, {
    method: "POST",
    headers: { accept: "application/json", "idempotency-key": `k${n}`, "x-test-address": `10.0.${n >> 8}.${n & 255}` },
    body,
  });
  assert.equal(response.status, 200, await response.text());
};

/** An export of another plugin with `length` submissions. */
const imported = (length: number): string =>
  JSON.stringify(
    Array.from({ length }, (_, n) => ({
      formId: "F",
      data: { a: `imported ${n}` },
      status: "new",
      starred: false,
      createdAt: new Date(Date.UTC(2025, 1, 1, 0, 0, n)).toISOString(),
      meta: {},
    })),
  );

/** Requests with their limits for statements. D1 allows 1,000 statements per request, and 50 in the free plan. */
const COSTS: readonly (readonly [string, number, (site: Site, ids: readonly JsonValue[]) => Promise<unknown>])[] = [
  ["a page", 50, (site) => fetch(`${site.url}/forms/one`)],
  ["a submit with a key and two actions", 50, (site) => submitOne(site, 1_000)],
  [
    "a bundle of events",
    50,
    (site) =>
      fetch(`${site.url}/forms/-/events`, {
        method: "POST",
        body: JSON.stringify({ form_id: 1, events: [{ event_type: "view" }, { event_type: "start" }] }),
      }),
  ],
  ["a list", 50, (site) => site.api("GET", "/submissions?per_page=100")],
  ["a search", 50, (site) => site.api("GET", "/submissions?search=x5&form_id=1")],
  ["sums of answers", 50, (site) => site.api("GET", "/analytics/1/answers")],
  ["an export of 150", 50, async (site) => (await site.api("GET", "/forms/1/submissions/export?format=json")).status],
  ["a tick with 100 due", 1_000, (site) => site.forms.runQueue()],
  ["a tick with nothing due", 50, (site) => site.forms.runQueue()],
  [
    "spam in bulk, 8",
    20,
    (site, ids) =>
      site.api("POST", "/submissions/bulk", { ids: ids.slice(0, 8), action: "set_status", status: "spam" }),
  ],
  [
    "spam in bulk, 100",
    20,
    (site, ids) => site.api("POST", "/submissions/bulk", { ids, action: "set_status", status: "spam" }),
  ],
  [
    "marked as not spam in bulk, 100",
    20,
    (site, ids) => site.api("POST", "/submissions/bulk", { ids, action: "set_status", status: "new" }),
  ],
  ["deleted in bulk, 100", 50, (site, ids) => site.api("POST", "/submissions/bulk", { ids, action: "delete" })],
  ["100 submissions imported", 50, (site) => site.api("POST", "/forms/import", { content: imported(100), form_id: 1 })],
  ["a form deleted", 50, (site) => site.api("DELETE", "/forms/1?force=true")],
];

test("a submit and the run of the queue after it fit into D1's free plan, three actions at a time", async () => {
  const binding = narrow();
  const site = await startSite({
    database: { ...d1(binding), close: async () => binding.close() },
    forms: { queueRunLimit: 3, eventDelayMs: 0 },
  });
  try {
    const actions = Array.from({ length: 12 }, (_, n) => ({
      type: "email",
      to: `${n}@example.org`,
      subject: "s",
      message: "m",
    }));
    await site.api("POST", "/forms", {
      title: "One",
      slug: "one",
      markup: "<input name=a><input type=email name=b>",
      settings: { actions },
    });
    for (const sent of [3, 6, 9, 12]) {
      binding.used.statements = 0;
      if (sent === 3) await submitOne(site, 1);
      else await site.forms.runQueue();
      await site.settled();
      assert.equal(site.mails.length, sent);
      assert.ok(binding.used.statements <= 50, `${binding.used.statements} statements`);
      if (process.env["CF_PRINT"] !== undefined) console.log(`${sent} mails: ${binding.used.statements} statements`);
    }
  } finally {
    await site.close();
  }
});

test("no request needs more statements than D1 allows", async () => {
  const binding = narrow();
  const site = await startSite({
    database: { ...d1(binding), close: async () => binding.close() },
    forms: { automaticRuns: false, eventDelayMs: 0 },
  });
  try {
    const actions = ["a", "b"].map((name) => ({
      type: "email",
      to: `${name}@example.org`,
      subject: "s",
      message: "m",
    }));
    await site.api("POST", "/forms", {
      title: "One",
      slug: "one",
      markup: "<input name=a><input type=email name=b><input type=file name=c>",
      settings: { actions },
    });
    for (let n = 0; n < 150; n += 1) await submitOne(site, n);
    await site.forms.runQueue();
    for (let n = 150; n < 200; n += 1) await submitOne(site, n);
    const { body } = await site.api("GET", "/submissions?per_page=100");
    const ids = items(body).map((submission) => member(submission, "id"));
    const used: string[] = [];
    const wrong: string[] = [];
    for (const [what, most, run] of COSTS) {
      await site.settled();
      Object.assign(binding.used, { statements: 0, batch: 0, values: 0, characters: 0 });
      const result = await run(site, ids);
      await site.settled();
      const { statements, batch, values, characters } = binding.used;
      const line = `${what}: ${statements} statements, ${batch} in a batch, ${values} values, ${characters} characters`;
      used.push(line);
      if (statements === 0 || statements > most || values > 100 || characters > 100_000) wrong.push(line);
      if (result !== null && typeof result === "object" && "status" in result)
        assert.ok(Number(result.status) < 300, `${what}: ${JSON.stringify(result)}`);
    }
    if (process.env["CF_PRINT"] !== undefined) console.log(used.join("\n"));
    assert.deepEqual(wrong, []);
    assert.deepEqual(site.faults, []);
  } finally {
    await site.close();
  }
});
