/** Hostile input over real HTTP: a clear response in bounded time, and the site continues to serve. */

import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, afterEach, before, describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { items, member, startSite, type Site } from "./site.ts";

/**
 * Limit for the CPU time of a case. The slowest case takes 16 s with two cores, and a slow machine needs a multiple.
 * Work that grows with the square of such an input takes far longer.
 */
const CPU_LIMIT_MS = 60_000;
/** Timeout of a case, longer than its CPU time, because other tests run beside it. */
const TIMEOUT_MS = 200_000;

let site: Site;

before(async () => {
  site = await startSite({ forms: { bodyLimit: 8 << 20 } });
});
after(() => site.close());
afterEach(async () => {
  assert.equal((await site.api("GET", "/forms?per_page=1")).status, 200, "the site continues to serve");
  assert.deepEqual(site.faults, [], "nothing trapped and no error was logged");
});

/** Runs the work, and fails if this process (which includes the site) uses more CPU time than the limit. */
async function within<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  const took = (user + system) / 1000;
  assert.ok(took <= milliseconds, `took ${took.toFixed(0)} ms of the processor's time, allowed ${milliseconds}`);
  return result;
}

async function form(markup: string, settings: object = {}): Promise<{ id: number; slug: string }> {
  const { status, body } = await site.api("POST", "/forms", { title: "Hostile", markup, settings });
  assert.equal(status, 201, JSON.stringify(body).slice(0, 300));
  return { id: Number(member(body, "id")), slug: String(member(body, "slug")) };
}

