/** Protection of accounts: the last administrator, new passwords, and limits on guesses. */
import assert from "node:assert/strict";
import { after, describe, test, type TestContext } from "node:test";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { createAttemptLimit } from "../../host-shim/hosts/embedded/attempt-limit.ts";
import type { User } from "../../host-shim/hosts/embedded/users.ts";
import {
  ADMIN,
  APP_PASSWORD,
  basic,
  bodyOf,
  cookiesOf,
  postJson,
  signIn,
  startTestHost,
  type SignedIn,
  type TestHost,
} from "./embedded-fixture.ts";
import { postgresForTests } from "./postgres-server.ts";
import { startSite } from "./site.ts";

const postgres = await postgresForTests();
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
});

const databases: readonly (readonly [string, Readonly<Record<string, string>>, { readonly skip?: string }])[] = [
  ["SQLite", {}, {}],
  "server" in postgres ? ["PostgreSQL", { DATABASE_URL: postgres.server.url }, {}] : ["PostgreSQL", {}, postgres],
];

const USERS = "/api/cf-host/v1/users";
const PASSWORD = "/api/wp/v2/users/me/password";
const NEW = "a new and long password";

/** Starts a host with only its administrator, although tests share databases of PostgreSQL. */
async function startClean(t: TestContext, environment: Readonly<Record<string, string>>): Promise<TestHost> {
  const url = environment["DATABASE_URL"];
  if (url !== undefined) {
    const database = openPostgres({ url });
    const tables = ["sessions", "application_passwords", "users"].map((name) => `cf_host_${name}`);
    await database.batch(tables.map((name) => ({ sql: `DROP TABLE IF EXISTS ${name}`, params: [] })));
    await database.close();
  }
  return startTestHost(t, { environment });
}

