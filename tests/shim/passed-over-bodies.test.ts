/** Rejected bodies that are still read for their answers, with bounds for time, number and size. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { BodyBudget } from "../../host-shim/src/body-budget.ts";
import type { BodyPace } from "../../host-shim/src/body-pace.ts";
import { Exchange } from "../../host-shim/src/exchange.ts";
import { readPairs } from "../../host-shim/src/form-pairs.ts";
import { IncomingBody } from "../../host-shim/src/incoming-body.ts";
import { Multipart } from "../../host-shim/src/multipart.ts";

const KB = 2 ** 10;
const PACE: BodyPace = { graceMs: 200, slackMs: 50, maxAheadMs: 300, passOverMs: 800 };
/** Pace for tests that no time limit may end, even on a slow machine. */
const PATIENT: BodyPace = { graceMs: 60_000, slackMs: 60_000, maxAheadMs: 60_000, passOverMs: 60_000 };
const MULTIPART = "multipart/form-data; boundary=x";
const FORM = "application/x-www-form-urlencoded";

interface Sent {
  readonly request: Request;
  /** Number of pieces that were requested so far. */
  taken(): number;
}

/** A body of these texts, followed by further pieces with pauses, or by a stall. */
function sending(
  type: string,
  texts: readonly string[],
  further: { readonly piece: string; readonly everyMs: number } | null,
): Sent {
  const encoder = new TextEncoder();
  let taken = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const text = texts[taken];
        if (text === undefined && further !== null) await delay(further.everyMs, undefined, { ref: false });
        taken += 1;
        if (text === undefined && further === null) return new Promise(() => undefined);
        controller.enqueue(encoder.encode(text ?? further?.piece));
      },
    },
    { highWaterMark: 0 },
  );
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    body,
    duplex: "half",
    headers: { "content-type": type },
  };
  return { request: new Request("http://localhost/", init), taken: () => taken };
}

const part = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const FILE = '--x\r\nContent-Disposition: form-data; name="cv"; filename="large.pdf"\r\n\r\n';

interface Limits {
  readonly budget?: BodyBudget;
  readonly address?: string | null;
  readonly passedOver?: number;
  readonly pace?: BodyPace;
}

function incoming(
  { request }: Sent,
  { budget = new BodyBudget(), address = null, passedOver = 2 ** 30, pace = PACE }: Limits = {},
) {
  const lease = budget.lease(address);
  return { lease, body: new IncomingBody(request, { bytes: 10 * KB, lengthHolds: false, lease, passedOver, pace }) };
}

/** Resolves with the duration of work in ms; fails after 10 s. */
async function elapsed(work: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  const late = delay(10_000, undefined, { ref: false }).then(() => assert.fail("the work has no time limit"));
  await Promise.race([work, late]);
  return performance.now() - begun;
}

describe("a client that has sent many bytes", () => {
  test("may stall no longer than a client that has sent few", async () => {
    const { request } = sending(FORM, ["a=".padEnd(9 * KB, "x"), "y".repeat(100)], null);
    const body = new IncomingBody(request, {
      bytes: 2 ** 20,
      lengthHolds: false,
      lease: new BodyBudget().lease(null),
      pace: PACE,
    });
    const milliseconds = await elapsed(assert.rejects(body.whole(), { code: "slow" }));
    assert.ok(milliseconds >= PACE.maxAheadMs && milliseconds < 5_000, `${milliseconds} ms`);
  });
});

