/**
 * Endpoints that hang do not delay others, whether a hundred endpoints hang once or one endpoint hangs a hundred times.
 */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import type { HttpRequest, HttpResponse } from "../../host-shim/src/index.ts";
import { postgresForTests } from "./postgres-server.ts";
import { member, startSite, type Site, type SiteOptions } from "./site.ts";

const HANGING = 100;
const RESPONDING = 1_000;
/** Longer than the delay before any retry in this test. */
const RETRY_MS = 20 * 60_000;
const OK: HttpResponse = { status: 200, headers: {}, body: new Uint8Array() };

/** An HTTP port. Its hosts named `hang…` respond only when the test releases them. */
function endpoints() {
  const delivered = new Map<string, number>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let hanging = 0;
  return {
    release,
    hanging: () => hanging,
    delivered: (host: string) => delivered.get(host) ?? 0,
    async fetch({ url }: HttpRequest): Promise<HttpResponse> {
      const { hostname } = new URL(url);
      if (hostname.startsWith("hang")) {
        hanging += 1;
        await released;
        hanging -= 1;
      }
      delivered.set(hostname, (delivered.get(hostname) ?? 0) + 1);
      return OK;
    },
  };
}

async function makeForm(site: Site, slug: string): Promise<void> {
  const { status, body } = await site.api("POST", "/forms", {
    title: slug,
    slug,
    markup: '<input name="name"><button>Send</button>',
    settings: { actions: [{ type: "webhook", url: `https://${slug}.example.org/` }] },
  });
  assert.equal(status, 201, JSON.stringify(body));
}

async function submit(site: Site, slug: string): Promise<void> {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const response = await fetch(`${site.url}/forms/${slug}`, { method: "POST", headers, body: '{"name":"Ann"}' });
  assert.equal(response.status, 200, await response.text());
}

/** Waits for a state without a time limit, so that a slow machine does not matter. */
async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await delay(20);
}

async function checkSlow(options: SiteOptions, slugs: readonly string[]): Promise<void> {
  const http = endpoints();
  const site = await startSite({ ...options, host: { http } });
  try {
    for (const slug of [...new Set(slugs), "quick"]) await makeForm(site, slug);
    for (const slug of slugs) await submit(site, slug);
    await until(() => http.hanging() > 0);
    for (let at = 0; at < RESPONDING; at += 50) {
      await Promise.all(Array.from({ length: 50 }, () => submit(site, "quick")));
    }
    // All other entries are delivered while the hanging ones still run.
    await until(() => http.delivered("quick.example.org") === RESPONDING);
    assert.ok(http.hanging() > 0);
    http.release();
    await until(() => http.hanging() === 0);
    const total = slugs.length + RESPONDING;
    for (let completed = 0; completed < total; ) {
      await site.settled();
      // An attempt that timed out on a busy machine is due again.
      site.clock.ahead += RETRY_MS;
      await site.forms.runQueue();
      completed = Number(member((await site.api("GET", "/action-queue/stats")).body, "completed"));
    }
    const missed = slugs.filter((slug) => http.delivered(`${slug}.example.org`) === 0);
    assert.deepEqual(missed, [], "nothing is lost");
  } finally {
    http.release();
    await site.close();
  }
}

const different = Array.from({ length: HANGING }, (_, n) => `hang${n}`);
const same = Array.from({ length: HANGING }, () => "hang");

describe("webhooks that hang beside a thousand that respond", () => {
  it("on SQLite: a hundred endpoints", () => checkSlow({}, different));
  it("on SQLite: a hundred entries of one endpoint", () => checkSlow({}, same));
});

const postgres = await postgresForTests();

describe("webhooks that hang on PostgreSQL", "skip" in postgres ? { skip: postgres.skip } : {}, () => {
  it("a hundred endpoints", async () => {
    if (!("server" in postgres)) return;
    const { server } = postgres;
    await checkSlow({ database: openPostgres({ url: server.url }) }, different);
    await server.stop();
  });
});
