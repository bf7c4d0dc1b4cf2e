/** Where each property of the form editor stores its value, without a browser. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FIELD_VARIANTS } from "../../client/field-kinds.ts";
import type { Field, FieldMembers, FieldType } from "../../admin/shared/draft/content.ts";
import { fieldOf } from "../../admin/shared/draft/content.ts";
import {
  readFileTypes,
  parseOtherTypes,
  writeFileTypes,
} from "../../admin/features/form-editor/properties/file-types.ts";
import { followsLabel } from "../../admin/features/form-editor/properties/field-name.ts";
import type { FieldProperty } from "../../admin/features/form-editor/properties/property.ts";
import { isReplyAddress, withReplyAddress } from "../../admin/features/form-editor/properties/reply-address.ts";
import {
  attributesWithControl,
  classesWithControl,
  PROPERTIES_OF,
  propertiesOf,
} from "../../admin/features/form-editor/properties/field-properties.ts";
import { hasPrefill } from "../../admin/features/form-editor/properties/prefill.ts";
import { PROPERTIES, type PropertyId } from "../../admin/features/form-editor/properties/table.ts";
import { parseNumber } from "../../admin/features/form-editor/properties/use-input.ts";
import { bytesIn, sizeIn, unitOf } from "../../admin/features/form-editor/properties/file-size.ts";
import { FIELD_TYPES, newField, PALETTE } from "../../admin/shared/field-types.ts";

const make = (type: FieldType, members: FieldMembers = {}): Field => fieldOf({ name: "f", type, ...members });

/** Reads and writes a property of any type. */
interface Access {
  read(field: Field): unknown;
  write(field: Field, value: unknown): FieldMembers;
}
const accessOf = (id: PropertyId): Access => {
  const property = PROPERTIES[id] as FieldProperty;
  return property as unknown as Access;
};

const two = [
  { value: "a", label: "Ada" },
  { value: "b", label: "Bob" },
];

