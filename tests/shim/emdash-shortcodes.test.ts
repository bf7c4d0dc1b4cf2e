/** Content from WordPress in EmDash: shortcodes and blocks of form plugins become this plugin's block. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { type Known, withForms } from "../../host-shim/hosts/emdash/shortcodes.ts";

const known: readonly Known[] = [
  { slug: "contact", title: "Contact form 1", origin: ["wordpress", "https://example.org/?p=5", ""] },
  { slug: "order", title: "Order", origin: ["gravity-forms", "3", ""] },
  { slug: "survey", title: "Survey", origin: ["wpforms", "12", ""] },
];

const paragraph = (text: string) => ({ _type: "block", _key: "k", children: [{ _type: "span", text }] });
const html = (code: string, more: object = {}) => ({ _type: "htmlBlock", _key: "k", html: code, ...more });

async function resolved(block: object): Promise<unknown> {
  const content = await withForms({ title: "Page", body: [block] }, async () => known);
  const body: unknown = content["body"];
  return Array.isArray(body) ? body[0] : undefined;
}

const shown = (slug: string) => ({ _type: "cf-form", _key: "k", slug });

it("resolves shortcodes in blocks of HTML and in paragraphs, and blocks by their attributes", async () => {
  const div = '<div class="x">[contact-form-7 id="5" title="Old title"]</div>';
  assert.deepEqual(await resolved(html(div)), shown("contact"));
  assert.deepEqual(await resolved(paragraph('[contact-form-7 id="7ab12cd" title="Contact form 1"]')), shown("contact"));
  assert.deepEqual(await resolved(paragraph(" [gravityform id='3' ajax=true] ")), shown("order"));
  const attributes = { originalBlockName: "wpforms/form-selector", originalAttrs: { formId: "12" } };
  assert.deepEqual(await resolved(html("<div></div>", attributes)), shown("survey"));
});

it("leaves everything else unchanged, and does not request the forms", async () => {
  const blocks = [
    paragraph("Write [wpforms id=12] into a page"),
    paragraph("[[wpforms id=12]]"),
    paragraph("[gallery ids=1]"),
    html("<p>Text</p>"),
    { _type: "image" },
    "text",
  ];
  const content = { title: "Page", body: blocks, tags: ["a"] };
  const rejected = () => assert.fail("the forms were requested");
  assert.equal(await withForms(content, rejected), content);
});

it("keeps the code of a form that was not imported", async () => {
  const code = paragraph("[gravityform id=4]");
  assert.deepEqual(await resolved(code), code);
});

it("takes linear time for hostile content", { timeout: 20_000 }, async () => {
  const texts = [
    "[a ".repeat(200_000),
    `[wpforms ${"a=b ".repeat(200_000)}`,
    "<".repeat(500_000),
    `[wpforms id="${"x".repeat(500_000)}`,
  ];
  for (const text of texts) {
    await resolved(paragraph(text));
    await resolved(html(text));
  }
});
