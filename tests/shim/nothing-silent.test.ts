/** Each fault of an installation is reported where its operator sees it. */
import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { describe, it } from "node:test";
import { createForms, type FormsOptions, type Host } from "../../host-shim/src/index.ts";
import { post, form as makeForm, site as makeSite } from "./uploads-fixture.ts";
import { startSite } from "./site.ts";

const baseUrl = "http://site.test";
const database: Host["database"] = {
  dialect: "sqlite",
  batch: async (statements) => statements.map(() => ({ rows: [], changes: 0 })),
};

describe("createForms names each missing or invalid option", () => {
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /`baseUrl` is missing; the option `host` is missing/],
    [{}, /`baseUrl` is missing; the option `host` is missing/],
    [{ baseUrl }, /: the option `host` is missing$/],
    [{ baseUrl, host: {} }, /: `host.database` is missing$/],
    [{ host: { database } }, /: the option `baseUrl` is missing$/],
    [{ baseUrl: "example.org/", host: { database } }, /`baseUrl` must be an address/],
    [{ baseUrl, host: { database: "forms.db" } }, /`host.database` has no batch\(\)/],
    [{ baseUrl, host: { database, mailer: async () => undefined } }, /: `host.mailer` has no send\(\)$/],
    [
      { baseUrl, host: { database, files: {} } },
      /no put\(\); `host.files` has no get\(\); `host.files` has no delete\(\)/,
    ],
  ];
  for (const [options, message] of cases) {
    it(JSON.stringify(options) ?? "nothing", () =>
      assert.rejects(createForms(options as FormsOptions), { name: "TypeError", message }),
    );
  }
});

it("a host without a log writes to the console", async (t) => {
  const lines = t.mock.method(console, "error", () => undefined).mock;
  const site = await startSite({
    host: { authenticate: () => Promise.reject(new Error("no directory")), log: undefined } as unknown as Host,
  });
  t.after(() => site.close());
  assert.equal((await site.forms.fetch(new Request(`${site.url}/api/cf/v1/forms`)))?.status, 500);
  assert.match(String(lines.calls[0]?.arguments[0]), /^cf-forms: the host could not identify the caller/);
});

it("a parser that is not installed is a 500 with a line in the log, not a fault of the visitor", async (t) => {
  const site = await makeSite(t);
  const form = await makeForm(site);
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "@fastify/busboy") throw new Error("Cannot find package");
      return next(specifier, context);
    },
  });
  try {
    const response = await post(site, form.slug, [["name", "Ann"]]);
    assert.equal(response.status, 500);
    assert.match(site.faults.join("\n"), /the parser of bodies with files could not be loaded: Cannot find package/);
    const page = await fetch(`${site.url}/forms/${form.slug}`, {
      method: "POST",
      body: (() => {
        const sent = new FormData();
        sent.set("name", "Ann");
        return sent;
      })(),
    });
    assert.deepEqual([page.status, page.headers.get("content-type")], [500, "text/html; charset=UTF-8"]);
  } finally {
    hooks.deregister();
  }
  assert.equal((await post(site, form.slug, [["name", "Ann"]])).status, 200);
});

it("a picture that cannot be read is logged", async (t) => {
  const site = await startSite({
    host: {
      files: {
        put: async () => undefined,
        get: () => Promise.reject(new Error("the disk is away")),
        delete: async () => undefined,
      },
    },
  });
  t.after(() => site.close());
  const response = await fetch(`${site.url}/forms/-/images/1/${"a".repeat(32)}.png`);
  assert.equal(response.status, 500);
  assert.match(site.faults.join("\n"), /a picture could not be read .*the disk is away/);
});