/** For each property: a value, its stored form, and a value that removes it. */
const CASES: readonly (readonly [
  type: FieldType,
  id: PropertyId,
  value: unknown,
  stored: FieldMembers,
  none?: unknown,
  before?: FieldMembers,
])[] = [
  ["text", "label", "Name", { label: "Name" }],
  ["text", "required", true, { required: true }, false],
  ["text", "description", "As on your card", { description: "As on your card" }, ""],
  ["text", "placeholder", "Ada", { placeholder: "Ada" }, ""],
  ["text", "defaultValue", "Ada", { default_value: "Ada" }, ""],
  ["text", "textKind", "[0-9]+", { validation: { pattern: "[0-9]+" } }, ""],
  ["text", "minLength", 2, { validation: { min: 2 } }, null],
  ["text", "maxLength", 9, { validation: { max: 9 } }, null],
  ["textarea", "height", "5", { attributes: { rows: "5" } }, ""],
  ["tel", "phoneKind", "\\+1", { validation: { pattern: "\\+1" } }, ""],
  ["tel", "phoneCountry", true, { attributes: { "data-phone": "" } }, false],
  ["tel", "usualCountry", "DE", { attributes: { "data-phone": "DE" } }],
  ["tel", "offeredCountries", "DE AT", { attributes: { "data-countries": "DE AT" } }, ""],
  ["checkbox", "ranking", true, { attributes: { "data-rank": "" } }, false],
  ["fieldset", "sectionLook", "cf-matrix", { css_class: "cf-half cf-matrix" }, "", { css_class: "cf-half" }],
  ["number", "minimum", -1.5, { validation: { min: -1.5 } }, null],
  ["number", "maximum", 10, { validation: { max: 10 } }, null],
  ["number", "step", "0.01", { attributes: { step: "0.01" } }, ""],
  ["number", "unit", "kg", { attributes: { "data-unit": "kg" } }, ""],
  ["email", "emailTwice", "Again", { attributes: { "data-twice": "Again" } }, null],
  ["password", "passwordTwice", "Again", { attributes: { "data-twice": "Again" } }, null],
  ["number", "defaultNumber", 2.5, { default_value: "2.5" }, null],
  ["number", "calculation", "n * 2", { attributes: { "data-calc": "n * 2" } }],
  ["text", "calculationFormat", "currency EUR", { attributes: { "data-format": "currency EUR" } }, ""],
  ["date", "calculationDecimals", 2, { attributes: { "data-decimals": "2" } }, null],
  ["hidden", "calculationOnServer", true, { attributes: { "data-server": "" } }, false],
  ["time", "calculatedMinimum", "start", { attributes: { "data-min": "start" } }, ""],
  ["date", "calculatedEarliest", "start + 1", { attributes: { "data-min": "start + 1" } }, ""],
  ["datetime-local", "calculatedLatest", "start", { attributes: { "data-max": "start" } }, ""],
  ["range", "calculatedMaximum", "n", { attributes: { "data-max": "n" } }, ""],
  ["email", "unique", true, { attributes: { "data-unique": "" } }, false],
  ["date", "rareUnique", true, { attributes: { "data-unique": "" } }, false],
  ["radio", "limitedSeats", true, { attributes: { "data-seats": "{}" } }, false],
  ["checkbox", "seats", '{"a":1}', { attributes: { "data-seats": '{"a":1}' } }],
  ["select", "seatsBy", "party", { attributes: { "data-seats-by": "party" } }, ""],
  ["radio", "seatsLeft", true, { attributes: { "data-seats-left": "" } }, false],
  ["radio", "weights", '{"a":1}', { attributes: { "data-weights": '{"a":1}' } }, ""],
  ["url", "onlyHttps", true, { validation: { pattern: "https://.*" } }, false],
  ["radio", "options", two, { options: two }, []],
  ["radio", "other", "Another", { attributes: { "data-other": "Another" } }, null],
  ["radio", "choiceLook", "cf-cards", { css_class: "cf-half cf-cards" }, "", { css_class: "cf-half" }],
  ["radio", "selected", "b", { default_value: "b" }, "", { options: two }],
  ["checkbox", "selected", "a\nb", { default_value: "a\nb" }, "", { options: two }],
  ["checkbox", "minChoices", 1, { validation: { min: 1 } }, null],
  ["checkbox", "maxChoices", 2, { validation: { max: 2 } }, null],
  ["select", "allowSeveral", true, { attributes: { multiple: "" } }, false],
  ["select", "noChoiceText", "Please choose", { placeholder: "Please choose" }, ""],
  ["consent", "consentText", "I accept the [terms](/terms)", { label: "I accept the [terms](/terms)" }],
  ["date", "earliestDate", "2026-01-01", { attributes: { min: "2026-01-01" } }, ""],
  ["date", "latestDate", "2026-12-31", { attributes: { max: "2026-12-31" } }, ""],
  ["date", "dateParts", true, { attributes: { "data-parts": "" } }, false],
  ["date", "earliestDate", 0, { attributes: { "data-min": "today()" } }, ""],
  ["date", "earliestDate", 7, { attributes: { "data-min": "today() + 7" } }, ""],
  ["datetime-local", "latestMoment", -18, { attributes: { "data-max": "today() - 18" } }, ""],
  ["time", "earliestTime", "08:00", { attributes: { min: "08:00" } }, ""],
  ["time", "minutes", "900", { attributes: { step: "900" } }, ""],
  ["datetime-local", "latestMoment", "2026-12-31T12:00", { attributes: { max: "2026-12-31T12:00" } }, ""],
  ["file", "fileTypes", ".pdf,image/*", { attributes: { accept: ".pdf,image/*" } }, ""],
  ["file", "severalFiles", true, { attributes: { multiple: "" } }, false],
  ["file", "maxFiles", 3, { attributes: { "data-max-files": "3" } }, null],
  ["file", "maxSize", 1_048_576, { validation: { max: 1_048_576 } }, null],
  ["file", "signature", true, { attributes: { "data-signature": "" } }, false],
  ["name", "nameParts", [{ value: "first", label: "Given" }], { options: [{ value: "first", label: "Given" }] }, []],
  ["rating", "ratingLook", "cf-hearts", { css_class: "cf-hearts" }],
  ["rating", "points", "7", { validation: { max: 7 }, options: [] }],
  ["rating", "firstPoint", "0", { validation: { min: 0 }, options: [] }],
  ["rating", "leftLabel", "Bad", { options: [{ value: "1", label: "Bad" }] }, ""],
  ["rating", "rightLabel", "Good", { options: [{ value: "5", label: "Good" }] }, ""],
  ["range", "sliderStep", 5, { attributes: { step: "5" } }, null],
  ["password", "passwordLength", 12, { validation: { min: 12 } }, null],
  ["color", "defaultColor", "#1d5c46", { default_value: "#1d5c46" }, ""],
  ["hidden", "fixedValue", "spring", { default_value: "spring" }, ""],
  ["heading", "headingLevel", "3", { attributes: { "aria-level": "3" } }, ""],
  ["fieldset", "repeat", true, { attributes: { "data-repeat": "" } }, false],
  ["fieldset", "repeatButton", "Add a guest", { attributes: { "data-repeat": "Add a guest" } }],
  ["fieldset", "minRows", 1, { validation: { min: 1 } }, null],
  ["fieldset", "maxRows", 8, { validation: { max: 8 } }, null],
  ["fieldset", "sectionText", "Both of you", { description: "Both of you" }, ""],
];

