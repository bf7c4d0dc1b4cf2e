/** Bodies of requests whose `Content-Length` is absent, wrong or not a number. At most the limit is read and kept. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { addressBlock } from "../../host-shim/src/address-block.ts";
import { BodyBudget } from "../../host-shim/src/body-budget.ts";
import type { BodyPace } from "../../host-shim/src/body-pace.ts";
import { IncomingBody } from "../../host-shim/src/incoming-body.ts";
import { member, startSite, type Site } from "./site.ts";

const LIMIT = 1 << 20;
const PIECE = 1 << 14;
let site: Site;
before(async () => (site = await startSite()));
after(() => site.close());

/** A request whose body arrives in pieces, and the number of pieces that were read. */
function streamed(text: string, repeats: number, length: string | null): { request: Request; given(): number } {
  const piece = new TextEncoder().encode(text);
  let left = repeats;
  let given = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left-- <= 0) return controller.close();
      given += piece.length;
      controller.enqueue(piece);
    },
  });
  const headers = {
    "content-type": "application/json",
    "x-test-caller": "administrator",
    ...(length === null ? {} : { "content-length": length }),
  };
  // TypeScript's type lacks `duplex`, which is required for a stream as a body.
  const init: RequestInit & { duplex: "half" } = { method: "POST", headers, body, duplex: "half" };
  const request = new Request(`${site.url}/api/cf/v1/forms`, init);
  // `arrayBuffer` would read a body of any length.
  request.arrayBuffer = () => assert.fail("the body was read as a whole");
  return { request, given: () => given };
}

const LENGTHS = [
  ["absent", null],
  ["false", "10"],
  ["0", "0"],
  ["no number", "many"],
  ["NaN", "NaN"],
  ["negative", "-5"],
] as const;

for (const [what, length] of LENGTHS) {
  test(`a body over the limit whose Content-Length is ${what} gets a 413 and is not kept`, async () => {
    const { request } = streamed("x".repeat(PIECE), (2 * LIMIT) / PIECE, length);
    const response = await site.forms.fetch(request);
    assert.equal(response?.status, 413);
    assert.equal(member(await response.json(), "code"), "rest_payload_too_large");
  });

  test(`a body within the limit whose Content-Length is ${what} is read unchanged`, async () => {
    const text = JSON.stringify({ title: `Its length is ${what}` });
    const { request } = streamed(text, 1, length);
    const response = await site.forms.fetch(request);
    assert.equal(response?.status, 201);
    assert.equal(member(await response.json(), "title"), `Its length is ${what}`);
  });
}

const incoming = (request: Request, bytes: number, lengthHolds: boolean) =>
  new IncomingBody(request, { bytes, lengthHolds, lease: new BodyBudget().lease(null) });

test("a body that breaks off no longer counts, for each method", async () => {
  const form = { title: "Files", slug: "files", markup: "<input name=a><input type=file name=f>" };
  assert.equal((await site.api("POST", "/forms", form)).status, 201);
  const send = (method: string, end: "whole" | "broken"): Promise<Response | null> => {
    const parts = [
      '--x\r\nContent-Disposition: form-data; name="f"; filename="f.txt"\r\n\r\n',
      ...Array.from({ length: 10 }, () => "y".repeat(LIMIT)),
      ...(end === "whole" ? ["\r\n--x--\r\n"] : []),
    ].map((part) => new TextEncoder().encode(part));
    const length = end === "whole" ? parts.reduce((sum, part) => sum + part.length, 0) : 15 * LIMIT;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = parts.shift();
        if (part !== undefined) controller.enqueue(part);
        else if (end === "whole") controller.close();
        else controller.error(new Error("the connection broke off"));
      },
    });
    const headers = {
      accept: "application/json",
      "content-type": "multipart/form-data; boundary=x",
      "content-length": String(length),
    };
    const init: RequestInit & { duplex: "half" } = { method, headers, body, duplex: "half" };
    return site.forms.fetch(new Request(`${site.url}/forms/files`, init));
  };
  for (const method of ["PUT", "PATCH", "DELETE", "POST"]) {
    await send(method, "broken");
    const response = await send("POST", "whole");
    assert.equal(response?.status, 200, `after ${method}: ${await response?.text()}`);
  }
});

test("an endless body is abandoned as soon as it is over the limit", async () => {
  const { request, given } = streamed("x".repeat(PIECE), Infinity, null);
  await assert.rejects(incoming(request, PIECE, false).whole(), { code: "too_large" });
  assert.ok(given() <= 4 * PIECE, `${given()} bytes`);
});

test("pending bytes are limited for an address and in total, a single body is always accepted, and finished ones no longer count", () => {
  const budget = new BodyBudget();
  const MB = 2 ** 20;
  const grown = (address: string, bytes: number) => {
    const lease = budget.lease(address);
    return { lease, limit: lease.grow(bytes) };
  };
  const large = grown("a", 100 * MB);
  assert.equal(large.limit, null);
  assert.equal(grown("b", MB).limit, "busy");
  large.lease.free();
  assert.equal(large.lease.grow(MB), "busy");
  const four = ["a", "b", "c", "d"].map((address) => grown(address, 16 * MB));
  assert.deepEqual(
    four.map(({ limit }) => limit),
    [null, null, null, null],
  );
  assert.deepEqual([grown("a", 1).limit, grown("e", 1).limit], ["busy_address", "busy"]);
  for (const { lease } of four) lease.free();
  assert.equal(grown("e", 16 * MB).limit, null);
});

