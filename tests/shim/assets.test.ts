/** The files of visitors' pages are sent compressed to browsers that accept it, and uncompressed to others. */
import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { test } from "node:test";
import { Assets } from "../../host-shim/src/assets.ts";
import { toResponse } from "../../host-shim/src/bridge.ts";
import { embed, script } from "../../visitor/assets.ts";

const FOLDER = "https://site.test/forms/-/assets/";

const load = async (accepted: string): Promise<Response> =>
  toResponse({ ...(await new Assets().reply(script.name, accepted, FOLDER)) } as Parameters<typeof toResponse>[0]);

test("a browser that accepts gzip gets a file that is compressed once", async () => {
  const response = await load("gzip, deflate");
  assert.deepEqual(
    ["content-encoding", "vary", "content-type"].map((name) => response.headers.get(name)),
    ["gzip", "accept-encoding", script.type],
  );
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert.ok(bytes.length <= 15_000, `${bytes.length} bytes`);
  assert.equal(gunzipSync(bytes).toString(), script.content);
});

for (const accepted of ["", "identity", "gzip;q=0", "gzip; q=0.0, br;q=0", "gzipped, brr"]) {
  test(`“${accepted}” gets the uncompressed file`, async () => {
    const response = await load(accepted);
    assert.equal(response.headers.get("content-encoding"), null);
    assert.equal(await response.text(), script.content);
  });
}

for (const accepted of ["gzip, deflate, br, zstd", "br;q=0.5", "gzip;q=0, br"]) {
  test(`“${accepted}” gets brotli`, async () => {
    const response = await load(accepted);
    assert.equal(response.headers.get("content-encoding"), "br");
    const bytes = new Uint8Array(await response.arrayBuffer());
    assert.equal(brotliDecompressSync(bytes).toString(), script.content);
  });
}

test("embed.js redirects to an absolute address", async () => {
  const { status, headers } = await new Assets().reply("embed.js", "", FOLDER);
  assert.equal(status, 302);
  assert.equal(Object.fromEntries(headers)["location"], FOLDER + embed.name);
});
