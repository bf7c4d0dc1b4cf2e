import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { addressBlock, clientAddress, parseTrustedProxies } from "../../host-shim/hosts/embedded/client-address.ts";
import { bodyOf, startTestHost } from "./embedded-fixture.ts";

function trust(text: string) {
  const proxies = parseTrustedProxies(text);
  if (proxies === null) throw new Error(`not understood: ${text}`);
  return proxies;
}

describe("the client's address", () => {
  const cases: readonly [trusted: string, socket: string, forwardedFor: string | null, expected: string][] = [
    ["", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["0", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["", "::ffff:203.0.113.9", null, "203.0.113.9"],
    ["", "2001:DB8:0:0::1", null, "2001:db8::1"],
    ["1", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["1", "10.0.0.1", null, "10.0.0.1"],
    ["1", "10.0.0.1", "6.6.6.6, 198.51.100.1", "198.51.100.1"],
    ["2", "10.0.0.1", "6.6.6.6, 198.51.100.1, 10.0.0.2", "198.51.100.1"],
    ["2", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["10.0.0.0/8", "10.0.0.1", "6.6.6.6, 198.51.100.1, 10.0.0.2", "198.51.100.1"],
    ["10.0.0.0/8", "203.0.113.9", "6.6.6.6", "203.0.113.9"],
    ["10.0.0.0/8, 2001:db8::/32", "2001:db8::5", "198.51.100.1, 10.9.9.9", "198.51.100.1"],
    ["10.0.0.0/8", "::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["10.0.0.1", "10.0.0.1", "198.51.100.1:51234", "198.51.100.1"],
    ["10.0.0.1", "10.0.0.1", "[2001:db8::7]:443", "2001:db8::7"],
    ["10.0.0.1", "10.0.0.1", "unknown", "10.0.0.1"],
    ["1", "10.0.0.1", "198.51.100.1, <script>", "10.0.0.1"],
    ["1", "10.0.0.1", "0x7f.1", "10.0.0.1"],
    ["10.0.0.0/8", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["1", "fe80::1%eth0", null, "fe80::1"],
  ];
  for (const [trusted, socket, forwardedFor, expected] of cases) {
    test(`trusting "${trusted}", from ${socket}, forwarded for ${forwardedFor}: ${expected}`, () => {
      assert.equal(clientAddress(socket, forwardedFor, trust(trusted)), expected);
    });
  }

  test("is null when the socket is gone", () => {
    assert.equal(clientAddress(undefined, "198.51.100.1", trust("1")), null);
  });

  test("only the end of a header with 10,000 entries is read", () => {
    const entries = Array.from({ length: 10_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`);
    assert.equal(clientAddress("10.0.0.1", entries.join(), trust("10.0.0.0/8")), entries.at(-32));
  });

  for (const wrong of ["x", "-1", "33", "10.0.0.0/33", "10.0.0", "10.0.0.1,,", "1.5"]) {
    test(`TRUST_PROXY "${wrong}" is rejected`, () => assert.equal(parseTrustedProxies(wrong), null));
  }

  test("reaches the engine", async (t) => {
    const host = await startTestHost(t, { environment: { TRUST_PROXY: "127.0.0.0/8" } });
    const response = await fetch(`${host.url}/forms/contact`, {
      headers: { "x-forwarded-for": "6.6.6.6, 198.51.100.1" },
    });
    assert.equal((await bodyOf<{ address: string }>(response)).address, "198.51.100.1");
  });
});

test("an IPv6 network counts as one client, an IPv4 address separately", () => {
  assert.equal(addressBlock("2001:db8:1:2:aaaa::1"), "2001:db8:1:2::/64");
  assert.equal(addressBlock("2001:db8:1:2:bbbb::9"), "2001:db8:1:2::/64");
  assert.equal(addressBlock("203.0.113.9"), "203.0.113.9");
  assert.equal(addressBlock(null), "unknown");
});
