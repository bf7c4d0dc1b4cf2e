/** There is always a response, even if ports throw, hang or return nonsense, or other code has read the body. */

import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Host } from "../../host-shim/src/index.ts";
import { CALLERS, items, member, startSite, type Site, type SiteOptions } from "./site.ts";

const principal = CALLERS["administrator"]!;
const REST = "/api/cf/v1/forms";

async function siteOf(t: TestContext, options: SiteOptions): Promise<Site> {
  const site = await startSite({ ...options, forms: { portTimeoutMs: 1_000, ...options.forms } });
  t.after(() => site.close());
  return site;
}

/**
 * The status and the code of a response; `hung` if there is none within 30 seconds. Ports have a timeout of one second,
 * so 30 seconds are enough on a busy machine.
 */
async function outcome(site: Site, request: Request): Promise<string> {
  const response = await Promise.race([site.forms.fetch(request), delay(30_000, "hung", { ref: false })]);
  if (response === null || typeof response === "string") return String(response);
  const text = await response.text();
  if (response.status >= 500) assert.doesNotMatch(text, /secret/, "no internals");
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return isJson ? `${response.status} ${String(JSON.parse(text).code ?? "")}`.trim() : String(response.status);
}

const throwsSecret = (): never => {
  throw { message: "secret words" };
};

describe("authenticate", () => {
  const cases: Record<string, [Host["authenticate"], RegExp]> = {
    "throws at once": [throwsSecret, /secret words/],
    rejects: [() => Promise.reject(new Error("secret down")), /secret down/],
    "never returns": [() => new Promise(() => undefined), /authenticate gave no response in 1000 ms/],
    "returns a number": [(async () => 7) as unknown as Host["authenticate"], /must return an object/],
    "returns a principal without capabilities": [
      (async () => ({ principal: { id: "1", login: "a" } })) as unknown as Host["authenticate"],
      /capabilities/,
    ],
    "returns a failure of another status": [
      (async () => ({ failure: { status: 200, code: "a", message: "b" } })) as unknown as Host["authenticate"],
      /status/,
    ],
  };
  for (const [what, [authenticate, reason]] of Object.entries(cases)) {
    it(`${what}: 500, and the log names it`, async (t) => {
      const site = await siteOf(t, { host: { authenticate: authenticate! } });
      assert.equal(await outcome(site, new Request(site.url + REST)), "500 internal_error");
      assert.match(site.faults.join("\n"), reason);
    });
  }
});

describe("visitor and clientAddress", () => {
  const cases: Record<string, Partial<Host>> = {
    "visitor throws at once": { visitor: throwsSecret },
    "visitor never answers": { visitor: () => new Promise(() => undefined) },
    "visitor returns nonsense": { visitor: (async () => "me") as unknown as Host["visitor"] & {} },
    "clientAddress throws": { clientAddress: throwsSecret },
    "clientAddress never answers": { clientAddress: () => new Promise(() => undefined) },
    "clientAddress returns nonsense": { clientAddress: (() => 7) as unknown as Host["clientAddress"] & {} },
    "defer throws": { defer: throwsSecret },
  };
  for (const [what, host] of Object.entries(cases)) {
    it(`${what}: a visitor's answer is stored anyway`, async (t) => {
      const site = await siteOf(t, { host });
      const settings = { actions: [{ type: "email", to: "desk@example.org" }] };
      const { body: form } = await site.api("POST", "/forms", { title: "Contact", markup: "<input name=a>", settings });
      const body = new URLSearchParams({ a: "1" });
      const submit = new Request(`${site.url}/forms/${String(member(form, "slug"))}`, {
        method: "POST",
        body,
        headers: { accept: "application/json" },
      });
      assert.equal(await outcome(site, submit), "200");
      assert.equal(items((await site.api("GET", "/submissions")).body).length, 1);
      assert.match(site.faults.join("\n"), new RegExp(what.split(" ")[0]!));
    });
  }
});

it("further arguments of fetch reach the ports", async (t) => {
  const seen: unknown[] = [];
  const note = (port: string, context: unknown) => void seen.push([port, context]);
  const site = await siteOf(t, {
    host: {
      authenticate: async (_, context) => (note("authenticate", context), { principal }),
      visitor: async (_, context) => (note("visitor", context), null),
      clientAddress: (_, context) => (note("clientAddress", context), null),
      defer: (_, context) => note("defer", context),
    },
  });
  const settings = { actions: [{ type: "email", to: "desk@example.org" }] };
  const create = new Request(site.url + REST, {
    method: "POST",
    body: JSON.stringify({ title: "Contact", markup: "<input name=a>", settings }),
  });
  assert.equal((await site.forms.fetch(create, "locals"))?.status, 201);
  assert.equal(
    (
      await site.forms.fetch(
        new Request(`${site.url}/forms/contact`, { method: "POST", body: new URLSearchParams({ a: "1" }) }),
        "locals",
      )
    )?.status,
    303,
  );
  assert.deepEqual(
    seen,
    ["clientAddress", "authenticate", "clientAddress", "visitor", "defer"].map((port) => [port, "locals"]),
  );
});

