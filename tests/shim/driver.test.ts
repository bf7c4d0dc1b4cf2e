/** The boundary: even if a port misbehaves or the engine traps, every request gets a response and the next one works. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { Engine } from "#load-engine";
import { createEngine } from "../../pkg/wasm/cf_forms.js";
import { Driver } from "../../host-shim/src/driver.ts";
import { performer } from "../../host-shim/src/effects.ts";
import { HookRegistry } from "../../host-shim/src/hook-registry.ts";
import { createHooks } from "../../host-shim/src/hooks.ts";
import type { EngineResponse, RequestHead } from "../../host-shim/src/frame.ts";
import type { Database, Host, StatementResult } from "../../host-shim/src/ports.ts";

const compiled = new WebAssembly.Module(readFileSync(new URL("../../pkg/wasm/cf_forms_bg.wasm", import.meta.url)));

/** Makes the engine trap: no memory can hold a request of this length, so the allocation aborts. */
const trap = (engine: Engine): unknown => engine.handle({ length: 2 ** 32 - 16 } as Uint8Array);

const administrator = { id: "1", login: "admin", capabilities: ["edit_forms"] };

function head(path: string, requestId: string): RequestHead {
  return {
    method: "GET",
    path,
    query: "",
    headers: {},
    principal: administrator,
    failure: null,
    address: null,
    too_large: false,
    body_waits: false,
    now: Date.now(),
    request_id: requestId,
    base_url: null,
  };
}

interface Driven {
  readonly engine: Engine;
  readonly driver: Driver;
  readonly registry: HookRegistry;
  readonly faults: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[];
  listForms(requestId?: string): Promise<EngineResponse>;
}

async function drive(database: Database, portTimeoutMs = 1_000): Promise<Driven> {
  const engine = createEngine(compiled);
  const faults: Driven["faults"][number][] = [];
  const configuration = new TextEncoder().encode(
    JSON.stringify({ dialect: "sqlite", base_url: "http://localhost", rest_root: "/api", front_prefix: "/forms" }),
  );
  const host: Host = { database };
  const limits = { portTimeoutMs, callbackTimeoutMs: portTimeoutMs };
  const registry: HookRegistry = new HookRegistry((use) => driver.call(use), assert.fail);
  const driver: Driver = new Driver({
    engine,
    prepare: (fresh) => {
      fresh.configure(configuration);
      registry.restore(fresh);
    },
    onDone: (current) => registry.saveRuns(current),
    perform: performer(host, () => null, limits),
    now: Date.now,
    onFault: (message, fields) => faults.push({ message, fields }),
  });
  const listForms = (requestId = "r1") =>
    driver.run((fresh) => fresh.handle, head("/cf/v1/forms", requestId), new Uint8Array());
  return { engine, driver, registry, faults, listForms };
}

const empty = async (statements: readonly unknown[]): Promise<StatementResult[]> =>
  statements.map(() => ({ rows: [], changes: 0 }));

function code(response: EngineResponse): unknown {
  const body: { code?: unknown } = JSON.parse(new TextDecoder().decode(response.body));
  return body.code;
}

describe("a misbehaving port causes an error response", () => {
  const misbehaviours: Record<string, Database["batch"]> = {
    "throws synchronously": () => {
      throw new Error("no connection");
    },
    "rejects with an error": () => Promise.reject(new Error("disk full")),
    "rejects with a string": () => Promise.reject("disk full"),
    "returns a plain value": (() => 5) as unknown as Database["batch"],
    "returns the wrong number of results": async () => [],
    "returns rows of the wrong shape": (async () => [{ rows: 7, changes: 0 }]) as unknown as Database["batch"],
    "returns a value that JSON cannot hold": (async () => [
      { rows: [[1n]], changes: 0 },
    ]) as unknown as Database["batch"],
    "never answers": () => new Promise(() => undefined),
  };
  for (const [name, batch] of Object.entries(misbehaviours)) {
    it(name, async () => {
      const { driver, listForms } = await drive({ dialect: "sqlite", batch }, 100);
      const response = await listForms();
      assert.equal(response.status, 500);
      assert.equal(code(response), "internal_error");
      assert.ok(!new TextDecoder().decode(response.body).includes("disk full"), "no internals in the body");
      assert.equal(driver.inFlight, 0);
    });
  }

  it("lacks its method", async () => {
    const { listForms } = await drive({ dialect: "sqlite" } as unknown as Database, 100);
    assert.equal((await listForms()).status, 500);
  });
});

