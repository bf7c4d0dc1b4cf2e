/**
 * The mail server that administrators set up in the admin: stored, used at once, and reported when deliveries keep
 * failing.
 */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { signIn, startTestHost, type SignedIn, type TestHost } from "./embedded-fixture.ts";
import { freePort } from "../free-port.ts";
import { startSmtp } from "./smtp-server.ts";

const MAIL = "/api/cf-host/v1/mail";
const ACCOUNT = "/api/wp/v2/users/me";
const MASK = "••••••••";

interface HostResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

type Call = (method: string, path: string, body?: unknown) => Promise<HostResponse>;

function caller(host: TestHost, { cookie, nonce }: SignedIn): Call {
  return async (method, path, body) => {
    const response = await fetch(host.url + path, {
      method,
      headers: { cookie, "x-wp-nonce": nonce, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as HostResponse["body"] };
  };
}

async function startSigned(t: TestContext, options: Parameters<typeof startTestHost>[1] = {}) {
  const host = await startTestHost(t, options);
  return { host, call: caller(host, await signIn(host)) };
}

async function startServer(t: TestContext, accounts: Readonly<Record<string, string>> = {}) {
  const server = await startSmtp({
    authOptional: Object.keys(accounts).length === 0,
    allowInsecureAuth: true,
    onAuth({ username = "", password }, _session, callback) {
      const isRight = accounts[username] === password;
      callback(isRight ? null : new Error("Invalid login"), isRight ? { user: username } : undefined);
    },
    onRcptTo({ address }, _session, callback) {
      callback(address.startsWith("nobody@") ? Object.assign(new Error("No such user"), { responseCode: 550 }) : null);
    },
  });
  t.after(() => server.close());
  return { ...server, port: Number(new URL(server.url).port) };
}

test("a mail server that is set up in the admin gets the next mail, and the password is masked", async (t) => {
  const { host, call } = await startSigned(t);
  const server = await startServer(t, { forms: "s3cret" });
  assert.deepEqual((await call("GET", MAIL)).body, {
    host: "",
    port: 587,
    security: "starttls",
    username: "",
    password: "",
    from_name: "",
    from_address: "",
    public_url: "",
    failure_mails: true,
    set_by: [],
  });
  const kept = await call("POST", `${MAIL}/test`, { to: "ann@example.org" });
  assert.equal(kept.body["accepted"], false);
  assert.match(String(kept.body["response"]), /^written to /);
  const settings = {
    host: "127.0.0.1",
    port: server.port,
    security: "none",
    username: "forms",
    password: "s3cret",
    from_name: 'The "Forms"',
    from_address: "desk@example.org",
    public_url: "https://forms.example.org/tools/",
    failure_mails: false,
  };
  const saved = await call("PUT", MAIL, settings);
  const shown = { ...settings, password: MASK, public_url: "https://forms.example.org/tools", set_by: [] };
  assert.deepEqual([saved.status, saved.body], [200, shown]);
  assert.deepEqual((await call("GET", MAIL)).body, shown);
  const rows = await host.formsOptions.host.database.batch([
    { sql: "SELECT value FROM cf_host_settings WHERE name = 'mail'", params: [] },
  ]);
  assert.doesNotMatch(JSON.stringify(rows), /s3cret/);
  const tested = await call("POST", `${MAIL}/test`, { to: "ann@example.org" });
  assert.equal(tested.body["accepted"], true, JSON.stringify(tested.body));
  assert.match(String(tested.body["response"]), /^250 /);
  assert.equal(server.mails[0]?.headers["from"], 'The "Forms" <desk@example.org>');
  // The mask keeps the password, but never sends it to another server.
  assert.equal((await call("PUT", MAIL, { ...settings, password: MASK, from_name: "Desk" })).status, 200);
  assert.equal((await call("POST", `${MAIL}/test`, { to: "ann@example.org" })).body["accepted"], true);
  const { password: _, ...withoutPassword } = settings;
  for (const elsewhere of [
    { ...settings, host: "mail.evil.example", password: MASK },
    { ...withoutPassword, host: "mail.evil.example" },
  ]) {
    const refused = await call("PUT", MAIL, elsewhere);
    assert.deepEqual([refused.status, refused.body["code"]], [400, "secret_required"]);
  }
  const refused = await call("POST", `${MAIL}/test`, { to: "nobody@example.org" });
  assert.equal(refused.body["accepted"], false);
  assert.match(String(refused.body["response"]), /No such user/);
  await call("PUT", MAIL, { ...settings, password: "wrong" });
  const wrong = await call("POST", `${MAIL}/test`, { to: "ann@example.org" });
  assert.match(String(wrong.body["response"]), /Invalid login/);
  const outbox = await call("GET", "/api/cf-host/v1/outbox");
  assert.deepEqual([outbox.status, outbox.body["kept"]], [200, false]);
});

test("weaker security needs the password again", async (t) => {
  const { call } = await startSigned(t);
  const settings = { host: "mail.example.org", port: 465, username: "ann", password: "s3cret" };
  assert.equal((await call("PUT", MAIL, { ...settings, security: "starttls" })).status, 200);
  const change = async (security: string, password: string) =>
    (await call("PUT", MAIL, { ...settings, security, password })).status;
  assert.equal(await change("tls", MASK), 200);
  assert.equal(await change("starttls", MASK), 400);
  assert.equal(await change("none", MASK), 400);
  assert.equal((await call("PUT", MAIL, { security: "none" })).status, 400);
  assert.equal(await change("none", "s3cret"), 200);
});

test("a test mail names what to change", async (t) => {
  const { call } = await startSigned(t);
  const port = async (options: Parameters<typeof startSmtp>[0]): Promise<number> => {
    const server = await startSmtp({
      ...options,
      onMailFrom: ({ address }, _session, callback) =>
        callback(
          address === "spoofed@example.org" ? Object.assign(new Error("Not yours"), { responseCode: 553 }) : null,
        ),
      onRcptTo: ({ address }, _session, callback) =>
        callback(
          address === "nobody@example.org" ? Object.assign(new Error("No such user"), { responseCode: 550 }) : null,
        ),
    });
    t.after(() => server.close());
    return Number(new URL(server.url).port);
  };
  const plain = await port({});
  // The server's default certificate is self-signed.
  const encrypted = await port({ disabledCommands: [] });
  const closed = await port({ authOptional: false, allowInsecureAuth: true });
  const none = { host: "127.0.0.1", security: "none", username: "", password: "", from_address: "desk@example.org" };
  for (const [problem, settings, to = "ann@example.org"] of [
    ["", { port: plain }],
    ["host", { host: "mail.invalid", port: plain }],
    ["port", { port: await freePort() }],
    ["security", { port: plain, security: "starttls" }],
    ["security", { port: plain, security: "tls" }],
    ["certificate", { port: encrypted, security: "starttls" }],
    ["sign_in", { port: closed }],
    ["sign_in", { port: closed, username: "forms", password: "wrong" }],
    ["sender", { port: plain, from_address: "spoofed@example.org" }],
    ["recipient", { port: plain }, "nobody@example.org"],
  ] as const) {
    assert.equal((await call("PUT", MAIL, { ...none, ...settings })).status, 200);
    const { body } = await call("POST", `${MAIL}/test`, { to });
    assert.deepEqual([body["problem"], body["accepted"]], [problem, problem === ""], JSON.stringify(body));
  }
});

test("faults in the settings are named, and only administrators have access", async (t) => {
  const { host, call } = await startSigned(t);
  const wrong = await call("PUT", MAIL, {
    host: "two words",
    port: 70_000,
    security: "ssl",
    username: "a\nb",
    from_name: "a\nb",
    from_address: "two@example.org, three@example.org",
    public_url: "javascript:alert(1)",
    failure_mails: "no",
  });
  assert.deepEqual([wrong.status, wrong.body["code"]], [400, "rest_invalid_param"]);
  const { params } = wrong.body["data"] as { params: object };
  assert.deepEqual(Object.keys(params).sort(), [
    "failure_mails",
    "from_address",
    "from_name",
    "host",
    "port",
    "public_url",
    "security",
    "username",
  ]);
  assert.equal((await call("POST", `${MAIL}/test`, {})).body["code"], "missing_type");
  assert.equal((await call("POST", `${MAIL}/test`, { to: "a, b" })).body["code"], "rest_invalid_param");
  await host.users.create("ed", "", "editor", "a long enough password");
  const editor = caller(host, await signIn(host, { login: "ed", password: "a long enough password" }));
  for (const [method, path] of [
    ["GET", MAIL],
    ["PUT", MAIL],
    ["POST", `${MAIL}/test`],
  ] as const) {
    const { status, body } = await editor(method, path, method === "GET" ? undefined : { to: "a@example.org" });
    assert.deepEqual([status, body["code"]], [403, "rest_forbidden"], `${method} ${path}`);
    assert.equal((await fetch(host.url + path, { method })).status, 401);
  }
});

test("the environment takes precedence, and the response names its variables", async (t) => {
  const server = await startServer(t);
  const { call } = await startSigned(t, {
    environment: { SMTP_URL: `smtp://127.0.0.1:${server.port}?ignoreTLS=true`, BASE_URL: "http://localhost" },
  });
  const { body } = await call("PUT", MAIL, { host: "other.example", port: 25, public_url: "https://other.example" });
  assert.partialDeepStrictEqual(body, {
    host: "127.0.0.1",
    port: server.port,
    security: "none",
    public_url: "http://localhost",
    set_by: ["SMTP_URL", "BASE_URL"],
  });
  assert.equal((await call("POST", `${MAIL}/test`, { to: "ann@example.org" })).body["accepted"], true);
  assert.equal(server.mails.length, 1);
});

test("users change their own email address, for mails about failed deliveries", async (t) => {
  const { host } = await startSigned(t);
  await host.users.create("ed", "", "editor", "a long enough password");
  const editor = caller(host, await signIn(host, { login: "ed", password: "a long enough password" }));
  const { status, body } = await editor("PATCH", ACCOUNT, { email: "ed@example.org" });
  assert.deepEqual([status, body["email"], body["roles"]], [200, "ed@example.org", ["editor"]]);
  const wrong = await editor("PATCH", ACCOUNT, { email: "ed" });
  assert.deepEqual([wrong.status, wrong.body["code"]], [400, "rest_invalid_param"]);
  assert.deepEqual(
    (await host.users.list()).map(({ login, email }) => [login, email]),
    [
      ["admin", ""],
      ["ed", "ed@example.org"],
    ],
  );
  assert.equal((await fetch(host.url + ACCOUNT, { method: "PATCH", body: '{"email": "x@example.org"}' })).status, 401);
});
