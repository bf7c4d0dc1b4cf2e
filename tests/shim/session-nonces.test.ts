/** The nonce helper for hosts whose callers have a cookie. */

import assert from "node:assert/strict";
import { it } from "node:test";
import { nonceOf, sessionNonces } from "../../host-shim/src/index.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const HOUR = 3_600_000;

it("a nonce is valid only for its session, for 12 to 24 hours, and only with its secret", async () => {
  let now = 100 * 24 * HOUR;
  const nonces = sessionNonces(SECRET, () => now);
  const nonce = await nonces.issue("user 1, cookie a");
  assert.equal(await nonces.isValid(nonce, "user 1, cookie a"), true);
  assert.equal(await nonces.isValid(nonce, "user 2, cookie a"), false);
  assert.equal(await sessionNonces(SECRET.replace("0", "1"), () => now).isValid(nonce, "user 1, cookie a"), false);
  for (const wrong of ["", "x", nonce.slice(1), `${nonce}0`, nonce.toUpperCase()]) {
    assert.equal(await nonces.isValid(wrong, "user 1, cookie a"), false, wrong);
  }
  now += 12 * HOUR;
  assert.equal(await nonces.isValid(nonce, "user 1, cookie a"), true);
  now += 12 * HOUR;
  assert.equal(await nonces.isValid(nonce, "user 1, cookie a"), false);
});

it("a short secret is rejected", () => assert.throws(() => sessionNonces("short"), /32 characters/));

it("is found in the query, a form's body or the header, and the body stays readable", async () => {
  const inBody = new Request("http://a.test/", {
    method: "POST",
    body: new URLSearchParams({ _wpnonce: "b" }),
    headers: { "x-wp-nonce": "h", cookie: "session=a" },
  });
  assert.equal(await nonceOf(inBody), "b");
  assert.equal(await inBody.text(), "_wpnonce=b");
  assert.equal(await nonceOf(new Request("http://a.test/?_wpnonce=q", { headers: { "x-wp-nonce": "h" } })), "q");
  assert.equal(await nonceOf(new Request("http://a.test/", { headers: { "x-wp-nonce": "h" } })), "h");
  assert.equal(await nonceOf(new Request("http://a.test/")), null);
});

/** A form-encoded request of 16 MB without a length, and the number of pieces of 64 KB that were read from it. */
function longRequest(headers: Readonly<Record<string, string>>) {
  let readPieces = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const text = readPieces === 0 ? "_wpnonce=b&text=" : "";
      controller.enqueue(new TextEncoder().encode(text.padEnd(65_536, "a")));
      readPieces += 1;
      if (readPieces === 256) controller.close();
    },
  });
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const init = { method: "POST", body, headers: { ...type, ...headers }, duplex: "half" };
  return { request: new Request("http://a.test/", init), readPieces: () => readPieces };
}

it("is searched only at the start of a body, which stays readable as a whole", async () => {
  const { request, readPieces } = longRequest({ cookie: "session=a" });
  assert.equal(await nonceOf(request), "b");
  assert.ok(readPieces() <= 3, `${readPieces()} pieces of 64 KB are in memory`);
  assert.equal((await request.arrayBuffer()).byteLength, 256 * 65_536);
});

it("is not searched in the body of a request without a cookie", async () => {
  const { request, readPieces } = longRequest({ "x-wp-nonce": "h" });
  assert.equal(await nonceOf(request), "h");
  assert.ok(readPieces() <= 1, `${readPieces()} pieces of 64 KB are in memory`);
});
