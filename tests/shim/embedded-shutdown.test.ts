/** The embedded host's start and shutdown. */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { describe, test, type TestContext } from "node:test";
import { listen } from "../../host-shim/hosts/embedded/listener.ts";
import {
  ADMIN,
  bodyOf,
  postJson,
  signIn,
  startTestHost,
  temporaryDirectory,
  type TestHost,
} from "./embedded-fixture.ts";

describe("shutting down", () => {
  test("pending responses are finished, new connections rejected, and the engine is closed last", async (t) => {
    const order: string[] = [];
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const rested = Promise.withResolvers<void>();
    const host = await startTestHost(t, {
      forms: ({ host }) => ({
        async fetch() {
          host.defer?.(rested.promise.then(() => order.push("deferred work")));
          begun.resolve();
          await released.promise;
          order.push("response");
          return new Response("done");
        },
        close: async () => void order.push("engine closed"),
      }),
    });
    await (await fetch(`${host.url}/healthz`)).text(); // leaves an idle connection behind
    const response = fetch(`${host.url}/forms/slow`);
    await begun.promise;
    const closed = host.close();
    const isServed = async (): Promise<boolean> => {
      const health = await fetch(`${host.url}/healthz`).catch(() => null);
      await health?.text();
      return health !== null;
    };
    const end = Date.now() + 30_000;
    while (await isServed()) {
      assert.ok(Date.now() < end, "new connections are accepted during the shutdown");
      await delay(20);
    }
    released.resolve();
    assert.equal(await (await response).text(), "done");
    await delay(100);
    assert.deepEqual(order, ["response"], "the shutdown waits for deferred work");
    rested.resolve();
    await closed;
    assert.deepEqual(order, ["response", "deferred work", "engine closed"]);
    await assert.rejects(host.formsOptions.host.database.batch([{ sql: "SELECT 1", params: [] }]), /closed/);
  });

  test("the queue runs repeatedly, one run at a time, also after a failed run", async (t) => {
    let running = 0;
    let runs = 0;
    const host = await startTestHost(t, {
      environment: { QUEUE_INTERVAL_MS: "10" },
      forms: () => ({
        async runQueue() {
          assert.equal(++running, 1);
          await delay(20);
          running -= 1;
          if (++runs === 2) throw new Error("the queue stumbles");
          return { processed: 0 };
        },
      }),
    });
    while (runs < 4) await delay(10);
    await host.close();
    const after = runs;
    await delay(50);
    assert.equal(runs, after);
    assert.equal(host.events.filter(({ level }) => level === "error").length, 1);
  });

  test("an endless response is cut off after the timeout", async () => {
    const listener = await listen("127.0.0.1", 0);
    listener.handleWith(() => new Promise<Response>(() => {}));
    const response = assert.rejects(fetch(listener.url));
    await delay(50);
    const start = Date.now();
    await listener.close(200);
    assert.ok(Date.now() - start < 20_000);
    await response;
  });

  test("until the host is ready, clients get a 503 with Retry-After", async () => {
    const listener = await listen("127.0.0.1", 0);
    const response = await fetch(listener.url);
    assert.deepEqual([response.status, response.headers.get("retry-after")], [503, "1"]);
    await listener.close(0);
  });

  test("a port in use is an error, and leaves nothing open", async (t) => {
    const host = await startTestHost(t);
    await assert.rejects(startTestHost(t, { environment: { PORT: new URL(host.url).port } }), { code: "EADDRINUSE" });
  });
});

describe("the first start", () => {
  async function restart(
    t: TestContext,
    directory: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<TestHost> {
    return startTestHost(t, {
      directory,
      environment: { CF_ADMIN_PASSWORD: "", CF_ADMIN_APP_PASSWORD: "", ...environment },
    });
  }

  test("generates the administrator's password once", async (t) => {
    const directory = await temporaryDirectory(t);
    const first = await restart(t, directory, {});
    assert.match(first.generatedPassword ?? "", /^[A-Za-z0-9]{24}$/);
    await first.close();
    const second = await restart(t, directory, {});
    assert.equal(second.generatedPassword, null);
    const response = await postJson(`${second.url}/sign-in`, { login: "admin", password: first.generatedPassword });
    assert.equal(response.status, 200);
  });

  test("sessions and nonces survive a restart", async (t) => {
    const directory = await temporaryDirectory(t);
    const first = await startTestHost(t, { directory });
    const { cookie, nonce } = await signIn(first);
    await first.close();
    const second = await startTestHost(t, { directory });
    const response = await fetch(`${second.url}/api/cf/v1/forms`, { headers: { cookie, "x-wp-nonce": nonce } });
    assert.equal((await bodyOf<{ principal: { login: string } }>(response)).principal.login, "admin");
  });

  test("a configured password is not shown, a later one has no effect, and the application password is updated", async (t) => {
    const directory = await temporaryDirectory(t);
    const first = await restart(t, directory, { CF_ADMIN_PASSWORD: ADMIN.password });
    assert.equal(first.generatedPassword, null);
    await first.close();

    const environment = {
      CF_ADMIN_PASSWORD: "another password",
      CF_ADMIN_APP_PASSWORD: "aaaa bbbb cccc dddd eeee ffff",
    };
    for (let start = 0; start < 2; start++) {
      const host = await restart(t, directory, environment);
      assert.equal((await postJson(`${host.url}/sign-in`, ADMIN)).status, 200);
      assert.deepEqual(await bootstrapNames(host, environment.CF_ADMIN_APP_PASSWORD), ["bootstrap"]);
      await host.close();
    }
    const changed = await restart(t, directory, { CF_ADMIN_APP_PASSWORD: "zzzz bbbb cccc dddd eeee ffff" });
    assert.deepEqual(await bootstrapNames(changed, "zzzz bbbb cccc dddd eeee ffff"), ["bootstrap"]);
    assert.equal(await bootstrapNames(changed, environment.CF_ADMIN_APP_PASSWORD), null);
  });

  async function bootstrapNames(host: TestHost, password: string): Promise<string[] | null> {
    const authorization = `Basic ${Buffer.from(`admin:${password}`).toString("base64")}`;
    const response = await fetch(`${host.url}/api/wp/v2/users/me/application-passwords`, {
      headers: { authorization },
    });
    return response.ok ? (await bodyOf<{ name: string }[]>(response)).map(({ name }) => name) : null;
  }

  test("a short password is accepted with a warning", async (t) => {
    const host = await restart(t, await temporaryDirectory(t), { CF_ADMIN_PASSWORD: "short" });
    assert.equal(
      host.events.filter(({ level, message }) => level === "warn" && message.startsWith("CF_ADMIN_PASSWORD is shorter"))
        .length,
      1,
    );
  });
});
