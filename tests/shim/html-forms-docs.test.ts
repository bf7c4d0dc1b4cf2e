/** The claims of docs/html-forms.md and docs/schemas.md, checked with their examples. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { items, member, startSite, type JsonValue, type Site } from "./site.ts";

const PAGE = readFileSync(new URL("../../docs/html-forms.md", import.meta.url), "utf8");
const EXAMPLES = [...PAGE.matchAll(/^```html\n(.*?)^```$/gms)].map((found) => found[1] ?? "");

/** The example that contains a text. */
function exampleWith(text: string): string {
  const found = EXAMPLES.filter((example) => example.includes(text));
  assert.equal(found.length, 1, text);
  return found[0] ?? "";
}

describe("docs/html-forms.md", () => {
  let site: Site;
  before(async () => {
    site = await startSite();
  });
  after(() => site.close());

  let count = 0;

  async function make(markup: string): Promise<{ readonly id: number; readonly slug: string }> {
    count += 1;
    const slug = `example-${count}`;
    const { status, body } = await site.api("POST", "/forms", { title: "Example", slug, markup });
    assert.equal(status, 201, JSON.stringify(body));
    return { id: Number(member(body, "id")), slug };
  }

  async function generated(markup: string): Promise<{ readonly schema: JsonValue; readonly warnings: JsonValue }> {
    const { id } = await make(markup);
    const { status, body } = await site.api("POST", `/forms/${id}/schema/generate?preview=true&report=true`);
    assert.equal(status, 200, JSON.stringify(body));
    return { schema: member(body, "schema"), warnings: member(body, "warnings") };
  }

  /** The result of a submit: the submission's data, or the names of invalid fields. */
  async function submitted(markup: string, answers: Readonly<Record<string, string>>): Promise<JsonValue> {
    const { id, slug } = await make(markup);
    const response = await fetch(`${site.url}/forms/${slug}`, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams(answers),
    });
    const body: JsonValue = JSON.parse(await response.text());
    if (response.status !== 200) return items(member(body, "errors")).map((fault) => member(fault, "field"));
    return member(items((await site.api("GET", `/forms/${id}/submissions`)).body)[0] ?? null, "data");
  }

  it("has examples, and each is read without warnings", async () => {
    assert.ok(EXAMPLES.length >= 3);
    for (const example of EXAMPLES) assert.deepEqual((await generated(example)).warnings, [], example);
  });

  it("a hidden field is not required, and its answers are dropped", async () => {
    const example = exampleWith("data-show-if");
    assert.deepEqual(await submitted(example, { topic: "table", other: "x", anything: "y" }), { topic: "table" });
    assert.deepEqual(await submitted(example, { topic: "other" }), ["other"]);
    assert.deepEqual(await submitted(example, { topic: "other", other: "x", anything: "y" }), {
      topic: "other",
      other: "x",
    });
  });

  it("each spelling in the table matches the documented answers", async () => {
    const held: Readonly<Record<string, readonly string[]>> = {
      "the answer is `other`": ["other"],
      "it is one of these": ["other", "none"],
      "it is not empty": ["other", "none", "table"],
      "it is empty": [""],
    };
    // Rows of the page's only table with two columns.
    const rows = [...PAGE.matchAll(/^\| (`(?:[^|]|\\\|)+`) \| ([^|]+) \|$/gm)];
    assert.deepEqual(
      rows.map(([, , claim = ""]) => claim),
      Object.keys(held),
    );
    for (const [, spellings = "", claim = ""] of rows) {
      for (const [, spelling = ""] of spellings.replaceAll("\\|", "|").matchAll(/`([^`]+)`/g)) {
        for (const topic of ["other", "none", "table", ""]) {
          const markup = `<label>Topic <input name="topic"></label><p data-show-if="${spelling}"><label>More <input name="more"></label></p>`;
          const data = await submitted(markup, { topic, more: "x" });
          assert.equal(member(data, "more") === "x", held[claim]?.includes(topic), `${spelling} with "${topic}"`);
        }
      }
    }
  });

  it("conditions as JSON express more than the short forms", async () => {
    const example = exampleWith("data-cf-conditions");
    assert.deepEqual(await submitted(example, { guests: "7", menu: "fish" }), { guests: 7, menu: "fish" });
    assert.deepEqual(await submitted(example, { guests: "6", menu: "fish" }), { guests: 6 });
  });

  it("each element with data-step is a step with its id and title", async () => {
    const { schema } = await generated(exampleWith("data-step"));
    const layout = member(schema, "layout");
    assert.equal(member(layout, "type"), "multi-step");
    const steps = items(member(layout, "steps"));
    assert.deepEqual(
      steps.map((step) => ["id", "title"].map((name) => member(step, name))),
      [
        ["who", "You"],
        ["what", "Your wish"],
      ],
    );
    assert.ok(items(member(steps[0], "fields")).includes("name") && items(member(steps[1], "fields")).includes("wish"));
  });

  it("data-layout around all fields sets the layout", async () => {
    const layouts = /`data-layout` around all fields says ([^.]+)\./.exec(PAGE)?.[1] ?? "";
    const kinds = [...layouts.matchAll(/`([^`]+)`/g)].map((found) => found[1] ?? "");
    assert.equal(kinds.length, 3);
    for (const kind of kinds) {
      const fields =
        '<fieldset data-step="a"><label>A <input name="a"></label></fieldset><fieldset data-step="b"><label>B <input name="b"></label></fieldset>';
      const { schema } = await generated(
        `<div data-layout="${kind}">${kind === "multi-step" ? fields : fields.replaceAll(/ data-step="."/g, "")}</div>`,
      );
      assert.equal(member(member(schema, "layout"), "type"), kind);
    }
  });

  it("the schema of docs/schemas.md is accepted, and its HTML is read as documented", () => {
    const page = readFileSync(new URL("../../docs/schemas.md", import.meta.url), "utf8");
    const example = (language: string): string => page.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";
    const schema: object = JSON.parse(example("json"));
    assert.ok("html" in site.forms.renderSchema(schema));
    const parsed = site.forms.parseMarkup(example("html"));
    assert.ok("schema" in parsed);
    const { fields } = parsed.schema;
    const claim = /^This is .*$/m.exec(page)?.[0] ?? "";
    for (const { name } of fields) assert.ok(claim.includes(`\`${name}\``), name);
    const described = fields.map(({ name, type, label, description }) => [name, type, label, description]);
    assert.deepEqual(described, [
      ["email", "email", "Email", "For the answer alone."],
      ["town", "text", "Town", ""],
      ["day", "radio", "Which day?", ""],
      ["terms", "consent", "I have read the terms and agree", ""],
    ]);
  });
});
