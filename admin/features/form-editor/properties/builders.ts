/** Builders of properties that differ only in details, such as two bounds or two switches. */
import type { Field } from "../../../shared/draft/content.ts";
import type { TextId } from "../../../shared/text/text.tsx";
import {
  type ChoiceProperty,
  classAmong,
  type FieldProperty,
  type MomentProperty,
  type NumberProperty,
  type OtherProperty,
  type PartsProperty,
  type PropertyChoice,
  type TextProperty,
  withAttribute,
  withClassAmong,
  withRule,
} from "./property.ts";
import { daysOf, expressionOf } from "./relative-date.ts";

/** Text member of a field, such as its label. */
export const member = (
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
export const bound = (
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

/** Bound of a time, stored as the attribute `min` or `max`. `min` may be later, since a range may span midnight. */
export const timeBound = (attribute: "min" | "max", label: TextId): MomentProperty => ({
  control: "time",
  label,
  isHalf: true,
  attribute,
  read: ({ attributes }) => attributes[attribute] ?? "",
  write: (field, value) => withAttribute(field, attribute, value === "" ? null : String(value)),
});

/**
 * Bound of a date: a date, or a number of days from today. A bound with any other expression has a separate control.
 */
export function dateBound(attribute: "min" | "max", label: TextId, control: "date" | "datetime-local"): MomentProperty {
  const relative = `data-${attribute}`;
  const boundOf = ({ attributes }: Field, side: "min" | "max"): string | number =>
    daysOf(attributes[`data-${side}`] ?? "") ?? attributes[side] ?? "";
  return {
    control,
    label,
    isHalf: control === "date",
    attribute,
    relative,
    isShown: (field) => !hasOtherExpression(field, relative),
    read: (field) => boundOf(field, attribute),
    write(field, value) {
      const { [attribute]: _, [relative]: __, ...rest } = field.attributes;
      if (value === "") return { attributes: rest };
      const stored = typeof value === "number" ? { [relative]: expressionOf(value) } : { [attribute]: value };
      return { attributes: { ...rest, ...stored } };
    },
    ...(attribute === "min"
      ? {
          fault(field) {
            const [min, max] = [boundOf(field, "min"), boundOf(field, "max")];
            const isComparable = typeof min === typeof max && min !== "" && max !== "";
            return isComparable && min > max ? "build.earliestAfterLatest" : null;
          },
        }
      : {}),
  };
}

/** Whether an attribute has an expression other than a number of days from today. */
export function hasOtherExpression({ attributes }: Field, name: string): boolean {
  const expression = attributes[name];
  return expression !== undefined && daysOf(expression) === null;
}

/** Choice that is stored as an attribute; an empty value removes it. */
export const attributeChoice = (
  attribute: string,
  label: TextId,
  choices: readonly PropertyChoice[],
): ChoiceProperty => ({
  control: "select",
  label,
  attribute,
  choices,
  read: ({ attributes }) => attributes[attribute] ?? "",
  write: (field, value) => withAttribute(field, attribute, value === "" ? null : value),
});

export const pattern = (kinds: readonly { readonly label: TextId; readonly pattern: string }[]): FieldProperty => ({
  control: "pattern",
  label: "build.accepts",
  kinds,
  read: ({ validation }) => validation.pattern ?? "",
  write: (field, value) => withRule(field, "pattern", value === "" ? null : value),
});

/** Switch that sets an attribute without a value. */
export const flag = (attribute: string, label: TextId): FieldProperty => ({
  control: "switch",
  label,
  attribute,
  read: ({ attributes }) => attribute in attributes,
  write: (field, isOn) => withAttribute(field, attribute, isOn ? "" : null),
});

/** Choice of a look, stored as a CSS class. `usual` returns the look of a field that has none of the classes. */
export const looks = (
  label: TextId,
  classes: readonly string[],
  choices: readonly PropertyChoice[],
  usual: (field: Field) => string,
) =>
  ({
    control: "chips",
    label,
    classes,
    choices,
    read: (field) => classAmong(field, classes) || usual(field),
    write: (field, value) => withClassAmong(field, classes, value),
  }) satisfies FieldProperty;

/** Switch that makes the form ask for the answer twice. It stores the label of the second input. */
export const repeated = (help: TextId): OtherProperty => ({
  control: "other",
  label: "build.twice",
  help,
  textLabel: "build.twice.label",
  initialText: "build.twice.text",
  attribute: "data-twice",
  isShown: ({ attributes }) => !("multiple" in attributes),
  read: ({ attributes }) => attributes["data-twice"] ?? null,
  write: (field, label) => withAttribute(field, "data-twice", label),
});

/** Labels of parts, each by the part's name. */
export const parts = (labels: Readonly<Record<string, TextId>>): PartsProperty => ({
  control: "parts",
  label: "build.parts",
  parts: Object.entries(labels).map(([value, label]) => ({ value, label })),
  read: ({ options }) => options,
  write: (_, options) => ({ options }),
});

/** Shows a property only once `isShown` is true for the field, and keeps it from then on. */
export const rare = (property: FieldProperty, isShown: (field: Field) => boolean): FieldProperty => ({
  ...property,
  isShown,
  isKept: true,
});

/** Choice of a count, such as a number of lines. */
export const counted = (label: TextId, count: number, value = String(count)): PropertyChoice => ({
  value,
  label,
  values: { count },
});