interface Failure {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function call(
  host: TestHost,
  { cookie, nonce }: SignedIn,
  method: string,
  path: string,
  body: unknown = {},
): Promise<Failure> {
  const headers = { cookie, "x-wp-nonce": nonce, "content-type": "application/json" };
  const response = await fetch(host.url + path, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: await bodyOf(response) };
}

/** Returns which sessions and application passwords still work. */
async function hasAccess(host: TestHost, signedIn: SignedIn): Promise<boolean> {
  const { status } = await fetch(`${host.url}/api/wp/v2/users/me`, {
    headers: { cookie: signedIn.cookie, "x-wp-nonce": signedIn.nonce },
  });
  return status === 200;
}

async function statusOf(host: TestHost, password: string): Promise<number> {
  return (await fetch(`${host.url}/api/cf/v1/forms`, { headers: basic(ADMIN.login, password) })).status;
}

for (const [name, environment, options] of databases) {
  describe(`the last administrator on ${name}`, options, () => {
    test("cannot be demoted or deleted, unless there is a second administrator", async (t) => {
      const host = await startClean(t, environment);
      const admin = await signIn(host);
      const only = (await host.users.findByLogin(ADMIN.login)) as User;
      const path = `${USERS}/${only.id}`;
      for (const [method, body] of [
        ["PATCH", { role: "editor" }],
        ["DELETE", {}],
      ] as const) {
        const refused = await call(host, admin, method, path, body);
        assert.deepEqual([refused.status, refused.body["code"]], [409, "last_administrator"]);
      }
      assert.equal((await call(host, admin, "PATCH", path, { email: "a@example.org" })).body["email"], "a@example.org");
      assert.equal((await call(host, admin, "PATCH", path, { role: "administrator" })).status, 200);
      const made = (await call(host, admin, "POST", USERS, { login: "second", role: "administrator" })).body;
      assert.equal(
        (await call(host, admin, "PATCH", `${USERS}/${made["id"]}`, { role: "reader" })).body["role"],
        "reader",
      );
      assert.equal((await call(host, admin, "DELETE", `${USERS}/${made["id"]}`)).body["deleted"], true);
      assert.equal((await call(host, admin, "DELETE", `${USERS}/${made["id"]}`)).status, 404);
    });

    test("remains when two administrators demote each other at once", async (t) => {
      const host = await startClean(t, environment);
      // On SQLite both requests go to one host. On PostgreSQL they go to two hosts with one database.
      const other = environment["DATABASE_URL"] === undefined ? host : await startTestHost(t, { environment });
      const first = (await host.users.findByLogin(ADMIN.login)) as User;
      for (let pair = 0; pair < 100; pair += 1) {
        const second = (await host.users.create(`pair ${pair}`, "", "administrator", NEW)) as User;
        const outcomes = await Promise.all(
          pair % 2 === 0
            ? [host.users.change(first.id, { role: "editor" }), other.users.change(second.id, { role: "reader" })]
            : [host.users.change(first.id, { role: "editor" }), other.users.remove(second.id)],
        );
        assert.deepEqual([...outcomes].sort(), ["done", "last_administrator"], `pair ${pair}`);
        const left = (await host.users.list()).filter(({ role }) => role === "administrator");
        assert.equal(left.length, 1, `pair ${pair}`);
        await host.users.change(first.id, { role: "administrator" });
        await host.users.remove(second.id);
      }
    });

    test("remains when two administrators send requests that demote each other", async (t) => {
      const host = await startClean(t, environment);
      const admin = await signIn(host);
      const first = (await host.users.findByLogin(ADMIN.login)) as User;
      for (let pair = 0; pair < 10; pair += 1) {
        const made = (
          await call(host, admin, "POST", USERS, { login: `colleague ${pair}`, role: "administrator", password: NEW })
        ).body;
        const colleague = await signIn(host, { login: made["login"], password: NEW });
        const [one, two] = await Promise.all([
          call(host, admin, "PATCH", `${USERS}/${made["id"]}`, { role: "editor" }),
          call(host, colleague, "PATCH", `${USERS}/${first.id}`, { role: "editor" }),
        ]);
        // The losing request fails: its caller is no longer an administrator, or its subject is the last one.
        assert.deepEqual(
          [one.status, two.status].filter((status) => status === 200).length,
          1,
          `${one.status} ${two.status}`,
        );
        assert.equal((await host.users.list()).filter(({ role }) => role === "administrator").length, 1);
        await host.users.change(first.id, { role: "administrator" });
        await host.users.remove(Number(made["id"]));
      }
    });
  });

  describe(`a new password on ${name}`, options, () => {
    test("set by the user ends the other sessions, application passwords and known devices, and returns their numbers", async (t) => {
      const host = await startClean(t, environment);
      const [mine, stolen, further] = [await signIn(host), await signIn(host), await signIn(host)];
      assert.equal(await statusOf(host, APP_PASSWORD), 200);
      const changed = await call(host, mine, "POST", PASSWORD, { current_password: ADMIN.password, new_password: NEW });
      assert.deepEqual(changed, {
        status: 200,
        body: { changed: true, sessions_ended: 2, application_passwords_revoked: 1 },
      });
      assert.deepEqual(
        [await hasAccess(host, mine), await hasAccess(host, stolen), await hasAccess(host, further)],
        [true, false, false],
      );
      assert.equal(await statusOf(host, APP_PASSWORD), 401);
    });

    test("keeps the application passwords on request, and rejects a value that is not a boolean", async (t) => {
      const host = await startClean(t, environment);
      const mine = await signIn(host);
      const wanted = { current_password: ADMIN.password, new_password: NEW };
      const refused = await call(host, mine, "POST", PASSWORD, { ...wanted, keep_application_passwords: "perhaps" });
      assert.deepEqual([refused.status, refused.body["code"]], [400, "rest_invalid_param"]);
      const changed = await call(host, mine, "POST", PASSWORD, { ...wanted, keep_application_passwords: true });
      assert.deepEqual(changed.body, { changed: true, sessions_ended: 0, application_passwords_revoked: 0 });
      assert.equal(await statusOf(host, APP_PASSWORD), 200);
      const back = { current_password: NEW, new_password: ADMIN.password };
      assert.equal(
        (await call(host, mine, "POST", `${PASSWORD}?keep_application_passwords=true`, back)).body[
          "application_passwords_revoked"
        ],
        0,
      );
      assert.equal(await statusOf(host, APP_PASSWORD), 200);
    });

    test("set by an administrator ends all access of the account", async (t) => {
      const host = await startClean(t, environment);
      const admin = await signIn(host);
      const made = (await call(host, admin, "POST", USERS, { login: "eve", role: "editor", password: NEW })).body;
      const eve = await signIn(host, { login: "eve", password: NEW });
      const program = (await call(host, eve, "POST", "/api/wp/v2/users/me/application-passwords", { name: "x" })).body[
        "password"
      ];
      const reset = await call(host, admin, "POST", `${USERS}/${made["id"]}/password`);
      assert.deepEqual([reset.body["sessions_ended"], reset.body["application_passwords_revoked"]], [1, 1]);
      assert.equal(await hasAccess(host, eve), false);
      assert.equal(
        (await fetch(`${host.url}/api/cf/v1/forms`, { headers: basic("eve", String(program)) })).status,
        401,
      );
      assert.equal(
        (await postJson(`${host.url}/sign-in`, { login: "eve", password: reset.body["password"] })).status,
        200,
      );
      assert.equal(await hasAccess(host, admin), true);
    });
  });
}

describe("guesses of passwords", () => {
  const from = (address: string) => ({ "x-forwarded-for": address });
  const environment = { TRUST_PROXY: "1" };

  /** Fails to sign in often, each time from another address. */
  async function attack(host: TestHost, times: number): Promise<Set<number>> {
    const statuses = new Set<number>();
    for (let attempt = 0; attempt < times; attempt += 1) {
      const wrong = { login: ADMIN.login, password: `guess ${attempt}` };
      statuses.add((await postJson(`${host.url}/sign-in`, wrong, from(`198.51.100.${attempt}`))).status);
    }
    return statuses;
  }

  test("by strangers block strangers, not the owner on a known device", async (t) => {
    const host = await startTestHost(t, { environment });
    const { cookie } = await signIn(host);
    const known = /(?:^|; )(cf_device=[^;]+)/.exec(cookie)?.[1] ?? "";
    assert.deepEqual([...(await attack(host, 100))], [401, 429]);
    const stranger = await postJson(`${host.url}/sign-in`, ADMIN, from("203.0.113.1"));
    assert.equal(stranger.status, 429);
    assert.ok(Number(stranger.headers.get("retry-after")) > 0);
    // The owner succeeds repeatedly, even from the address of the guesses.
    for (const address of ["203.0.113.1", "198.51.100.1", "192.0.2.1"]) {
      assert.equal((await postJson(`${host.url}/sign-in`, ADMIN, { ...from(address), cookie: known })).status, 200);
    }
    // The cookie is valid for one account, and cannot be forged.
    await host.users.create("other", "", "editor", NEW);
    assert.equal(
      (await postJson(`${host.url}/sign-in`, ADMIN, { ...from("192.0.2.1"), cookie: `${known.slice(0, -1)}x` })).status,
      429,
    );
    const others = cookiesOf(
      await postJson(`${host.url}/sign-in`, { login: "other", password: NEW }, from("192.0.2.9")),
    );
    assert.equal((await postJson(`${host.url}/sign-in`, ADMIN, { ...from("192.0.2.9"), cookie: others })).status, 429);
  });

  test("a known device may fail ten times, from any address", async (t) => {
    const host = await startTestHost(t, { environment });
    const { cookie } = await signIn(host);
    const wrong = { login: ADMIN.login, password: "wrong" };
    for (let attempt = 0; attempt < 10; attempt += 1) {
      assert.equal(
        (await postJson(`${host.url}/sign-in`, wrong, { ...from(`192.0.2.${attempt}`), cookie })).status,
        401,
      );
    }
    assert.equal((await postJson(`${host.url}/sign-in`, ADMIN, { ...from("192.0.2.77"), cookie })).status, 429);
    // On other devices, the owner's wrong passwords do not change this.
    assert.equal((await postJson(`${host.url}/sign-in`, ADMIN, from("192.0.2.1"))).status, 200);
  });

  test("a device is forgotten after 180 days, and with the password", async (t) => {
    const host = await startTestHost(t, { environment });
    const isKnown = async (cookie: string) => {
      const headers = { ...from("203.0.113.5"), cookie };
      return (await postJson(`${host.url}/sign-in`, { login: ADMIN.login, password: "wrong" }, headers)).status === 401;
    };
    const { cookie } = await signIn(host);
    await attack(host, 50);
    assert.equal(await isKnown(cookie), true);
    host.clock.time += 179 * 24 * 3_600_000;
    assert.equal(await isKnown(cookie), true);
    host.clock.time += 2 * 24 * 3_600_000;
    assert.equal(await isKnown(cookie), false);

    const again = await startTestHost(t, { environment });
    const old = await signIn(again);
    const { id } = (await again.users.findByLogin(ADMIN.login)) as User;
    await again.users.setPassword(id, NEW);
    await attack(again, 50);
    assert.equal(
      (
        await postJson(
          `${again.url}/sign-in`,
          { ...ADMIN, password: NEW },
          { ...from("203.0.113.5"), cookie: old.cookie },
        )
      ).status,
      429,
    );
  });

  test("the cookie of a device is bound to the site over https", async (t) => {
    const host = await startTestHost(t, { environment: { BASE_URL: "https://forms.example" } });
    const [, device = ""] = (await postJson(`${host.url}/sign-in`, ADMIN)).headers.getSetCookie();
    assert.match(
      device,
      /^__Host-cf_device=[\w-]{43}\.\d+\.[0-9a-f]{32}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test("of the current password count like guesses at the sign-in, for the same address or device", async (t) => {
    const host = await startTestHost(t, { environment });
    const { cookie, nonce } = await signIn(host);
    const session = cookie
      .split("; ")
      .filter((pair) => pair.startsWith("cf_session="))
      .join("");
    const guess = async (address: string, cookies: string) =>
      (
        await postJson(
          host.url + PASSWORD,
          { current_password: "wrong", new_password: NEW },
          { ...from(address), cookie: cookies, "x-wp-nonce": nonce },
        )
      ).status;
    for (let attempt = 0; attempt < 10; attempt += 1) assert.equal(await guess("203.0.113.7", session), 403);
    const refused = await postJson(
      host.url + PASSWORD,
      { current_password: ADMIN.password, new_password: NEW },
      { ...from("203.0.113.7"), cookie: session, "x-wp-nonce": nonce },
    );
    assert.deepEqual([refused.status, (await bodyOf<{ code: string }>(refused)).code], [429, "rest_too_many_requests"]);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    assert.equal((await postJson(`${host.url}/sign-in`, ADMIN, from("203.0.113.7"))).status, 429);
    // The owner, with the cookie of the device, can still change it.
    assert.equal(await guess("203.0.113.7", cookie), 403);
    const body = { current_password: ADMIN.password, new_password: NEW };
    const changed = await postJson(host.url + PASSWORD, body, { ...from("203.0.113.7"), cookie, "x-wp-nonce": nonce });
    assert.equal(changed.status, 200);
    assert.match(changed.headers.getSetCookie().join(), /^cf_device=/);
  });

  test("at the same time are each counted", async (t) => {
    const host = await startTestHost(t, { environment });
    const wrong = { login: ADMIN.login, password: "wrong" };
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => postJson(`${host.url}/sign-in`, wrong, from("203.0.113.7"))),
    );
    assert.equal(responses.filter(({ status }) => status === 401).length, 10);
  });

  test("leave a bounded number of keys in memory", async () => {
    const limit = createAttemptLimit("test_bounded", 1, 60, 3);
    for (const key of ["a", "b", "c", "a", "d", "e"]) await limit.take(key);
    const waiting = await Promise.all(
      ["a", "b", "c", "d", "e"].map(async (key) => (await limit.secondsToWait(key)) > 0),
    );
    assert.deepEqual(waiting, [true, false, false, true, true]);
  });
});

describe("each 401", () => {
  test("has a challenge for the way to sign in: HTTP Basic, Bearer, or the form", async (t) => {
    const jwks = "http://127.0.0.1:9/jwks";
    const oauth = { CF_OAUTH_JWKS_URL: jwks, CF_OAUTH_ISSUER: "https://issuer.example", CF_OAUTH_AUDIENCE: "forms" };
    const host = await startTestHost(t, { environment: oauth });
    const bearer = { authorization: "Bearer nonsense" };
    const cases: readonly (readonly [string, RequestInit, RegExp])[] = [
      ["/api/cf/v1/forms", { headers: basic(ADMIN.login, "wrong") }, /^Basic realm="cf-forms", charset="UTF-8"$/],
      ["/api/wp/v2/users/me", { headers: basic(ADMIN.login, "wrong") }, /^Basic realm="cf-forms"/],
      ["/api/wp/v2/users/me", {}, /^Basic realm="cf-forms"/],
      [USERS, {}, /^Basic realm="cf-forms"/],
      ["/api/cf/v1/forms", { headers: bearer }, /^Bearer .*error="invalid_token"$/],
      ["/api/wp/v2/users/me", { headers: bearer }, /^Bearer .*error="invalid_token"$/],
    ];
    for (const [path, init, expected] of cases) {
      const { status, headers } = await fetch(host.url + path, init);
      assert.equal(status, 401, path);
      assert.match(headers.get("www-authenticate") ?? "", expected, path);
    }
    // Browsers would show their dialog instead of the form.
    const wrong = await postJson(`${host.url}/sign-in`, { login: "admin", password: "wrong" });
    assert.equal(wrong.status, 401);
    assert.match(wrong.headers.get("www-authenticate") ?? "", /^Cookie realm="cf-forms", form-action="\/sign-in"$/);
  });

  test("has the host's challenge, or one for the scheme of the request", async (t) => {
    const failure = { status: 401, code: "rest_invalid_token", message: "The token is not valid." } as const;
    const custom = { "www-authenticate": 'Token realm="mine"' };
    for (const [headers, authorization, expected] of [
      [undefined, "Bearer x", 'Bearer realm="cf-forms", error="invalid_token"'],
      [undefined, "Basic x", 'Basic realm="cf-forms", charset="UTF-8"'],
      [custom, "Bearer x", 'Token realm="mine"'],
    ] as const) {
      const site = await startSite({
        host: { authenticate: async () => ({ failure, ...(headers === undefined ? {} : { headers }) }) },
      });
      t.after(() => site.close());
      const response = await fetch(`${site.url}/api/cf/v1/forms`, { headers: { authorization } });
      assert.deepEqual([response.status, response.headers.get("www-authenticate")], [401, expected]);
    }
  });
});
