/**
 * Properties of fields, each declared once, and for each field type the list of its properties. A new variant of a
 * field is one entry in {@link PROPERTIES} and its key in {@link PROPERTIES_OF}.
 */
import type { Field, FieldMembers, FieldType, Option } from "../../../shared/draft/content.ts";
import type { TextId } from "../../../shared/text/text.tsx";
import { WIDTHS } from "../model/width.ts";
import {
  attributesOf,
  classAmong,
  type ChoiceProperty,
  type FieldProperty,
  type MomentProperty,
  type NumberProperty,
  type PartsProperty,
  type Property,
  type PropertyChoice,
  type TextProperty,
  withAttribute,
  withClassAmong,
  withRule,
} from "./property.ts";

const CHOICE_LOOKS = ["cf-cards", "cf-buttons", "cf-columns"] as const;
const RATING_LOOKS = ["cf-stars", "cf-hearts", "cf-numbers", "cf-scale"] as const;

/** Pattern of web addresses that begin with `https://`. */
const HTTPS = "https://.*";

/** Number of points of a rating without `validation.max`. */
const DEFAULT_POINTS = 5;

const isMultiple = ({ type, attributes }: Field): boolean => type === "checkbox" || "multiple" in attributes;

/** Text member of a field, such as its label. */
const member = (
  key: "label" | "description" | "placeholder" | "default_value",
  label: TextId,
  more: Pick<TextProperty, "help" | "rows" | "placeholder"> = {},
): TextProperty => ({
  control: "text",
  label,
  ...more,
  read: (field) => field[key],
  write: (_, value) => ({ [key]: value }),
});

const isMinAboveMax = ({ validation: { min, max } }: Field): boolean =>
  typeof min === "number" && typeof max === "number" && min > max;

/** Bound of `validation`. */
const bound = (
  rule: "min" | "max",
  label: TextId,
  more: Partial<Pick<NumberProperty, "isWhole" | "unit" | "help" | "isShown">> = {},
): NumberProperty => ({
  control: "number",
  label,
  isWhole: true,
  isHalf: true,
  ...more,
  read: ({ validation }) => validation[rule] ?? null,
  write: (field, value) => withRule(field, rule, value),
  ...(rule === "min" ? { fault: (field) => (isMinAboveMax(field) ? "build.minAboveMax" : null) } : {}),
});

/** Bound of a date or a time, an attribute of the same name. A range of times may go over midnight. */
const moment = (attribute: "min" | "max", label: TextId, control: MomentProperty["control"]): MomentProperty => ({
  control,
  label,
  isHalf: control !== "datetime-local",
  attribute,
  read: ({ attributes }) => attributes[attribute] ?? "",
  write: (field, value) => withAttribute(field, attribute, value === "" ? null : value),
  ...(attribute === "min" && control !== "time"
    ? {
        fault: ({ attributes: { min = "", max = "" } }) =>
          min !== "" && max !== "" && min > max ? "build.earliestAfterLatest" : null,
      }
    : {}),
});

/** Choice that is stored as an attribute; an empty value is none. */
const attributeChoice = (attribute: string, label: TextId, choices: readonly PropertyChoice[]): ChoiceProperty => ({
  control: "select",
  label,
  attribute,
  choices,
  read: ({ attributes }) => attributes[attribute] ?? "",
  write: (field, value) => withAttribute(field, attribute, value === "" ? null : value),
});

const pattern = (kinds: readonly { readonly label: TextId; readonly pattern: string }[]): FieldProperty => ({
  control: "pattern",
  label: "build.accepts",
  kinds,
  read: ({ validation }) => validation.pattern ?? "",
  write: (field, value) => withRule(field, "pattern", value === "" ? null : value),
});

/** Switch that gives an attribute without a value. */
const flag = (attribute: string, label: TextId): FieldProperty => ({
  control: "switch",
  label,
  attribute,
  read: ({ attributes }) => attribute in attributes,
  write: (field, isOn) => withAttribute(field, attribute, isOn ? "" : null),
});

/** Changes options. Those selected at first follow a changed value, and a removed option is selected no more. */
function withOptions(field: Field, options: readonly Option[]): FieldMembers {
  const isSameLength = options.length === field.options.length;
  const valueAfter = (value: string): string | null => {
    if (options.some((option) => option.value === value)) return value;
    const at = field.options.findIndex((option) => option.value === value);
    // A default value that was no option stays.
    if (at < 0) return value;
    return isSameLength ? (options[at]?.value ?? null) : null;
  };
  const before = field.default_value;
  const after =
    before === ""
      ? ""
      : before
          .split("\n")
          .flatMap((value) => valueAfter(value) ?? [])
          .join("\n");
  return after === before ? { options } : { options, default_value: after };
}

