/** Properties of each field type, in the order of the panel. */
import type { Field, FieldType } from "../../../shared/draft/content.ts";
import type { TextId } from "../../../shared/text/text.tsx";
import { WIDTHS } from "../model/width.ts";
import { attributesOf, type Property } from "./property.ts";
import { PROPERTIES, type PropertyId } from "./table.ts";

/** Properties of a type: those in the section Field, and specific ones with the title of their section. */
export interface TypeProperties {
  readonly field: readonly PropertyId[];
  readonly title?: TextId;
  readonly specific?: readonly PropertyId[];
  /** Properties that are rarely set for the type. */
  readonly rare?: readonly PropertyId[];
  /** Explanation for a type without specific properties. */
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

/** Properties of a field whose value is calculated. */
const CALCULATED: readonly PropertyId[] = [
  "calculation",
  "calculationFormat",
  "calculationDecimals",
  "calculationOnServer",
];
/** Properties of options with limited seats. */
const SEATS: readonly PropertyId[] = ["limitedSeats", "seats", "seatsBy", "seatsLeft"];

const CALCULATED_BOUNDS: readonly PropertyId[] = ["calculatedMinimum", "calculatedMaximum"];
const CALCULATED_DATES: readonly PropertyId[] = ["calculatedEarliest", "calculatedLatest"];

export const PROPERTIES_OF: Readonly<Record<FieldType, TypeProperties>> = {
  text: {
    field: ANSWER,
    specific: ["placeholder", "defaultValue", "textKind", "minLength", "maxLength", "unique"],
    rare: [...CALCULATED, "suggestions"],
  },
  textarea: {
    field: ANSWER,
    specific: ["placeholder", "longDefault", "minLength", "maxLength", "height"],
    rare: ["rarePattern", "rareUnique"],
  },
  email: { field: ANSWER, specific: ["reply", "emailTwice", "emailPlaceholder", "unique"], rare: RARE_OF_TEXTS },
  tel: {
    field: ANSWER,
    specific: ["phonePlaceholder", "phoneKind", "phoneCountry", "unique"],
    rare: ["usualCountry", "offeredCountries", "rareDefault", "rareMinLength", "rareMaxLength", "suggestions"],
  },
  number: {
    field: ANSWER,
    specific: ["minimum", "maximum", "step", "unit", "defaultNumber", "unique"],
    rare: [...CALCULATED, ...CALCULATED_BOUNDS, "rarePlaceholder", "suggestions"],
  },
  url: { field: ANSWER, specific: ["placeholder", "onlyHttps", "unique"], rare: RARE_OF_TEXTS },
  radio: {
    field: ANSWER,
    title: "build.section.options",
    specific: ["options", "other", "choiceLook", "selected", "weights", ...SEATS],
    rare: ["rareUnique"],
  },
  checkbox: {
    field: ANSWER,
    title: "build.section.options",
    specific: [
      "options",
      "other",
      "choiceLook",
      "selected",
      "minChoices",
      "maxChoices",
      "ranking",
      "weights",
      ...SEATS,
    ],
  },
  select: {
    field: ANSWER,
    title: "build.section.options",
    specific: [
      "dropdownOptions",
      "allowSeveral",
      "selected",
      "noChoiceText",
      "minChoices",
      "maxChoices",
      "weights",
      ...SEATS,
    ],
    rare: ["rareUnique"],
  },
  consent: { field: ["consentText", "consentRequired", "description"] },
  date: {
    field: ANSWER,
    specific: ["earliestDate", "latestDate", "dateParts"],
    rare: ["rareUnique", ...CALCULATED_DATES, ...CALCULATED, ...RARE_OF_VALUES],
  },
  time: {
    field: ANSWER,
    specific: ["earliestTime", "latestTime", "minutes"],
    rare: ["rareUnique", ...CALCULATED_BOUNDS, ...RARE_OF_VALUES],
  },
  "datetime-local": {
    field: ANSWER,
    specific: ["earliestMoment", "latestMoment"],
    rare: ["rareUnique", ...CALCULATED_DATES, ...RARE_OF_VALUES],
  },
  file: {
    field: ANSWER,
    title: "build.section.files",
    specific: ["fileTypes", "severalFiles", "maxFiles", "maxSize", "signature"],
  },
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
    rare: [...CALCULATED_BOUNDS, "suggestions"],
  },
  password: {
    field: ANSWER,
    specific: ["passwordLength", "passwordTwice"],
    rare: ["rarePlaceholder", "rareMaxLength", "rarePattern"],
  },
  color: { field: ANSWER, specific: ["defaultColor"], rare: ["suggestions"] },
  hidden: { field: ["hiddenLabel", "fixedValue"], rare: ["rareUnique", ...CALCULATED] },
  heading: { field: ["text", "headingLevel"] },
  paragraph: { field: ["longText"] },
  divider: { field: [] },
  fieldset: {
    field: ["title", "sectionText", "repeat", "repeatButton", "minRows", "maxRows"],
    specific: ["sectionLook", "columns"],
  },
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