describe("a trap", () => {
  it("fails the tasks in flight with 500, and the next request works", async () => {
    const waiting: (() => void)[] = [];
    let held = true;
    const database: Database = {
      dialect: "sqlite",
      batch: (statements) =>
        held ? new Promise((resolve) => waiting.push(() => resolve(empty(statements)))) : empty(statements),
    };
    const { engine, driver, faults, listForms } = await drive(database, 5_000);
    const lost = [listForms("lost-1"), listForms("lost-2")];
    assert.equal(driver.inFlight, 2);

    assert.throws(() => driver.call(() => trap(engine)), WebAssembly.RuntimeError);

    for (const response of await Promise.all(lost)) {
      assert.equal(response.status, 500);
      assert.equal(code(response), "internal_error");
    }
    assert.deepEqual(faults[0]?.fields["request_ids"], ["lost-1", "lost-2"]);

    held = false;
    assert.equal((await listForms()).status, 200);

    // The database returns the lost tasks' results late; no task waits for these results.
    for (const release of waiting) release();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await listForms()).status, 200);
    assert.equal(driver.inFlight, 0);
  });

  it("can happen again and again", async () => {
    const { engine, driver, listForms } = await drive({ dialect: "sqlite", batch: empty });
    for (let round = 0; round < 20; round += 1) {
      assert.throws(() => driver.call(() => trap(engine)), WebAssembly.RuntimeError);
      assert.equal((await listForms()).status, 200);
    }
  });
});

it("the number of runs of each hook survives a trap", async () => {
  const { engine, driver, registry } = await drive({ dialect: "sqlite", batch: empty });
  const hooks = createHooks(registry);
  hooks.addAction("gone", "test/gone", () => undefined);
  hooks.removeAction("gone", "test/gone");
  hooks.doAction("notified", 1);
  hooks.applyFilters("changed", 1);
  assert.throws(() => driver.call(() => trap(engine)), WebAssembly.RuntimeError);
  hooks.doAction("notified", 2);
  assert.throws(() => driver.call(() => trap(engine)), WebAssembly.RuntimeError);
  assert.deepEqual([hooks.didAction("notified"), hooks.didFilter("changed"), hooks.didFilter("notified")], [2, 1, 0]);
  assert.equal(hooks.hasAction("gone"), true, "a known hook stays known");
});

it("the engine's runs of a hook survive a trap", async () => {
  const { engine, driver, registry } = await drive({ dialect: "sqlite", batch: empty });
  const hooks = createHooks(registry);
  const path = "/cf/v1/actions";
  for (let request = 1; request <= 3; request += 1) {
    const response = await driver.run((fresh) => fresh.handle, head(path, "r1"), new Uint8Array());
    assert.equal(response.status, 200);
    assert.throws(() => driver.call(() => trap(engine)), WebAssembly.RuntimeError);
    assert.equal(hooks.didFilter("cf_available_form_actions"), request);
  }
});

it("two engines in one process are independent", async () => {
  const first = await drive({ dialect: "sqlite", batch: empty });
  const second = await drive({ dialect: "sqlite", batch: () => Promise.reject(new Error("down")) });
  assert.throws(() => second.driver.call(() => trap(second.engine)), WebAssembly.RuntimeError);
  const [one, two] = await Promise.all([first.listForms(), second.listForms()]);
  assert.deepEqual([one.status, two.status], [200, 500]);
});

it("an unreadable frame gets a 500 and has no other effect", async () => {
  const { driver, listForms } = await drive({ dialect: "sqlite", batch: empty });
  const broken = await driver.run(
    (engine) => () => engine.handle(new Uint8Array([255, 255, 0, 0])),
    head("/cf/v1/forms", "r1"),
    new Uint8Array(),
  );
  assert.equal(broken.status, 500);
  assert.equal((await listForms()).status, 200);
});