const looks = (label: TextId, classes: readonly string[], choices: readonly PropertyChoice[], usual: Usual) =>
  ({
    control: "chips",
    label,
    classes,
    choices,
    read: (field) => classAmong(field, classes) || usual(field),
    write: (field, value) => withClassAmong(field, classes, value),
  }) satisfies FieldProperty;
type Usual = (field: Field) => string;

const points = ({ validation }: Field): { readonly first: number; readonly last: number } => ({
  first: validation.min === 0 ? 0 : 1,
  last: validation.max ?? DEFAULT_POINTS,
});

const labelOf = (options: readonly Option[], value: number): string =>
  options.find((option) => option.value === String(value))?.label ?? "";

/** Returns the options with the label of a point of a rating; an empty label removes it. */
function withPointLabel(options: readonly Option[], value: number, label: string): readonly Option[] {
  const others = options.filter((option) => option.value !== String(value));
  const labelled = label === "" ? others : [...others, { value: String(value), label }];
  return labelled.toSorted((one, other) => Number(one.value) - Number(other.value));
}

/** Moves the label of an end of a rating to its new end. */
function withMovedLabel({ options }: Field, from: number, to: number): readonly Option[] {
  const label = labelOf(options, from);
  return label === "" || from === to ? options : withPointLabel(withPointLabel(options, from, ""), to, label);
}

/** Label of the first or the last point of a rating. */
const endLabel = (end: "first" | "last", label: TextId, placeholder: TextId): FieldProperty => ({
  control: "text",
  label,
  isHalf: true,
  placeholder,
  read: (field) => labelOf(field.options, points(field)[end]),
  write: (field, value) => ({ options: withPointLabel(field.options, points(field)[end], value) }),
});

const parts = (labels: Readonly<Record<string, TextId>>): PartsProperty => ({
  control: "parts",
  label: "build.parts",
  parts: Object.entries(labels).map(([value, label]) => ({ value, label })),
  read: ({ options }) => options,
  write: (_, options) => ({ options }),
});

/** Shows a property only while, or after, its value was set. */
const rare = (property: FieldProperty, isShown: (field: Field) => boolean): FieldProperty => ({
  ...property,
  isShown,
  isKept: true,
});
const hasMin = ({ validation }: Field): boolean => validation.min !== undefined;
const hasMax = ({ validation }: Field): boolean => validation.max !== undefined;

