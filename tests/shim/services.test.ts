/** Each service, called by a real site through the queue, checked against its documentation. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ANSWERS, SERVICES, type DocumentedService } from "./documented-services.ts";
import { startServices, type ServiceServer } from "./service-server.ts";
import { items, member, startSite, type JsonValue, type Site } from "./site.ts";

const MARKUP =
  '<label>Email <input type="email" name="email"></label><label>Name <input name="name"></label>' +
  '<label>Message <textarea name="message"></textarea></label><label>Phone <input type="tel" name="phone"></label>';

/** Answers of the maximum number and length that the engine allows. */
const LONG = {
  ...ANSWERS,
  message: "“Über” @all ".repeat(7_000),
  ...Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`answer_${n}`, "语".repeat(2_000)])),
};

let services: ServiceServer;
let site: Site;
const forms = new Map<string, { id: number; slug: string }>();

before(async () => {
  services = await startServices();
  site = await startSite({ host: { http: services.http } });
  for (const [type, { settings }] of Object.entries(SERVICES)) forms.set(type, await createForm(type, settings));
});

after(async () => {
  await site?.close();
  await services?.close();
});

async function createForm(
  type: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ id: number; slug: string }> {
  const unlabelled = Object.keys(LONG).filter((name) => !(name in ANSWERS));
  const markup = MARKUP + unlabelled.map((name) => `<input type="text" name="${name}">`).join("");
  const created = await site.api("POST", "/forms", {
    title: "Contact",
    markup,
    settings: { actions: [{ type, ...settings }] },
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  return { id: Number(member(created.body, "id")), slug: String(member(created.body, "slug")) };
}

async function submit(slug: string, answers: object): Promise<void> {
  const response = await fetch(`${site.url}/forms/${slug}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(answers),
  });
  assert.equal(response.status, 200, await response.text());
}

/** The last line of a form's log, and its queue entry. */
async function outcome(formId: number): Promise<{ log: string; message: string; queue: string; entry: JsonValue }> {
  const [log] = items((await site.api("GET", `/action-logs?form_id=${formId}`)).body);
  const [entry] = items((await site.api("GET", `/action-queue?form_id=${formId}`)).body);
  return {
    log: String(member(log, "status")),
    message: String(member(log, "message")),
    queue: String(member(entry, "status")),
    entry: entry ?? null,
  };
}

/** Submits every service's form and runs the queue; returns the requests to each service. */
async function runAll(answers: object): Promise<(type: string) => ServiceServer["received"]> {
  services.received.length = 0;
  services.refusals.length = 0;
  for (const { slug } of forms.values()) await submit(slug, answers);
  await site.forms.runQueue();
  return (type) => services.received.filter(({ origin }) => origin === SERVICES[type]?.origin);
}

describe("services", () => {
  it("all have documentation", async () => {
    const types = items((await site.api("GET", "/actions")).body).map((type) => String(member(type, "type")));
    const builtIn = ["autoresponder", "email", "webhook"];
    assert.deepEqual(types.filter((type) => !builtIn.includes(type)).sort(), Object.keys(SERVICES).sort());
  });

  it("get requests as documented, and their responses are understood", async () => {
    services.mode = "strict";
    const received = await runAll(ANSWERS);
    assert.deepEqual(services.refusals, []);
    for (const [type, { endpoints }] of Object.entries(SERVICES)) {
      const { log, message, queue } = await outcome(forms.get(type)?.id ?? 0);
      assert.deepEqual([log, queue], ["success", "completed"], `${type}: ${message}`);
      assert.deepEqual(
        received(type).map(({ path }) => path),
        endpoints.map(({ path }) => path),
        type,
      );
    }
  });

  it("accept the longest submission, cut to their limits", async () => {
    services.mode = "lenient";
    await runAll(LONG);
    assert.deepEqual(services.refusals, []);
    for (const [type, { id }] of forms) assert.equal((await outcome(id)).log, "success", type);
  });

  it("are called again after a busy response, not earlier than requested", async () => {
    services.mode = "busy";
    const began = Date.now();
    const busy = await runAll(ANSWERS);
    const firstIds = new Map([...forms.keys()].map((type) => [type, busy(type)[0]?.headers["webhook-id"]]));
    for (const [type, { id }] of forms) {
      assert.equal(busy(type).length, 1, type);
      const { log, queue, entry } = await outcome(id);
      assert.deepEqual([log, queue], ["failed", "retrying"], type);
      const again = Date.parse(String(member(entry, "scheduled_at"))) - site.clock.ahead;
      const isAsRequested = again > began + 590_000 && again < Date.now() + 605_000;
      assert.ok(isAsRequested, `${type} is called again ${(again - began) / 1000} s after the first call`);
    }
    services.mode = "strict";
    services.received.length = 0;
    site.clock.ahead += 605_000;
    await site.forms.runQueue();
    assert.deepEqual(services.refusals, []);
    for (const [type, { id }] of forms) {
      const { log, queue, entry } = await outcome(id);
      assert.deepEqual([log, queue, member(entry, "attempts")], ["success", "completed", 2], type);
      const again = services.received.find(({ origin }) => origin === SERVICES[type]?.origin);
      assert.equal(again?.headers["webhook-id"], firstIds.get(type), `${type} can recognize the retry`);
    }
  });

  it("give a reason for a rejection, which is logged, without a retry", async () => {
    services.mode = "strict";
    for (const [type, service] of Object.entries(SERVICES)) {
      const { id, slug } = await createForm(type, { ...service.settings, ...service.refused.settings });
      await submit(slug, ANSWERS);
      await site.forms.runQueue();
      const { log, message, queue } = await outcome(id);
      assert.deepEqual([log, queue], ["failed", "failed"], type);
      assert.equal(
        message,
        `The server responded with ${service.refused.response.status}: ${service.refused.says}`,
        type,
      );
    }
  });

  it("are tested with real requests and the stored secrets, which are not shown, and nothing is stored", async () => {
    services.mode = "strict";
    services.refusals.length = 0;
    const before = await stored();
    for (const [type, service] of Object.entries(SERVICES)) {
      services.received.length = 0;
      const id = forms.get(type)?.id ?? 0;
      const [action] = items(member(member((await site.api("GET", `/forms/${id}`)).body, "settings"), "actions"));
      const report = await site.api("POST", "/actions/test", {
        action_type: type,
        form_id: id,
        settings: action,
        test_data: ANSWERS,
      });
      assert.deepEqual(
        [report.status, member(report.body, "status")],
        [200, "success"],
        `${type}: ${JSON.stringify(report.body)}`,
      );
      assert.equal(services.received.length, service.endpoints.length, type);
      assertShown(type, service, report.body);
    }
    assert.deepEqual(services.refusals, []);
    assert.deepEqual(await stored(), before);
  });
});

/** The report shows the last request and its response, without the secrets. */
function assertShown(type: string, { endpoints, origin }: DocumentedService, report: JsonValue): void {
  const output = member(report, "output");
  const request = member(output, "request");
  const last = endpoints.at(-1);
  assert.equal(member(request, "method"), last?.method ?? "POST", type);
  assert.ok(
    String(member(request, "url")).startsWith(origin) || String(member(request, "url")).startsWith("••••"),
    type,
  );
  assert.equal(member(member(output, "response"), "status"), last?.response.status, type);
  assert.ok(String(member(request, "body")).length > 0, type);
  const text = JSON.stringify(report);
  assert.ok(text.includes("••••••••"), `${type} shows no mask: ${text}`);
  assert.ok(
    !text.includes("secret-token") && !text.includes(btoa("secret-token").slice(0, 12)),
    `${type} shows its secret: ${text}`,
  );
}

async function stored(): Promise<readonly unknown[]> {
  const tables = ["cf_submissions", "cf_action_queue", "cf_action_logs"];
  const results = await site.database.batch(
    tables.map((table) => ({ sql: `SELECT COUNT(*) FROM ${table}`, params: [] })),
  );
  return results.map(({ rows }) => rows);
}