test("addresses of one IPv6 network share a budget, in any notation", () => {
  const budget = new BodyBudget();
  const MB = 2 ** 20;
  const limitOf = (address: string) => budget.lease(address).grow(10 * MB);
  assert.deepEqual(
    ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:0DB8:0001:0002:0:0:0:5", "2001:db8:1:3::1"].map(limitOf),
    [null, "busy_address", "busy_address", null],
  );
  assert.deepEqual(["::ffff:192.0.2.1", "192.0.2.1", "192.0.2.2"].map(limitOf), [null, "busy_address", null]);
});

const BLOCKS = [
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::ffff:c000:201", "192.0.2.1"],
  ["::1", "::/64"],
  ["2001:db8::1", "2001:db8::/64"],
  ["2001:DB8:0:0:1::", "2001:db8::/64"],
  ["2001:db8:0:1:2:3:4:5", "2001:db8:0:1::/64"],
  ["fe80::1%eth0", "fe80::/64"],
  ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
  ["no address", "no address"],
  ["a:b", "a:b"],
  ["", ""],
] as const;

test("an address counts as the network of one customer", () => {
  for (const [address, block] of BLOCKS) assert.equal(addressBlock(address), block, address);
});

describe("a body's pace", () => {
  const PACE = { graceMs: 300, slackMs: 100, maxAheadMs: 400, passOverMs: 1_000 };
  /** Pace for bodies that are accepted, even if a busy machine stalls for a second. */
  const PATIENT = { graceMs: 1_500, slackMs: 1_500, maxAheadMs: 3_000, passOverMs: 5_000 };
  const slow = { code: "slow" };

  /** A body that sends a piece of this many bytes at an interval; endless if `pieces` is infinite. */
  function trickling(
    bytes: number,
    everyMs: number,
    pieces: number,
    { length = null, pace = PACE }: { length?: number | null; pace?: BodyPace } = {},
  ): IncomingBody {
    let left = pieces;
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (left-- <= 0) return controller.close();
          // An endless body is still being read when its test ends, so its timer must not keep the process alive.
          await delay(everyMs, undefined, { ref: false });
          controller.enqueue(new Uint8Array(bytes));
        },
      },
      { highWaterMark: 0 },
    );
    const headers: Record<string, string> = length === null ? {} : { "content-length": String(length) };
    const init: RequestInit & { duplex: "half" } = { method: "POST", headers, body, duplex: "half" };
    const lease = new BodyBudget().lease(null);
    return new IncomingBody(new Request("http://localhost/", init), {
      bytes: LIMIT,
      lengthHolds: length !== null,
      lease,
      pace,
    });
  }

  test("below 1 KB/s ends the body after its time limit, whether it is read as a whole or in pieces", async () => {
    const begun = performance.now();
    const whole = trickling(1, 20, Infinity, { length: 150 });
    await assert.rejects(whole.whole(), slow);
    assert.ok(performance.now() - begun >= PACE.graceMs - 10);
    assert.equal(whole.isSlow, true);
    await assert.rejects(whole.whole(), slow);
    await assert.rejects(trickling(1, 20, Infinity, { length: 100_000 }).whole(), slow);
    await assert.rejects(trickling(1, 20, Infinity).whole(), slow);
    await assert.rejects(trickling(1, 10_000, 1).next(), slow);
    const fast = trickling(2_000, 1, 1, { pace: PATIENT });
    assert.equal((await fast.next())?.length, 2_000);
  });

  test("above 1 KB/s is accepted for any duration", async () => {
    const begun = performance.now();
    const body = trickling(120, 30, 60, { pace: PATIENT });
    assert.equal((await body.whole()).length, 7_200);
    assert.ok(performance.now() - begun > PATIENT.graceMs, "the body takes longer than the grace period");
    assert.equal(body.isSlow, false);
  });

  test("counts only the client's time, not that of the reader between two pieces", async () => {
    const body = trickling(10, 5, 5, { pace: PATIENT });
    for (let piece = 0; piece < 5; piece += 1) {
      assert.equal((await body.next())?.length, 10);
      await delay(PATIENT.graceMs / 2);
    }
    assert.equal(await body.next(), null);
  });
});

test("with a server that enforces Content-Length, the body is read as a whole", async () => {
  const request = new Request(site.url, { method: "POST", body: "hello", headers: { "content-length": "5" } });
  let calls = 0;
  const whole = request.arrayBuffer.bind(request);
  request.arrayBuffer = () => ((calls += 1), whole());
  assert.equal(new TextDecoder().decode(await incoming(request, LIMIT, true).whole()), "hello");
  assert.equal(calls, 1);
});
