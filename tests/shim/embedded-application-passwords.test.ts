import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ADMIN,
  APP_PASSWORD,
  basic,
  bodyOf,
  postJson,
  signIn,
  startTestHost,
  type TestHost,
} from "./embedded-fixture.ts";

interface Item {
  readonly uuid: string;
  readonly name: string;
  readonly app_id: string;
  readonly created: string;
  readonly last_used: string | null;
  readonly last_ip: string | null;
  readonly password?: string;
}

interface Failure {
  readonly code: string;
  readonly data: { readonly status: number };
}

const PATH = "/api/wp/v2/users/me/application-passwords";
const bootstrap = basic(ADMIN.login, APP_PASSWORD);
const DAY = 24 * 60 * 60 * 1000;

function callEngine(host: TestHost, headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${host.url}/api/cf/v1/forms`, { headers });
}

async function create(host: TestHost, name: string): Promise<Item & { readonly password: string }> {
  const response = await postJson(host.url + PATH, { name }, bootstrap);
  assert.equal(response.status, 201);
  return bodyOf(response);
}

async function failureOf(response: Response): Promise<string> {
  const { code, data } = await bodyOf<Failure>(response);
  assert.equal(response.status, data.status);
  return `${response.status} ${code}`;
}

describe("HTTP Basic", () => {
  test("accepts an application password with any spelling of its groups", async (t) => {
    const host = await startTestHost(t);
    for (const written of [APP_PASSWORD, APP_PASSWORD.replaceAll(" ", ""), APP_PASSWORD.replaceAll(" ", "-")]) {
      const response = await callEngine(host, basic("admin", written));
      const { principal } = await bodyOf<{ principal: { login: string; capabilities: string[] } }>(response);
      assert.equal(principal.login, "admin");
      assert.ok(principal.capabilities.includes("edit_forms"));
    }
  });

  test("rejects everything else with 401 incorrect_password", async (t) => {
    const host = await startTestHost(t);
    for (const headers of [
      basic("admin", "wrong"),
      basic("nobody", APP_PASSWORD),
      basic("admin", ADMIN.password),
      basic("admin", APP_PASSWORD.toLowerCase()),
      basic("", APP_PASSWORD),
      { authorization: "Basic" },
      { authorization: "Basic ###" },
      { authorization: "bAsIc bm9jb2xvbg==" },
    ]) {
      assert.equal(await failureOf(await callEngine(host, headers)), "401 incorrect_password", headers.authorization);
    }
  });

  test("takes precedence over the cookie, so no nonce is needed", async (t) => {
    const host = await startTestHost(t);
    const { cookie } = await signIn(host);
    const response = await callEngine(host, { ...bootstrap, cookie, "x-wp-nonce": "nonsense" });
    assert.equal(response.status, 200);
  });

  test("thirty failures in a minute block an address, and no other", async (t) => {
    const host = await startTestHost(t, { environment: { TRUST_PROXY: "1" } });
    const from = (address: string) => ({ "x-forwarded-for": address });
    for (let i = 0; i < 30; i++) {
      assert.equal((await callEngine(host, { ...basic("admin", `wrong${i}`), ...from("203.0.113.7") })).status, 401);
    }
    const blocked = await callEngine(host, { ...basic("admin", "wrong"), ...from("203.0.113.7") });
    assert.ok(Number(blocked.headers.get("retry-after")) > 0);
    assert.equal(await failureOf(blocked), "429 rest_too_many_requests");
    assert.equal((await callEngine(host, { ...bootstrap, ...from("203.0.113.8") })).status, 200);
  });

  test("a thousand requests with one password need few database queries", async (t) => {
    const host = await startTestHost(t);
    let batches = 0;
    const { database } = host.formsOptions.host;
    const original = database.batch.bind(database);
    t.mock.method(database, "batch", (statements: Parameters<typeof original>[0]) => {
      batches += 1;
      return original(statements);
    });
    for (let i = 0; i < 20; i++) {
      const responses = await Promise.all(Array.from({ length: 50 }, () => callEngine(host, bootstrap)));
      assert.ok(responses.every((response) => response.status === 200));
      await Promise.all(responses.map((response) => response.arrayBuffer()));
    }
    // The first fifty concurrent requests may all miss the cache, and each then records the first use.
    assert.ok(batches <= 100, `${batches} batches`);
  });
});

describe("application passwords", () => {
  test("one is created, shown once, listed, renamed, used and revoked", async (t) => {
    const host = await startTestHost(t);
    const response = await postJson(host.url + PATH, { name: " deploy script ", app_id: "ci" }, bootstrap);
    assert.equal(response.status, 201);
    const created = await bodyOf<Item & { password: string }>(response);
    assert.equal(response.headers.get("location"), `${host.url}${PATH}/${created.uuid}`);
    assert.match(created.password, /^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    const item = {
      uuid: created.uuid,
      app_id: "ci",
      name: "deploy script",
      created: "2030-01-01T01:00:00.000Z",
      last_used: null,
      last_ip: null,
    };
    assert.deepEqual(created, { ...item, password: created.password });

    const list = await fetch(host.url + PATH, { headers: bootstrap });
    const items = await bodyOf<Item[]>(list);
    assert.deepEqual(
      items.find(({ uuid }) => uuid === created.uuid),
      item,
    );
    assert.deepEqual(items.map(({ name }) => name).sort(), ["bootstrap", "deploy script"]);

    const mine = basic("admin", created.password);
    assert.equal((await callEngine(host, mine)).status, 200);
    const inUse = await bodyOf<Item>(await fetch(`${host.url}${PATH}/introspect`, { headers: mine }));
    assert.deepEqual(inUse, { ...item, last_used: "2030-01-01T01:00:00.000Z", last_ip: "127.0.0.1" });

    const renamed = await fetch(`${host.url}${PATH}/${created.uuid}`, {
      method: "PUT",
      headers: { ...bootstrap, "content-type": "application/json" },
      body: JSON.stringify({ name: "release" }),
    });
    assert.equal((await bodyOf<Item>(renamed)).name, "release");

    const deleted = await fetch(`${host.url}${PATH}/${created.uuid}`, { method: "DELETE", headers: mine });
    const deletion = await bodyOf<{ deleted: boolean; previous: Item }>(deleted);
    assert.equal(deletion.deleted, true);
    assert.equal(deletion.previous.name, "release");
    assert.equal(await failureOf(await callEngine(host, mine)), "401 incorrect_password");
    const gone = await fetch(`${host.url}${PATH}/${created.uuid}`, { headers: bootstrap });
    assert.equal(await failureOf(gone), "404 rest_application_password_not_found");
  });

  test("only hashes are in the database", async (t) => {
    const host = await startTestHost(t);
    const { password } = await create(host, "x");
    const [tables] = await host.formsOptions.host.database.batch([
      {
        sql: "SELECT password_hash FROM cf_host_application_passwords UNION SELECT password_hash FROM cf_host_users",
        params: [],
      },
    ]);
    const stored = (tables?.rows ?? []).map(([hash]) => String(hash));
    assert.equal(stored.length, 3);
    for (const hash of stored) assert.match(hash, /^([0-9a-f]{64}|\$argon2id\$v=19\$m=19456,t=2,p=1\$.+)$/);
    assert.ok(!stored.join().includes(password.replaceAll(" ", "")));
  });

  test("the last use is written at most once a day", async (t) => {
    const host = await startTestHost(t);
    const { uuid, password } = await create(host, "x");
    async function lastUsed(): Promise<string | null> {
      await callEngine(host, basic("admin", password));
      return (await bodyOf<Item>(await fetch(`${host.url}${PATH}/${uuid}`, { headers: bootstrap }))).last_used;
    }
    assert.equal(await lastUsed(), "2030-01-01T01:00:00.000Z");
    host.clock.time += DAY - 1000;
    assert.equal(await lastUsed(), "2030-01-01T01:00:00.000Z");
    host.clock.time += 1000 + 10_000;
    assert.equal(await lastUsed(), "2030-01-02T01:00:10.000Z");
  });

  test("a revocation by another host takes effect after ten seconds", async (t) => {
    const host = await startTestHost(t);
    const { uuid, password } = await create(host, "x");
    assert.equal((await callEngine(host, basic("admin", password))).status, 200);
    await host.formsOptions.host.database.batch([
      { sql: "DELETE FROM cf_host_application_passwords WHERE uuid = ?1", params: [uuid] },
    ]);
    host.clock.time += 10_001;
    assert.equal((await callEngine(host, basic("admin", password))).status, 401);
  });

  test("all are revoked at once", async (t) => {
    const host = await startTestHost(t);
    await create(host, "x");
    const response = await fetch(host.url + PATH, { method: "DELETE", headers: bootstrap });
    assert.deepEqual(await response.json(), { deleted: true, count: 2 });
    assert.equal((await callEngine(host, bootstrap)).status, 401);
  });

  test("a cookie with a nonce can manage them too, also with an overridden method", async (t) => {
    const host = await startTestHost(t);
    const { cookie, nonce } = await signIn(host);
    const headers = { cookie, "x-wp-nonce": nonce };
    const created = await bodyOf<Item>(await postJson(host.url + PATH, { name: "x" }, headers));
    const response = await fetch(`${host.url}${PATH}/${created.uuid}`, {
      method: "POST",
      headers: { ...headers, "x-http-method-override": "DELETE", "content-type": "application/json" },
    });
    assert.equal((await bodyOf<{ deleted: boolean }>(response)).deleted, true);
    assert.ok(response.headers.get("x-wp-nonce"));
    const introspect = await fetch(`${host.url}${PATH}/introspect`, { headers });
    assert.equal(await failureOf(introspect), "404 rest_no_authenticated_app_password");
  });

  test("anonymous requests, invalid input and unknown routes are rejected", async (t) => {
    const host = await startTestHost(t);
    const { cookie } = await signIn(host);
    const json = { ...bootstrap, "content-type": "application/json" };
    const cases: readonly [string, RequestInit, string][] = [
      [PATH, {}, "401 rest_not_logged_in"],
      [PATH, { headers: { cookie } }, "401 rest_not_logged_in"],
      [PATH, { headers: { cookie, "x-wp-nonce": "bad" } }, "403 rest_cookie_invalid_nonce"],
      [PATH, { headers: basic("admin", "wrong") }, "401 incorrect_password"],
      [PATH, { method: "POST", headers: json, body: "{" }, "400 rest_invalid_json"],
      [PATH, { method: "POST", headers: json, body: "{}" }, "400 rest_missing_callback_param"],
      [PATH, { method: "POST", headers: json, body: '{"name":null}' }, "400 rest_missing_callback_param"],
      [PATH, { method: "POST", headers: json, body: '{"name":" "}' }, "400 application_password_empty_name"],
      [PATH, { method: "POST", headers: json, body: '{"name":7}' }, "400 rest_invalid_param"],
      [
        PATH,
        { method: "POST", headers: json, body: JSON.stringify({ name: "x".repeat(201) }) },
        "400 rest_invalid_param",
      ],
      [PATH, { method: "PUT", headers: json, body: '{"name":"x"}' }, "404 rest_no_route"],
      [`${PATH}/unknown`, { headers: bootstrap }, "404 rest_application_password_not_found"],
      [`${PATH}/unknown`, { method: "DELETE", headers: bootstrap }, "404 rest_application_password_not_found"],
      ["/api/wp/v2/users", { headers: bootstrap }, "404 rest_no_route"],
    ];
    for (const [path, init, expected] of cases) {
      assert.equal(await failureOf(await fetch(host.url + path, init)), expected, `${init.method ?? "GET"} ${path}`);
    }
  });

  test("a user has at most 200 of them", async (t) => {
    const host = await startTestHost(t);
    for (let i = 0; i < 199; i++) await create(host, `n${i}`);
    const refused = await postJson(host.url + PATH, { name: "one too many" }, bootstrap);
    assert.equal(await failureOf(refused), "409 rest_cannot_create_application_passwords");
  });

  test("/users/me returns the signed-in user", async (t) => {
    const host = await startTestHost(t);
    const response = await fetch(`${host.url}/api/wp/v2/users/me`, { headers: bootstrap });
    assert.deepEqual(await response.json(), {
      id: 1,
      name: "admin",
      slug: "admin",
      email: "",
      roles: ["administrator"],
    });
  });
});
