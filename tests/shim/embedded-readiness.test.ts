/** `/readyz`: whether the database and the disk accept writes, on a full disk and with simulated errors. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createReadiness } from "../../host-shim/hosts/embedded/readiness.ts";
import { createForms } from "../../host-shim/src/index.ts";
import type { Database, Statements } from "../../host-shim/src/ports.ts";
import { APP_PASSWORD, basic, startTestHost, temporaryDirectory, type TestHost } from "./embedded-fixture.ts";

/** Mounts a small disk in memory; null where that is not allowed. */
function mountSmallDisk(directory: string): (() => void) | null {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", directory], { stdio: "ignore" });
    return () => execFileSync("umount", ["-l", directory]);
  } catch {
    return null;
  }
}

async function readyz(host: TestHost): Promise<readonly [number, Readonly<Record<string, unknown>>]> {
  const response = await fetch(`${host.url}/readyz`);
  return [response.status, (await response.json()) as Record<string, unknown>];
}

test("a full disk is reported, even while the database's log has room, until there is room again", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "cf-full-disk-"));
  const unmount = mountSmallDisk(directory);
  let host: TestHost | undefined;
  t.after(async () => {
    await host?.close();
    unmount?.();
    rmSync(directory, { recursive: true });
  });
  if (unmount === null) return t.skip("this process may not mount a disk");
  host = await startTestHost(t, { directory, createForms });
  const headers = { ...basic("admin", APP_PASSWORD), "content-type": "application/json" };
  const form = { method: "POST", headers, body: JSON.stringify({ title: "Contact", markup: "<input name=a>" }) };
  // After these writes, the database's log has grown and was reset, so it has room.
  for (let number = 0; number < 40; number += 1)
    assert.equal((await fetch(`${host.url}/api/cf/v1/forms`, form)).status, 201);
  assert.deepEqual(await readyz(host), [200, { status: "ready" }]);

  const filler = join(directory, "filler");
  const file = openSync(filler, "w");
  const piece = Buffer.alloc(4096);
  assert.throws(
    () => {
      for (;;) writeSync(file, piece);
    },
    { code: "ENOSPC" },
  );
  closeSync(file);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const [status, { reason }] = await readyz(host);
    assert.deepEqual([status, reason], [503, "disk full"]);
  }
  assert.equal((await fetch(`${host.url}/healthz`)).status, 200);

  rmSync(filler);
  assert.deepEqual(await readyz(host), [200, { status: "ready" }]);
  assert.deepEqual(
    readdirSync(directory).filter((name) => name.includes("ready")),
    [],
  );
});

/** A database that fails with an error, as an adapter throws it. */
function failing(error: Error): Database {
  return { dialect: "sqlite", batch: () => Promise.reject(new Error("a statement failed", { cause: error })) };
}

test("database errors for a full disk, a lock or damage are reported in a few words", async (t) => {
  const dataDirectory = await temporaryDirectory(t);
  for (const [error, reason] of [
    [{ errcode: 13 }, "disk full"],
    [{ errcode: 13 | (1 << 8) }, "disk full"],
    [{ code: "53100" }, "disk full"],
    [{ errcode: 5 }, "locked"],
    [{ errcode: 11 }, "damaged"],
    [{}, "it failed"],
  ] as const) {
    const ready = createReadiness({ database: failing(Object.assign(new Error("secret"), error)), dataDirectory });
    assert.deepEqual(await ready(), { part: "database", reason });
  }
});

test("several pages are written, and concurrent callers share one check", async (t) => {
  const dataDirectory = await temporaryDirectory(t);
  const written: number[] = [];
  const database: Database = {
    dialect: "sqlite",
    async batch(statements: Statements) {
      written.push(String(statements[0]?.params[0]).length);
      return [{ rows: [], changes: 1 }];
    },
  };
  const ready = createReadiness({ database, dataDirectory });
  assert.deepEqual(await Promise.all([ready(), ready(), ready()]), [null, null, null]);
  assert.equal(await ready(), null);
  assert.equal(written.length, 2);
  assert.ok(
    written.every((bytes) => bytes >= 4 * 4096),
    String(written),
  );
  rmSync(dataDirectory, { recursive: true });
  assert.deepEqual(await ready(), { part: "disk", reason: "its folder is gone" });
});