describe("a rejected body that is still read", () => {
  const large = "x".repeat(64 * KB);
  const bodies = [
    { what: "a form", type: FORM, begin: ["name=Ada&text=", large], more: large },
    { what: "a multipart body within a file", type: MULTIPART, begin: [part("name", "Ada"), FILE, large], more: large },
    {
      what: "a multipart body of texts",
      type: MULTIPART,
      begin: [part("name", "Ada"), part("text", large)],
      more: part("b", large),
    },
  ];
  /** Reads the answers of a body, and the fault that the engine gets. */
  async function answersOf(
    sent: Sent,
  ): Promise<{ fields: readonly (readonly [string, string])[]; fault: string | undefined; isSlow: boolean }> {
    const { body, lease } = incoming(sent);
    const contentType = sent.request.headers.get("content-type") ?? "";
    if (contentType === FORM) {
      await assert.rejects(body.whole(), { code: "too_large" });
      return { fields: await readPairs(body), fault: body.fault ?? undefined, isSlow: body.isSlow };
    }
    const parts = new Multipart(body, contentType);
    const fields: (readonly [string, string])[] = [];
    for (;;) {
      const next = await parts.next();
      fields.push(...next.fields);
      if (next.file !== null) {
        const failed = await parts.receive(null).then(
          () => null,
          (error: unknown) => error,
        );
        if (failed === null) continue;
        assert.ok(failed instanceof Error && "code" in failed);
        lease.free();
        return { fields, fault: String(failed.code), isSlow: body.isSlow };
      }
      lease.free();
      return { fields, fault: next.fault, isSlow: body.isSlow };
    }
  }

  for (const { what, type, begin, more } of bodies) {
    test(`${what}: is abandoned when it stalls, with the answers so far`, async () => {
      const sent = sending(type, [...begin, more], null);
      const milliseconds = await elapsed(
        answersOf(sent).then(({ fields, fault, isSlow }) => {
          assert.deepEqual([fields[0], fault, isSlow], [["name", "Ada"], "too_large", true]);
        }),
      );
      assert.ok(milliseconds < 5_000, `${milliseconds} ms`);
    });

    test(`${what}: is abandoned after its time limit, even if it arrives fast`, async () => {
      const sent = sending(type, begin, { piece: more, everyMs: 20 });
      const milliseconds = await elapsed(
        answersOf(sent).then(({ fields, fault }) => {
          assert.deepEqual([fields[0], fault], [["name", "Ada"], "too_large"]);
        }),
      );
      assert.ok(milliseconds >= PACE.passOverMs / 2 && milliseconds < 5_000, `${milliseconds} ms`);
    });
  }

  test("is read up to 64 MB, without the answer that this limit cuts", async () => {
    const megabyte = "&".repeat(2 ** 20);
    const pieces = ["name=Ada", ...Array.from({ length: 63 }, () => megabyte), `${megabyte}text=one`, "%20two&more=3"];
    const sent = sending(FORM, pieces, null);
    const lease = new BodyBudget().lease(null);
    const body = new IncomingBody(sent.request, { bytes: 10 * KB, lengthHolds: false, lease, passedOver: 2 ** 30 });
    await assert.rejects(body.whole(), { code: "too_large" });
    assert.deepEqual(await readPairs(body), [["name", "Ada"]]);
    assert.equal(sent.taken(), pieces.length - 1, "the rest is not read");
  });

  test("needs one of the slots: four for an address, sixteen in total", async (t) => {
    const budget = new BodyBudget();
    const start = (address: string | null) => {
      const sent = sending(FORM, ["x".repeat(11 * KB)], null);
      const { body, lease } = incoming(sent, { budget, address, pace: PATIENT });
      t.after(() => body.stop());
      return {
        body,
        lease,
        read: body.next().then(
          () => "read on",
          () => "left",
        ),
      };
    };
    const outcomes = async (started: readonly { read: Promise<string> }[]) =>
      Promise.all(started.map(({ read }) => read));
    const one = Array.from({ length: 5 }, (_, n) => start(`2001:db8::${n}`));
    assert.deepEqual(await outcomes(one), ["read on", "read on", "read on", "read on", "left"]);
    const others = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].flatMap((address) =>
      Array.from({ length: 4 }, () => start(address)),
    );
    assert.deepEqual(new Set(await outcomes(others)), new Set(["read on"]));
    assert.deepEqual(await outcomes([start("192.0.2.4"), start(null)]), ["left", "left"]);
    // An abandoned body stays abandoned. Finished bodies free their slots.
    await assert.rejects(one[4]?.body.next() ?? Promise.resolve(), { code: "too_large" });
    for (const { lease } of [...one, ...others]) lease.free();
    assert.deepEqual(await outcomes([start("192.0.2.4"), start("2001:db8::9")]), ["read on", "read on"]);
    // A body within its limit needs no slot.
    for (const { lease } of Array.from({ length: 40 }, () => start("192.0.2.7")))
      assert.equal(lease.grow(64 * KB), null);
  });

  test("is abandoned when the submit failed and its answers do not arrive in time", async () => {
    for (const [type, begin] of [
      [FORM, ["name=Ada&text="]],
      [MULTIPART, [part("name", "Ada"), FILE]],
    ] as const) {
      const sent = sending(type, begin, { piece: "x".repeat(KB), everyMs: 5 });
      const budget = new BodyBudget();
      const { body, lease } = incoming(sent, { budget, address: "192.0.2.1" });
      const exchange = new Exchange({ body, contentType: type, lease, files: undefined, portTimeoutMs: 100 });
      exchange.close();
      const answers = exchange.answers();
      const milliseconds = await elapsed(answers);
      assert.ok(milliseconds < 5_000, `${milliseconds} ms`);
      if (type === MULTIPART)
        assert.deepEqual(await answers, { fields: [["name", "Ada"]], files: [{ field: "cv", filename: "large.pdf" }] });
      else assert.deepEqual((await answers).fields[0], ["name", "Ada"]);
      const taken = sent.taken();
      await delay(100);
      assert.ok(sent.taken() <= taken + 1, "no further piece is read");
      // The slot of the abandoned body is free again.
      const others = Array.from({ length: 4 }, () => budget.lease("192.0.2.1").passOver());
      assert.deepEqual(others, [true, true, true, true]);
    }
  });
});

