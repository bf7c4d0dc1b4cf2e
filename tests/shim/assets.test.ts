/** The files of visitors' pages are sent compressed to browsers that accept it, and uncompressed to others. */
import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { test } from "node:test";
import { Assets } from "../../host-shim/src/assets.ts";
import { toResponse } from "../../host-shim/src/bridge.ts";
import { script } from "../../visitor/assets.ts";

const load = async (accepted: string): Promise<Response> =>
  toResponse({ ...(await new Assets().reply(script.name, accepted)) } as Parameters<typeof toResponse>[0]);

test("a browser that accepts gzip gets it, compressed once", async () => {
  const response = await load("gzip, deflate, br");
  assert.deepEqual(
    ["content-encoding", "vary", "content-type"].map((name) => response.headers.get(name)),
    ["gzip", "accept-encoding", script.type],
  );
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert.ok(bytes.length <= 15_000, `${bytes.length} bytes`);
  assert.equal(gunzipSync(bytes).toString(), script.content);
});

for (const accepted of ["", "br", "gzip;q=0", "gzip; q=0.0, br"]) {
  test(`“${accepted}” gets the uncompressed file`, async () => {
    const response = await load(accepted);
    assert.equal(response.headers.get("content-encoding"), null);
    assert.equal(await response.text(), script.content);
  });
}
