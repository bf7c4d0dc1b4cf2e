/** Properties of calculated fields, and the values of options in calculations. */
import type { Field } from "../../../shared/draft/content.ts";
import { attributeChoice, flag, hasOtherExpression, rare } from "./builders.ts";
import { type FieldProperty, type NumberProperty, type TextProperty, withAttribute } from "./property.ts";

const CALC = "data-calc";
const DECIMALS = "data-decimals";

/** Currencies that the panel offers. A stored currency that is not among them is kept. */
const CURRENCIES = ["EUR", "USD", "GBP", "CHF", "JPY"];

const isCalculated = ({ attributes }: { readonly attributes: Readonly<Record<string, string>> }): boolean =>
  CALC in attributes;

const expression = (attribute: string, label: TextProperty["label"], help: TextProperty["help"]): TextProperty => ({
  control: "text",
  label,
  ...(help === undefined ? {} : { help }),
  rows: 2,
  attribute,
  read: ({ attributes }) => attributes[attribute] ?? "",
  write: (field, value) => withAttribute(field, attribute, value.trim() === "" && attribute !== CALC ? null : value),
});

const decimals: NumberProperty = {
  control: "number",
  label: "build.decimals",
  isWhole: true,
  isHalf: true,
  attribute: DECIMALS,
  read: ({ attributes }) => (attributes[DECIMALS] === undefined ? null : Number(attributes[DECIMALS])),
  write: (field, value) => withAttribute(field, DECIMALS, value === null ? null : String(value)),
};

const calculatedOnly = (property: FieldProperty): FieldProperty => rare(property, isCalculated);

const bounded = (
  attribute: string,
  label: TextProperty["label"],
  isShown: (field: Field) => boolean = ({ attributes }) => attribute in attributes,
): FieldProperty => rare(expression(attribute, label, "build.calculationHelp"), isShown);

/** Bound of a date that an expression computes. A bound relative to today has its own control (builders.ts). */
const boundedDate = (attribute: string, label: TextProperty["label"]): FieldProperty =>
  bounded(attribute, label, (field) => hasOtherExpression(field, attribute));

export const CALCULATIONS = {
  calculation: calculatedOnly(expression(CALC, "build.calculation", "build.calculationHelp")),
  calculationFormat: calculatedOnly(
    attributeChoice("data-format", "build.calculationFormat", [
      { value: "", label: "build.calculationFormat.number" },
      { value: "percent", label: "build.calculationFormat.percent" },
      ...CURRENCIES.map(
        (code) => ({ value: `currency ${code}`, label: "build.calculationFormat.currency", values: { code } }) as const,
      ),
    ]),
  ),
  calculationDecimals: calculatedOnly(decimals),
  calculationOnServer: calculatedOnly(flag("data-server", "build.calculationOnServer")),
  calculatedMinimum: bounded("data-min", "build.calculatedMinimum"),
  calculatedMaximum: bounded("data-max", "build.calculatedMaximum"),
  calculatedEarliest: boundedDate("data-min", "build.calculatedEarliest"),
  calculatedLatest: boundedDate("data-max", "build.calculatedLatest"),
  weights: {
    control: "weights",
    label: "build.weights",
    help: "build.weightsHelp",
    attribute: "data-weights",
    read: ({ attributes }) => attributes["data-weights"] ?? "",
    write: (field, value) => withAttribute(field, "data-weights", value === "" ? null : value),
  },
} as const satisfies Readonly<Record<string, FieldProperty>>;
