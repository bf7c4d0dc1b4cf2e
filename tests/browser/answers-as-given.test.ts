/**
 * Every answer is stored as it was given: a browser fills in a form of each kind, with the visitor's script and without,
 * and what it sends is what is stored. A row is a kind; colleagues add columns (what is mailed, what is exported).
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { items, type JsonValue, member, startSite, type Site } from "../shim/site.ts";
import { launchChromium, noChromium } from "./chromium.ts";

interface Row {
  readonly kind: string;
  /** The author's HTML, or the fields of a schema. */
  readonly form: string | readonly object[];
  readonly fill?: (page: Page) => Promise<unknown>;
  /** The button that is pressed, where the form has several. */
  readonly button?: string;
  readonly stored: Readonly<Record<string, JsonValue>>;
}

const select = (label: string, value: string): string =>
  `<select name="born[]" aria-label="${label}"><option value="">${label}</option><option value="${value}">${value}</option></select>`;

const ROWS: readonly Row[] = [
  {
    kind: "boxes before their hidden twins",
    form: `<label><input type="checkbox" name="news" value="true"> News</label><input type="hidden" name="news" value="false"><label><input type="checkbox" name="more" value="true"> More</label><input type="hidden" name="more" value="false"><button>Send</button>`,
    fill: (page) => page.check("[name=news][type=checkbox]"),
    stored: { news: true, more: false },
  },
  {
    kind: "a box with an empty value and one with 0",
    form: `<label><input type="checkbox" name="a" value="" required> A</label><label><input type="checkbox" name="b" value="0"> B</label><button>Send</button>`,
    fill: async (page) => [await page.check("[name=a]"), await page.check("[name=b]")],
    stored: { a: true, b: true },
  },
  {
    kind: "a box whose value is a word for off, and what is shown for it",
    form: `<label><input type="checkbox" name="a" value="0"> A</label><p data-show-if="a=0"><label>B <input name="b"></label></p><button>Send</button>`,
    fill: async (page) => [await page.check("[name=a]"), await page.fill("[name=b]", "x")],
    stored: { a: true, b: "x" },
  },
  {
    kind: "selects of one name",
    form: `<fieldset><legend>Born</legend>${select("Month", "1")}${select("Day", "1")}${select("Year", "1999")}</fieldset><button>Send</button>`,
    fill: async (page) => {
      for (const [label, value] of [["Month", "1"], ["Day", "1"], ["Year", "1999"]] as const) await page.getByLabel(label).selectOption(value);
    },
    stored: { born: ["1", "1", "1999"] },
  },
  {
    kind: "a text beside the option that leads to it",
    form: `<label><input type="radio" name="c" value="red"> Red</label><label><input type="radio" name="c" value="other"> Other</label><input name="c" aria-label="Which"><button>Send</button>`,
    fill: async (page) => [await page.check("[value=other]"), await page.fill("[aria-label=Which]", "mauve")],
    stored: { c: "mauve" },
  },
  {
    kind: "an option beside an empty text",
    form: `<label><input type="radio" name="c" value="red"> Red</label><label><input type="radio" name="c" value="other"> Other</label><input name="c" aria-label="Which"><button>Send</button>`,
    fill: (page) => page.check("[value=red]"),
    stored: { c: "red" },
  },
  {
    kind: "texts of one name",
    form: `<label>Home <input type="tel" name="p"></label><label>Work <input type="tel" name="p"></label><button>Send</button>`,
    fill: async (page) => [await page.getByLabel("Home").fill("1"), await page.getByLabel("Work").fill("2")],
    stored: { p: ["1", "2"] },
  },
  {
    kind: "hidden and disabled controls beside others",
    form: `<label>T <input name="t"></label><input type="hidden" name="t" value="none"><select name="d" disabled><option>x</option></select><label>D <input name="d"></label><button>Send</button>`,
    fill: async (page) => [await page.getByLabel("T", { exact: true }).fill("typed"), await page.getByLabel("D", { exact: true }).fill("y")],
    stored: { t: "typed", d: "y" },
  },
  {
    kind: "a select that nobody touched",
    form: [{ name: "s", type: "select", label: "S", options: ["Red", "Blue"] }],
    stored: { s: "" },
  },
  {
    kind: "a range and a colour that nobody touched",
    form: [{ name: "r", type: "range", label: "R" }, { name: "c", type: "color", label: "C" }],
    stored: { r: null, c: "" },
  },
  {
    kind: "a range and a colour",
    form: [{ name: "r", type: "range", label: "R", required: true, validation: { min: 0, max: 10 } }, { name: "c", type: "color", label: "C" }],
    fill: async (page) => [await page.locator("[name=r]").fill("7"), await page.locator("[name=c]").fill("#112233")],
    stored: { r: 7, c: "#112233" },
  },
  {
    kind: "an author's range that nobody touched, and one with a value",
    form: `<label>R <input type="range" name="r"></label><label>S <input type="range" name="s" value="3" max="9"></label><button>Send</button>`,
    stored: { r: null, s: 3 },
  },
  {
    kind: "which button was pressed",
    form: `<label>N <input name="n"></label><button name="act" value="save">Save</button><button name="act" value="send">Save and send</button>`,
    fill: (page) => page.fill("[name=n]", "A"),
    button: "Save and send",
    stored: { n: "A", act: "send" },
  },
  {
    kind: "which button of a schema was pressed",
    form: [{ name: "n", label: "N" }, { name: "act", type: "submit", options: [{ value: "save", label: "Save" }, { value: "send", label: "Save and send" }] }],
    button: "Save",
    stored: { n: "", act: "save" },
  },
  {
    kind: "names with white space around them",
    form: `<label>A <input name=" a "></label><label><input type="checkbox" name=" b[]" value="1"> B</label><button>Send</button>`,
    fill: async (page) => [await page.getByLabel("A", { exact: true }).fill("x"), await page.check("[value='1']")],
    stored: { a: "x", b: ["1"] },
  },
  {
    kind: "numbers",
    form: [{ name: "code", type: "number", label: "Code" }, { name: "share", type: "number", label: "Share" }, { name: "card", type: "number", label: "Card" }],
    fill: async (page) => [await page.fill("[name=code]", "007"), await page.fill("[name=share]", "0.5"), await page.fill("[name=card]", "4111111111111111")],
    stored: { code: "007", share: 0.5, card: "4111111111111111" },
  },
];