function submit(slug: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${site.url}/forms/${slug}`, {
    method: "POST",
    body,
    redirect: "manual",
    headers: { accept: "application/json", ...headers },
  });
}

describe("markup", () => {
  const cases: Record<string, string> = {
    "5 MB of unclosed tags": "<div><p><label>".repeat(350_000),
    "5 MB of inputs of one name": "<input name=a>".repeat(370_000),
    "10,000 nested elements": "<div>".repeat(10_000) + "<input name=deep>" + "</div>".repeat(10_000),
    "10,000 nested fieldsets": "<fieldset><legend>x</legend>".repeat(10_000) + "<input name=deep>",
    "an attribute of 1 MB": `<input name="${"x".repeat(1 << 20)}">`,
    "100,000 attributes": `<input ${Array.from({ length: 100_000 }, (_, n) => `a${n}=b`).join(" ")} name=many>`,
    "5 MB of angle brackets": "<".repeat(5 << 20),
    "NUL bytes": '<input name="a\u0000b"><p>\u0000</p>',
    "unclosed everything": "<select name=s><option>a<textarea name=t><!-- <input name=",
  };
  for (const [name, markup] of Object.entries(cases)) {
    it(`${name} gives a schema or a clear error`, { timeout: TIMEOUT_MS }, async () => {
      await within(CPU_LIMIT_MS, async () => {
        const created = await site.api("POST", "/forms", { title: name, markup });
        if (created.status !== 201) {
          assert.equal(created.status, 400, JSON.stringify(created.body).slice(0, 300));
          return;
        }
        const id = Number(member(created.body, "id"));
        const generated = await site.api("POST", `/forms/${id}/schema/generate`);
        assert.ok(
          [200, 400].includes(generated.status),
          `${generated.status} ${JSON.stringify(generated.body).slice(0, 300)}`,
        );
        assert.equal((await fetch(`${site.url}/forms/${member(created.body, "slug")}`)).status, 200);
      });
    });
  }
});

it("10,000 fields are read, kept in order and can be submitted", { timeout: TIMEOUT_MS }, async () => {
  const markup = Array.from({ length: 10_000 }, (_, n) => `<input name="f${n}">`).join("");
  const { id, slug } = await form(markup);
  const generated = await within(CPU_LIMIT_MS, () => site.api("POST", `/forms/${id}/schema/generate`));
  assert.equal(generated.status, 200);
  assert.equal(items(member(generated.body, "fields")).length, 10_000);
  const response = await within(CPU_LIMIT_MS, () => submit(slug, new URLSearchParams({ f9999: "last" })));
  assert.equal(response.status, 200);
});

it("a pattern that would block a backtracking engine gets a response at once", { timeout: TIMEOUT_MS }, async () => {
  const { slug } = await form(`<input name="code" pattern="^(a+)+$">`);
  // A backtracking engine would take years.
  const hostile = `${"a".repeat(60)}!`;
  const response = await within(CPU_LIMIT_MS, () => submit(slug, new URLSearchParams({ code: hostile })));
  assert.equal(response.status, 400);
  const body = await response.json();
  assert.equal(body.errors[0].code, "invalid_pattern");
  assert.ok(!JSON.stringify(body).includes(hostile), "the value is not echoed");
});

it("a body of 20 MB is rejected with 413, for editors and for visitors", { timeout: TIMEOUT_MS }, async () => {
  const { slug } = await form("<input name=a>");
  const huge = "x".repeat(20 << 20);
  const asEditor = await site.api("POST", "/forms", { title: huge });
  assert.equal(asEditor.status, 413);
  assert.equal(member(asEditor.body, "code"), "rest_payload_too_large");
  assert.equal((await submit(slug, new URLSearchParams({ a: huge }))).status, 413);
});

it("NUL bytes and broken UTF-8 are stored as text or rejected, and never lose the submission", async () => {
  const { id, slug } = await form("<input name=a><input name=b>");
  const broken = await submit(slug, "a=%FF%FEbad&b=nul%00byte", {
    "content-type": "application/x-www-form-urlencoded",
  });
  assert.ok([200, 400].includes(broken.status));
  const list = await site.api("GET", `/forms/${id}/submissions`);
  assert.equal(items(list.body).length, broken.status === 200 ? 1 : 0);
  const json = await submit(slug, Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), {
    "content-type": "application/json",
  });
  assert.ok([200, 400].includes(json.status));
});

it("broken UTF-8 and deep nesting in an editor's JSON are rejected as invalid", async () => {
  for (const body of [Buffer.from([0x7b, 0xff, 0x7d]), "[".repeat(100_000), '{"title":'.repeat(100_000)]) {
    const response = await fetch(`${site.url}/api/cf/v1/forms`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", "x-test-caller": "administrator" },
    });
    assert.equal(response.status, 400);
    assert.equal((await response.json()).code, "rest_invalid_json");
  }
});

it("10,000 unknown names and repeated names in a submit get a response", async () => {
  const { slug } = await form("<input name=a>");
  const pairs = new URLSearchParams(Array.from({ length: 10_000 }, (_, n) => [`x${n}`, "1"]));
  const response = await within(CPU_LIMIT_MS, () => submit(slug, pairs));
  assert.ok([200, 400].includes(response.status));
});

it("conditions nested too deeply are rejected", async () => {
  const { id } = await form("<input name=a><input name=b>");
  let condition: object = { field: "a", operator: "equals", value: "1" };
  for (let depth = 0; depth < 500; depth += 1) condition = { all: [condition] };
  const response = await site.api("PUT", `/forms/${id}/schema`, {
    fields: [
      { name: "a", type: "text" },
      { name: "b", type: "text", conditions: [condition] },
    ],
  });
  assert.equal(response.status, 400);
});

it("a client that disconnects in the middle of its body has no effect on others", async () => {
  const { slug } = await form("<input name=a>");
  const { port } = new URL(site.url);
  for (let round = 0; round < 20; round += 1) {
    const socket = connect(Number(port), "127.0.0.1");
    await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
    socket.write(`POST /forms/${slug} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\na=`);
    socket.destroySoon();
  }
  // The log has one line for each client, and no other lines.
  while (site.faults.length < 20) await nextTurn();
  for (const fault of site.faults.splice(0)) assert.match(fault, /^warn: the body of a request broke off /);
});
