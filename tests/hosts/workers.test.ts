/** A worker with D1 and R2 in workerd: the main job, and many fresh requests at once. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Miniflare } from "miniflare";
import { hostsPath } from "./guide.ts";
import { testsOf } from "./host-table.ts";
import { testMainJob } from "./main-job.ts";
import { assertInstalled } from "./recipe.ts";
import { playScenario, scenarioFiles } from "../shim/scenarios.ts";
import { startWorker } from "./start-worker.ts";

const SITE = "http://site.test";
const credentials = { authorization: "Bearer editor" };
let miniflare: Miniflare;

const fetchIn = async (request: Request): Promise<Response> => {
  const body = request.method === "GET" || request.method === "HEAD" ? null : await request.arrayBuffer();
  const response = await miniflare.dispatchFetch(request.url, {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    body,
    redirect: "manual",
  });
  return response as unknown as Response;
};

async function storedTexts(kind: string): Promise<string[]> {
  const space = await miniflare.getKVNamespace("NOTES");
  const { keys } = await space.list({ prefix: `${kind}/` });
  return Promise.all(keys.map(async ({ name }) => (await space.get(name)) ?? ""));
}

describe("a worker in workerd", () => {
  before(async () => {
    miniflare = await startWorker("worker.ts");
  });
  after(() => miniflare.dispose());

  const host = {
    rest: `${SITE}/api/cf/v1`,
    front: `${SITE}/forms`,
    credentials,
    fetch: fetchIn,
    async runQueue() {
      const worker = await miniflare.getWorker();
      await worker.scheduled({ cron: "* * * * *" });
      const until = Date.now() + 10_000;
      while ((await storedTexts("mail")).length < 3 && Date.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 50));
    },
    mails: () => storedTexts("mail"),
    notes: () => storedTexts("note"),
  };
  testsOf("Workers")("install", "it is installed from the tarball, and starts", () => assertInstalled(hostsPath(".")));
  testMainJob("Workers", host);
});

test("no isolate's queue hangs under concurrent submits", async () => {
  const actions = [{ type: "email", to: "desk@example.org", subject: "From [name]" }];
  for (let isolate = 0; isolate < 3; isolate += 1) {
    miniflare = await startWorker("worker.ts");
    try {
      const body = JSON.stringify({ title: "Contact", markup: "<input name=name>", settings: { actions } });
      const made = await fetchIn(
        new Request(`${SITE}/api/cf/v1/forms`, {
          method: "POST",
          body,
          headers: { ...credentials, "content-type": "application/json" },
        }),
      );
      assert.equal(made.status, 201);
      const sent = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          fetchIn(
            new Request(`${SITE}/forms/contact`, { method: "POST", body: new URLSearchParams({ name: String(n) }) }),
          ),
        ),
      );
      assert.deepEqual(
        sent.filter(({ status }) => status !== 303),
        [],
      );
      const until = Date.now() + 20_000;
      while ((await storedTexts("mail")).length < 12 && Date.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal((await storedTexts("mail")).length, 12);
    } finally {
      await miniflare.dispose();
    }
  }
});

describe("the scenarios in workerd", () => {
  const all = scenarioFiles().flatMap(({ file, scenarios }) => scenarios.map((scenario) => ({ file, scenario })));
  before(async () => {
    miniflare = await startWorker("scenarios-worker.ts", { d1Databases: all.map((_, index) => `SITE_${index}`) });
  });
  after(() => miniflare.dispose());
  for (const [index, { file, scenario }] of all.entries()) {
    test(`${file}: ${scenario.name}`, () =>
      playScenario(scenario, {
        rest: `${SITE}/api/cf/v1`,
        front: `${SITE}/forms`,
        credentialsOf: (caller) => ({ "x-test-caller": caller }),
        fetch: (request) => {
          request.headers.set("x-site", `SITE_${index}`);
          request.headers.set("cf-connecting-ip", "192.0.2.1");
          return fetchIn(request);
        },
      }));
  }
});
