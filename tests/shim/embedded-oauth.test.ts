import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from "jose";
import { bodyOf, startTestHost } from "./embedded-fixture.ts";

const ISSUER = "https://id.example";
const AUDIENCE = "forms";
const NOW = Date.UTC(2030, 0, 1, 1) / 1000;

/** Paths of the key server without usable keys: another status, not JSON, and JSON without keys. */
const BROKEN = ["/missing", "/page", "/no-keys"];

interface ResponseBody {
  readonly principal: { readonly id: string; readonly login: string; readonly capabilities: readonly string[] } | null;
}

describe("OAuth bearer tokens", () => {
  let keyServer: Server;
  let environment: Readonly<Record<string, string>>;
  let key: CryptoKey;
  let strangersKey: CryptoKey;

  before(async () => {
    const pair = await generateKeyPair("ES256");
    key = pair.privateKey;
    strangersKey = (await generateKeyPair("ES256")).privateKey;
    const keys = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: "k1", alg: "ES256" }] });
    keyServer = createServer(({ url }, response) => {
      response.statusCode = url === "/missing" ? 404 : 200;
      const body = url === "/no-keys" ? "{}" : url === "/page" ? "<html></html>" : keys;
      response.setHeader("content-type", "application/json").end(body);
    });
    await new Promise<void>((resolve) => keyServer.listen(0, "127.0.0.1", resolve));
    const { port } = keyServer.address() as AddressInfo;
    environment = {
      CF_OAUTH_JWKS_URL: `http://127.0.0.1:${port}/keys`,
      CF_OAUTH_ISSUER: ISSUER,
      CF_OAUTH_AUDIENCE: AUDIENCE,
    };
  });
  after(() => keyServer.close());

  /** Returns a token with these claims changed; a claim of undefined is left out. */
  function token(claims: Readonly<Record<string, unknown>> = {}, signedWith = key): Promise<string> {
    return new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: "42", exp: NOW + 300, scope: "edit_forms openid", ...claims })
      .setProtectedHeader({ alg: "ES256", kid: "k1" })
      .sign(signedWith);
  }

  function ask(url: string, bearer: string): Promise<Response> {
    return fetch(`${url}/api/cf/v1/forms`, { headers: { authorization: `Bearer ${bearer}` } });
  }

  test("a valid token identifies the caller, with the capabilities of its scopes", async (t) => {
    const host = await startTestHost(t, { environment });
    const response = await ask(host.url, await token({ preferred_username: "robot" }));
    assert.deepEqual((await bodyOf<ResponseBody>(response)).principal, {
      id: "oauth:42",
      login: "robot",
      capabilities: ["edit_forms"],
    });
    const listed = await bodyOf<ResponseBody>(
      await ask(host.url, await token({ scope: undefined, scp: ["unfiltered_html", 7, "manage_options"] })),
    );
    assert.deepEqual(listed.principal?.capabilities, ["unfiltered_html"]);
    const powerless = await bodyOf<ResponseBody>(await ask(host.url, await token({ scope: "openid" })));
    assert.deepEqual(powerless.principal?.capabilities, []);
  });

  test("every other token gets a 401 rest_invalid_token, and the log has the reason", async (t) => {
    const host = await startTestHost(t, { environment });
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from('{"sub":"42"}').toString("base64url")}.`;
    const bad = {
      expired: await token({ exp: NOW - 60 }),
      endless: await token({ exp: undefined }),
      "not yet valid": await token({ nbf: NOW + 120 }),
      "another issuer's": await token({ iss: "https://evil.example" }),
      "for another audience": await token({ aud: "mail" }),
      "for nobody": await token({ sub: undefined }),
      "signed by a stranger": await token({}, strangersKey),
      unsigned,
      garbage: "garbage",
      empty: "",
    };
    for (const [kind, bearer] of Object.entries(bad)) {
      const response = await ask(host.url, bearer);
      assert.equal(response.status, 401, kind);
      assert.equal(response.headers.get("www-authenticate"), 'Bearer error="invalid_token"');
      assert.equal((await bodyOf<{ code: string }>(response)).code, "rest_invalid_token");
    }
    assert.equal(
      host.events.filter(({ message }) => message === "bearer token refused").length,
      Object.keys(bad).length,
    );
  });

  test("without the issuer's keys the token is rejected, with an error in the log", async (t) => {
    const { port } = keyServer.address() as AddressInfo;
    for (const address of ["http://127.0.0.1:1/keys", ...BROKEN.map((path) => `http://127.0.0.1:${port}${path}`)]) {
      const host = await startTestHost(t, { environment: { ...environment, CF_OAUTH_JWKS_URL: address } });
      assert.equal((await ask(host.url, await token())).status, 401);
      const lines = host.events.map(({ level, message }) => `${level}: ${message}`);
      assert.match(lines.shift() ?? "", /^warn: TRUST_PROXY is not set/);
      assert.deepEqual(lines, ["error: bearer token refused"], address);
    }
  });

  test("a subject with the name of a user cannot manage that user's passwords", async (t) => {
    const host = await startTestHost(t, { environment });
    const bearer = await token({ preferred_username: "admin", sub: "1" });
    const response = await fetch(`${host.url}/api/wp/v2/users/me/application-passwords`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    assert.deepEqual([response.status, (await bodyOf<{ code: string }>(response)).code], [403, "rest_user_invalid_id"]);
  });

  test("without a configured issuer a token is ignored", async (t) => {
    const host = await startTestHost(t);
    assert.equal((await bodyOf<ResponseBody>(await ask(host.url, await token()))).principal, null);
  });
});
