/**
 * Properties of fields, each declared once. `field-properties.ts` lists those of each type. A new property is one entry
 * here, and its key there.
 */
import type { Field } from "../../../shared/draft/content.ts";
import {
  attributeChoice,
  bound,
  counted,
  dateBound,
  flag,
  looks,
  member,
  parts,
  pattern,
  rare,
  repeated,
  timeBound,
} from "./builders.ts";
import { CALCULATIONS } from "./calculations.ts";
import { LIMITS } from "./limits.ts";
import { endLabel, points, withMovedLabel, withOptions } from "./option-values.ts";
import { type Property, withAttribute, withRule } from "./property.ts";
import { VARIANTS } from "./variants.ts";

const CHOICE_LOOKS = ["cf-cards", "cf-buttons", "cf-columns"] as const;
const RATING_LOOKS = ["cf-stars", "cf-hearts", "cf-numbers", "cf-scale", "cf-buttons", "cf-nps"] as const;

/** Limit on the files of a field (`MAX_FILES` of `crates/model/src/field.rs`). */
const MAX_FILES = 20;

/** Pattern of web addresses that begin with `https://`. */
const HTTPS = "https://.*";

const isMultiple = ({ type, attributes }: Field): boolean => type === "checkbox" || "multiple" in attributes;

const isRepeated = ({ attributes }: Field): boolean => "data-repeat" in attributes;

const hasMin = ({ validation }: Field): boolean => validation.min !== undefined;
const hasMax = ({ validation }: Field): boolean => validation.max !== undefined;

