/**
 * A form with a recognised consent, name and address accepts the same answers in the author's HTML and in the HTML that
 * the engine renders from its schema.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { JSDOM } from "jsdom";
import { member, startSite, type JsonValue, type Site } from "./site.ts";

const MARKUP = `<form>
<fieldset><legend>Guest</legend>
 <label>First <input name="guest[first]" autocomplete="given-name" required></label>
 <label>Last <input name="guest[last]" autocomplete="family-name" required></label></fieldset>
<fieldset><legend>Home</legend>
 <label>Street <input name="home[street]" autocomplete="home address-line1"></label>
 <label>Town <input name="home[city]" autocomplete="home address-level2"></label>
 <label>Postcode <input name="home[postal_code]" autocomplete="home postal-code"></label>
 <label>Country <input name="home[country]" autocomplete="home country-name"></label></fieldset>
<label>Notes <input name="notes" autocomplete="off"></label>
<label><input type="checkbox" name="terms" value="yes" required> I have read and accept the house rules</label>
<button>Send</button></form>`;

/** The visitor's answers, by the author's names. */
const WRITTEN: Readonly<Record<string, string>> = {
  "guest[first]": "Ada",
  "guest[last]": "Lovelace",
  "home[street]": "St James's Square 12",
  "home[city]": "London",
  "home[postal_code]": "SW1Y",
  "home[country]": "United Kingdom",
  notes: "none",
};

const STORED = {
  guest: { first: "Ada", last: "Lovelace" },
  home: {
    street: "St James's Square 12",
    street2: "",
    city: "London",
    state: "",
    postal_code: "SW1Y",
    country: "United Kingdom",
  },
  notes: "none",
  terms: { accepted: true, text: "I have read and accept the house rules" },
};

let site: Site;
let id: number;
before(async () => {
  site = await startSite();
  const made = await site.api("POST", "/forms", { title: "Stay", slug: "stay", markup: MARKUP });
  id = Number(member(made.body, "id"));
});
after(() => site.close());

/** Fills in the page as a browser would, and sends the form. */
async function submit(ticks: boolean): Promise<{ status: number; body: JsonValue }> {
  const dom = new JSDOM(await (await fetch(`${site.url}/forms/stay`)).text());
  const form = dom.window.document.querySelector("form");
  assert.ok(form);
  for (const input of form.querySelectorAll("input")) {
    const written = WRITTEN[input.name];
    if (written !== undefined) input.value = written;
    if (input.type === "checkbox") input.checked = ticks;
  }
  const sent = new URLSearchParams();
  for (const [name, value] of new dom.window.FormData(form)) sent.append(name, String(value));
  const response = await fetch(`${site.url}/forms/stay`, {
    method: "POST",
    body: sent,
    headers: { accept: "application/json" },
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function answers(): Promise<void> {
  const refused = await submit(false);
  assert.equal(refused.status, 400);
  assert.deepEqual(
    (member(refused.body, "errors") as { field: string; code: string }[]).map(({ field, code }) => [field, code]),
    [["terms", "required_field_missing"]],
  );
  const accepted = await submit(true);
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
  const { body } = await site.api("GET", `/submissions/${member(accepted.body, "submission_id")}`);
  assert.deepEqual(member(body, "data"), STORED);
}

test("the author's markup can be answered", answers);

test("the rendered schema gives the same answers", async () => {
  const generated = await site.api("POST", `/forms/${id}/schema/generate?report=true`);
  const types = (member(member(generated.body, "schema"), "fields") as { name: string; type: string }[]).map(
    ({ name, type }) => `${name}: ${type}`,
  );
  assert.deepEqual(types, ["guest: name", "home: address", "notes: text", "terms: consent", "submit: submit"]);
  const codes = (member(generated.body, "warnings") as { code: string }[]).map(({ code }) => code);
  assert.deepEqual(codes, ["field_recognized", "field_recognized", "field_recognized"]);
  await site.api("PUT", `/forms/${id}/schema`, member(generated.body, "schema"));
  const { body } = await site.api("GET", `/forms/${id}`);
  assert.equal(member(body, "source"), "schema");
  await answers();
});
