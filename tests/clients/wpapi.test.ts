/** The `wpapi` client, unmodified, with an application password: it discovers the API and its routes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import WPAPI from "wpapi";
import { ADMIN, APP_PASSWORD } from "../shim/embedded-fixture.ts";
import { createNumberForm, startClientsHost, submitNumbers } from "./site.ts";

test("wpapi", async (t) => {
  const host = await startClientsHost(t);
  const site = await WPAPI.discover(host.url);
  const credentials = { username: ADMIN.login, password: APP_PASSWORD };
  const cf = site.auth(credentials).namespace("cf/v1");

  await t.test("discovers every resource of the namespace", () => {
    const resources = ["forms", "submissions", "analytics", "action-logs", "action-queue", "actions"];
    assert.deepEqual(
      resources.filter((name) => typeof cf[name] !== "function"),
      [],
    );
  });

  await t.test("creates, reads, updates and deletes", async () => {
    const form = await cf.forms().create({ title: "First" });
    assert.equal((await cf.forms().id(form.id)).title, "First");
    assert.equal((await cf.forms().id(form.id).update({ title: "Second" })).title, "Second");
    const field = await cf.forms().id(form.id).fields().create({ name: "a[b]", type: "text" });
    assert.equal(field.position, 0);
    const renamed = await cf.forms().id(form.id).fields().name(encodeURIComponent("a[b]")).update({ label: "A" });
    assert.deepEqual([renamed.name, renamed.label], ["a[b]", "A"]);
    assert.equal((await cf.forms().id(form.id).schema().update({ fields: [] })).fields.length, 0);
    assert.equal((await cf.forms().id(form.id).delete()).deleted, true);
    await assert.rejects(cf.forms().id(form.id).get(), { code: "form_not_found" });
    await assert.rejects(cf.forms().create({}), { code: "missing_type" });
  });

  await t.test("pages through submissions, and reads a form's sub-resources", async () => {
    const id = await createNumberForm(host, "paged");
    await submitNumbers(host, "paged", 45);
    let page = await cf.forms().formId(id).submissions().perPage(20);
    assert.deepEqual([page._paging.total, page._paging.totalPages], [45, 3]);
    const seen = new Set<number>();
    for (;;) {
      for (const submission of page) seen.add(Number(submission.data.number));
      if (page._paging.next === undefined) break;
      page = await page._paging.next;
    }
    assert.equal(seen.size, 45);
    const headers = await cf.submissions().param("form_id", id).headers();
    assert.equal(headers["x-wp-total"], "45");
    const funnel = await cf.analytics().formId(id).funnel();
    assert.equal(funnel.submissions, 45);
    assert.equal((await cf["action-queue"]().stats()).failed, 0);
  });

  await t.test("registers a route by hand", async () => {
    const client = new WPAPI({ endpoint: `${host.url}/api`, ...credentials });
    const forms = client.registerRoute("cf/v1", "/forms/(?P<id>[\\d]+)", { params: ["_fields"] });
    const [first] = await forms.call(client).param("per_page", 1).param("_fields", "id,title");
    assert.deepEqual(Object.keys(first), ["id", "title"]);
  });

  await t.test("is rejected with a wrong password", async () => {
    const stranger = new WPAPI({ endpoint: `${host.url}/api`, username: ADMIN.login, password: "wrong" });
    await assert.rejects(stranger.auth().root("cf/v1/forms").auth().get(), { code: "incorrect_password" });
  });
});
