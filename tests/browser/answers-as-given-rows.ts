/** The kinds of answers that `answers-as-given.test.ts` follows from the browser to the export. */
import type { Page } from "playwright-core";
import type { JsonValue } from "../shim/site.ts";

export interface Row {
  readonly kind: string;
  /** The author's HTML, or the fields of a schema. */
  readonly form: string | readonly object[];
  readonly fill?: (page: Page) => Promise<unknown>;
  /** The button to press when the form has several. */
  readonly button?: string;
  /** The names and values that the browser sends. */
  readonly sent: readonly string[];
  /** The pairs that a page with script sends, if the script changes or moves controls. */
  readonly sentByScript?: readonly string[];
  readonly stored: Readonly<Record<string, JsonValue>>;
  /** The stored answers if the script sends other pairs. */
  readonly storedByScript?: Readonly<Record<string, JsonValue>>;
  /** The lines of `[all]` in a mail, in its text and in its HTML. */
  readonly mailed: readonly string[];
  /** The cells of the answers in a CSV with labels of options, by column. */
  readonly exported: Readonly<Record<string, string>>;
  /** The former and the new name of a field that is renamed before the export. */
  readonly renamed?: readonly [former: string, name: string];
}

const select = (label: string, value: string): string =>
  `<select name="born[]" aria-label="${label}"><option value="">${label}</option><option value="${value}">${value}</option></select>`;

const LONG = "l".repeat(200);