describe("a body", () => {
  const headers = { "content-type": "application/json", "x-test-caller": "administrator" };
  const post = (site: Site, body: BodyInit | null, more: Record<string, string> = {}) => {
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      body,
      headers: { ...headers, ...more },
      duplex: "half",
    };
    return new Request(site.url + REST, init);
  };
  const broken = (message: string) =>
    new ReadableStream({
      pull(controller) {
        controller.error(new Error(message));
      },
    });

  it("that a parser has read causes a 500, and the log says what to do", async (t) => {
    const site = await siteOf(t, {});
    const read = post(site, '{"title":"Contact"}');
    await read.json();
    assert.equal(await outcome(site, read), "500 internal_error");
    const locked = post(site, '{"title":"Contact"}');
    locked.body?.getReader();
    assert.equal(await outcome(site, locked), "500 internal_error");
    const emptied = post(site, new ReadableStream({ start: (controller) => controller.close() }), {
      "content-length": "19",
    });
    assert.equal(await outcome(site, emptied), "500 internal_error");
    assert.equal(site.faults.filter((fault) => fault.includes("mount cf-forms before any body parser")).length, 3);
    assert.deepEqual((await site.api("GET", "/forms")).body, []);
  });

  it("whose reading throws causes a 400, or a 413 if the server's limit ended it", async (t) => {
    const site = await siteOf(t, {});
    assert.equal(await outcome(site, post(site, broken("aborted"))), "400 rest_body_unreadable");
    assert.equal(await outcome(site, post(site, broken("Body size limit exceeded"))), "413 rest_payload_too_large");
  });

  it("whose reading throws although lengths are reliable causes a 400", async (t) => {
    const site = await siteOf(t, { forms: { contentLengthHolds: true } });
    assert.equal(
      await outcome(site, post(site, broken("aborted"), { "content-length": "5" })),
      "400 rest_body_unreadable",
    );
  });
});

it("the message of a thrown object is the reason of an action's failure", async (t) => {
  const site = await siteOf(t, {});
  site.forms.registerAction({
    type: "crm",
    label: "CRM",
    process: () => Promise.reject({ code: 7, message: "the CRM is full" }),
  });
  const { body } = await site.api("POST", "/actions/test", { action_type: "crm", settings: {}, test_data: {} });
  assert.equal(member(body, "message"), "the CRM is full");
});

it("automaticRuns: false leaves the queue to runQueue", async (t) => {
  const site = await siteOf(t, { forms: { automaticRuns: false } });
  const settings = { actions: [{ type: "email", to: "desk@example.org" }] };
  await site.api("POST", "/forms", { title: "Contact", markup: "<input name=a>", settings });
  await fetch(`${site.url}/forms/contact`, {
    method: "POST",
    body: new URLSearchParams({ a: "1" }),
    redirect: "manual",
  });
  await site.settled();
  assert.equal(site.mails.length, 0);
  assert.deepEqual(await site.forms.runQueue(), { processed: 1 });
  assert.equal(site.mails.length, 1);
});

it("forms.renderSchema passes cf_schema_markup, and a faulty callback has no effect", async (t) => {
  const site = await siteOf(t, {});
  const schema = { version: 1, fields: [{ name: "a", type: "text", label: "A" }] };
  const htmlOf = () => {
    const rendered = site.forms.renderSchema(schema);
    assert.ok("html" in rendered);
    return rendered.html;
  };
  const plain = htmlOf();
  site.forms.hooks.addFilter("cf_schema_markup", "test/mark", (html: string, given: unknown, form: unknown) => {
    assert.deepEqual([given, form], [schema, null]);
    return `<b></b>${html}`;
  });
  assert.equal(htmlOf(), `<b></b>${plain}`);
  site.forms.hooks.addFilter("cf_schema_markup", "test/late", async (html: string) => html);
  assert.equal(htmlOf(), plain);
  site.forms.hooks.addFilter("cf_schema_markup", "test/broken", throwsSecret);
  assert.equal(htmlOf(), plain);
  assert.match(site.faults.join("\n"), /no text(.|\n)*secret words/);
});
