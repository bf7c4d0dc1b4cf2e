/** Properties of variants: telephone numbers with a country, rankings and matrices. */
import type { Field } from "../../../shared/draft/content.ts";
import { flag, looks, rare } from "./builders.ts";
import { type FieldProperty, type Property, type TextProperty, withAttribute } from "./property.ts";

const PHONE = "data-phone";
const COUNTRIES = "data-countries";

const hasCountry = ({ attributes }: Field): boolean => PHONE in attributes;

/** Country codes in capitals. An empty text keeps the attribute `data-phone`, which also marks the field. */
const codes = (attribute: string, label: TextProperty["label"], help: TextProperty["label"]): FieldProperty =>
  rare(
    {
      control: "text",
      label,
      help,
      attribute,
      read: ({ attributes }) => attributes[attribute] ?? "",
      write: (field, value) =>
        withAttribute(field, attribute, value.trim() === "" && attribute !== PHONE ? null : value.toUpperCase()),
      fault: ({ attributes }) => (/^[\sA-Z]*$/.test(attributes[attribute] ?? "") ? null : "build.countryFault"),
    },
    hasCountry,
  );

export const VARIANTS = {
  phoneCountry: {
    control: "switch",
    label: "build.phoneCountry",
    help: "build.phoneCountryHelp",
    attribute: PHONE,
    read: hasCountry,
    write: (field, isOn) => {
      const { [COUNTRIES]: _, ...attributes } = field.attributes;
      return isOn ? withAttribute(field, PHONE, "") : withAttribute({ ...field, attributes }, PHONE, null);
    },
  },
  usualCountry: codes(PHONE, "build.usualCountry", "build.usualCountryHelp"),
  offeredCountries: codes(COUNTRIES, "build.offeredCountries", "build.offeredCountriesHelp"),
  ranking: { ...flag("data-rank", "build.ranking"), help: "build.rankingHelp" },
  sectionLook: looks(
    "build.showAs",
    ["cf-matrix"],
    [
      { value: "", label: "build.look.section" },
      { value: "cf-matrix", label: "build.look.matrix" },
    ],
    () => "",
  ),
  columns: { control: "columns", label: "build.columns" },
} as const satisfies Readonly<Record<string, Property>>;
