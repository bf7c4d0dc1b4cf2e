/** The address that a request came to, and the address in mails. */

import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { member, startSite, type SiteOptions } from "./site.ts";

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

it("links of a response use the allowed host of each request", async (t) => {
  const { create } = await siteOf(t, { allowedHosts: ["one.test", "two.test:8080"], publicUrl: "https://public.test" });
  for (const origin of ["http://one.test", "http://two.test:8080", "http://one.test"]) {
    const answer = await create(origin);
    assert.equal(answer?.status, 201);
    assert.ok(
      answer.headers.get("location")?.startsWith(`${origin}/api/cf/v1/forms/`),
      answer.headers.get("location") ?? "",
    );
    assert.ok(answer.headers.get("link")?.includes(`<${origin}/api/>`));
  }
});

it("a request for another host gets links with the public address", async (t) => {
  const { create } = await siteOf(t, { allowedHosts: ["one.test"], publicUrl: "https://public.test" });
  const answer = await create("http://evil.test");
  assert.ok(answer?.headers.get("location")?.startsWith("https://public.test/api/"));
});

it("and 400 without one", async (t) => {
  const { create, faults } = await siteOf(t, { allowedHosts: ["one.test"] });
  const answer = await create("http://evil.test");
  assert.deepEqual([answer?.status, member(await answer?.json(), "code")], [400, "rest_host_not_allowed"]);
  assert.match(faults.join("\n"), /not allowed/);
});

it("a path in the address also applies to requests", async (t) => {
  const { forms } = await siteOf(t, { baseUrl: () => "http://one.test/blog", allowedHosts: ["one.test"] });
  assert.equal(forms.handles(new Request("http://one.test/blog/forms/a")), true);
  assert.equal(forms.handles(new Request("http://one.test/forms/a")), false);
  assert.equal((await forms.fetch(new Request("http://one.test/blog/api/cf/v1/forms")))?.status, 403);
});