describe("a multipart body", () => {
  test("that is rejected is still read for answers, up to 2,000 parts", async (t) => {
    const sent = sending(
      MULTIPART,
      [
        part("name", "Ada"),
        FILE,
        "x".repeat(64 * KB),
        "\r\n",
        ...Array.from({ length: 100 }, () => part("b", "2").repeat(100)),
      ],
      null,
    );
    const { body } = incoming(sent, { pace: PATIENT });
    t.after(() => body.stop());
    const parts = new Multipart(body, MULTIPART);
    await parts.next();
    await parts.receive(null);
    const { fields, file, fault } = await parts.next();
    assert.deepEqual([file, fault], [null, "too_large"]);
    assert.ok(fields.length >= 1_900 && fields.length <= 2_000, `${fields.length} fields`);
  });

  test("of many parts counts with the memory of the parts", async (t) => {
    const budget = new BodyBudget();
    const many = part("b", "2").repeat(3_000);
    const read = (address: string, pieces: readonly string[]) => {
      const sent = sending(MULTIPART, pieces, null);
      const body = new IncomingBody(sent.request, { bytes: 2 ** 24, lengthHolds: false, lease: budget.lease(address) });
      // The timer of a pending read would keep the test file running for 45 s.
      t.after(() => body.stop());
      const next = new Multipart(body, MULTIPART).next().then(
        ({ fault }) => fault ?? "read",
        (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
      );
      return { body, next, taken: sent.taken };
    };
    // The body stalls after its third piece.
    const first = read("192.0.2.1", [many, many, many]);
    while (first.taken() < 4) await delay(10);
    assert.equal(await read("192.0.2.1", [many, many]).next, "busy_address");
    assert.equal(await read("192.0.2.2", [many + FILE + "x".repeat(100)]).next, "read");
    first.body.stop();
    assert.equal(await first.next, "slow");
  });

  test("is read only while its parts are requested", async () => {
    const sent = sending(MULTIPART, [part("name", "Ada") + FILE, `%PDF\r\n${part("b", "2")}`], {
      piece: part("c", "3"),
      everyMs: 1,
    });
    const { body } = incoming(sent);
    const parts = new Multipart(body, MULTIPART);
    assert.equal((await parts.next()).file?.filename, "large.pdf");
    assert.equal((await parts.receive(null)).size, 4);
    await delay(100);
    assert.ok(sent.taken() <= 3, `${sent.taken()} pieces`);
  });

  const empty = 'Content-Disposition: form-data; name=""\r\n';
  for (const [what, head, more] of [
    ["empty", empty, ""],
    ["nameless", "Content-Disposition: form-data\r\n", ""],
    ["headless", "", ""],
    [
      "fields before files",
      empty,
      '--x\r\nContent-Disposition: form-data; name="cv"; filename="a.pdf"\r\n\r\n%PDF\r\n',
    ],
  ] as const) {
    test(`with 100,000 parts (${what}) is too many fields, and the rest is not read`, async () => {
      const piece = `--x\r\n${head}\r\n\r\n`.repeat(500) + more.repeat(3);
      const sent = sending(
        MULTIPART,
        Array.from({ length: 200 }, () => piece),
        null,
      );
      const body = new IncomingBody(sent.request, {
        bytes: 2 ** 24,
        lengthHolds: false,
        lease: new BodyBudget().lease(null),
        pace: PACE,
      });
      const parts = new Multipart(body, MULTIPART);
      let read = 0;
      for (;;) {
        const next = await parts.next();
        read += next.fields.length;
        if (next.file === null) {
          assert.equal(next.fault, "too_many_fields");
          break;
        }
        await parts.receive(null);
      }
      assert.ok(read <= 20_001, `${read} fields`);
      assert.ok(sent.taken() <= 50, `${sent.taken()} pieces of 200`);
    });
  }
});
