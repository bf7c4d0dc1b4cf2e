/** Shape of a property: one control of the properties panel, with the place in the schema where its value is stored. */
import type { Field, FieldMembers, Option } from "../../../shared/draft/content.ts";
import type { TextId, TextValues } from "../../../shared/text/text.tsx";

/** Choice of a select or a row of chips. Its text is a label of the locales, a number, or the value itself. */
export interface PropertyChoice {
  readonly value: string;
  readonly label?: TextId;
  readonly values?: TextValues;
  readonly number?: number;
  /** Whether the choice is offered only if the field already has it, for example from HTML. */
  readonly isRare?: boolean;
}

interface Base<Value> {
  readonly label: TextId;
  readonly help?: TextId;
  /** Attribute that stores the value; Advanced does not list it. */
  readonly attribute?: string;
  /** CSS classes of which the property writes one; Advanced does not list them. */
  readonly classes?: readonly string[];
  /** Whether the panel shows the property for this field. Default: always. */
  readonly isShown?: (field: Field) => boolean;
  /** Whether the control takes half of the panel's width. */
  readonly isHalf?: boolean;
  /** Whether the control stays once it was shown, so that clearing the value does not remove it. */
  readonly isKept?: boolean;
  /** Error of the stored value, shown at the control. */
  readonly fault?: (field: Field) => TextId | null;
  read(field: Field): Value;
  write(field: Field, value: Value): FieldMembers;
}

export interface TextProperty extends Base<string> {
  readonly control: "text";
  /** Number of lines; makes the input a textarea. */
  readonly rows?: number;
  readonly placeholder?: TextId;
}

export interface SwitchProperty extends Base<boolean> {
  readonly control: "switch";
}

export interface ChoiceProperty extends Base<string> {
  readonly control: "select" | "chips";
  readonly choices: readonly PropertyChoice[];
}

export interface NumberProperty extends Base<number | null> {
  readonly control: "number";
  readonly isWhole: boolean;
  /** Text after the input, such as "characters". */
  readonly unit?: TextId;
}

/** Bound of a date or a time: a moment, a number of days from today, or empty for none. */
export interface MomentProperty extends Base<string | number> {
  readonly control: "date" | "time" | "datetime-local";
  /** Attribute that stores days from today, as an expression. */
  readonly relative?: string;
}

/** Kinds of answers that a text accepts, each with its pattern. A custom pattern has its own message. */
export interface PatternProperty extends Base<string> {
  readonly control: "pattern";
  readonly kinds: readonly { readonly label: TextId; readonly pattern: string }[];
}

/** Property that is stored as text, and edited by its own component. */
export interface TextControlProperty extends Base<string> {
  readonly control: "linkText" | "fileTypes" | "color" | "chosenOptions" | "weights";
}

/** Size in bytes, edited in KB or MB. */
export interface BytesProperty extends Base<number | null> {
  readonly control: "bytes";
}

export interface OptionsProperty extends Base<readonly Option[]> {
  readonly control: "options";
}

/**
 * Labels of the parts of a name or an address. The property's attribute, if any, lists the parts that the form asks
 * for.
 */
export interface PartsProperty extends Base<readonly Option[]> {
  readonly control: "parts";
  readonly parts: readonly { readonly value: string; readonly label: TextId }[];
}

/** Label of the free answer of a choice, or of the repeated input; null without one. */
export interface OtherProperty extends Base<string | null> {
  readonly control: "other";
  readonly textLabel: TextId;
  /** Label that is stored when the switch is turned on; `{label}` is the field's label. */
  readonly initialText: TextId;
}

/** Property that is stored in the members of a field. */
export type FieldProperty =
  | TextProperty
  | SwitchProperty
  | ChoiceProperty
  | NumberProperty
  | MomentProperty
  | PatternProperty
  | TextControlProperty
  | BytesProperty
  | OptionsProperty
  | PartsProperty
  | OtherProperty;

/** Switch that is stored in the form's actions. */
export interface ReplyProperty extends Pick<Base<boolean>, "label" | "help" | "isShown"> {
  readonly control: "reply";
}

/** Options of all rows of a matrix, which are stored in the rows. */
export interface ColumnsProperty extends Pick<Base<boolean>, "label" | "help" | "isShown"> {
  readonly control: "columns";
}

export type Property = FieldProperty | ReplyProperty | ColumnsProperty;

/** Returns the attributes of a field that a property writes. */
export function attributesOf(property: Property, field: Field): readonly string[] {
  if (property.control === "reply" || property.control === "columns") return [];
  // Without a pattern, `title` is a tooltip that no control edits.
  if (property.control === "pattern") return field.validation.pattern === undefined ? [] : ["title"];
  const relative = "relative" in property ? property.relative : undefined;
  return [property.attribute, relative].flatMap((name) => name ?? []);
}

/** Returns the attributes of a field with one set; null removes it. */
export function withAttribute(field: Field, name: string, value: string | null): FieldMembers {
  const { [name]: _, ...rest } = field.attributes;
  return { attributes: value === null ? rest : { ...rest, [name]: value } };
}

/** Returns the validation of a field with one member set; null removes it. */
export function withRule<Rule extends keyof Field["validation"]>(
  field: Field,
  rule: Rule,
  value: NonNullable<Field["validation"][Rule]> | null,
): FieldMembers {
  const { [rule]: _, ...rest } = field.validation;
  return { validation: value === null ? rest : { ...rest, [rule]: value } };
}

export const classesOf = ({ css_class: css }: Pick<Field, "css_class">): string[] =>
  css.split(/\s+/).filter((name) => name !== "");

/** Returns the first of these classes that the field has; empty if it has none. */
export const classAmong = (field: Field, names: readonly string[]): string =>
  classesOf(field).find((name) => names.includes(name)) ?? "";

/** Whether a section shows its fields as the rows of a matrix. */
export const isMatrix = (field: Pick<Field, "css_class">): boolean => classesOf(field).includes("cf-matrix");

/** Returns the classes with one class of a set, and without the others of the set. */
export function withClassAmong(field: Field, names: readonly string[], name: string): FieldMembers {
  const others = classesOf(field).filter((other) => !names.includes(other));
  return { css_class: [...others, name].filter((other) => other !== "").join(" ") };
}