const counted = (label: TextId, count: number, value = String(count)): PropertyChoice => ({
  value,
  label,
  values: { count },
});

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
    attribute: "data-other",
    read: ({ attributes }) => attributes["data-other"] ?? null,
    write: (field, label) => withAttribute(field, "data-other", label),
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
    // A single choice starts with the first of several.
    write: (field, isOn) => ({
      ...withAttribute(field, "multiple", isOn ? "" : null),
      ...(isOn ? {} : { default_value: field.default_value.split("\n", 1)[0] ?? "" }),
    }),
  },
  earliestDate: moment("min", "build.earliest", "date"),
  latestDate: moment("max", "build.latest", "date"),
  earliestTime: moment("min", "build.earliest", "time"),
  latestTime: moment("max", "build.latest", "time"),
  earliestMoment: moment("min", "build.earliest", "datetime-local"),
  latestMoment: moment("max", "build.latest", "datetime-local"),
  fileTypes: {
    control: "fileTypes",
    label: "build.files.types",
    attribute: "accept",
    read: ({ attributes }) => attributes["accept"] ?? "",
    write: (field, accept) => withAttribute(field, "accept", accept === "" ? null : accept),
  },
  severalFiles: flag("multiple", "build.files.several"),
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
  },
  ratingLook: looks(
    "build.rating.icon",
    RATING_LOOKS,
    [
      { value: "cf-stars", label: "build.look.stars" },
      { value: "cf-hearts", label: "build.look.hearts" },
      { value: "cf-numbers", label: "build.look.numbers" },
      { value: "cf-scale", label: "build.look.scale" },
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
  // A type without these controls shows them where HTML, an import or another type stored a value.
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
  reply: { control: "reply", label: "build.reply", help: "build.replyHelp" },
  hiddenLabel: member("label", "build.label", { help: "build.hiddenLabelHelp" }),
  sectionText: member("description", "build.description", { help: "build.sectionHelp" }),
} as const satisfies Readonly<Record<string, Property>>;

export type PropertyId = keyof typeof PROPERTIES;

/** Properties of a type: those of the section Field, and its own with the title of their section. */
interface TypeProperties {
  readonly field: readonly PropertyId[];
  readonly title?: TextId;
  readonly specific?: readonly PropertyId[];
  /** Properties that the type seldom has. */
  readonly rare?: readonly PropertyId[];
  /** Explanation of a type without properties of its own. */
  readonly help?: TextId;
}

const ANSWER: readonly PropertyId[] = ["label", "required", "description"];
const RARE_OF_TEXTS: readonly PropertyId[] = [
  "rareDefault",
  "rareMinLength",
  "rareMaxLength",
  "rarePattern",
  "suggestions",
];
const RARE_OF_VALUES: readonly PropertyId[] = ["rarePlaceholder", "rareDefault", "suggestions"];

export const PROPERTIES_OF: Readonly<Record<FieldType, TypeProperties>> = {
  text: {
    field: ANSWER,
    specific: ["placeholder", "defaultValue", "textKind", "minLength", "maxLength"],
    rare: ["suggestions"],
  },
  textarea: {
    field: ANSWER,
    specific: ["placeholder", "longDefault", "minLength", "maxLength", "height"],
    rare: ["rarePattern"],
  },
  email: { field: ANSWER, specific: ["reply", "emailPlaceholder"], rare: RARE_OF_TEXTS },
  tel: {
    field: ANSWER,
    specific: ["phonePlaceholder", "phoneKind"],
    rare: ["rareDefault", "rareMinLength", "rareMaxLength", "suggestions"],
  },
  number: {
    field: ANSWER,
    specific: ["minimum", "maximum", "step", "defaultNumber"],
    rare: ["rarePlaceholder", "suggestions"],
  },
  url: { field: ANSWER, specific: ["placeholder", "onlyHttps"], rare: RARE_OF_TEXTS },
  radio: { field: ANSWER, title: "build.section.options", specific: ["options", "other", "choiceLook", "selected"] },
  checkbox: {
    field: ANSWER,
    title: "build.section.options",
    specific: ["options", "other", "choiceLook", "selected", "minChoices", "maxChoices"],
  },
  select: {
    field: ANSWER,
    title: "build.section.options",
    specific: ["dropdownOptions", "allowSeveral", "selected", "noChoiceText", "minChoices", "maxChoices"],
  },
  consent: { field: ["consentText", "consentRequired", "description"] },
  date: { field: ANSWER, specific: ["earliestDate", "latestDate"], rare: RARE_OF_VALUES },
  time: { field: ANSWER, specific: ["earliestTime", "latestTime", "minutes"], rare: RARE_OF_VALUES },
  "datetime-local": { field: ANSWER, specific: ["earliestMoment", "latestMoment"], rare: RARE_OF_VALUES },
  file: { field: ANSWER, title: "build.section.files", specific: ["fileTypes", "severalFiles", "maxSize"] },
  name: { field: ANSWER, specific: ["nameParts"] },
  address: { field: ANSWER, specific: ["addressParts"] },
  rating: {
    field: ANSWER,
    title: "build.section.rating",
    specific: ["ratingLook", "points", "firstPoint", "leftLabel", "rightLabel"],
    rare: ["rareDefault"],
  },
  range: {
    field: ANSWER,
    specific: ["minimum", "maximum", "sliderStep", "defaultNumber"],
    rare: ["suggestions"],
  },
  password: { field: ANSWER, specific: ["passwordLength"], rare: ["rarePlaceholder", "rareMaxLength", "rarePattern"] },
  color: { field: ANSWER, specific: ["defaultColor"], rare: ["suggestions"] },
  hidden: { field: ["hiddenLabel", "fixedValue"] },
  heading: { field: ["text"] },
  paragraph: { field: ["longText"] },
  divider: { field: [] },
  fieldset: { field: ["title", "sectionText"] },
  container: { field: [], help: "build.groupHelp" },
  submit: { field: ["buttonText"] },
};

/** Properties of a type in the order of the panel, without the sections that every field has. */
export const propertiesOf = (type: FieldType): readonly PropertyId[] => {
  const { field = [], specific = [], rare: seldom = [] } = PROPERTIES_OF[type] ?? {};
  return [...field, ...specific, ...seldom];
};

/** Attributes of a field that controls of the panel write, so that Advanced does not list them. */
export function attributesWithControl(field: Field): ReadonlySet<string> {
  return new Set(propertiesOf(field.type).flatMap((id) => attributesOf(PROPERTIES[id], field)));
}

/** CSS classes that controls of the panel write for a type. */
export function classesWithControl(type: FieldType): ReadonlySet<string> {
  const all = propertiesOf(type).map((id): Property => PROPERTIES[id]);
  return new Set([...WIDTHS, ...all.flatMap((property) => ("classes" in property ? (property.classes ?? []) : []))]);
}