describe("the properties of fields", () => {
  it("store their value in its member, read it back, and remove it", () => {
    for (const [type, id, value, stored, none, before] of CASES) {
      assert.ok(propertiesOf(type).includes(id), `${type} has ${id}`);
      const { read, write } = accessOf(id);
      const field = make(type, before);
      const change = write(field, value);
      assert.deepEqual(change, stored, `${type} ${id}`);
      const changed = { ...field, ...change };
      assert.deepEqual(read(changed), value, `${type} ${id} is read back`);
      if (none !== undefined)
        assert.deepEqual({ ...changed, ...write(changed, none) }, field, `${type} ${id} is removed`);
    }
  });

  it("occur at most once in a type, and every declared property occurs", () => {
    const used = new Set<PropertyId>();
    for (const type of FIELD_TYPES) {
      const ids = propertiesOf(type);
      assert.equal(new Set(ids).size, ids.length, type);
      for (const id of ids) used.add(id);
    }
    assert.deepEqual(
      Object.keys(PROPERTIES).filter((id) => !used.has(id as PropertyId)),
      [],
    );
    assert.deepEqual(Object.keys(PROPERTIES_OF).sort(), [...FIELD_TYPES].sort());
  });

  it("keep their attributes and classes out of Advanced", () => {
    const field = make("text", { validation: { pattern: "a" }, attributes: { title: "Only a", autocomplete: "off" } });
    const calculated = ["data-calc", "data-decimals", "data-format", "data-server", "data-unique"];
    assert.deepEqual([...attributesWithControl(field)].sort(), [...calculated, "title"].sort());
    assert.deepEqual([...attributesWithControl(make("text", { attributes: { title: "A tip" } }))].sort(), calculated);
    assert.deepEqual([...attributesWithControl(make("file"))].sort(), [
      "accept",
      "data-max-files",
      "data-signature",
      "multiple",
    ]);
    // Each look of a rating that the engine knows.
    for (const { type, attribute, value } of FIELD_VARIANTS)
      if (type === "rating" && attribute === "class") assert.ok(classesWithControl(type).has(value), value);
    assert.ok(classesWithControl("rating").has("cf-stars") && !classesWithControl("text").has("cf-stars"));
  });

  it("offer prefilling only for fields that a URL can fill in", () => {
    const isOffered = (attributes: Readonly<Record<string, string>>) =>
      hasPrefill(make("number", { attributes }), true);
    assert.ok(isOffered({}) && isOffered({ readonly: "" }));
    assert.ok(!isOffered({ "data-calc": "1 + 2", readonly: "" }) && !isOffered({ disabled: "" }));
  });

  it("report bounds that no answer can meet", () => {
    const faultOf = (id: PropertyId, field: Field) => (PROPERTIES[id] as FieldProperty).fault?.(field) ?? null;
    assert.equal(faultOf("minimum", make("number", { validation: { min: 2, max: 1 } })), "build.minAboveMax");
    assert.equal(faultOf("minimum", make("number", { validation: { min: 1, max: 1 } })), null);
    const late = { min: "2026-02-01", max: "2026-01-01" };
    assert.equal(faultOf("earliestDate", make("date", { attributes: late })), "build.earliestAfterLatest");
    const past = { "data-min": "today()", "data-max": "TODAY()-1" };
    assert.equal(faultOf("earliestDate", make("date", { attributes: past })), "build.earliestAfterLatest");
    const mixed = { min: "2026-02-01", "data-max": "today()" };
    assert.equal(faultOf("earliestDate", make("date", { attributes: mixed })), null);
    // A night shift.
    assert.equal(faultOf("earliestTime", make("time", { attributes: { min: "22:00", max: "06:00" } })), null);
    assert.equal(faultOf("sliderStep", make("range", { attributes: { step: "0" } })), "build.stepNotPositive");
  });

  it("move the labels of a rating's ends with its points", () => {
    const labelled = make("rating", {
      options: [
        { value: "1", label: "Bad" },
        { value: "5", label: "Good" },
      ],
    });
    assert.deepEqual(accessOf("points").write(labelled, "10").options, [
      { value: "1", label: "Bad" },
      { value: "10", label: "Good" },
    ]);
    assert.deepEqual(accessOf("firstPoint").write(labelled, "0").options, [
      { value: "0", label: "Bad" },
      { value: "5", label: "Good" },
    ]);
  });

  it("update the initial selection when options are changed or removed", () => {
    const field = make("checkbox", { options: two, default_value: "a\nb" });
    const { write } = accessOf("options");
    assert.deepEqual(write(field, [{ value: "a", label: "Ada" }]).default_value, "a");
    assert.deepEqual(write(field, [{ value: "c", label: "Cyd" }, two[1]]).default_value, "c\nb");
    assert.ok(!("default_value" in write(field, [...two, { value: "c", label: "Cyd" }])));
  });

  it("recognize the groups of file types, also by media type, and keep other types", () => {
    assert.deepEqual(readFileTypes("application/pdf, image/*,.zip"), { groups: ["pdf", "images"], others: [".zip"] });
    assert.deepEqual(readFileTypes(".jpg"), { groups: [], others: [".jpg"] });
    assert.equal(
      writeFileTypes({ groups: ["pdf", "images", "audio"], others: [".zip"] }, "image/*"),
      ".pdf,image/*,audio/*,.zip",
    );
    assert.equal(writeFileTypes({ groups: ["images"], others: [] }, ""), ".jpg,.jpeg,.png,.gif,.webp,.heic");
    assert.deepEqual(parseOtherTypes("zip, .DWG, model/stl"), [".zip", ".dwg", "model/stl"]);
    assert.equal(parseOtherTypes("zip files"), null);
  });

  it("set the reply address of all notifications; a form's only email field is the default", () => {
    const email = { type: "email", to: "a@example.org" };
    const webhook = { type: "webhook", url: "https://example.org" };
    assert.equal(isReplyAddress([email], "mail", true), true);
    assert.equal(isReplyAddress([email], "mail", false), false);
    const set = withReplyAddress([email, webhook], "mail", true);
    assert.deepEqual(set, [{ ...email, reply_to: "[mail]" }, webhook]);
    assert.equal(isReplyAddress(set, "mail", false), true);
    assert.equal(isReplyAddress(set, "other", true), false);
    assert.equal(withReplyAddress(set, "mail", true), set);
    assert.deepEqual(withReplyAddress(set, "mail", false), [{ ...email, reply_to: "" }, webhook]);
  });

  it("read numbers with a decimal point or comma, and reject other texts", () => {
    assert.deepEqual(["", " 1,5 ", "-2", ".5", "1e3"].map(parseNumber), [null, 1.5, -2, 0.5, 1000]);
    assert.deepEqual(["1,5,0", "abc", "1 000", "-", "Infinity", "0x1f"].map(parseNumber), Array(6).fill(undefined));
  });

  it("show sizes in the unit with the fewest digits, also those that count 1,000 bytes as 1 KB", () => {
    for (const [bytes, unit, size] of [
      [2 * 1024 ** 2, "MB", 2],
      [500 * 1024, "KB", 500],
      [5_000_000, "MB", 5],
      [200_000, "KB", 200],
      [1_572_864, "MB", 1.5],
    ] as const) {
      assert.equal(unitOf(bytes), unit);
      assert.equal(sizeIn(bytes, unit), size);
    }
    assert.equal(bytesIn(1.5, "MB"), 1_572_864);
    assert.equal(unitOf(null), "MB");
  });

  it("require a new consent, and no other new field", () => {
    for (const entry of PALETTE)
      assert.equal(newField(entry, "New", ["One"], new Set()).required, entry.id === "consent", entry.id);
  });

  it("distinguish a name that follows its label from one that a user chose", () => {
    for (const [name, label, follows] of [
      ["your_name", "Your name", true],
      ["your_name_2", "Your name", true],
      ["name", "Your name", false],
      ["your_name_x", "Your name", false],
    ] as const)
      assert.equal(followsLabel({ name, label }), follows, name);
  });
});