let site: Site;
let browser: Browser;

describe("answers as they were given, in Chromium", { skip: noChromium }, () => {
before(async () => {
  site = await startSite();
  browser = await launchChromium();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

for (const [index, row] of ROWS.entries()) {
  for (const javaScriptEnabled of [true, false]) {
    it(`${row.kind} (${javaScriptEnabled ? "with" : "without"} script)`, async () => {
      const slug = `row-${index}-${javaScriptEnabled}`;
      const own = typeof row.form === "string" ? { markup: row.form } : { schema: { version: 1, fields: row.form } };
      const made = await site.api("POST", "/forms", { title: "As given", slug, ...own });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await page.goto(`${site.url}/forms/${slug}`);
      await row.fill?.(page);
      await page.getByRole("button", { name: row.button ?? "Send", exact: true }).click();
      await page.getByText("Thank you").waitFor();
      const list = await site.api("GET", `/forms/${Number(member(made.body, "id"))}/submissions`);
      assert.deepEqual(member(items(list.body)[0] ?? null, "data"), row.stored);
      await page.context().close();
    });
  }
}

it("a range says that nobody has touched it, and a required one is asked for", async () => {
  const fields = [{ name: "r", type: "range", label: "How loud?", required: true }];
  await site.api("POST", "/forms", { title: "Range", slug: "range", schema: { version: 1, fields } });
  const page = await browser.newPage();
  await page.goto(`${site.url}/forms/range`);
  assert.equal(await page.locator("output").textContent(), "–");
  await page.getByRole("button", { name: "Send" }).click();
  assert.match((await page.locator(".cf-error").textContent()) ?? "", /fill in this field/);
  await page.locator("[name=r]").click();
  assert.equal(await page.locator("output").textContent(), "50");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Thank you").waitFor();
  await page.close();
});
});