export const PROPERTIES = {
  label: member("label", "build.label"),
  text: member("label", "build.text"),
  longText: member("label", "build.text", { rows: 4 }),
  title: member("label", "build.title"),
  buttonText: member("label", "build.buttonText"),
  consentText: {
    control: "linkText",
    label: "build.text",
    help: "build.linksHelp",
    read: ({ label }) => label,
    write: (_, label) => ({ label }),
  },
  required: {
    control: "switch",
    label: "build.required",
    read: ({ required }) => required,
    write: (_, required) => ({ required }),
  },
  consentRequired: {
    control: "switch",
    label: "build.required",
    help: "build.consentHelp",
    read: ({ required }) => required,
    write: (_, required) => ({ required }),
  },
  description: member("description", "build.description", { help: "build.descriptionHelp" }),
  placeholder: member("placeholder", "build.placeholder", { help: "build.placeholderHelp" }),
  emailPlaceholder: member("placeholder", "build.placeholder"),
  phonePlaceholder: member("placeholder", "build.placeholder", { help: "build.phonePlaceholderHelp" }),
  noChoiceText: member("placeholder", "build.noChoiceText", { placeholder: "build.choose" }),
  defaultValue: member("default_value", "build.default", { help: "build.defaultHelp" }),
  longDefault: member("default_value", "build.default", { help: "build.defaultHelp", rows: 3 }),
  defaultNumber: {
    control: "number",
    label: "build.default",
    isWhole: false,
    isHalf: true,
    read: ({ default_value }) =>
      default_value === "" || !Number.isFinite(Number(default_value)) ? null : Number(default_value),
    write: (_, value) => ({ default_value: value === null ? "" : String(value) }),
  },
  defaultColor: {
    control: "color",
    label: "build.default",
    read: ({ default_value }) => default_value,
    write: (_, default_value) => ({ default_value }),
  },
  fixedValue: member("default_value", "build.fixedValue", { help: "build.hiddenHelp" }),
  textKind: pattern([
    { label: "build.accepts.letters", pattern: "[\\p{L}\\p{M} '’.\\-]+" },
    { label: "build.accepts.digits", pattern: "[0-9]+" },
    { label: "build.accepts.postalCode", pattern: "[A-Za-z0-9][A-Za-z0-9 \\-]{1,8}[A-Za-z0-9]" },
  ]),
  phoneKind: pattern([{ label: "build.accepts.international", pattern: "\\+[0-9][0-9 .\\-\\(\\)]{5,24}" }]),
  onlyHttps: {
    control: "switch",
    label: "build.onlyHttps",
    isShown: ({ validation }) => (validation.pattern ?? HTTPS) === HTTPS,
    read: ({ validation }) => validation.pattern === HTTPS,
    write: (field, isOn) => withRule(field, "pattern", isOn ? HTTPS : null),
  },
  minLength: bound("min", "build.minLength", { unit: "build.characters" }),
  maxLength: bound("max", "build.maxLength", { unit: "build.characters" }),
  passwordLength: bound("min", "build.minLength", { help: "build.passwordHelp" }),
  minimum: bound("min", "build.min", { isWhole: false }),
  maximum: bound("max", "build.max", { isWhole: false }),
  minChoices: bound("min", "build.minChoices", { isShown: isMultiple }),
  maxChoices: bound("max", "build.maxChoices", { isShown: isMultiple }),
  height: attributeChoice("rows", "build.height", [
    { value: "", label: "build.height.growing" },
    ...[3, 5, 10].map((count) => counted("build.height.lines", count)),
  ]),
  headingLevel: attributeChoice("aria-level", "build.level", [
    { value: "", label: "build.level.large" },
    { value: "3", label: "build.level.medium" },
    { value: "4", label: "build.level.small" },
  ]),
  step: {
    ...attributeChoice("step", "build.step", [
      { value: "", label: "build.step.any" },
      { value: "1", label: "build.step.whole" },
      { value: "0.1", number: 0.1 },
      { value: "0.01", number: 0.01 },
    ]),
    read: ({ attributes: { step = "any" } }) => (step === "any" ? "" : step),
  },
  sliderStep: {
    control: "number",
    label: "build.step",
    isWhole: false,
    isHalf: true,
    attribute: "step",
    read: ({ attributes: { step } }) => (step === undefined ? null : Number(step)),
    write: (field, value) => withAttribute(field, "step", value === null ? null : String(value)),
    fault: ({ attributes: { step = "1" } }) => (Number(step) > 0 ? null : "build.stepNotPositive"),
  },
  minutes: attributeChoice("step", "build.minutes", [
    { value: "", label: "build.minutes.any" },
    ...[5, 15, 30, 60].map((count) => counted("build.minutes.count", count, String(count * 60))),
  ]),
  options: {
    control: "options",
    label: "build.section.options",
    read: ({ options }) => options,
    write: withOptions,
  },
  dropdownOptions: {
    control: "options",
    label: "build.section.options",
    help: "build.dropdownHelp",
    read: ({ options }) => options,
    write: withOptions,
  },
  other: {
    control: "other",
    label: "build.other",
    help: "build.otherHelp",
    textLabel: "build.otherLabel",
    initialText: "build.otherText",
    attribute: "data-other",
    read: ({ attributes }) => attributes["data-other"] ?? null,
    write: (field, label) => withAttribute(field, "data-other", label),
  },
  emailTwice: repeated("build.twice.emailHelp"),
  passwordTwice: repeated("build.twice.passwordHelp"),
  unit: {
    control: "text",
    label: "build.unit",
    help: "build.unitHelp",
    attribute: "data-unit",
    // The format of a calculated number states its unit.
    isShown: ({ attributes }) => !("data-calc" in attributes),
    read: ({ attributes }) => attributes["data-unit"] ?? "",
    write: (field, value) => withAttribute(field, "data-unit", value === "" ? null : value),
  },
  choiceLook: looks(
    "build.showAs",
    CHOICE_LOOKS,
    [
      { value: "", label: "build.look.list" },
      { value: "cf-cards", label: "build.look.cards" },
      { value: "cf-buttons", label: "build.look.buttons" },
      { value: "cf-columns", label: "build.look.columns" },
    ],
    () => "",
  ),
  selected: {
    control: "chosenOptions",
    label: "build.selected",
    isShown: ({ options }) => options.length > 0,
    read: ({ default_value }) => default_value,
    write: (_, default_value) => ({ default_value }),
  },
  allowSeveral: {
    control: "switch",
    label: "build.allowSeveral",
    attribute: "multiple",
    read: ({ attributes }) => "multiple" in attributes,
    // A single choice keeps only the first initial option.
    write: (field, isOn) => ({
      ...withAttribute(field, "multiple", isOn ? "" : null),
      ...(isOn ? {} : { default_value: field.default_value.split("\n", 1)[0] ?? "" }),
    }),
  },
  earliestDate: dateBound("min", "build.earliest", "date"),
  latestDate: dateBound("max", "build.latest", "date"),
  dateParts: flag("data-parts", "build.dateParts"),
  earliestTime: timeBound("min", "build.earliest"),
  latestTime: timeBound("max", "build.latest"),
  earliestMoment: dateBound("min", "build.earliest", "datetime-local"),
  latestMoment: dateBound("max", "build.latest", "datetime-local"),
  fileTypes: {
    control: "fileTypes",
    label: "build.files.types",
    attribute: "accept",
    read: ({ attributes }) => attributes["accept"] ?? "",
    write: (field, accept) => withAttribute(field, "accept", accept === "" ? null : accept),
  },
  signature: flag("data-signature", "build.signature"),
  severalFiles: flag("multiple", "build.files.several"),
  maxFiles: {
    control: "number",
    label: "build.files.count",
    help: "build.files.countHelp",
    isWhole: true,
    attribute: "data-max-files",
    isShown: isMultiple,
    read: ({ attributes: { "data-max-files": count } }) => (count === undefined ? null : Number(count)),
    write: (field, count) => withAttribute(field, "data-max-files", count === null ? null : String(count)),
    fault: ({ attributes: { "data-max-files": count = "1" } }) =>
      Number(count) >= 1 && Number(count) <= MAX_FILES ? null : "build.files.countFault",
  },
  maxSize: {
    control: "bytes",
    label: "build.files.size",
    read: ({ validation }) => validation.max ?? null,
    write: (field, value) => withRule(field, "max", value),
  },
  nameParts: parts({ first: "build.part.first", last: "build.part.last" }),
  addressParts: {
    ...parts({
      street: "build.part.street",
      street2: "build.part.street2",
      city: "build.part.city",
      state: "build.part.state",
      postal_code: "build.part.postalCode",
      country: "build.part.country",
    }),
    help: "build.addressHelp",
    attribute: "data-requested",
  },
  ratingLook: looks(
    "build.rating.icon",
    RATING_LOOKS,
    [
      { value: "cf-stars", label: "build.look.stars" },
      { value: "cf-hearts", label: "build.look.hearts" },
      { value: "cf-numbers", label: "build.look.numbers" },
      { value: "cf-scale", label: "build.look.scale" },
      { value: "cf-buttons", label: "build.look.buttons", isRare: true },
      { value: "cf-nps", label: "build.look.nps", isRare: true },
    ],
    (field) => {
      const { first, last } = points(field);
      return first === 1 && last <= 7 ? "cf-stars" : "cf-scale";
    },
  ),
  points: {
    control: "select",
    label: "build.rating.points",
    isHalf: true,
    choices: [3, 4, 5, 6, 7, 8, 9, 10].map((number) => ({ value: String(number), number })),
    read: (field) => String(points(field).last),
    write: (field, value) => ({
      ...withRule(field, "max", Number(value)),
      options: withMovedLabel(field, points(field).last, Number(value)),
    }),
  },
  firstPoint: {
    control: "select",
    label: "build.rating.start",
    isHalf: true,
    choices: [0, 1].map((number) => ({ value: String(number), number })),
    read: (field) => String(points(field).first),
    write: (field, value) => ({
      ...withRule(field, "min", Number(value)),
      options: withMovedLabel(field, points(field).first, Number(value)),
    }),
  },
  leftLabel: endLabel("first", "build.rating.left", "build.rating.leftExample"),
  rightLabel: endLabel("last", "build.rating.right", "build.rating.rightExample"),
  // Controls that a type shows only if HTML, an import or the field's former type stored a value.
  rarePlaceholder: rare(member("placeholder", "build.placeholder"), ({ placeholder }) => placeholder !== ""),
  rareDefault: rare(member("default_value", "build.default"), (field) => field.default_value !== ""),
  rareMinLength: rare(bound("min", "build.minLength", { unit: "build.characters" }), hasMin),
  rareMaxLength: rare(bound("max", "build.maxLength", { unit: "build.characters" }), hasMax),
  rarePattern: rare(pattern([]), ({ validation }) => ![undefined, HTTPS].includes(validation.pattern)),
  suggestions: rare(
    {
      control: "options",
      label: "build.suggestions",
      read: ({ options }) => options,
      write: (_, options) => ({ options }),
    },
    ({ options }) => options.length > 0,
  ),
  ...CALCULATIONS,
  ...LIMITS,
  ...VARIANTS,
  reply: { control: "reply", label: "build.reply", help: "build.replyHelp" },
  hiddenLabel: member("label", "build.label", { help: "build.hiddenLabelHelp" }),
  repeat: { ...flag("data-repeat", "build.repeat"), help: "build.repeatHelp" },
  repeatButton: {
    control: "text",
    label: "build.repeatButton",
    placeholder: "build.repeatButtonExample",
    attribute: "data-repeat",
    isShown: isRepeated,
    read: ({ attributes }) => attributes["data-repeat"] ?? "",
    write: (field, text) => withAttribute(field, "data-repeat", text),
  },
  minRows: bound("min", "build.minRows", { isShown: isRepeated }),
  maxRows: bound("max", "build.maxRows", { isShown: isRepeated, help: "build.maxRowsHelp" }),
  sectionText: member("description", "build.description", { help: "build.sectionHelp" }),
} as const satisfies Readonly<Record<string, Property>>;

export type PropertyId = keyof typeof PROPERTIES;
