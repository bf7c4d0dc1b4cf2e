/** Requests of the form editor to `POST /forms/preview`: conversions between HTML and schema, and edits in place. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { api, startSite } from "./admin-site.ts";

interface Converted {
  readonly html: string;
  readonly markup: string;
  readonly schema: { readonly fields: readonly { readonly name: string; readonly label: string }[] };
  readonly lost: readonly { readonly code: string }[];
}

it("converts HTML to a schema and back, and edits HTML in place, without storing anything", async (t) => {
  const host = await startSite(t);
  const preview = (body: object, status = 200) =>
    api<Converted>(host.url, "POST", "/forms/preview?convert=true", { title: "Try", ...body }, status);
  const markup =
    "<!-- mine --><P>\n<label>Name <input name=name></label><label>Mail <input name=mail></label><script>1</script></P><button>Go</button>";
  const read = await preview({ markup });
  assert.equal(read.markup, markup);
  assert.deepEqual(
    read.schema.fields.map(({ label }) => label),
    ["Name", "Mail", "Go"],
  );
  assert.deepEqual(
    read.lost.map(({ code }) => code),
    ["element_dropped"],
  );

  const renamed = await preview({ markup, edit: { name: "name", field: { label: "Your  name" } } });
  assert.equal(renamed.markup, markup.replace("Name ", "Your name "));
  assert.equal(renamed.schema.fields[0]?.label, "Your name");
  const removed = await preview({ markup, edit: { name: "mail" } });
  assert.equal(removed.markup, markup.replace("<label>Mail <input name=mail></label>", ""));
  await preview({ markup, edit: { name: "name", field: { type: "rating" } } }, 409);
  await preview({ markup, edit: { name: "none" } }, 404);

  const written = await preview({ schema: { fields: [{ name: "age", type: "number", label: "Age" }] } });
  assert.match(written.markup, /<label class="cf-label" for="[^"]+">Age<\/label>/);
  assert.deepEqual(written.lost, []);
  assert.equal(
    "schema" in (await api<object>(host.url, "POST", "/forms/preview", { title: "Try", markup }, 200)),
    false,
  );
  assert.deepEqual(await api(host.url, "GET", "/forms"), []);
});