export const ROWS: readonly Row[] = [
  {
    kind: "boxes before their hidden twins",
    form: `<label><input type="checkbox" name="news" value="true"> News</label><input type="hidden" name="news" value="false"><label><input type="checkbox" name="more" value="true"> More</label><input type="hidden" name="more" value="false"><button>Send</button>`,
    fill: (page) => page.check("[name=news][type=checkbox]"),
    sent: ["news=true", "news=false", "more=false"],
    stored: { news: true, more: false },
    mailed: ["news: Yes", "more: No"],
    exported: { news: "true", more: "false" },
  },
  {
    kind: "a box with an empty value and one with 0",
    form: `<label><input type="checkbox" name="a" value="" required> A</label><label><input type="checkbox" name="b" value="0"> B</label><button>Send</button>`,
    fill: async (page) => [await page.check("[name=a]"), await page.check("[name=b]")],
    sent: ["a=", "b=0"],
    stored: { a: true, b: true },
    mailed: ["a: Yes", "b: Yes"],
    exported: { a: "true", b: "true" },
  },
  {
    kind: "a box whose value is a word for off, and what is shown for it",
    form: `<label><input type="checkbox" name="a" value="0"> A</label><p data-show-if="a=0"><label>B <input name="b"></label></p><button>Send</button>`,
    fill: async (page) => [await page.check("[name=a]"), await page.fill("[name=b]", "x")],
    sent: ["a=0", "b=x"],
    stored: { a: true, b: "x" },
    mailed: ["a: Yes", "b: x"],
    exported: { a: "true", b: "x" },
  },
  {
    kind: "selects of one name",
    form: `<fieldset><legend>Born</legend>${select("Month", "1")}${select("Day", "1")}${select("Year", "1999")}</fieldset><button>Send</button>`,
    fill: async (page) => {
      for (const [label, value] of [
        ["Month", "1"],
        ["Day", "1"],
        ["Year", "1999"],
      ] as const)
        await page.getByLabel(label).selectOption(value);
    },
    sent: ["born[]=1", "born[]=1", "born[]=1999"],
    stored: { born: ["1", "1", "1999"] },
    mailed: ["born: 1, 1, 1999"],
    exported: { born: "1; 1; 1999" },
  },
  {
    kind: "a text beside the option that leads to it",
    form: `<label><input type="radio" name="c" value="red"> Red</label><label><input type="radio" name="c" value="other"> Other</label><input name="c" aria-label="Which"><button>Send</button>`,
    fill: async (page) => [await page.check("[value=other]"), await page.fill("[aria-label=Which]", "mauve")],
    sent: ["c=other", "c=mauve"],
    stored: { c: "mauve" },
    mailed: ["c: mauve"],
    exported: { c: "mauve" },
  },
  {
    kind: "an option beside an empty text",
    form: `<label><input type="radio" name="c" value="red"> Red</label><label><input type="radio" name="c" value="other"> Other</label><input name="c" aria-label="Which"><button>Send</button>`,
    fill: (page) => page.check("[value=red]"),
    sent: ["c=red", "c="],
    stored: { c: "red" },
    mailed: ["c: Red"],
    exported: { c: "Red" },
  },
  {
    kind: "texts of one name",
    form: `<label>Home <input type="tel" name="p"></label><label>Work <input type="tel" name="p"></label><button>Send</button>`,
    fill: async (page) => [await page.getByLabel("Home").fill("1"), await page.getByLabel("Work").fill("2")],
    sent: ["p=1", "p=2"],
    stored: { p: ["1", "2"] },
    mailed: ["p: 1, 2"],
    exported: { p: "1; 2" },
  },
  {
    kind: "hidden and disabled controls beside others",
    form: `<label>T <input name="t"></label><input type="hidden" name="t" value="none"><select name="d" disabled><option>x</option></select><label>D <input name="d"></label><button>Send</button>`,
    fill: async (page) => [
      await page.getByLabel("T", { exact: true }).fill("typed"),
      await page.getByLabel("D", { exact: true }).fill("y"),
    ],
    sent: ["t=typed", "t=none", "d=y"],
    stored: { t: "typed", d: "y" },
    mailed: ["t: typed", "d: y"],
    exported: { t: "typed", d: "y" },
  },
  {
    kind: "a select that nobody touched",
    form: [{ name: "s", type: "select", label: "S", options: ["Red", "Blue"] }],
    sent: ["s="],
    stored: { s: "" },
    mailed: [],
    exported: { s: "" },
  },
  {
    kind: "selects of an author's HTML that nobody touched",
    form: `<label>S <select name="s"><option>Red</option><option>Blue</option></select></label><label>T <select name="t"><option value="" disabled>Sizes</option><option>L</option></select></label><label>U <select name="u"><option>Red</option><option selected>Blue</option></select></label><button>Send</button>`,
    sent: ["s=", "u=Blue"],
    stored: { s: "", u: "Blue" },
    mailed: ["u: Blue"],
    exported: { s: "", t: "", u: "Blue" },
  },
  {
    kind: "a range and a colour that nobody touched",
    form: [
      { name: "r", type: "range", label: "R" },
      { name: "c", type: "color", label: "C" },
    ],
    sent: ["r=", "c="],
    sentByScript: [],
    stored: { r: null, c: "" },
    storedByScript: {},
    mailed: [],
    exported: { r: "", c: "" },
  },
  {
    kind: "a range and a colour",
    form: [
      { name: "r", type: "range", label: "R", required: true, validation: { min: 0, max: 10 } },
      { name: "c", type: "color", label: "C" },
    ],
    fill: async (page) => [await page.locator("[name=r]").fill("7"), await page.locator("[name=c]").fill("#112233")],
    sent: ["r=7", "c=#112233"],
    stored: { r: 7, c: "#112233" },
    mailed: ["r: 7", "c: #112233"],
    exported: { r: "7", c: "#112233" },
  },
  {
    kind: "an author's range that nobody touched, and one with a value",
    form: `<label>R <input type="range" name="r"></label><label>S <input type="range" name="s" value="3" max="9"></label><button>Send</button>`,
    sent: ["r=", "s=3"],
    sentByScript: ["s=3"],
    stored: { r: null, s: 3 },
    storedByScript: { s: 3 },
    mailed: ["s: 3"],
    exported: { r: "", s: "3" },
  },
  {
    kind: "which button was pressed",
    form: `<label>N <input name="n"></label><button name="act" value="save">Save</button><button name="act" value="send">Save and send</button>`,
    fill: (page) => page.fill("[name=n]", "A"),
    button: "Save and send",
    sent: ["n=A", "act=send"],
    stored: { n: "A", act: "send" },
    mailed: ["n: A", "act: Save and send"],
    exported: { n: "A", act: "Save and send" },
  },
  {
    kind: "which button of a schema was pressed",
    form: [
      { name: "n", label: "N" },
      {
        name: "act",
        type: "submit",
        options: [
          { value: "save", label: "Save" },
          { value: "send", label: "Save and send" },
        ],
      },
    ],
    button: "Save",
    sent: ["n=", "act=save"],
    stored: { n: "", act: "save" },
    mailed: ["act: Save"],
    exported: { n: "", act: "Save" },
  },
  {
    kind: "names with white space around them",
    form: `<label>A <input name=" a "></label><label><input type="checkbox" name=" b[]" value="1"> B</label><button>Send</button>`,
    fill: async (page) => [await page.getByLabel("A", { exact: true }).fill("x"), await page.check("[value='1']")],
    sent: [" a =x", " b[]=1"],
    stored: { a: "x", b: ["1"] },
    mailed: ["a: x", "b: B"],
    exported: { a: "x", b: "B" },
  },
  {
    kind: "numbers",
    form: [
      { name: "code", type: "number", label: "Code" },
      { name: "share", type: "number", label: "Share" },
      { name: "card", type: "number", label: "Card" },
    ],
    fill: async (page) => [
      await page.fill("[name=code]", "007"),
      await page.fill("[name=share]", "0.5"),
      await page.fill("[name=card]", "4111111111111111"),
    ],
    sent: ["code=007", "share=0.5", "card=4111111111111111"],
    stored: { code: "007", share: 0.5, card: "4111111111111111" },
    mailed: ["code: 007", "share: 0.5", "card: 4111111111111111"],
    exported: { code: "007", share: "0.5", card: "4111111111111111" },
  },
  {
    kind: "lists that belong together",
    form:
      ["A", "B", "C"]
        .map(
          (row) =>
            `<input name="item[]" aria-label="Item ${row}"><input type="number" name="qty[]" aria-label="Number ${row}">`,
        )
        .join("") + "<button>Send</button>",
    fill: async (page) => [
      await page.fill("[aria-label='Item A']", "Tea"),
      await page.fill("[aria-label='Item C']", "Milk"),
      await page.fill("[aria-label='Number C']", "2"),
    ],
    sent: ["item[]=Tea", "qty[]=", "item[]=", "qty[]=", "item[]=Milk", "qty[]=2"],
    stored: { item: ["Tea", "", "Milk"], qty: [null, null, 2] },
    mailed: ["item: Tea, –, Milk", "qty: –, –, 2"],
    exported: { item: "Tea; ; Milk", qty: "; ; 2" },
  },
  {
    kind: "names of objects in a list, and a name of 200 letters",
    form: `<label>Q <input type="number" name="items[0][qty]"></label><label>L <input name="${LONG}"></label><button>Send</button>`,
    fill: async (page) => [
      await page.fill("[type=number]", "2"),
      await page.getByLabel("L", { exact: true }).fill("x"),
    ],
    sent: ["items[0][qty]=2", `${LONG}=x`],
    stored: { "items[0][qty]": 2, [LONG]: "x" },
    mailed: ["items[0][qty]: 2", `${LONG}: x`],
    exported: {
      "items[0][qty]": "2",
      llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll:
        "x",
    },
  },
  {
    kind: "letters of other alphabets",
    form: `<label>Größe <input name="größe"></label><button>Send</button>`,
    fill: (page) => page.fill("[name=größe]", "Jérôme € – 東京"),
    sent: ["größe=Jérôme € – 東京"],
    stored: { größe: "Jérôme € – 東京" },
    mailed: ["größe: Jérôme € – 東京"],
    exported: { größe: "Jérôme € – 東京" },
  },
  {
    kind: "lines, and marks that HTML and CSV escape",
    form: `<label>Text <textarea name="text"></textarea></label><button>Send</button>`,
    fill: (page) => page.fill("[name=text]", 'one\n  two <b>&amp; "three"; =1+1'),
    sent: ['text=one\r\n  two <b>&amp; "three"; =1+1'],
    sentByScript: ['text=one\n  two <b>&amp; "three"; =1+1'],
    stored: { text: 'one\n  two <b>&amp; "three"; =1+1' },
    mailed: ["text: one", '  two <b>&amp; "three"; =1+1'],
    exported: { text: 'one\n  two <b>&amp; "three"; =1+1' },
  },
  {
    kind: "files whose types nobody gave, one behind a hidden input of its name",
    form: `<input type="hidden" name="doc" value=""><label>Doc <input type="file" name="doc" required></label><label>Photo <input type="file" name="photo" accept="image/*"></label><button>Send</button>`,
    fill: async (page) => {
      const file = (name: string, bytes: string) => ({
        name,
        mimeType: "application/octet-stream",
        buffer: Buffer.from(bytes, "latin1"),
      });
      await page.setInputFiles("[type=file][name=doc]", file("brochure.pl.pdf", "%PDF-1.4\n"));
      await page.setInputFiles("[name=photo]", file("IMG 1.heic", "\0\0\0\x18ftypheic\0\0\0\0mif1heic"));
    },
    sent: ["doc=", "doc=brochure.pl.pdf", "photo=IMG 1.heic"],
    sentByScript: ["doc=brochure.pl.pdf", "photo=IMG 1.heic"],
    stored: { doc: "brochure.pl.pdf", photo: "IMG 1.heic" },
    mailed: ["doc: brochure.pl.pdf", "photo: IMG 1.heic"],
    exported: { doc: "brochure.pl.pdf", photo: "IMG 1.heic" },
  },
  {
    kind: "an e-mail address of an internationalised domain",
    form: [{ name: "mail", type: "email", label: "Mail", required: true }],
    fill: (page) => page.fill("[name=mail]", "ada@bücher.example"),
    sent: ["mail=ada@xn--bcher-kva.example"],
    // The browser writes the domain in ASCII.
    stored: { mail: "ada@xn--bcher-kva.example" },
    mailed: ["mail: ada@xn--bcher-kva.example"],
    exported: { mail: "ada@xn--bcher-kva.example" },
  },
  {
    kind: "web addresses without a scheme",
    form: `<label>A <input type="url" name="a" required></label><label>B <input type="url" name="b" value="http://old.example"></label><button>Send</button>`,
    fill: async (page) => [
      await page.fill("[name=a]", "example.com"),
      await page.fill("[name=b]", "bücher.example/a?b=c"),
    ],
    sent: ["a=example.com", "b=bücher.example/a?b=c"],
    sentByScript: ["a=https://example.com", "b=https://bücher.example/a?b=c"],
    stored: { a: "https://example.com", b: "https://bücher.example/a?b=c" },
    mailed: ["a: https://example.com", "b: https://bücher.example/a?b=c"],
    exported: { a: "https://example.com", b: "https://bücher.example/a?b=c" },
  },
  {
    kind: "a web address of a schema without a scheme",
    form: [{ name: "a", type: "url", label: "A", required: true }],
    fill: (page) => page.fill("[name=a]", "example.com"),
    sent: ["a=example.com"],
    sentByScript: ["a=https://example.com"],
    stored: { a: "https://example.com" },
    mailed: ["a: https://example.com"],
    exported: { a: "https://example.com" },
  },
  {
    kind: "an address without a postal code",
    form: [{ name: "home", type: "address", label: "Home", required: true }],
    fill: async (page) => {
      for (const [part, text] of [
        ["street", "Main St 1"],
        ["city", "Dublin"],
        ["country", "Ireland"],
      ])
        await page.fill(`[name="home[${part}]"]`, text ?? "");
    },
    sent: [
      "home[street]=Main St 1",
      "home[street2]=",
      "home[city]=Dublin",
      "home[state]=",
      "home[postal_code]=",
      "home[country]=Ireland",
    ],
    stored: {
      home: { street: "Main St 1", street2: "", city: "Dublin", state: "", postal_code: "", country: "Ireland" },
    },
    mailed: ["home: Main St 1, Dublin, Ireland"],
    exported: {
      "home.street": "Main St 1",
      "home.street2": "",
      "home.city": "Dublin",
      "home.state": "",
      "home.postal_code": "",
      "home.country": "Ireland",
    },
  },
  {
    kind: "options by their labels",
    form: [
      {
        name: "menu",
        type: "select",
        label: "Menu",
        options: [
          { value: "veg", label: "Vegetables, grilled" },
          { value: "fish", label: "Fish" },
        ],
      },
      {
        name: "with",
        type: "checkbox",
        label: "With",
        options: [
          { value: "b", label: "Bread" },
          { value: "o", label: "Olives" },
        ],
      },
    ],
    fill: async (page) => [
      await page.locator("select[name=menu]").selectOption("veg", { force: true }),
      await page.check("[value=b]"),
      await page.check("[value=o]"),
    ],
    sent: ["menu=veg", "with[]=b", "with[]=o"],
    stored: { menu: "veg", with: ["b", "o"] },
    mailed: ["menu: Vegetables, grilled", "with: Bread, Olives"],
    exported: { menu: "Vegetables, grilled", with: "Bread; Olives" },
  },
  {
    kind: "a consent with a link",
    form: `<label><input type="checkbox" name="terms" value="1" required> I have read the <a href="https://example.org/terms">terms</a> and agree to them</label><button>Send</button>`,
    fill: (page) => page.check("[name=terms]"),
    sent: ["terms=1"],
    stored: { terms: { accepted: true, text: "I have read the terms and agree to them" } },
    mailed: ["terms: Yes"],
    exported: { "terms.accepted": "true", "terms.text": "I have read the terms and agree to them" },
  },
  {
    kind: "a field that is renamed afterwards",
    form: [{ name: "tel", type: "tel", label: "Phone" }],
    fill: (page) => page.fill("[name=tel]", "0301"),
    renamed: ["tel", "phone"],
    sent: ["tel=0301"],
    stored: { tel: "0301" },
    mailed: ["tel: 0301"],
    exported: { phone: "0301" },
  },
];
