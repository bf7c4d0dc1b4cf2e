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
    headers: { "x-wp-nonce": "h" },
  });
  assert.equal(await nonceOf(inBody), "b");
  assert.equal(await inBody.text(), "_wpnonce=b");
  assert.equal(await nonceOf(new Request("http://a.test/?_wpnonce=q", { headers: { "x-wp-nonce": "h" } })), "q");
  assert.equal(await nonceOf(new Request("http://a.test/", { headers: { "x-wp-nonce": "h" } })), "h");
  assert.equal(await nonceOf(new Request("http://a.test/")), null);
});
