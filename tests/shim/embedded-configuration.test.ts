import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ConfigurationError, readConfiguration } from "../../host-shim/hosts/embedded/configuration.ts";
import { startTestHost, temporaryDirectory } from "./embedded-fixture.ts";

test("an empty environment gives the documented defaults", () => {
  assert.deepEqual(readConfiguration({ PORT: "", CF_ADMIN_PASSWORD: "" }), {
    hostname: "127.0.0.1",
    port: 3000,
    baseUrl: null,
    dataDirectory: "./data",
    databaseUrl: null,
    smtpUrl: null,
    failureMails: true,
    admin: { login: "admin", password: null, applicationPassword: null },
    queueIntervalMs: 5000,
    webhookNetworks: [],
    trustedProxies: { kind: "none" },
    oauth: null,
    workers: 1,
    secret: "",
    stylesheet: null,
    keepDays: { completed: 30, failed: 90, logs: 90, unsaved: 30 },
    bodyLimit: 1024 * 1024,
    uploadLimit: 16 * 1024 * 1024,
  });
});

test("values are read", () => {
  const configuration = readConfiguration({
    PORT: "0",
    BASE_URL: "https://example.com/tools/",
    DATABASE_URL: "postgres://user:secret@db/forms",
    SMTP_URL: "smtps://mail.example:465",
    CF_ADMIN_PASSWORD: " with spaces ",
    TRUST_PROXY: "2",
    CF_OAUTH_JWKS_URL: "https://id.example/keys",
    CF_OAUTH_ISSUER: "https://id.example",
    CF_OAUTH_AUDIENCE: "forms",
  });
  assert.equal(configuration.port, 0);
  assert.equal(configuration.baseUrl, "https://example.com/tools");
  assert.equal(configuration.databaseUrl, "postgres://user:secret@db/forms");
  assert.equal(configuration.smtpUrl, "smtps://mail.example:465");
  assert.equal(configuration.admin.password, " with spaces ");
  assert.deepEqual(configuration.trustedProxies, { kind: "hops", hops: 2 });
  assert.equal(configuration.oauth?.jwksUrl.href, "https://id.example/keys");
});

test("every fault is listed at once, without secrets", () => {
  const environment = {
    PORT: "80a",
    BASE_URL: "example.com",
    DATABASE_URL: "mysql://user:secret@db/forms",
    SMTP_URL: "user:secret",
    CF_ADMIN_USER: "a:b",
    CF_ADMIN_APP_PASSWORD: "short",
    QUEUE_INTERVAL_MS: "0",
    TRUST_PROXY: "everybody",
    WEBHOOK_NETWORKS: "192.168.1.0/24, intranet",
    CF_OAUTH_ISSUER: "https://id.example",
    BODY_LIMIT: "-1",
    UPLOAD_LIMIT: "1e9",
  };
  assert.throws(
    () => readConfiguration(environment),
    (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.doesNotMatch(error.message, /secret|short/);
      for (const name of Object.keys(environment).filter((name) => name !== "CF_OAUTH_ISSUER")) {
        assert.equal(error.faults.filter((fault) => fault.startsWith(`${name} `)).length, 1, name);
      }
      assert.ok(
        error.faults.some((fault) => fault.startsWith("CF_OAUTH_JWKS_URL and CF_OAUTH_AUDIENCE must be set too")),
      );
      return true;
    },
  );
});

test("visitors' pages have the site's style and every language", async (t) => {
  const file = join(await temporaryDirectory(t), "site.css");
  writeFileSync(file, ".cf-form { --cf-accent: #0a7 }");
  const { formsOptions } = await startTestHost(t, { environment: { CF_STYLESHEET: file } });
  assert.equal(formsOptions.stylesheet, ".cf-form { --cf-accent: #0a7 }");
  assert.equal(
    Object.keys(formsOptions.languages ?? {}).length,
    12,
    "in addition to English, which the engine contains",
  );
});
