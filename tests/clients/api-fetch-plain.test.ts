/** `@wordpress/api-fetch` with the API root `?rest_route=/`, as on sites without pretty addresses. */
import assert from "node:assert/strict";
import { test } from "node:test";
import imported from "@wordpress/api-fetch";
import { signIn } from "../shim/embedded-fixture.ts";
import { actAsBrowser } from "./browser.ts";
import { startClientsHost } from "./site.ts";

// The package's types describe a CommonJS module, although Node loads it as an ES module.
const apiFetch = imported as unknown as typeof imported.default;

interface Form {
  readonly id: number;
  readonly title: string;
}

test("@wordpress/api-fetch with plain addresses", async (t) => {
  const host = await startClientsHost(t);
  const { cookie, nonce } = await signIn(host);
  const requests = actAsBrowser(cookie);
  apiFetch.use(apiFetch.createRootURLMiddleware(`${host.url}/?rest_route=/`));
  apiFetch.use(apiFetch.createNonceMiddleware(nonce));

  await t.test("forms are created, changed, found and deleted", async () => {
    const form = await apiFetch<Form>({ path: "/cf/v1/forms", method: "POST", data: { title: "Plain" } });
    const path = `/cf/v1/forms/${form.id}`;
    assert.equal((await apiFetch<Form>({ path, method: "PATCH", data: { title: "Plainer" } })).title, "Plainer");
    const found = await apiFetch<Form[]>({ path: "/cf/v1/forms?search=plainer&per_page=1&_fields=id,title" });
    assert.deepEqual(found, [{ id: form.id, title: "Plainer" }]);
    await apiFetch({ path, method: "DELETE" });
    assert.deepEqual(await apiFetch({ path: "/cf/v1/forms?per_page=-1" }), []);
    assert.deepEqual(new Set(requests.map((request) => new URL(request.path, host.url).pathname)), new Set(["/"]));
  });

  await t.test("names of every kind stay unchanged in the address, except names with a slash", async () => {
    const { id } = await apiFetch<Form>({ path: "/cf/v1/forms", method: "POST", data: { title: "Names" } });
    const path = `/cf/v1/forms/${id}/fields`;
    for (const name of ["a%2Fb", "100% of c", "größe[1]", "one&two=3", "plus+minus", "what?#"]) {
      await apiFetch({ path, method: "POST", data: { name, type: "text" } });
      const address = `${path}/${encodeURIComponent(name)}`;
      const changed = await apiFetch({ path: address, method: "PATCH", data: { label: `Label of ${name}` } });
      assert.partialDeepStrictEqual(changed, { name, label: `Label of ${name}` });
    }
  });

  await t.test("the next pages of a list are read through the site's plain addresses", async () => {
    const titles = Array.from({ length: 101 }, (_, at) => `Form ${at}`);
    await Promise.all(titles.map((title) => apiFetch({ path: "/cf/v1/forms", method: "POST", data: { title } })));
    const all = await apiFetch<Form[]>({ path: "/cf/v1/forms?per_page=-1&search=form" });
    assert.equal(all.length, titles.length);
  });
});
