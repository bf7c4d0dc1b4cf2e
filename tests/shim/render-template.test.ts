/** Templates that plugins render with a submission's answers. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { createForms, type Forms } from "../../host-shim/src/index.ts";

const database = openSqlite({ path: ":memory:" });
const principal = { id: "1", login: "admin", capabilities: ["edit_forms"] };
let forms: Forms;

before(async () => {
  forms = await createForms({ automaticRuns: false, baseUrl: "http://localhost", host: { database } });
  await forms.migrate();
});

after(async () => {
  await forms.close();
  await database.close();
});

describe("forms.render", () => {
  it("fills a template for text, HTML and URLs, with a submission of a hook or of the API", async () => {
    const fields = [
      { name: "name", type: "text", label: "Name" },
      { name: "pet", type: "select", label: "Pet", options: [{ value: "c", label: "A cat & a <dog>" }] },
    ] as const;
    const { id, slug } = await forms.as(principal).createForm({ body: { title: "Cards", schema: { fields } } });
    const inHook: string[] = [];
    const template = "[CF_FORM_TITLE] [cf_submission_id]: [name], [pet], [pet:value], [nothing|none]";
    forms.hooks.addAction("cf_submission_inserted", "test/renders", async (submission) => {
      inHook.push(await forms.render(template, submission, { as: "text" }));
    });
    const body = new URLSearchParams({ name: "<b>Ada</b>", pet: "c" });
    await forms.fetch(new Request(`http://localhost/forms/${slug}`, { method: "POST", body }));
    forms.hooks.removeAllActions("cf_submission_inserted");
    const [submission] = await forms.as(principal).listFormSubmissions({ form_id: id });
    assert.ok(submission);
    const text = `Cards ${submission.id}: <b>Ada</b>, A cat & a <dog>, c, [nothing|none]`;
    assert.deepEqual(inHook, [text]);
    assert.equal(await forms.render(template, submission, { as: "text" }), text);
    assert.equal(
      await forms.render("<p>[name]</p><a href='https://a.example/?pet=[pet]'>", submission, { as: "html" }),
      "<p>&lt;b&gt;Ada&lt;/b&gt;</p><a href='https://a.example/?pet=A cat &amp; a &lt;dog&gt;'>",
    );
    assert.equal(
      await forms.render("https://a.example/?q=[pet]&at=[CF_TIMESTAMP]", submission, { as: "url" }),
      `https://a.example/?q=A%20cat%20%26%20a%20%3Cdog%3E&at=${encodeURIComponent(submission.submitted_at)}`,
    );
  });

  it("fills answers of a form that does not exist", async () => {
    const unknown = { form_id: 999, data: { name: "Ada" } };
    assert.equal(await forms.render("[name] [CF_FORM_TITLE].", unknown, { as: "text" }), "Ada .");
  });

  it("needs to know the use of the text", async () => {
    const wrong = { as: "markdown" } as never;
    await assert.rejects(forms.render("[name]", { form_id: 1, data: {} }, wrong), /needs the option `as`/);
    await assert.rejects(forms.render("[name]", { form_id: 1, data: {} }, undefined as never), TypeError);
  });
});
