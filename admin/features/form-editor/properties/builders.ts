/** Builders of properties that are stored in the same way. */
import type { Field } from "../../../shared/draft/content.ts";
import type { TextId } from "../../../shared/text/text.tsx";
import {
  type ChoiceProperty,
  classAmong,
  type FieldProperty,
  type MomentProperty,
  type NumberProperty,
  type PartsProperty,
  type PropertyChoice,
  type TextProperty,
  withAttribute,
  withClassAmong,
  withRule,
} from "./property.ts";

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

/** Bound of a date or a time, an attribute of the same name. A range of times may span midnight. */
export const moment = (
  attribute: "min" | "max",
  label: TextId,
  control: MomentProperty["control"],
): MomentProperty => ({
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

/** Choice of a look; each is a CSS class. `usual` is the look without one. */
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

/** Labels of parts, each by the part's name. */
export const parts = (labels: Readonly<Record<string, TextId>>): PartsProperty => ({
  control: "parts",
  label: "build.parts",
  parts: Object.entries(labels).map(([value, label]) => ({ value, label })),
  read: ({ options }) => options,
  write: (_, options) => ({ options }),
});

/** Shows a property only while, or after, its value was set. */
export const rare = (property: FieldProperty, isShown: (field: Field) => boolean): FieldProperty => ({
  ...property,
  isShown,
  isKept: true,
});

/** Choice of a number of something, such as lines. */
export const counted = (label: TextId, count: number, value = String(count)): PropertyChoice => ({
  value,
  label,
  values: { count },
});
