import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ADMIN, bodyOf, cookiesOf, postJson, signIn, startTestHost, type SignedIn } from "./embedded-fixture.ts";

interface ResponseBody {
  readonly code?: string;
  readonly principal?: { readonly login: string; readonly capabilities: readonly string[] } | null;
}

async function formFields(
  url: string,
): Promise<{ readonly cookie: string; readonly token: string; readonly page: string }> {
  const response = await fetch(`${url}/sign-in`);
  const page = await response.text();
  const token = /name="csrf_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
  return { cookie: cookiesOf(response), token, page };
}

function postForm(url: string, fields: Readonly<Record<string, string>>, cookie: string): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { cookie, accept: "text/html" },
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
}

describe("signing in", () => {
  test("is in the browser's language, like the home page", async (t) => {
    const host = await startTestHost(t);
    for (const [liked, language, button] of [
      ["de-AT,de;q=0.9,en;q=0.8", "de", "Anmelden"],
      ["en-GB,en;q=0.9,de;q=0.5", "en", "Sign in"],
      ["xx", "en", "Sign in"],
    ] as const) {
      for (const path of ["/", "/sign-in"]) {
        const page = await (
          await fetch(host.url + path, { headers: { accept: "text/html", "accept-language": liked } })
        ).text();
        assert.match(page, new RegExp(`<html lang="${language}">`), `${path} in ${liked}`);
        assert.match(page, new RegExp(`>${button}</`), `${path} in ${liked}`);
      }
    }
  });

  test("by JSON returns a session, a nonce, and the address of the API", async (t) => {
    const host = await startTestHost(t);
    const response = await postJson(`${host.url}/sign-in`, ADMIN);
    assert.equal(response.status, 200);
    const body = await bodyOf<{ user: { login: string; capabilities: string[] }; nonce: string; rest_root: string }>(
      response,
    );
    assert.equal(body.user.login, "admin");
    assert.ok(body.user.capabilities.includes("edit_forms"));
    assert.equal(body.rest_root, `${host.url}/api`);
    assert.match(body.nonce, /^[0-9a-f]{32}$/);
    const cookie = response.headers.getSetCookie()[0] ?? "";
    assert.match(cookie, /^cf_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.equal(response.headers.get("cache-control"), "no-store");
  });

  test("over https the cookie is Secure and cannot come from a subdomain", async (t) => {
    const host = await startTestHost(t, { environment: { BASE_URL: "https://forms.example" } });
    const cookie = (await postJson(`${host.url}/sign-in`, ADMIN)).headers.getSetCookie()[0] ?? "";
    assert.match(cookie, /^__Host-cf_session=.*; Secure; SameSite=Lax$/);
  });

  test("by the form redirects to the requested page", async (t) => {
    const host = await startTestHost(t);
    const { cookie, token, page } = await formFields(host.url);
    assert.match(page, /<label for="login">/);
    assert.match(page, /<label for="password">/);
    assert.doesNotMatch(page, /<script/i);
    const response = await postForm(
      `${host.url}/sign-in`,
      { ...ADMIN, csrf_token: token, redirect_to: "/editor?form=1" },
      cookie,
    );
    assert.equal(response.status, 303);
    assert.equal(response.headers.get("location"), "/editor?form=1");
    const landing = await fetch(`${host.url}/`, { headers: { cookie: cookiesOf(response) } });
    assert.match(await landing.text(), /signed in as <strong>admin<\/strong>/);
  });

  for (const target of [
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "/..//evil.example",
    "javascript:alert(1)",
  ]) {
    test(`never redirects to ${target}`, async (t) => {
      const host = await startTestHost(t);
      const { cookie, token } = await formFields(host.url);
      const response = await postForm(
        `${host.url}/sign-in`,
        { ...ADMIN, csrf_token: token, redirect_to: target },
        cookie,
      );
      assert.equal(response.headers.get("location"), "/admin");
    });
  }

  test("a form without the token, or with another browser's, is rejected", async (t) => {
    const host = await startTestHost(t);
    const mine = await formFields(host.url);
    const other = await formFields(host.url);
    for (const [token, cookie] of [
      ["", mine.cookie],
      [other.token, mine.cookie],
      [mine.token, ""],
    ] as const) {
      const response = await postForm(`${host.url}/sign-in`, { ...ADMIN, csrf_token: token }, cookie);
      assert.equal(response.status, 403);
      assert.ok(!cookiesOf(response).includes("cf_session"));
    }
  });

  test("wrong passwords and unknown users get the same response, with escaped input", async (t) => {
    const host = await startTestHost(t);
    for (const credentials of [
      { login: "admin", password: "wrong" },
      { login: "nobody", password: "wrong" },
    ]) {
      const response = await postJson(`${host.url}/sign-in`, credentials);
      assert.equal(response.status, 401);
      assert.deepEqual(await response.json(), {
        code: "incorrect_password",
        message: "Incorrect username or password.",
        data: { status: 401 },
      });
    }
    const { cookie, token } = await formFields(host.url);
    const response = await postForm(
      `${host.url}/sign-in`,
      { login: `"><script>`, password: "x", csrf_token: token },
      cookie,
    );
    const page = await response.text();
    assert.equal(response.status, 401);
    assert.match(page, /role="alert"/);
    assert.match(page, /value="&quot;&gt;&lt;script&gt;"/);
  });

  test("an unknown user costs as much time as a wrong password", async (t) => {
    const host = await startTestHost(t, { environment: { TRUST_PROXY: "1" } });
    let attempts = 0;
    async function timeOf(login: string): Promise<number> {
      // Each attempt comes from another address, because an address with many failures gets faster responses.
      const headers = { "x-forwarded-for": `203.0.113.${(attempts += 1)}` };
      const start = performance.now();
      const { status } = await postJson(`${host.url}/sign-in`, { login, password: "wrong" }, headers);
      assert.equal(status, 401);
      return performance.now() - start;
    }
    // The logins alternate, so that a busy moment affects both.
    const times: [number, number][] = [];
    const least = () => [Math.min(...times.map(([time]) => time)), Math.min(...times.map(([, time]) => time))] as const;
    // Without the hash, an unknown user would take less than a tenth of the time. The minimum times converge, even on a
    // busy machine.
    const isAlike = ([known, unknown]: readonly [number, number]) => unknown > known / 3;
    while (times.length < 4 || (times.length < 20 && !isAlike(least())))
      times.push([await timeOf("admin"), await timeOf("nobody")]);
    const [known, unknown] = least();
    assert.ok(isAlike([known, unknown]), `unknown ${unknown} ms, known ${known} ms`);
  });

  test("bad bodies get a 400", async (t) => {
    const host = await startTestHost(t);
    const headers = { "content-type": "application/json" };
    const broken = await fetch(`${host.url}/sign-in`, { method: "POST", headers, body: "{" });
    assert.deepEqual([broken.status, (await bodyOf<ResponseBody>(broken)).code], [400, "rest_invalid_json"]);
    const incomplete = await postJson(`${host.url}/sign-in`, { login: "admin" });
    assert.deepEqual([incomplete.status, (await bodyOf<ResponseBody>(incomplete)).code], [400, "rest_invalid_param"]);
  });

  test("after ten failures an address waits, even with the right password", async (t) => {
    const host = await startTestHost(t, { environment: { TRUST_PROXY: "1" } });
    const from = (address: string) => ({ "x-forwarded-for": address });
    for (let i = 0; i < 10; i++) {
      const response = await postJson(
        `${host.url}/sign-in`,
        { login: `user${i}`, password: "wrong" },
        from("203.0.113.7"),
      );
      assert.equal(response.status, 401);
    }
    const blocked = await postJson(`${host.url}/sign-in`, ADMIN, from("203.0.113.7"));
    assert.equal(blocked.status, 429);
    const seconds = Number(blocked.headers.get("retry-after"));
    assert.ok(seconds > 0 && seconds <= 900, String(seconds));
    assert.equal((await bodyOf<ResponseBody>(blocked)).code, "rest_too_many_requests");
    assert.equal((await postJson(`${host.url}/sign-in`, ADMIN, from("203.0.113.8"))).status, 200);
  });

  test("right passwords are not counted", async (t) => {
    const host = await startTestHost(t);
    for (let i = 0; i < 12; i++) assert.equal((await postJson(`${host.url}/sign-in`, ADMIN)).status, 200);
  });

  test("a login with failures from many addresses is blocked", async (t) => {
    const host = await startTestHost(t, { environment: { TRUST_PROXY: "1" } });
    const attempt = (i: number) =>
      postJson(
        `${host.url}/sign-in`,
        { login: "admin", password: "wrong" },
        { "x-forwarded-for": `2001:db8:0:${i.toString(16)}::1` },
      );
    for (let i = 0; i < 50; i++) assert.equal((await attempt(i)).status, 401);
    assert.equal((await attempt(50)).status, 429);
  });

  test("signing out ends the session, and only with a nonce", async (t) => {
    const host = await startTestHost(t);
    const { cookie, nonce } = await signIn(host);
    const refused = await fetch(`${host.url}/sign-out`, { method: "POST", headers: { cookie } });
    assert.equal(refused.status, 403);
    const response = await postForm(`${host.url}/sign-out`, { _wpnonce: nonce }, cookie);
    assert.equal(response.status, 303);
    assert.match(response.headers.getSetCookie()[0] ?? "", /^cf_session=; Max-Age=0/);
    const after = await fetch(`${host.url}/sign-in/nonce`, { headers: { cookie } });
    assert.deepEqual([after.status, await after.text()], [400, "0"]);
  });
});

describe("the nonce", () => {
  async function ask(url: string, signedIn: Partial<SignedIn>, suffix = "", init: RequestInit = {}): Promise<Response> {
    const headers: Record<string, string> = { ...(init.headers as Record<string, string>) };
    if (signedIn.cookie !== undefined) headers["cookie"] = signedIn.cookie;
    if (signedIn.nonce !== undefined) headers["x-wp-nonce"] = signedIn.nonce;
    return fetch(`${url}/api/cf/v1/forms${suffix}`, { ...init, headers });
  }

  test("with the cookie identifies the caller, and the response has a fresh one", async (t) => {
    const host = await startTestHost(t);
    const response = await ask(host.url, await signIn(host));
    const { principal } = await bodyOf<ResponseBody>(response);
    assert.equal(principal?.login, "admin");
    assert.deepEqual(principal?.capabilities, ["edit_forms", "unfiltered_html", "manage_options"]);
    const fresh = response.headers.get("x-wp-nonce") ?? "";
    assert.match(fresh, /^[0-9a-f]{32}$/);
  });

  test("works in the query, in a form-encoded body that stays readable, and with ?rest_route=", async (t) => {
    const host = await startTestHost(t);
    const { cookie, nonce } = await signIn(host);
    const inQuery = await bodyOf<ResponseBody>(await ask(host.url, { cookie }, `?_wpnonce=${nonce}`));
    assert.equal(inQuery.principal?.login, "admin");
    const body = new URLSearchParams({ _wpnonce: nonce, title: "x" });
    const inBody = await bodyOf<ResponseBody & { body_length: number }>(
      await ask(host.url, { cookie }, "", { method: "POST", body }),
    );
    assert.equal(inBody.principal?.login, "admin");
    assert.equal(inBody.body_length, body.toString().length);
    const plain = await fetch(`${host.url}/?rest_route=/cf/v1/forms`, { headers: { cookie } });
    assert.equal((await bodyOf<ResponseBody>(plain)).principal, null);
  });

  test("when absent makes the request anonymous in the API, but not on visitors' pages", async (t) => {
    const host = await startTestHost(t);
    const { cookie } = await signIn(host);
    const rest = await ask(host.url, { cookie });
    assert.deepEqual([rest.status, (await bodyOf<ResponseBody>(rest)).principal], [200, null]);
    const front = await fetch(`${host.url}/forms/contact`, { headers: { cookie } });
    assert.equal((await bodyOf<ResponseBody>(front)).principal?.login, "admin");
  });

  test("when wrong, of another session, or without a session causes a 403", async (t) => {
    const host = await startTestHost(t);
    const mine = await signIn(host);
    const other = await signIn(host);
    for (const bad of [
      { cookie: mine.cookie, nonce: "0".repeat(32) },
      { cookie: mine.cookie, nonce: "" },
      { cookie: mine.cookie, nonce: "é" },
      { cookie: mine.cookie, nonce: other.nonce },
      { nonce: mine.nonce },
    ]) {
      const response = await ask(host.url, bad);
      assert.equal(response.status, 403);
      assert.deepEqual(await response.json(), {
        code: "rest_cookie_invalid_nonce",
        message: "Your session has expired. Sign in again.",
        data: { status: 403 },
      });
    }
  });

  test("is valid for 12 to 24 hours, and the refreshed one afterwards", async (t) => {
    const host = await startTestHost(t);
    const signedIn = await signIn(host);
    const hour = 60 * 60 * 1000;
    host.clock.time += 22 * hour;
    assert.equal((await ask(host.url, signedIn)).status, 200);
    host.clock.time += 2 * hour;
    assert.equal((await ask(host.url, signedIn)).status, 403);
    for (const path of ["/sign-in/nonce", "/wp-admin/admin-ajax.php?action=rest-nonce"]) {
      const nonce = await (await fetch(host.url + path, { headers: { cookie: signedIn.cookie } })).text();
      assert.equal((await ask(host.url, { cookie: signedIn.cookie, nonce })).status, 200);
    }
  });

  test("a session ends after 14 days", async (t) => {
    const host = await startTestHost(t);
    const { cookie } = await signIn(host);
    const day = 24 * 60 * 60 * 1000;
    host.clock.time += 14 * day - 1000;
    assert.equal((await fetch(`${host.url}/sign-in/nonce`, { headers: { cookie } })).status, 200);
    host.clock.time += 2000;
    const response = await fetch(`${host.url}/sign-in/nonce`, { headers: { cookie } });
    assert.deepEqual([response.status, await response.text()], [400, "0"]);
  });
});
