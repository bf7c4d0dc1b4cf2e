/**
 * A host's meta store with every kind of failure. No schema is lost, and the store gets the newest schema once it works
 * again.
 */

import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import type { Database, MetaStore } from "../../host-shim/src/index.ts";
import { postgresForTests } from "./postgres-server.ts";
import { member, startSite, type Site } from "./site.ts";

const HOUR_MS = 3_600_000;

const postgres = await postgresForTests();
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
});

type Fault = "none" | "throws" | "rejects" | "never answers" | "dies after it wrote";

class UnreliableStore implements MetaStore {
  readonly values = new Map<string, string>();
  fault: Fault = "none";

  async get(formId: number, key: string): Promise<string | null> {
    return this.values.get(`${formId} ${key}`) ?? null;
  }

  set(formId: number, key: string, value: string): Promise<void> {
    if (this.fault === "throws") throw new Error("the store throws");
    if (this.fault === "rejects") return Promise.reject(new Error("the store rejects"));
    if (this.fault === "never answers") return new Promise(() => undefined);
    this.values.set(`${formId} ${key}`, value);
    return this.fault === "none" ? Promise.resolve() : Promise.reject(new Error("the connection broke"));
  }

  async delete(formId: number, key: string): Promise<void> {
    this.values.delete(`${formId} ${key}`);
  }
}

function schemas(open: () => (Database & { close(): Promise<void> }) | undefined): void {
  const store = new UnreliableStore();
  let site: Site | undefined;
  after(() => site?.close());

  it("keeps each schema, and writes it to the store once the store works", async () => {
    const database = open();
    site = await startSite({
      ...(database ? { database } : {}),
      host: { meta: store },
      forms: { portTimeoutMs: 3_000 },
    });
    const { body: form } = await site.api("POST", "/forms", { title: "Elsewhere" });
    const id = Number(member(form, "id"));
    const held = () => store.values.get(`${id} _cf_form_schema`);

    const faults: readonly Fault[] = ["none", "throws", "rejects", "never answers", "dies after it wrote"];
    for (const fault of faults) {
      store.fault = fault;
      const schema = { fields: [{ name: fault.replaceAll(" ", "_"), type: "text" }] };
      const { status, body: stored } = await site.api("PUT", `/forms/${id}/schema`, schema);
      assert.equal(status, 200, fault);
      assert.deepEqual((await site.api("GET", `/forms/${id}/schema`)).body, stored, fault);
      assert.deepEqual(JSON.parse((await site.forms.meta.get(id, "_cf_form_schema")) ?? "null"), stored, fault);

      store.fault = "none";
      site.clock.ahead += HOUR_MS + 1;
      await site.forms.runQueue();
      await site.settled();
      assert.deepEqual(JSON.parse(held() ?? "null"), stored, fault);
    }
    assert.equal(site.faults.length, faults.length - 1, site.faults.join("\n"));
    const waiting = await site.database.batch([{ sql: "SELECT COUNT(*) FROM cf_form_meta", params: [] }]);
    assert.deepEqual(waiting[0]?.rows, [[0]]);
  });
}

describe("a meta store that fails, beside SQLite", () => schemas(() => undefined));
describe("a meta store that fails, beside PostgreSQL", "skip" in postgres ? { skip: postgres.skip } : {}, () => {
  schemas(() => ("server" in postgres ? openPostgres({ url: postgres.server.url }) : undefined));
});
