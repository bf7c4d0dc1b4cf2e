/** Matrices, rankings and telephone numbers in the form editor: from the palette to the stored draft. */
import assert from "node:assert/strict";
import { it } from "node:test";
import type { Field } from "../../client/index.ts";
import { noChromium, violations } from "../browser/chromium.ts";
import { api, draftSaved, type FormRef, signIn, startBrowser, startSite } from "./admin-site.ts";
import { select, turn, type } from "./property-controls.ts";

interface StoredDraft {
  readonly schema: { readonly fields: readonly Field[] };
}

it("adds a matrix, a ranking and a telephone number", { skip: noChromium, timeout: 120_000 }, async (t) => {
  const host = await startSite(t);
  const { id } = await api<FormRef>(host.url, "POST", "/forms", { title: "Variants", schema: { fields: [] } });
  const { page, faults } = await signIn(await startBrowser(t), host.url);
  await page.goto(`${host.url}/admin/forms/${id}/build`);
  const fieldsOf = async () => (await api<StoredDraft>(host.url, "GET", `/forms/${id}/draft`)).schema.fields;
  const shots = process.env["CF_SHOTS"];
  const shoot = async (name: string) =>
    shots === undefined ? undefined : page.screenshot({ path: `${shots}/${name}.png` });

  await t.test("the palette adds each, a matrix with rows", async () => {
    for (const [words, label] of [
      ["matrix", "Matrix"],
      ["ranking", "Ranking"],
      ["phone with", "Phone with country"],
    ] as const) {
      const search = page.getByRole("searchbox", { name: "Add field" });
      await search.click();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(words);
      await page.keyboard.press("Enter");
      await page.frameLocator(".build-frame iframe").getByText(label).first().waitFor();
    }
    await draftSaved(page);
    const fields = await fieldsOf();
    assert.deepEqual(
      fields.map(({ name, group }) => [name, group]),
      [
        ["matrix", null],
        ["row_1", "matrix"],
        ["row_2", "matrix"],
        ["row_3", "matrix"],
        ["ranking", null],
        ["phone_with_country", null],
      ],
    );
    assert.deepEqual(fields.find(({ name }) => name === "ranking")?.attributes, { "data-rank": "" });
  });

  await t.test("the columns are edited once for all rows", async () => {
    const panel = await select(page, id, "matrix", "Matrix");
    await panel.getByRole("textbox", { name: "Option 1" }).first().fill("Poor");
    await draftSaved(page);
    await shoot("admin-matrix");
    const rows = (await fieldsOf()).filter(({ group }) => group === "matrix");
    for (const { options } of rows) assert.equal(options[0]?.label, "Poor");
    assert.deepEqual(await violations(page), []);
  });

  await t.test("a wrong country is a fault at its control", async () => {
    const panel = await select(page, id, "phone_with_country", "Phone with country");
    await type("Usual country", "4")(panel, page);
    await panel.getByText("Enter codes of two letters, such as DE.").waitFor();
    await type("Usual country", "at")(panel, page);
    await draftSaved(page);
    await shoot("admin-phone");
    const phone = (await fieldsOf()).find(({ type: kind }) => kind === "tel");
    assert.deepEqual(phone?.attributes, { "data-phone": "AT" });
    await turn("Ask for the country")(panel, page);
    await draftSaved(page);
    assert.deepEqual((await fieldsOf()).find(({ type: kind }) => kind === "tel")?.attributes, {});
  });
  assert.deepEqual(faults, []);
});
