/** A site on a database with the limits of D1: 100 values for a statement, and rows that are objects. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { DatabaseSync } from "node:sqlite";
import { d1, type D1Like, type D1StatementLike } from "../../host-shim/adapters/d1.ts";
import { items, member, startSite } from "./site.ts";

interface Bound extends D1StatementLike {
  readonly sql: string;
  readonly params: readonly (string | number | null)[];
}

function narrow(): D1Like & { close(): void } {
  const file = new DatabaseSync(":memory:");
  const statement = (sql: string, params: readonly unknown[]): Bound => ({
    sql,
    params: params.map((value) => (typeof value === "number" || value === null ? value : String(value))),
    bind: (...bound) => statement(sql, bound),
  });
  const run = ({ sql, params }: Bound) => {
    if (params.length > 100) throw new Error("too many SQL variables");
    const prepared = file.prepare(sql);
    const isRead = prepared.columns().length > 0;
    const before = Number(file.prepare("SELECT total_changes() AS changes").get()?.["changes"]);
    const results = isRead ? prepared.all(...params) : (prepared.run(...params), []);
    const after = Number(file.prepare("SELECT total_changes() AS changes").get()?.["changes"]);
    return { results, meta: { changes: after - before } };
  };
  return {
    prepare: (sql) => statement(sql, []),
    async batch(statements) {
      file.exec("BEGIN");
      try {
        const answers = (statements as Bound[]).map(run);
        file.exec("COMMIT");
        return answers;
      } catch (error) {
        file.exec("ROLLBACK");
        throw error;
      }
    },
    close: () => file.close(),
  };
}

test("a submit with 300 answers and 30 actions, and a bulk of 100, run in a hundred values", async () => {
  const binding = narrow();
  await assert.rejects(async () => binding.batch([binding.prepare(`SELECT ${Array(101).fill("?").join(", ")}`).bind(...Array(101).fill(1))]), /too many/);
  const site = await startSite({ database: { ...d1(binding), close: async () => binding.close() } });
  try {
    const names = Array.from({ length: 300 }, (_, n) => `answer_${n}`);
    const actions = Array.from({ length: 30 }, (_, n) => ({ type: "email", to: "a@example.org", subject: `${n}`, message: "m" }));
    const markup = names.map((name) => `<input name="${name}">`).join("");
    const made = await site.api("POST", "/forms", { title: "Wide", slug: "wide", markup, settings: { actions } });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    await site.api("POST", "/forms", { title: "Plain", slug: "plain", markup: "<input name=answer_0>" });
    const submit = (answers: readonly string[], slug = "wide") =>
      fetch(`${site.url}/forms/${slug}`, { method: "POST", headers: { accept: "application/json" }, body: new URLSearchParams(answers.map((name) => [name, name])) });
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
