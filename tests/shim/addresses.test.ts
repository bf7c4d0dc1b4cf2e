/** URLs in responses, paths of the engine, origins that may send a form, and IP addresses of visitors. */

import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { requestOrigin } from "../../host-shim/hosts/emdash/identity.ts";
import { items, member, startSite, type SiteOptions } from "./site.ts";

async function siteOf(t: TestContext, forms: SiteOptions["forms"]) {
  const site = await startSite({ forms: { baseUrl: (request) => new URL(request.url).origin, ...forms } });
  t.after(() => site.close());
  const create = (origin: string) =>
    site.forms.fetch(
      new Request(`${origin}/api/cf/v1/forms`, {
        method: "POST",
        body: '{"title":"Contact"}',
        headers: { "x-test-caller": "administrator" },
      }),
    );
  return { ...site, create };
}

it("links in a response have the host of the request, if `allowedHosts` contains this host", async (t) => {
  const { create } = await siteOf(t, { allowedHosts: ["one.test", "two.test:8080"], publicUrl: "https://public.test" });
  for (const origin of ["http://one.test", "http://two.test:8080", "http://one.test"]) {
    const response = await create(origin);
    assert.equal(response?.status, 201);
    assert.ok(
      response.headers.get("location")?.startsWith(`${origin}/api/cf/v1/forms/`),
      response.headers.get("location") ?? "",
    );
    assert.ok(response.headers.get("link")?.includes(`<${origin}/api/>`));
  }
});

it("links in a response have the public URL, if the host of the request is not allowed", async (t) => {
  const { create } = await siteOf(t, { allowedHosts: ["one.test"], publicUrl: "https://public.test" });
  const response = await create("http://evil.test");
  assert.ok(response?.headers.get("location")?.startsWith("https://public.test/api/"));
});

it("a request for a host that is not allowed gets a 400 if the site has no public URL", async (t) => {
  const { create, faults } = await siteOf(t, { allowedHosts: ["one.test"] });
  const response = await create("http://evil.test");
  assert.deepEqual([response?.status, member(await response?.json(), "code")], [400, "rest_host_not_allowed"]);
  assert.match(faults.join("\n"), /not allowed/);
});

it("requests are matched below the path of `baseUrl`", async (t) => {
  const { forms } = await siteOf(t, { baseUrl: () => "http://one.test/blog", allowedHosts: ["one.test"] });
  assert.equal(forms.handles(new Request("http://one.test/blog/forms/a")), true);
  assert.equal(forms.handles(new Request("http://one.test/forms/a")), false);
  assert.equal((await forms.fetch(new Request("http://one.test/blog/api/cf/v1/forms")))?.status, 403);
});

it("an entry of `allowedHosts` with a wildcard for the port allows any port of the host", async (t) => {
  const { create } = await siteOf(t, { allowedHosts: ["localhost:*", "[::1]:*"] });
  for (const origin of ["http://localhost:4321", "http://localhost", "http://[::1]:9"]) {
    const response = await create(origin);
    const form: unknown = await response?.json();
    assert.equal(member(form, "url"), `${origin}/forms/${member(form, "slug")}`);
  }
  assert.equal((await create("http://localhost.evil.test:4321"))?.status, 400);
});

it("the origin of an EmDash site comes from the Host header, because Astro removes the host from the URL", () => {
  const request = (host?: string) => ({
    url: "http://localhost/forms/contact",
    headers: new Headers(host === undefined ? {} : { host }),
  });
  assert.equal(requestOrigin(request("localhost:4398")), "http://localhost:4398");
  assert.equal(requestOrigin(request("example.org")), "http://example.org");
  assert.equal(requestOrigin(request("a b")), "http://localhost");
  assert.equal(requestOrigin(request()), "http://localhost");
});

it("`/forms` itself is a page of the site, not of the engine", async (t) => {
  const site = await startSite();
  t.after(() => site.close());
  const { forms, url } = site;
  for (const path of ["/forms", "/forms/", "/forms?page=2"]) {
    assert.equal(forms.handles(new Request(url + path)), false);
    assert.equal(await forms.fetch(new Request(url + path)), null);
  }
  assert.equal((await forms.fetch(new Request(`${url}/forms/none`)))?.status, 404);
});

it("a form with `allowed_origins` also accepts submits from pages of the site itself", async (t) => {
  const { api, forms } = await siteOf(t, { allowedHosts: ["localhost:*"], publicUrl: "https://public.test" });
  const settings = { allowed_origins: ["https://shop.test"] };
  assert.equal(
    (await api("POST", "/forms", { title: "A", slug: "a", markup: "<input name=a>", settings })).status,
    201,
  );
  const send = async (origin: string) => {
    const body = new URLSearchParams({ a: "1" });
    const request = new Request("http://localhost:4321/forms/a", { method: "POST", body, headers: { origin } });
    return (await forms.fetch(request))?.status;
  };
  assert.deepEqual([await send("http://localhost:4321"), await send("https://evil.test")], [303, 403]);
});

it("an IPv4 address in the notation of IPv6 is stored in the notation of IPv4", async (t) => {
  const site = await startSite();
  t.after(() => site.close());
  await site.api("POST", "/forms", { title: "A", slug: "a", markup: "<input name=a>" });
  const sent = ["::ffff:192.0.2.7", "::FFFF:c000:207", "2001:db8::1", "192.0.2.7"];
  for (const address of sent) {
    const body = new URLSearchParams({ a: address });
    await fetch(`${site.url}/forms/a`, { method: "POST", body, headers: { "x-test-address": address } });
  }
  const { body } = await site.api("GET", "/submissions?orderby=id&order=asc");
  assert.deepEqual(
    items(body).map((submission) => member(submission, "ip_address")),
    ["192.0.2.7", "192.0.2.7", "2001:db8::1", "192.0.2.7"],
  );
});
