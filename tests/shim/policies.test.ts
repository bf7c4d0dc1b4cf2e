/**
 * Headers that restrict browsers: policies, origins and devices. Also, scripts that a site allows in its forms' pages.
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createForms } from "../../host-shim/src/index.ts";
import { script } from "../../visitor/assets.ts";
import { startSite, type Site } from "./site.ts";

const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

describe("headers that limit browsers", () => {
  let site: Site;
  before(async () => {
    site = await startSite();
    await site.api("POST", "/forms", {
      title: "Open",
      slug: "open",
      markup: "<input name=a>",
      settings: { theme_values: { accent: "#123456" } },
    });
    await site.api("POST", "/forms", {
      title: "Framed",
      slug: "framed",
      markup: "<input name=a>",
      settings: { allowed_origins: ["https://a.example", "https://b.example:8443"] },
    });
  });
  after(() => site.close());

  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(site.url + path, { redirect: "manual", ...init });

  it("pages run only the engine's script, by a nonce that is different in every response", async () => {
    const nonces = new Set<string>();
    for (const path of ["/forms/open", "/forms/open", "/forms/framed", "/forms/nothing"]) {
      const response = await send(path);
      const policy = response.headers.get("content-security-policy") ?? "";
      const [, nonce = ""] = /script-src 'nonce-([\w+/=-]{22,})';/.exec(policy) ?? [];
      assert.match(
        await response.text(),
        new RegExp(`<script src="/forms/-/assets/${script.name}" defer nonce="${nonce}"></script>`),
        path,
      );
      assert.equal(response.headers.get("cache-control"), "no-store", path);
      assert.match(policy, /; require-trusted-types-for 'script'; trusted-types cf-forms$/, path);
      assert.doesNotMatch(policy, /unsafe/);
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 4);
  });

  it("a form's page and its fragment allow the same sites to frame them, and the fragment allows scripts from the assets' path", async () => {
    for (const [slug, framedBy] of [
      ["open", "'self'"],
      ["framed", "'self' https://a.example https://b.example:8443"],
    ]) {
      for (const path of [`/forms/${slug}`, `/forms/${slug}/embed`]) {
        const policy = (await send(path)).headers.get("content-security-policy") ?? "";
        assert.equal(/frame-ancestors ([^;]+)/.exec(policy)?.[1], framedBy, path);
      }
    }
    const fragment = await send("/forms/open/embed");
    assert.match(
      fragment.headers.get("content-security-policy") ?? "",
      new RegExp(`; script-src ${site.url}/forms/-/assets/;`),
    );
    assert.doesNotMatch(await fragment.text(), /nonce=/);
  });

  it("all other responses have the policy for non-pages, and other sites may use public assets", async () => {
    const json = {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: "{",
    };
    const rows: readonly (readonly [path: string, policy: string | null, isOpen: boolean, init?: RequestInit])[] = [
      ["/api/cf/v1", NO_PAGE, false],
      ["/api/cf/v1/forms", NO_PAGE, false],
      ["/api/cf/v1/nothing", NO_PAGE, false],
      ["/api/cf/v1/openapi.json", NO_PAGE, false],
      ["/forms/open", NO_PAGE, false, json],
      ["/forms/open", NO_PAGE, false, { method: "OPTIONS" }],
      ["/forms/-/events", NO_PAGE, true, { method: "POST", body: "{}" }],
      ["/forms/open/theme.css", NO_PAGE, true],
      [`/forms/-/assets/${script.name}`, null, true],
    ];
    for (const [path, policy, isOpen, init] of rows) {
      const { headers } = await send(path, init);
      const label = `${init?.method ?? "GET"} ${path}`;
      assert.equal(headers.get("content-security-policy"), policy, label);
      assert.equal(headers.get("x-content-type-options"), "nosniff", label);
      assert.equal(headers.get("cross-origin-resource-policy"), isOpen ? null : "same-origin", label);
      if (policy !== null)
        assert.equal(headers.get("permissions-policy"), "camera=(), microphone=(), geolocation=()", label);
    }
    const embedded = await send("/forms/open/embed");
    assert.equal(embedded.headers.get("cross-origin-resource-policy"), null);
  });

  it("a site may allow other scripts in its forms' pages, which then do not require trusted types", async (t) => {
    const sources = [
      "https://cdn.example",
      "https://cdn.example/plugin.js",
      "http://localhost:8080/x/",
      "'self'",
      "'sha256-AbC+/9=='",
    ];
    const other = await startSite({ forms: { scriptSources: sources } });
    t.after(() => other.close());
    await other.api("POST", "/forms", { title: "x", slug: "x", markup: "" });
    const policy = (await fetch(`${other.url}/forms/x`)).headers.get("content-security-policy") ?? "";
    assert.match(policy, new RegExp(`; script-src 'nonce-[^']+' ${sources.join(" ").replaceAll(/[+.]/g, "\\$&")};`));
    assert.doesNotMatch(policy, /trusted-types/);
    assert.match(policy, /frame-ancestors 'self'$/);
  });

  it("a configured source of scripts cannot contain anything else", async () => {
    const { host } = { host: { database: site.database } };
    for (const source of [
      "",
      "'unsafe-inline'",
      "'unsafe-eval'",
      "*",
      "https:",
      "https://*.example",
      "data:",
      "cdn.example",
      "https://a.example; img-src *",
      "https://a.example https://b.example",
      "https://a.example,b",
      "https://a.example?x",
      "javascript:alert(1)",
      "'nonce-x'",
      "'strict-dynamic'",
    ]) {
      await assert.rejects(
        createForms({ baseUrl: site.url, scriptSources: [source], host: host as never }),
        { name: "TypeError", message: /^scriptSources: / },
        source,
      );
    }
  });
});
